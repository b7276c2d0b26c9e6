"""A pod's request as the scheduler counts it, line by line: containers, sidecars, the worst init moment, overhead."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scheduler.engine.objects import Container, Pod, Quantity
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.values.requests import CPU, MEMORY, add_requests, max_requests, pod_requests, scheduler_units


class Line(NamedTuple):
    """`state`: "decides" for the larger half, "total" for the result. `amounts`: texts, parallel to the resources;
    those of one resource are in one unit.
    """

    part: str
    note: str
    amounts: list[str]
    state: str = ""


class Arithmetic(NamedTuple):
    resources: list[str]
    lines: list[Line]


def arithmetic(pod: Pod) -> Arithmetic:
    parts = list(_parts(pod))
    total = pod_requests(pod)
    named = {name for _, _, requests, _ in parts for name in scheduler_units(requests)} | set(total)
    resources = [CPU, MEMORY, *sorted(named - {CPU, MEMORY})]
    units = [*(scheduler_units(have) for _, _, have, _ in parts), total]
    columns = [format_compared(name, *(line.get(name, 0) for line in units)) for name in resources]
    heads = [*((part, note, state) for part, note, _, state in parts), ("the scheduler asks for", "", "total")]
    rows = zip(heads, zip(*columns, strict=True), strict=True)
    return Arithmetic(resources, [Line(part, note, list(texts), state) for (part, note, state), texts in rows])


def _requests(container: Container) -> Mapping[str, Quantity]:
    return (container.resources.requests if container.resources else None) or {}


def _parts(pod: Pod) -> Any:
    """(part, note, requests, state) of every line above the total."""
    containers = pod.spec.containers or []
    inits = pod.spec.init_containers or []
    yield from ((one.name, "container", _requests(one), "") for one in containers)
    yield from ((one.name, "sidecar", _requests(one), "") for one in inits if one.restart_policy == "Always")
    if inits:
        yield from _halves(pod)
    if pod.spec.resources and pod.spec.resources.requests:
        yield "stated for the whole pod", "in place of the sum", pod.spec.resources.requests, ""
    if pod.spec.overhead:
        yield "overhead", "of the RuntimeClass", pod.spec.overhead, ""


def _halves(pod: Pod) -> Any:
    """What runs together for good, and each init container with the sidecars that were started before it."""
    sidecars: Mapping[str, Quantity] = {}
    peak: Mapping[str, Quantity] = {}
    lines = []
    for one in pod.spec.init_containers or []:
        if one.restart_policy == "Always":
            sidecars = add_requests(sidecars, _requests(one))
            peak = max_requests(peak, sidecars)
        else:
            beside = add_requests(_requests(one), sidecars)
            peak = max_requests(peak, beside)
            lines.append((one.name, "init, beside the sidecars before it" if sidecars else "init", beside, ""))
    running = add_requests(sidecars, *map(_requests, pod.spec.containers or []))
    larger = max_requests(running, peak)
    decides = scheduler_units(larger) == scheduler_units(max_requests(running))
    yield "while it runs", "containers and sidecars", running, "decides" if decides else ""
    yield from lines
    yield "larger of the two", "for each resource", larger, "" if decides else "decides"
