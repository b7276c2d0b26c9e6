"""A number before a noun or a verb agrees with it: texts leave that to `words.count`, `plural` and `counted`."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from dashboard.templatetags.podium import counted
from scheduler.engine.words import count

ROOT = Path(settings.BASE_DIR)
NOUN = """algorithm attempt claim cluster cycle document domain event file filter lesson line lot move node number
object part plugin pod point reason replica row score step subset task taint term UnitedDeployment victim worker"""
LIKE = "best|different|free|more|new|other|small|such|valid|wrong"
VERB = "are|come|differ|fit|have|lie|match|share|spread|stay|find|wait|were"
AFTER = rf"(?:(?:(?:{LIKE}) )?(?:{'|'.join(f'{one}s' for one in NOUN.split())})|{VERB})\b(?!\{{)"
PYTHON = re.compile(rf"""f["'].*?\{{(?P<what>[^{{}}]+)\}} (?P<said>{AFTER})""")
SCRIPT = re.compile(rf"\$\{{(?P<what>[^{{}}]+)\}} (?P<said>{AFTER})")
TEMPLATE = re.compile(rf"\{{\{{ (?P<what>[^{{}}]+) \}}\}}(?:</\w+>)? (?P<said>{AFTER})")
GUARDED = re.compile(r"[=!]= [12]\b|> 1\b")  # the line knows that it is not one, or says what it is then
# Constants and limits, which are far from one; names and the like, which are not numbers.
FREE = re.compile(
    r"^[A-Z_]+\b|^(self\.)?limits\.|most(_objects)?:,$|name$|^words|^(algorithm|cluster|names|owner|rule\.selects|verb|who)$"
    r"|^(count|plural)\(.*,.*,|counted:.*,"  # it brings its verb along
)
OTHERS_WORDS = (
    "0/{node_count} nodes are available",
    "preempting {len(decision.victims)} victims",
)


def texts(pattern: re.Pattern[str], *places: str) -> list[str]:
    """`file: what is written there` for every number that does not agree with what follows when it is one."""
    found = []
    for place in places:
        folder, _, ending = place.partition(":")
        for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
            lines = path.read_text().splitlines()
            for at, line in enumerate(lines):
                above = (
                    lines[max(0, at - 2) : at] if ending == "html" else []
                )  # a condition stands above what it guards
                if GUARDED.search(" ".join((*above, line))) or any(words in line for words in OTHERS_WORDS):
                    continue
                found += [
                    f"{path.relative_to(ROOT)}: {{{one['what']}}} {one['said']}"
                    for one in pattern.finditer(line)
                    if not FREE.search(one["what"])
                ]
    return found


@pytest.mark.parametrize(
    ("pattern", "places"),
    [
        (PYTHON, ("dashboard:py", "scheduler:py")),
        (SCRIPT, ("static/js:js",)),
        (TEMPLATE, ("templates:html",)),
    ],
    ids=["python", "script", "template"],
)
def test_numbers_agree_with_what_follows(pattern, places):
    assert texts(pattern, *places) == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (PYTHON, '''f"{len(rows)} nodes"'''),
        (PYTHON, '''f"of {total:,} more pods"'''),
        (PYTHON, '''f"{count(n, 'node')} come closest"'''),
        (SCRIPT, "`${one.count} nodes`"),
        (SCRIPT, "`${plural(n, 'pod')} wait`"),
        (TEMPLATE, "<b>{{ found }}</b> nodes match"),
    ],
)
def test_what_does_not_agree_is_found(pattern, line):
    assert pattern.search(line)


@pytest.mark.parametrize(("number", "said"), [(0, "0 pods wait"), (1, "1 pod waits"), (1200, "1,200 pods wait")])
def test_nouns_come_with_their_verbs(number, said):
    assert count(number, "pod waits", "pods wait") == said
    assert counted(number, "pod waits,pods wait") == said
