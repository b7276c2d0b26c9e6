"""The sentence of a pod that fits nowhere: `0/3 nodes are available: 2 Insufficient cpu, …`.

Source: kube-scheduler v1.34.1 framework/types.go, FitError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

EVENT_NOTE_LIMIT = 1024
_ELLIPSIS = " ..."


def fit_error(node_count: int, reasons: Mapping[str, int], pre_filter_message: str = "", post_filter: str = "") -> str:
    """The full text of the PodScheduled condition.

    `reasons`: number of nodes by reason; a PreFilter message takes their place. The parts are sorted as strings, so
    "10 x" comes before "2 y". `post_filter`: what PostFilter said, appended without a dot.
    """
    message = f"0/{node_count} nodes are available:"
    if pre_filter_message:
        message += f" {pre_filter_message}."
    elif parts := sorted((f"{count} {reason}" for reason, count in reasons.items()), key=str.encode):
        message += f" {', '.join(parts)}."
    return f"{message} {post_filter}" if post_filter else message


def event_note(message: str) -> str:
    """The message as the FailedScheduling event carries it: at most 1024 bytes."""
    encoded = message.encode()
    if len(encoded) <= EVENT_NOTE_LIMIT:
        return message
    return encoded[: EVENT_NOTE_LIMIT - len(_ELLIPSIS)].decode(errors="ignore") + _ELLIPSIS


def histogram(counted: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, int]:
    """Nodes by reason from (reasons of a status, nodes with it); a node with two reasons counts in both."""
    counts: dict[str, int] = {}
    for reasons, nodes in counted:
        for reason in reasons:
            counts[reason] = counts.get(reason, 0) + nodes
    return counts
