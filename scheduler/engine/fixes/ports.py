"""What could be done about a host port that is taken: another number, or none."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler.engine.fixes.change import Effort, Fix, Path, Put, pod_patch
from scheduler.engine.objects import ContainerPort, Pod
from scheduler.engine.words import listed

LAST_PORT = 65535


def other_ports(pod: Pod, taken: list[int], used: set[int]) -> list[Fix]:
    """`taken`: host ports of the pod that it cannot have; `used`: numbers that are no way out."""
    numbers = dict[int, int]()
    for port in dict.fromkeys(taken):
        free = next((one for one in (*range(port + 1, LAST_PORT + 1), *range(1024, port)) if one not in used), None)
        if free is None:
            return []
        numbers[port] = free
        used = used | {free}
    found = [(path, one) for path, one in _ports(pod) if one.host_port in numbers]
    puts = [put for path, one in found for put in _renumbered(pod, path, one, numbers)]
    wanted = listed([f"**{number}**" for number in numbers.values()])
    given = listed([str(port) for port in numbers])
    nouns = "port" if len(numbers) == 1 else "ports"
    other = Fix(
        "host-port",
        f"Use host {nouns} {wanted} instead of {given}",
        pod_patch(pod, *puts),
        Effort.SETTING,
        len(numbers),
    )
    return [other, *_without(pod, found, given, nouns)]


def _renumbered(pod: Pod, path: Path, one: ContainerPort, numbers: dict[int, int]) -> list[Put]:
    """On the network of the host, a container listens to its host port itself."""
    number = numbers[one.host_port or 0]
    fields = ["hostPort", "containerPort"] if pod.spec.host_network else ["hostPort"]
    return [Put((*path, field), number) for field in fields]


def _without(pod: Pod, found: list[tuple[Path, ContainerPort]], given: str, nouns: str) -> Iterator[Fix]:
    if pod.spec.host_network:
        return
    puts = [Put((*path, "hostPort")) for path, _ in found]
    note = "A Service reaches the pod without one."
    yield Fix("no-host-port", f"Do without host {nouns} {given}", pod_patch(pod, *puts), Effort.SETTING, 2, note=note)


def _ports(pod: Pod) -> Iterator[tuple[Path, ContainerPort]]:
    for group, containers in (("initContainers", pod.spec.init_containers), ("containers", pod.spec.containers)):
        for place, container in enumerate(containers or ()):
            for number, one in enumerate(container.ports or ()):
                yield ("spec", group, place, "ports", number), one
