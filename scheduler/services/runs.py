"""What the runner is asked to do. The wish is on the cluster's row and is no event: it changes no state."""

from scheduler import store
from scheduler.engine import until as stopping
from scheduler.engine.errors import Invalid
from scheduler.models import Cluster
from scheduler.services.news import publish

FASTEST = 1_000_000.0
PAUSE_CHECKPOINT = 200  # events: a run that ends is a good moment to spare later readers the way


def run_start(cluster_id: int, speed: float | None = None, until: str = "") -> str:
    """Ask the runner to run. `speed`: virtual seconds a real second, 0 = flat out, None = as before.

    `until`: conditions, any of which stops it (see `engine.until`); returned as they were understood. Raises `Invalid`.
    """
    with store.reading(cluster_id) as simulation:
        seq, conditions = simulation.seq, stopping.parse(until, simulation)
    understood = ",".join(map(str, conditions))
    wish: dict[str, object] = {"wanted": Cluster.Wanted.RUNNING, "wanted_reason": ""}
    wish |= {"until": understood, "until_seq": seq}
    if speed is not None:
        wish["speed"] = _checked(speed)
    _wish(cluster_id, **wish)
    return understood


def run_speed(cluster_id: int, speed: float) -> None:
    """Set the speed without starting or stopping."""
    _wish(cluster_id, speed=_checked(speed))


def run_pause(cluster_id: int, reason: str = "") -> None:
    """Ask the runner to stop. `reason`: why it stopped by itself, "" when a person paused it."""
    _wish(cluster_id, wanted=Cluster.Wanted.PAUSED, wanted_reason=reason[:200], until="")
    store.checkpoint(cluster_id, every=PAUSE_CHECKPOINT)


def _checked(speed: float) -> float:
    if not 0 <= speed <= FASTEST:
        raise Invalid(f"must be 0 (flat out) or a number up to {FASTEST:.0f}", "speed")
    return speed


def _wish(cluster_id: int, **columns: object) -> None:
    """Raises `Cluster.DoesNotExist`."""
    if not Cluster.objects.filter(pk=cluster_id).update(**columns):
        raise Cluster.DoesNotExist(f"There is no cluster {cluster_id}.")
    publish(cluster_id, Cluster.objects.values_list("seq", flat=True).get(pk=cluster_id))
