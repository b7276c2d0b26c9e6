"""`explain --fixes`: what would make the pods of some files fit, each change tried on a simulation of these files."""

from collections.abc import Iterator
from typing import Any

from scheduler.engine.commands import AddObject
from scheduler.engine.conformance.cycles import admitted
from scheduler.engine.errors import PluginError, Refused
from scheduler.engine.fixes.report import fix_report
from scheduler.engine.fixes.search import Search, Tried, ranked
from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.words import count, listed
from scheduler.management.offline import Input
from scheduler.management.text import aligned, plain, section
from scheduler.manifests.order import newest_us

START_US = from_rfc3339("2025-01-01T00:00:00Z")


class Fixes:
    """Of the pods of these files, all of them in the queue as the files have them."""

    def __init__(self, given: Input) -> None:
        start_us = newest_us(given.manifests) or START_US
        self.simulation, _ = Simulation.create("explain", 0, start_us, given.configuration)
        for kind, manifest in admitted(given.manifests):
            self.simulation.handle(AddObject(kind, manifest))

    def of(self, key: str) -> tuple[Search, list[Tried]]:
        """Raises Refused, PluginError."""
        search = Search(self.simulation, key)
        return search, ranked(list(search.tried()))

    def as_json(self, key: str) -> dict[str, Any]:
        try:
            search, found = self.of(key)
        except (Refused, PluginError) as fault:
            return {"fixes": [], "fixes_fault": str(fault)}
        return {"fixes": [fix_report(one, search.pod) for one in found]}

    def told(self, key: str) -> list[str]:
        try:
            search, found = self.of(key)
        except (Refused, PluginError) as fault:
            return section("What would make it fit", [f"  {fault}"])
        if not found:
            fits = not search.cycle.error and len(search.cycle.feasible) > 0
            none = "  It fits as it is." if fits else "  None found: there is no change that would be worth a try."
            return section("What would make it fit", [none, *_untried(search, found)])
        return section(
            f"What would make it fit ({_heading(found)})", [*self._rows(search, found), *_untried(search, found)]
        )

    def _rows(self, search: Search, found: list[Tried]) -> Iterator[str]:
        rows = []
        for one in found:
            report = fix_report(one, search.pod)
            rows.append((report["outcome"], _bare(report["title"])))
            rows += [("", _bare(text)) for text in (report["told"], report["note"]) if text]
        yield from aligned(rows)


def _untried(search: Search, found: list[Tried]) -> Iterator[str]:
    if search.silent and not any(one.result.fits for one in found):
        yield f"  Not tried: what would settle {listed(search.silent)}, for which no change is known."


def _heading(found: list[Tried]) -> str:
    helpful = sum(one.result.fits for one in found)
    tried = f"{count(len(found), 'change')} tried by simulated runs"
    return f"{tried}, {helpful} help{'s' if helpful == 1 else ''}" if helpful else f"none found: {tried}, none helps"


def _bare(text: str) -> str:
    return plain(text).replace("**", "")
