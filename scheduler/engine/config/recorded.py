"""A configuration from a log, read with the algorithms that are here today. Reading it never fails: it was valid once.

What an algorithm that has gone or has changed leaves behind is taken out, and named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scheduler.engine import config, plugins
from scheduler.engine.config.catalogue import known_plugins
from scheduler.engine.config.decode import check_args
from scheduler.engine.config.defaults import DEFAULT_SCHEDULER_NAME
from scheduler.engine.config.types import Manifest
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import null_free

Faults = dict[str, str]
"""What is wrong with an algorithm, by its name; the whole configuration's fault has the name ""."""


class Recorded(NamedTuple):
    """`faults`: parallel to the profiles of the configuration."""

    configuration: config.Configuration
    faults: tuple[Faults, ...]


def read_recorded(document: Mapping[str, Any]) -> Recorded:
    """A configuration of the log, as far as it can still be used; `faults` name what was left out."""
    try:
        configuration = config.read(document)
        return Recorded(configuration, tuple({} for _ in configuration.expanded))
    except Invalid:
        return _repaired(null_free(dict(document)))


def without(profile: Manifest, names: set[str]) -> Manifest:
    """The profile with no mention of these algorithms."""
    made = dict(profile)
    if "plugins" in profile:
        made["plugins"] = {section: _left(one, names) for section, one in profile["plugins"].items()}
    if "pluginConfig" in profile:
        made["pluginConfig"] = [one for one in profile["pluginConfig"] if one.get("name") not in names]
    return made


def _left(plugin_set: Manifest, names: set[str]) -> Manifest:
    return {field: [one for one in listed if one.get("name") not in names] for field, listed in plugin_set.items()}


def _repaired(document: Manifest) -> Recorded:
    profiles = document.get("profiles") or [{}]
    faults = tuple(_faults_of(profile) for profile in profiles)
    left = [without(profile, set(found)) for profile, found in zip(profiles, faults, strict=True)]
    try:
        return Recorded(config.read({**document, "profiles": left}), faults)
    except Invalid as problem:
        names = [profile.get("schedulerName", DEFAULT_SCHEDULER_NAME) for profile in profiles]
        plain = {**config.DEFAULT_DOCUMENT, "profiles": [{"schedulerName": name} for name in names]}
        return Recorded(config.read(plain), tuple({"": f"it is not valid any more: {problem}"} for _ in names))


def _faults_of(profile: Manifest) -> Faults:
    found: Faults = {}
    for point, plugin_set in profile.get("plugins", {}).items():
        for name in (one.get("name", "") for one in plugin_set.get("enabled", ())):
            if name not in known_plugins():
                found.setdefault(name, plugins.why_missing(name))
            elif point != "multiPoint" and point not in known_plugins()[name]:
                found.setdefault(name, f"it has no {point} any more")
    for entry in profile.get("pluginConfig", ()):
        try:
            check_args("pluginConfig", entry)
        except Invalid as problem:
            found.setdefault(entry["name"], f"its arguments are not valid any more: {problem}")
    return found
