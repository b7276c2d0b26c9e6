"""How figures are written: ages as kubectl prints them, quantities in Kubernetes' units, clock times."""

from datetime import UTC, datetime

from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.values.quantity import format_amount as quantity
from scheduler.engine.words import count, listed

__all__ = ["age", "clock", "count", "listed", "memory_about", "microseconds", "percent", "quantity", "timestamp"]

SECOND_US = 1_000_000
BINARY = (("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10))


def age(microseconds: int) -> str:
    """`45s`, `3m12s`, `25m`, `3h20m`, `26h`, `3d4h`, `45d`, `2y30d`: the rounding of kubectl's AGE column."""
    seconds = max(0, microseconds // SECOND_US)
    minutes, hours = seconds // 60, seconds // 3600
    if seconds < 120:
        return f"{seconds}s"
    if minutes < 10:
        return _two(minutes, "m", seconds % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if hours < 24 * 8:
        return _two(hours // 24, "d", hours % 24, "h")
    if hours < 24 * 365 * 2:
        return f"{hours // 24}d"
    if hours < 24 * 365 * 8:
        return _two(hours // (24 * 365), "y", hours // 24 % 365, "d")
    return f"{hours // (24 * 365)}y"


def _two(large: int, unit: str, small: int, small_unit: str) -> str:
    return f"{large}{unit}{small}{small_unit}" if small else f"{large}{unit}"


def memory_about(size: int) -> str:
    """Rounded to whole units of the largest that leaves two digits: `212Gi`, `640Mi`."""
    for suffix, unit in BINARY:
        if abs(size) >= 10 * unit:
            return f"{size // unit}{suffix}"
    return str(size)


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


def microseconds(stamp: str | None) -> int | None:
    """A Kubernetes time in µs since the epoch; None where there is none or it cannot be read."""
    try:
        return from_rfc3339(stamp or "")
    except ValueError:
        return None
