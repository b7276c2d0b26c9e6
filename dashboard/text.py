"""How figures are written: ages as kubectl prints them, quantities in Kubernetes' units, clock times."""

from collections.abc import Sequence
from datetime import UTC, datetime

from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.values.quantity import format_amount as quantity
from scheduler.engine.values.quantity import is_bytes
from scheduler.engine.words import age, count, listed

__all__ = [
    "age",
    "begin_alike",
    "clock",
    "cores_about",
    "count",
    "listed",
    "memory_about",
    "microseconds",
    "percent",
    "quantity",
    "timestamp",
]

SECOND_US = 1_000_000
MEBI = 1 << 20
BINARY = (("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10))


def memory_about(size: int) -> str:
    """To a tenth of the largest unit that divides it, or else leaves two digits: `8Gi`, `17.5Gi`, `≈211.9Gi`."""
    for suffix, unit in BINARY:
        if abs(size) >= 10 * unit or (size and size % unit == 0):
            tenths = (size * 20 + unit) // (2 * unit)
            told = f"{tenths / 10:.1f}".removesuffix(".0")
            return f"{'' if tenths * unit == size * 10 else '≈'}{told}{suffix}"
    return str(size)


def readable(resource: str, amount: int) -> str:
    """Exact, but bytes that are no whole mebibytes in these: `7860m`, `16Gi`, `15829Mi` for 16209000Ki."""
    exact = quantity(resource, amount)
    return f"{amount // MEBI}Mi" if is_bytes(resource) and len(exact) > 7 and abs(amount) >= 10 * MEBI else exact


def begin_alike(names: Sequence[str]) -> int:
    """How many letters all names begin with; at least one name."""
    low, high = min(names), max(names)
    return next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))


def cores_about(milli: int) -> str:
    """Whole cores from ten on, exact below: `27`, `6200m`, `4`."""
    return f"{milli // 1000:,}" if milli >= 10_000 else quantity("cpu", milli)


def percent(part: float, whole: float) -> str:
    """Of allocatable, as `kubectl describe node` rounds it (down); "" without a whole."""
    return f"{int(part * 100 / whole)}%" if whole else ""


def clock(now_us: int, start_us: int) -> str:
    """Time since the cluster began: `00:03:12.480`."""
    seconds, micro = divmod(max(0, now_us - start_us), SECOND_US)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{micro // 1000:03d}"


def timestamp(now_us: int) -> str:
    """RFC 3339, to the second, as Kubernetes writes times."""
    return datetime.fromtimestamp(now_us / SECOND_US, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(now_us: int) -> str:
    """RFC 3339, to the microsecond: Kubernetes' MicroTime."""
    return datetime.fromtimestamp(now_us // SECOND_US, UTC).strftime(f"%Y-%m-%dT%H:%M:%S.{now_us % SECOND_US:06d}Z")


def microseconds(stamp: str | None) -> int | None:
    """A Kubernetes time in µs since the epoch; None where there is none or it cannot be read."""
    try:
        return from_rfc3339(stamp or "")
    except ValueError:
        return None
