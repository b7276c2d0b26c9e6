"""The scheduler configuration of a cluster."""

from typing import Any

import msgspec

from scheduler.engine.commands import ChangeProfile
from scheduler.engine.profile import Profiles
from scheduler.engine.simulation.settings import Settings
from scheduler.services.commit import Committed, execute


def profile_change(
    cluster_id: int, configuration: dict[str, Any], actor: str = "", settings: Settings | None = None
) -> Committed:
    """Replace the whole KubeSchedulerConfiguration (v1). Raises `Invalid` with the field's path.

    `settings`: of clock and queue; None leaves them.
    """
    Profiles.from_configuration(configuration)
    plain = None if settings is None else msgspec.to_builtins(settings)
    return execute(cluster_id, ChangeProfile(configuration, plain), actor=actor)
