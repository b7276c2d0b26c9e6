"""DaemonSets: which nodes are to have a pod, and the pod for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from scheduler.engine.controllers import revisions
from scheduler.engine.controllers.look import REVISION_HASH, owned_pods
from scheduler.engine.controllers.making import drawn_name, make_pod, spec_of
from scheduler.engine.controllers.writing import carry_out
from scheduler.engine.labels import RequiredNodeAffinity
from scheduler.engine.objects import Node, ObjectKey, Pod, Workload
from scheduler.engine.simulation.objects import read
from scheduler.engine.values.taints import first_untolerated
from scheduler.engine.workloads.actions import NewPod
from scheduler.engine.workloads.daemon_set import daemon_set
from scheduler.engine.workloads.daemon_template import pod_template

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

_ANY = ""


def reconcile_daemon_set(state: Simulation, key: ObjectKey, workload: Workload) -> int:
    """One pass. Returns how long to wait before the next, µs, 0 if no time is known. Raises PassFailed."""
    template = workload.spec.template or {}
    updated = revisions.updated_revision(state, key, workload, template)
    eligible = _eligible(state, key, template)
    pods = owned_pods(state, key)
    used = {updated, *pods.revisions}
    wanted = daemon_set(spec_of(workload), pods, eligible, updated, state.now_us)

    def make(new: NewPod) -> None:
        name = drawn_name(state, f"{workload.name}-", "Pod", key[1])
        make_pod(state, key, pod_template(template, new.node), name, {REVISION_HASH: new.revision})

    waits = carry_out(state, key, wanted, make)
    revisions.clean(state, key, used, workload.spec.revision_history_limit)
    return waits


def _eligible(state: Simulation, key: ObjectKey, template: dict[str, Any]) -> list[str]:
    """Looked up anew where the template or any node has changed."""
    assert state.owners is not None
    kept = state.owners.eligible
    if key not in kept or kept[key][0] != template:
        kept[key] = template, eligible_nodes(template, [cast(Node, one) for one in state.objects("Node")])
    return kept[key][1]


def eligible_nodes(template: dict[str, Any], nodes: Sequence[Node]) -> list[str]:
    """Nodes that are to have a daemon's pod: name, labels and taints decide, resources do not.

    The pods of all nodes differ by one name, so one pod, for a node of no name, is asked in place of them all.
    """
    pod = read("Pod", {**pod_template(template, _ANY), "metadata": {"name": "daemon"}})
    assert isinstance(pod, Pod)
    wanted, tolerations = RequiredNodeAffinity.of(pod), pod.spec.tolerations or ()
    return [
        node.name
        for node in nodes
        if pod.node_name in ("", node.name)
        and wanted.matches(_ANY, node.labels)
        and first_untolerated(node.taints, tolerations) is None
    ]
