"""DaemonSets: which nodes are to have a pod, and the pod for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from scheduler.engine.controllers import revisions
from scheduler.engine.controllers.look import REVISION_HASH, owned_pods
from scheduler.engine.controllers.making import drawn_name, make_pod, spec_of
from scheduler.engine.controllers.writing import delete_pods, write_status
from scheduler.engine.labels import RequiredNodeAffinity
from scheduler.engine.objects import Node, ObjectKey, Pod, Workload, decode
from scheduler.engine.values.taints import first_untolerated
from scheduler.engine.workloads.daemon_set import daemon_set, node_of, pod_template
from scheduler.engine.workloads.owned import OwnedPod

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def reconcile_daemon_set(state: Simulation, key: ObjectKey, workload: Workload) -> int:
    template = workload.spec.template or {}
    updated = revisions.updated_revision(state, key, workload, template)
    nodes = [cast(Node, one) for one in state.objects("Node")]
    eligible = [node.name for node in nodes if may_run(template, node)]
    pods: dict[str, list[OwnedPod]] = {}
    for pod in owned_pods(state, key):
        pods.setdefault(_meant_for(state.pods[f"{key[1]}/{pod.name}"]), []).append(pod)
    wanted = daemon_set(spec_of(workload), pods, eligible, updated, state.now_us)
    delete_pods(state, key, wanted.deletes)
    for new in wanted.creates:
        name = drawn_name(state, f"{workload.name}-", "Pod", key[1])
        make_pod(state, key, pod_template(template, new.node), name, {REVISION_HASH: new.revision})
    write_status(state, key, dict(wanted.status))
    used = {updated, *(pod.revision for given in pods.values() for pod in given)}
    revisions.clean(state, key, used, workload.spec.revision_history_limit)
    return wanted.again_us


def may_run(template: dict[str, Any], node: Node) -> bool:
    """Whether a node is to have a daemon's pod: its name, labels and taints decide, its resources do not."""
    pod = decode("Pod", {"metadata": {"name": "daemon"}, **pod_template(template, node.name)})
    assert isinstance(pod, Pod)
    if pod.node_name and pod.node_name != node.name:
        return False
    if not RequiredNodeAffinity.of(pod).matches(node.name, node.labels):
        return False
    return first_untolerated(node.taints, pod.spec.tolerations or ()) is None


def _meant_for(pod: Pod) -> str:
    return pod.node_name or node_of(msgspec.to_builtins(pod.spec))
