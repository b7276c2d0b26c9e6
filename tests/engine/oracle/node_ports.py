"""NodePorts for one node."""

from scheduler.engine.objects import Node, Pod
from scheduler.engine.values.requests import host_ports
from tests.engine.oracle.world import Refusal, World


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    for address, protocol, port in host_ports(pod):
        for other in world.pods_on(node):
            for other_address, other_protocol, other_port in host_ports(other):
                if (other_protocol, other_port) != (protocol, port):
                    continue
                if "0.0.0.0" in (address, other_address) or address == other_address:
                    return Refusal(("node(s) didn't have free ports for the requested pod ports",), hopeless=False)
    return None
