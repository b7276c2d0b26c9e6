"""The page of moves: every change of place of every pod, filtered and paged by position in the log."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from dashboard.build.moves import (
    SOURCES,
    TARGETS,
    WORDS,
    MoveLine,
    MovePage,
    Wanted,
    known_words,
    moves,
    tally_of,
    total,
)
from dashboard.build.tables import MoveRow, move_rows
from dashboard.text import clock, count
from dashboard.views.common import asked_number, asked_seq, cluster_view, json_response, past_view, show
from dashboard.views.download import file_stem, table
from scheduler.engine.explain.causes import meaning, meaning_for
from scheduler.models import Cluster

NAMES = {"pod": "pod", "lane": "lane", "source": "from", "target": "to", "event": "event", "plugin": "plugin"}
LONGEST = 330


def asked(request: HttpRequest) -> Wanted:
    """`?pod=ns/name`, `lane`, `from`, `to`, `event`, `plugin`. 404 for a lane that does not exist."""
    wanted = Wanted(**{name: request.GET.get(query, "").strip()[:LONGEST] for name, query in NAMES.items()})
    for place, known in ((wanted.lane, WORDS), (wanted.source, SOURCES), (wanted.target, TARGETS)):
        if place and place not in known:
            raise Http404(f"There is no lane {place[:20]}: lanes are {', '.join(known)}.")
    return wanted


def found(request: HttpRequest, cluster: Cluster, wanted: Wanted, at: int | None) -> MovePage:
    """`?before=SEQ` is older, `?after=SEQ` is newer."""
    ends = [asked_number(request, name, 0) if request.GET.get(name) else None for name in ("before", "after")]
    return moves(cluster, wanted, cluster.seq if at is None else at, ends[0], ends[1])


@past_view
def move_page(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    wanted, at = asked(request), asked_seq(request, cluster)
    page = found(request, cluster, wanted, at)
    told = tally_of(cluster, at)
    events, plugins = known_words(told)
    whole = len(page.lines) if page.older is None and page.newer is None else None
    kept = request.GET.copy()
    for name in ("before", "after"):
        kept.pop(name, None)
    return show(
        request,
        "moves.html",
        "queue",
        cluster,
        rows=[_row(cluster, line) for line in page.lines],
        paging=page,
        wanted=wanted,
        events=events,
        plugins=plugins,
        lanes=[(name, word) for name, word in WORDS.items() if name in TARGETS or name in SOURCES],
        ends=[(way, place, _word(place)) for way, place in (("from", wanted.source), ("to", wanted.target)) if place],
        sentence=_sentence(wanted, whole if wanted.is_by_pod else total(told, wanted)),
        is_filtered=any(wanted),
        story=_story(cluster, wanted.pod) if page.lines else "",
        kept=kept.urlencode(),
        at=at,
    )


def _row(cluster: Cluster, line: MoveLine) -> dict[str, object]:
    namespace, _, name = line.pod.partition("/")
    return {
        "line": line,
        "namespace": namespace,
        "name": name,
        "clock": clock(line.at_us, cluster.start_us),
        "from": WORDS[line.source],
        "to": WORDS[line.target],
        "means": meaning_for(line.cause, line.hint),
    }


def _story(cluster: Cluster, key: str) -> str:
    namespace, _, name = key.partition("/")
    return f"{reverse('pod', args=(cluster.name, namespace, name))}?tab=history#story" if name else ""


def _word(place: str) -> str:
    word = WORDS[place]
    return word[:1].upper() + word[1:]


def _sentence(wanted: Wanted, found: int | None) -> str:
    """`3 moves of `default/web` from ActiveQ.` `found`: None if there are more than a page, nobody counted how many."""
    if not any(wanted):
        return f"{count(found, 'move')} between the lanes." if found else "No pod has moved yet."
    means = meaning(wanted.event)
    told = (
        (wanted.pod, f" of `{wanted.pod}`"),
        (wanted.source, f" from {_word(wanted.source)}" if wanted.source else ""),
        (wanted.target, f" to {_word(wanted.target)}" if wanted.target else ""),
        (wanted.lane, f" from or to {_word(wanted.lane)}" if wanted.lane else ""),
        (wanted.event, f" by `{wanted.event}`" + (f" ({means})" if means else "")),
        (wanted.plugin, f" on the hint of `{wanted.plugin}`"),
    )
    what = "The moves" if found is None else "No move" if not found else count(found, "move")
    return what + "".join(words for asked_for, words in told if asked_for) + "."


@past_view
def move_table(request: HttpRequest, cluster: Cluster) -> HttpResponseBase:
    """Every move that the page's query finds, as CSV."""
    rows = move_rows(cluster, asked(request), cluster.seq)
    return table(request, f"{file_stem(cluster)}-moves", "csv", MoveRow, rows)


@cluster_view
def moves_json(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """The same page as data: `{"moves": […], "older": seq, "newer": seq}`."""
    page = found(request, cluster, asked(request), asked_seq(request, cluster))
    lines = [line._asdict() for line in page.lines]
    return json_response({"moves": lines, "older": page.older, "newer": page.newer})
