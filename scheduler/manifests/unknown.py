"""Unknown fields of a whole import: a line for each, however many objects have it, and a bound on the lines."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from scheduler.manifests.fields import Unknown
from scheduler.manifests.items import Line
from scheduler.manifests.report import Notice

MOST, PLACES = 50, 3
MEANING = "kubectl apply refuses it; without that check the API server drops it."


@dataclass(slots=True)
class _Slip:
    """One field of one kind. `first`: the object and the field that are told; `places`: where the first few stand."""

    first: str
    unknown: Unknown
    count: int = 0
    places: list[str] = field(default_factory=list)

    def notice(self) -> Notice:
        more = f" and {self.count - 1:,} more" if self.count > 1 else ""
        joint = "" if self.unknown.meant else "."
        return Notice(f"{self.first}{more}: {self.unknown}{joint} {MEANING}", self.count, tuple(self.places))


class UnknownFields:
    """Sees what is unknown of one object after the other."""

    def __init__(self) -> None:
        self._slips: dict[tuple[str, str], _Slip] = {}
        self._untold = 0

    def see(self, about: str, found: Iterable[Unknown], file: str, line: Line) -> None:
        """`about`: the object, such as `Pod shop/web`."""
        kind = about.partition(" ")[0]
        for one in found:
            key = kind, one.everywhere
            if key not in self._slips and len(self._slips) == MOST:
                self._untold += 1
                continue
            slip = self._slips.setdefault(key, _Slip(about, one))
            slip.count += 1
            if slip.count <= PLACES:
                slip.places.append(f"{file}:{line(one.path)}")

    def told(self) -> list[Notice]:
        """What looks like a slip of the pen comes first."""
        slips = sorted(self._slips.values(), key=lambda slip: not slip.unknown.meant)
        rest = [Notice(f"Unknown fields that are not listed: {self._untold:,}. {MEANING}")] if self._untold else []
        return [*(slip.notice() for slip in slips), *rest]
