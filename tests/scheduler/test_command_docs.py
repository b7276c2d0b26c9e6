"""docs/commands.md names every command, and its example is what the command prints."""

import re
from pathlib import Path

from tests.scheduler.commands import run, written
from tests.scheduler.test_explain_command import NODES, a_pod

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs/commands.md").read_text()


def test_every_command_is_in_the_table():
    rows = [line for line in TEXT.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z_]+)", row.split("|")[1])}
    there = {path.stem for path in (ROOT / "scheduler/management/commands").glob("[a-z]*.py")}
    assert named == there


def test_the_example_is_what_explain_prints(capsys, tmp_path):
    example = TEXT.split("    $ manage.py explain", 1)[1].split("\nOne scheduling cycle")[0]
    lines = [line.removeprefix("    ").rstrip() for line in example.splitlines()[1:]]
    printed = run(capsys, "explain", *written(tmp_path, [*NODES, a_pod("busy", nodeName="c"), a_pod("web")]))
    shown = [line for line in lines if line and line.strip() != "…"]
    assert len(shown) > 8
    assert set(shown) <= set(printed.out.splitlines())
