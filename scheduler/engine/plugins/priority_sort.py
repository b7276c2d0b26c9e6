"""Higher priority first, then the earlier queue timestamp. The order itself is kept by the queue's heaps."""

from scheduler.engine.framework import Plugin


class PrioritySort(Plugin):
    name = "PrioritySort"
