"""The first words of the page: what a UnitedDeployment has and what is planned, or what a pass of the past did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.build.ages import ahead
from dashboard.build.united import partitioned
from dashboard.build.united.coming import Turn
from scheduler.engine.objects import ObjectKey
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.words import count, listed

Rows = Sequence[Mapping[str, Any]]
NAMED = 3
SPLIT = 8


@dataclass(frozen=True)
class Moment:
    """What the page shows. `at`: the event of the past, 0 at the present; `number`: the pass that it is, 0 if none.

    `clock`: its time on the cluster's clock.
    """

    at: int
    number: int
    clock: str

    def begun(self, key: ObjectKey) -> str:
        """What the sentence begins with, up to its verb."""
        name = f"`{key[1]}/{key[2]}`"
        if self.number:
            return f"Pass {self.number} of {name}, at {self.clock},"
        return f"At event {self.at}, {self.clock}, {name}" if self.at else name


def title(moment: Moment, rows: Rows, *, is_wished: bool, is_still: bool, lacks: str, turn: Turn | None) -> str:
    """Of the card with the bars. `is_still`: nothing comes of the next pass; `lacks`: what is still under way."""
    before, after = sum(row["asked"] for row in rows), sum(row["planned"] for row in rows)
    if moment.number and not is_wished:
        return f"What pass {moment.number} did"
    if before != after:
        return f"Plan from {before:,} to {after:,}"
    if is_wished:
        return "Plan"
    if not is_still:
        return "Next pass"
    if turn is not None:
        return "For now"
    if lacks:
        return (
            "Waiting"
            if all(row["pods"] == row["asked"] == row["pending"] + row["ready"] for row in rows)
            else "Under way"
        )
    return "Held back" if any(row["held_back"] for row in rows) else "Settled"


def lacks(rows: Rows) -> str:
    """What workloads still have to do for what they are asked for, "" if nothing: of one more, of another less."""
    missing = sum(max(row["asked"] - row["pods"], 0) for row in rows)
    leaving = sum(max(row["pods"] - row["asked"], 0) for row in rows)
    waiting = sum(row["pending"] for row in rows)
    unready = sum(row["pods"] - row["pending"] - row["ready"] for row in rows)
    parts = [f"{count(missing, 'pod')} still to be made"] if missing else []
    parts += [f"{count(leaving, 'pod')} still to go"] if leaving else []
    parts += [f"{count(waiting, 'pod waits', 'pods wait')} for a node"] if waiting else []
    parts += [f"{count(unready, 'pod')} not ready yet"] if unready > 0 else []
    return ", ".join(parts)


def note(summary: str, done: Pass, turn: Turn | None, lacking: str, now_us: int, *, is_still: bool) -> dict[str, str]:
    """Beside the title: what comes and when. `summary`: what the pass does; `left`: an element, how long until then."""
    if not is_still:
        return {"words": summary}
    held = sum(map(len, partitioned.held_back(done).values()))
    tail = "".join(f"; {words}" for words in (held and partitioned.told(held), lacking) if words)
    if turn is None:
        return {"words": f"the next pass has nothing to do{tail}"}
    now, then = _numbers(done), _numbers(turn.done)
    return {
        "words": f"{now or 'the split stays'} until {turn.words}",
        "left": ahead(now_us, turn.at_us),
        "then": f"{f', then {then}' if then else ''}{tail}",
    }


def _numbers(done: Pass) -> str:
    """`4 / 3 / 9`, "" where they are too many to read."""
    numbers = list(done.allocation.replicas.values()) if done.allocation is not None else []
    return " / ".join(map(str, numbers)) if len(numbers) <= SPLIT else ""


def of_pass(moment: Moment, key: ObjectKey, rows: Rows, done: Pass) -> str:
    """A pass of the past, with what it read: the pods of the moment at which it began."""
    pods, planned = sum(row["pods"] for row in rows), sum(row["planned"] for row in rows)
    there = f"{count(pods, 'pod')} {'was' if pods == 1 else 'were'} there" if pods else "no pod was there yet"
    if done.error:
        return f"{moment.begun(key)} failed: {done.error.rstrip('.')}. When it began {there}."
    acts = _acts(done)
    if not acts:
        asked = f"its workloads asked for {count(planned, 'pod')} already" if planned else "no pod is asked for"
        return f"{moment.begun(key)} had nothing to do: {asked}. When it began {there}."
    return f"{moment.begun(key)} {listed(acts)}. When it began {there}."


def _acts(done: Pass) -> list[str]:
    held = partitioned.held_back(done)
    marked = [name for name, one in done.detected.items() if one.unschedulable and not one.marked]
    found = [f"found {listed(_ticked(marked))} unschedulable"] if marked else []
    found += [f"adopted {count(len(done.adopted), 'workload')}"] if done.adopted else []
    found += [f"released {count(len(done.released), 'workload')}"] if done.released else []
    found += [f"made {count(len(done.creates), 'workload')}, {_made(done)}"] if done.creates else []
    found += [f"deleted {count(len(done.deletes), 'workload')}"] if done.deletes else []
    updates = [one for one in done.updates if one.subset not in held]
    scaled = [
        f"`{one.subset}` from {before} to {one.replicas}"
        for one in updates
        if (before := done.existing[one.subset].spec_replicas) != one.replicas
    ]
    rest = len(updates) - len(scaled)
    found += [f"scaled {listed(_few(scaled))}"] if scaled else []
    found += [f"wrote {count(rest, 'other workload') if scaled else count(rest, 'workload')} anew"] if rest else []
    return found


def _made(done: Pass) -> str:
    return listed(_few([f"`{one.subset}` with {one.replicas}" for one in done.creates]))


def _few(words: Sequence[str]) -> list[str]:
    more = len(words) - NAMED
    return list(words) if more <= 1 else [*words[:NAMED], f"{more} more"]


def _ticked(names: Sequence[str]) -> list[str]:
    return _few([f"`{name}`" for name in names])


def standing(moment: Moment, key: ObjectKey, rows: Rows, replicas: int, fault: str, error: str) -> str:
    """Without a wish. `replicas`: asked for in all. `fault`: of the last pass, which the next will most likely have."""
    pods, due = sum(row["pods"] for row in rows), sum(row["planned"] for row in rows)
    held = f"{moment.begun(key)} has {count(pods, 'pod') if pods else 'no pods'}"
    if error:
        return f"{held}. A pass fails: {error.rstrip('.')}."
    if fault:
        return f"{held}. Its last pass failed: {fault.rstrip('.')}."
    if not rows:
        return f"{moment.begun(key)} has no subsets, so nothing is made for it."
    if not pods:
        asked = f"has no pods yet; {due:,} {'is' if due == 1 else 'are'} planned" if due else "is asked for no pods"
        return f"{moment.begun(key)} {asked} over {count(len(rows), 'subset')}{_tail(rows, pods, replicas - due)}."
    return f"{held} over {count(len(rows), 'subset')}{_tail(rows, pods, replicas - due)}."


def _tail(rows: Rows, pods: int, dropped: int) -> str:
    updated, pending = sum(row["updated"] for row in rows), sum(row["pending"] for row in rows)
    held = [row["name"] for row in rows if row["condition"] is not None and row["condition"].status == "False"]
    kept, ready = sum(row["held_back"] for row in rows), sum(row["ready"] for row in rows)
    parts = [f"{updated or 'none'} of them updated"] if updated < pods else []
    parts += [partitioned.told(kept)] if kept else []
    parts += [f"{pending} {'waits' if pending == 1 else 'wait'}"] if pending else []
    parts += [f"{ready or 'none'} ready"] if ready < pods - pending else []
    parts += [f"`{held[0]}` is unschedulable"] if len(held) == 1 else []
    parts += [count(len(held), "subset is unschedulable", "subsets are unschedulable")] if len(held) > 1 else []
    if dropped < 0:
        parts.append(f"{-dropped} {'pod stands' if dropped == -1 else 'pods stand'} in for reserved ones")
    if dropped > 0:
        parts.append(f"{count(dropped, 'more replica fits', 'more replicas fit')} in no subset")
    return f"; {', '.join(parts)}" if parts else ""


def wished(moment: Moment, key: ObjectKey, rows: Rows, done: Pass, gone: int) -> str:
    """What a plan leads to. `gone`: pods of now that would go."""
    pods, waiting = sum(row["pods"] for row in rows), sum(row["wait"] for row in rows)
    held = f"{moment.begun(key)} has {count(pods, 'pod') if pods else 'no pods'}"
    if done.error:
        return f"{held}. A pass fails: {done.error.rstrip('.')}."
    tail = f"; {count(waiting, 'pod')} would wait" if waiting else ""
    numbers = ", ".join(str(row["planned"]) for row in rows) if len(rows) <= 8 else f"over {count(len(rows), 'subset')}"
    if any(row["change"] for row in rows):
        return f"{held}. A plan for {sum(row['planned'] for row in rows):,} splits them {numbers}{tail}."
    if gone:
        return f"{held}. The plan replaces {gone} of them and keeps the split{tail}."
    acts = count(len(done.updates), "workload") if done.updates else "no workload"
    return f"{held}. The plan changes {acts} and moves no pod{tail}."
