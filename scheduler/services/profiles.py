"""The scheduler configuration of a cluster."""

from typing import Any

from scheduler.engine.commands import ChangeProfile
from scheduler.engine.profile import Profiles
from scheduler.services.commit import Committed, execute


def profile_change(cluster_id: int, configuration: dict[str, Any], actor: str = "") -> Committed:
    """Replace the whole KubeSchedulerConfiguration (v1). Raises `Invalid` with the field's path."""
    Profiles.from_configuration(configuration)
    return execute(cluster_id, ChangeProfile(configuration), actor=actor)
