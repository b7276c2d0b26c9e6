"""A fix of a pending pod, carried out on a branch: what was tried in memory becomes a cluster to go on with."""

from scheduler import store
from scheduler.engine.commands import ActivatePods, AddObject, Command, UpdateObject
from scheduler.engine.errors import PodiumError, Refused
from scheduler.engine.events import Event as Happened
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.edits import commands
from scheduler.engine.fixes.search import Search
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Cluster
from scheduler.services.admit import Admission
from scheduler.services.branch import cluster_branch
from scheduler.services.clusters import cluster_delete
from scheduler.services.commit import write
from scheduler.services.objects import manifest_of

TITLE_LENGTH = 120


def fix_branch(cluster_id: int, seq: int, pod: str, fix_id: str, actor: str = "") -> Cluster:
    """A branch at `seq` with the fix of this id done and the pod in activeQ; nothing has been scheduled yet.

    Raises `Refused` (also where no such fix is found for that state), `Invalid`, `Cluster.DoesNotExist`.
    """
    with store.reading(cluster_id, seq) as simulation:
        fix = found(simulation, pod, fix_id)
    branch = cluster_branch(cluster_id, seq, actor=actor)
    try:
        write(branch.pk, lambda state: _carried_out(branch.pk, state, pod, fix), actor=actor)
    except PodiumError:
        cluster_delete(branch.pk)
        raise
    title = fix.title.replace("`", "").replace("**", "")[:TITLE_LENGTH]
    branch.description = f"{branch.description}: {title}"[:200]
    Cluster.objects.filter(pk=branch.pk).update(description=branch.description)
    return branch


def found(simulation: Simulation, pod: str, fix_id: str) -> Fix:
    """The fix of this id among those that are worth a try. Raises `Refused`."""
    if (fix := Search(simulation, pod).fix(fix_id)) is not None:
        return fix
    raise Refused("This change does not fit the cluster any more: look at the pod again.")


def _carried_out(branch_id: int, state: Simulation, pod: str, fix: Fix) -> list[Happened]:
    first, then = commands(state, fix.edits, lambda key: manifest_of(branch_id, key))
    events = [event for command in first for event in state.handle(_admitted(state, command))]
    if state.queued(pod) is not None:
        events += state.handle(ActivatePods((pod,)))
    return events + [event for command in then for event in state.handle(_admitted(state, command))]


def _admitted(state: Simulation, command: Command) -> Command:
    """As an API server takes it."""
    if isinstance(command, AddObject):
        return AddObject(*Admission(state).create(command.manifest))
    if isinstance(command, UpdateObject):
        kind, manifest, _ = Admission(state).apply(command.manifest)
        return UpdateObject(kind, manifest)
    return command
