"""What narrow columns call an algorithm: a known abbreviation, its own `short`, or its name, which CSS may cut."""

import pytest

from dashboard.build.phases import short_name
from scheduler.engine import plugins
from scheduler.engine.framework import Plugin


class QuietNeighbours(Plugin):
    name = "QuietNeighbours"


class Quieter(QuietNeighbours):
    short = "Quiet"


@pytest.mark.parametrize(
    ("name", "plugin", "shown"),
    [
        ("NodeResourcesFit", None, "Fit"),
        ("QuietNeighbours", QuietNeighbours, "QuietNeighbours"),
        ("QuietNeighbours", Quieter, "Quiet"),
        ("ExtraScore", None, "ExtraScore"),
    ],
)
def test_a_name_is_shortened_only_by_who_knows_how(monkeypatch, name, plugin, shown):
    known = {**plugins.registry(), **({name: plugin} if plugin else {})}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    assert short_name(name) == shown
