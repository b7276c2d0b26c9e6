"""How the rows of a cycle are shared out among map tasks."""

from django.conf import settings

MAX_TASKS = 200


def ranges(rows: int, size: int | None = None) -> list[tuple[int, int]]:
    """Half-open ranges that cover `rows` once, in order.

    `size`: nodes a task; 0 asks for PODIUM_MAP_RANGES equal ranges, None for the setting PODIUM_RANGE_SIZE. No more
    than `MAX_TASKS` ranges: 1 is literally a task per node up to that many nodes.
    """
    if rows == 0:
        return []
    size = settings.PODIUM_RANGE_SIZE if size is None else size
    wanted = -(-rows // size) if size else min(settings.PODIUM_MAP_RANGES, rows)
    count = min(wanted, MAX_TASKS)
    if size and wanted == count:
        return [(first, min(first + size, rows)) for first in range(0, rows, size)]
    return [(rows * i // count, rows * (i + 1) // count) for i in range(count)]
