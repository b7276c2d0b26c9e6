"""What would make a pod fit, tried a few changes at a time: a request ends when its time is over, the next goes on."""

import time
from contextlib import suppress
from typing import Any, cast

from dashboard.build.manifest_diff import manifest_diff
from dashboard.payloads.fixes import FixChange, Fixes, TriedFix
from scheduler.engine.errors import Refused
from scheduler.engine.fixes.changes import Change, changes
from scheduler.engine.fixes.making import Lookup
from scheduler.engine.fixes.report import fix_report
from scheduler.engine.fixes.search import Search, Tried
from scheduler.engine.fixes.told import landed
from scheduler.engine.fixes.trial import look_up_in
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation
from scheduler.services.objects import manifest_of

BUDGET_SECONDS = 0.35


def fixes(cluster_id: int, simulation: Simulation, key: str, first: int, *, is_now: bool, can_branch: bool) -> Fixes:
    """Of pod `key`, from candidate `first` on; to be called while the state is lent. Raises Refused, PluginError."""
    began = time.monotonic()
    search = Search(simulation, key)
    total = len(search.candidates)
    look_up = _look_up(cluster_id, simulation, is_now)
    found, at = list[TriedFix](), min(first, total)
    while at < total:
        found.append(_payload(search.try_candidate(at), search, look_up))
        at += 1
        if time.monotonic() - began > BUDGET_SECONDS:
            break
    return {
        "pod": key,
        "seq": simulation.seq,
        "total": total,
        "next": at if at < total else None,
        "silent": search.silent,
        "as_it_is": "" if total else _as_it_is(search),
        "fixes": found,
        "can_branch": can_branch,
    }


def _as_it_is(search: Search) -> str:
    if not len(search.cycle.feasible):
        return ""
    result = search.as_it_is()
    return landed(result) if result.fits else ""


def _payload(one: Tried, search: Search, look_up: Lookup) -> TriedFix:
    report = fix_report(one, search.pod)
    del report["edits"]
    report["changes"] = [_change(change) for change in changes(one.fix.edits, look_up)]
    return cast(TriedFix, report)


def _look_up(cluster_id: int, simulation: Simulation, is_now: bool) -> Lookup:
    """Manifests as they are stored; of the past, and of what others have deleted meanwhile, what scheduling reads."""
    typed = look_up_in(simulation)

    def look_up(key: ObjectKey) -> dict[str, Any]:
        if is_now:
            with suppress(Refused):
                return manifest_of(cluster_id, key)
        manifest: dict[str, Any] = typed(key)
        return manifest

    return look_up


def _change(change: Change) -> FixChange:
    kind, namespace, name = change.key
    diff = manifest_diff(change.before, change.after) if change.after is not None else []
    return {"action": change.action, "kind": kind, "namespace": namespace, "name": name, "diff": diff}
