"""How the last cycles met one node: scored, refused with which reasons, chosen; and what each algorithm gave it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from dashboard.build.nodes.seen import Seen

Verdict = Literal["scored", "alone", "refused", "not_reached", "absent"]
WORDS = {
    "scored": "scored",
    "alone": "the only one that passed",
    "refused": "refused",
    "not_reached": "not looked at",
    "absent": "not there yet",
}
BAR_HEIGHT, BAR_PITCH = 36, 6


@dataclass(frozen=True)
class Met:
    """One cycle. `total` and `best`: of the node and of the best one, None where nothing was scored."""

    number: int
    pod: str
    verdict: Verdict
    total: int | None = None
    best: int | None = None
    reason: str = ""
    chosen: bool = False

    @property
    def word(self) -> str:
        return WORDS[self.verdict]


@dataclass(frozen=True)
class ByAlgorithm:
    """Weighted scores of the node in the cycles in which it was scored; `best`: the mean of the best node's."""

    name: str
    cycles: int
    mean: float
    least: int
    most: int
    best: float

    @property
    def meter(self) -> int:
        """0 to 100: against the best node."""
        return min(100, round(100 * self.mean / self.best)) if self.best > 0 else 0


@dataclass(frozen=True)
class Lately:
    met: list[Met]
    algorithms: list[ByAlgorithm]
    counts: Counter[str] = field(default_factory=Counter)
    reasons: list[tuple[str, int]] = field(default_factory=list)

    @property
    def chosen(self) -> int:
        return sum(one.chosen for one in self.met)

    @property
    def newest_first(self) -> list[Met]:
        return self.met[::-1]

    @property
    def bars(self) -> list[dict[str, object]]:
        """A bar a cycle: as high as the node's total against the best one, low and marked where it was refused."""
        return [_bar(at, one) for at, one in enumerate(self.met)]

    @property
    def refusals(self) -> list[tuple[str, int, int]]:
        """Each reason, the cycles in which it refused and how many pods were tried in them; most cycles first."""
        pods: dict[str, set[str]] = {}
        for one in self.met:
            pods.setdefault(one.reason, set()).add(one.pod)
        return [(reason, number, len(pods[reason])) for reason, number in self.reasons]

    @property
    def told(self) -> str:
        """`scored in 31, chosen in 2, refused in 9`."""
        parts = []
        for verdict, word in (("scored", "scored in"), ("alone", "the only one that passed in")):
            if self.counts[verdict]:
                parts.append(f"{word} {self.counts[verdict]}")
        if self.chosen:
            parts.append(f"chosen in {self.chosen}")
        if self.counts["refused"]:
            parts.append(f"refused in {self.counts['refused']}")
        if self.counts["not_reached"]:
            parts.append(f"not looked at in {self.counts['not_reached']}")
        if self.counts["absent"]:
            parts.append(f"not there yet in {self.counts['absent']}")
        return ", ".join(parts) or "no cycle has ended yet"


def lately(cycles: Sequence[Seen], node: str) -> Lately:
    """What `cycles`, oldest first, say of the node."""
    met = [_met(one, node) for one in cycles]
    reasons = Counter(one.reason for one in met if one.verdict == "refused")
    return Lately(met, _algorithms(cycles, node), Counter(one.verdict for one in met), reasons.most_common())


def _met(seen: Seen, node: str) -> Met:
    number, pod, row = seen.record.number, seen.record.pod, seen.row_of.get(node)
    decision = seen.record.decision
    chosen = decision is not None and decision.outcome == "bound" and decision.node == node
    if row is None:
        return Met(number, pod, "absent")
    if seen.place[row] >= 0:
        if seen.totals is None:
            return Met(number, pod, "alone", chosen=chosen)
        return Met(number, pod, "scored", int(seen.totals[seen.place[row]]), int(seen.totals.max()), chosen=chosen)
    if seen.why[row] >= 0:
        return Met(number, pod, "refused", reason=seen.reasons[seen.why[row]])
    return Met(number, pod, "not_reached")


def _algorithms(cycles: Sequence[Seen], node: str) -> list[ByAlgorithm]:
    """By algorithm, in the order in which they were met."""
    own: dict[str, list[tuple[int, int]]] = {}
    for seen in cycles:
        row = seen.row_of.get(node)
        if row is None or seen.place[row] < 0 or seen.totals is None:
            continue
        at, best = int(seen.place[row]), int(seen.totals.argmax())
        for name, values in seen.weighted.items():
            own.setdefault(name, []).append((int(values[at]), int(values[best])))
    return [
        ByAlgorithm(
            name,
            len(pairs),
            sum(one for one, _ in pairs) / len(pairs),
            min(one for one, _ in pairs),
            max(one for one, _ in pairs),
            sum(best for _, best in pairs) / len(pairs),
        )
        for name, pairs in own.items()
    ]


def _bar(at: int, one: Met) -> dict[str, object]:
    share = one.total / one.best if one.total is not None and one.best else 1.0 if one.verdict == "alone" else 0.25
    height = max(2, round(max(0.0, share) * (BAR_HEIGHT - 2)))
    kind = {"refused": "mb-no", "not_reached": "mb-off", "absent": "mb-off"}.get(one.verdict, "mb")
    word = one.reason or one.word
    figure = f"total {one.total} of {one.best}" if one.total is not None else word
    title = f"cycle {one.number}, {one.pod}: {figure}{', chosen' if one.chosen else ''}"
    place = {"x": at * BAR_PITCH, "y": BAR_HEIGHT - height, "height": height}
    return {**place, "kind": "mb-won" if one.chosen else kind, "title": title, "number": one.number}
