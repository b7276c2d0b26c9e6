"""A KubeSchedulerConfiguration v1, read as kube-scheduler v1.34.1 reads it: load, default, validate, build.

InvalidConfiguration    an `errors.Invalid` that says at which stage it failed and lists every error there
"""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.config.args_defaults import as_written
from scheduler.engine.config.decode import API_VERSION, KIND, decode
from scheduler.engine.config.defaults import DEFAULT_SCHEDULER_NAME, defaulted
from scheduler.engine.config.expand import CrashError, Expanded, expand
from scheduler.engine.config.types import Manifest
from scheduler.engine.config.validate import validate
from scheduler.engine.errors import Invalid, aggregate

__all__ = ["DEFAULT_DOCUMENT", "DEFAULT_SCHEDULER_NAME", "Configuration", "Expanded", "InvalidConfiguration", "read"]

DEFAULT_DOCUMENT: Manifest = {"apiVersion": API_VERSION, "kind": KIND}


class InvalidConfiguration(Invalid):
    """`stage`: load, validate, build, or panic where kube-scheduler itself crashes. `errors`: one at load and build."""

    def __init__(self, stage: str, errors: list[Invalid]) -> None:
        super().__init__(aggregate(errors))
        self.stage = stage
        self.errors = list(dict.fromkeys(map(str, errors)))


class Configuration(msgspec.Struct, frozen=True):
    """`effective`: the complete configuration as JSON; `expanded[i]`: what `effective["profiles"][i]` comes to."""

    effective: Manifest
    expanded: tuple[Expanded, ...]


def read(document: Any) -> Configuration:
    """The configuration that a document (JSON or YAML, parsed) stands for. Raises InvalidConfiguration."""
    try:
        effective = defaulted(decode(document))
    except Invalid as error:
        raise InvalidConfiguration("load", [error]) from None
    if errors := list(validate(effective)):
        raise InvalidConfiguration("validate", errors)
    for profile in effective["profiles"]:
        profile["pluginConfig"] = [as_written(entry) for entry in profile["pluginConfig"]]
    return Configuration(effective, tuple(_built(profile) for profile in effective["profiles"]))


def _built(profile: Manifest) -> Expanded:
    try:
        return expand(profile)
    except Invalid as error:
        stage = "panic" if isinstance(error, CrashError) else "build"
        where = f"initializing profiles: creating profile for scheduler name {profile['schedulerName']}"
        raise InvalidConfiguration(stage, [Invalid(f"{where}: {error}")]) from None
