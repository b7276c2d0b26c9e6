"""The configuration with every default filled in, as kube-scheduler logs it at its start.

Source: kube-scheduler v1.34.1, apis/config/v1/{defaults,default_plugins}.go.
"""

from __future__ import annotations

from typing import Any

from scheduler.engine.config.args_defaults import args_defaulted
from scheduler.engine.config.args_types import ARGS
from scheduler.engine.config.catalogue import DEFAULT_MULTI_POINT, POINTS
from scheduler.engine.config.decode import API_VERSION, DURATIONS, KIND
from scheduler.engine.config.durations import printed, signed_us
from scheduler.engine.config.types import Manifest

DEFAULT_SCHEDULER_NAME = "default-scheduler"
_SECTIONS = (*POINTS, "multiPoint")
_LEADER_ELECTION = {
    "leaderElect": True,
    "leaseDuration": "15s",
    "renewDeadline": "10s",
    "retryPeriod": "2s",
    "resourceLock": "leases",
    "resourceName": "kube-scheduler",
    "resourceNamespace": "kube-system",
}
_CLIENT_CONNECTION = {
    "kubeconfig": "",
    "acceptContentTypes": "",
    "contentType": "application/vnd.kubernetes.protobuf",
    "qps": 50,
    "burst": 100,
}


def defaulted(configuration: Manifest) -> Manifest:
    """A new, complete configuration from a decoded one."""
    given = configuration.get("profiles") or [{}]
    name = {"schedulerName": DEFAULT_SCHEDULER_NAME} if len(given) == 1 else {}
    profiling = configuration.get("enableProfiling", True)
    effective = {
        "kind": KIND,
        "apiVersion": API_VERSION,
        "parallelism": configuration.get("parallelism", 16),
        "leaderElection": _filled(configuration.get("leaderElection", {}), _LEADER_ELECTION),
        "clientConnection": _filled(configuration.get("clientConnection", {}), _CLIENT_CONNECTION),
        "enableProfiling": profiling,
        "enableContentionProfiling": configuration.get("enableContentionProfiling", profiling),
        "percentageOfNodesToScore": configuration.get("percentageOfNodesToScore", 0),
        "podInitialBackoffSeconds": configuration.get("podInitialBackoffSeconds", 1),
        "podMaxBackoffSeconds": configuration.get("podMaxBackoffSeconds", 10),
        "profiles": [_profile(one, name) for one in given],
    }
    if extenders := configuration.get("extenders"):
        effective["extenders"] = [_extender(one) for one in extenders]
    if configuration.get("delayCacheUntilActive"):
        effective["delayCacheUntilActive"] = True
    return effective


def _extender(given: Manifest) -> Manifest:
    """As it is written back: zeros, false and empty lists go."""
    kept = _stated(given)
    if managed := kept.get("managedResources"):
        kept["managedResources"] = [{"name": "", **_stated(one)} for one in managed]
    return {"urlPrefix": "", **kept, "httpTimeout": printed(given.get("httpTimeout", "0s"))}


def _stated(given: Manifest) -> Manifest:
    return {key: one for key, one in given.items() if one}


def _filled(given: Manifest, defaults: Manifest) -> Manifest:
    """Empty texts, zeros and zero durations count as not given; false and negative values do not."""
    kept = {key: one for key, one in given.items() if isinstance(one, bool) or not _is_zero(one)}
    durations = {key: printed(one) for key, one in kept.items() if key in DURATIONS}
    return defaults | kept | durations


def _is_zero(value: Any) -> bool:
    return not value or (isinstance(value, str) and signed_us(value) == 0)


# --- plugins ----------------------------------------------------------------------------------------------------------


def _profile(given: Manifest, name: Manifest) -> Manifest:
    own = {"schedulerName": "", **name, **{key: given[key] for key in ("schedulerName",) if key in given}}
    percentage = {key: given[key] for key in ("percentageOfNodesToScore",) if key in given}
    sections = given.get("plugins", {})
    defaults = [{"name": plugin, "weight": weight} for plugin, weight in DEFAULT_MULTI_POINT.items()]
    plugins = {
        section: merged(defaults if section == "multiPoint" else [], sections.get(section, {})) for section in _SECTIONS
    }
    return {**own, **percentage, "plugins": plugins, "pluginConfig": _plugin_config(given, plugins)}


def merged(defaults: list[Manifest], custom: Manifest) -> Manifest:
    """One set of plugins: a default listed again keeps its place and takes the listed weight; the others follow."""
    disabled = [_reference(one) for one in custom.get("disabled", ())]
    listed = [_reference(one) for one in custom.get("enabled", ())]
    last = {one["name"]: number for number, one in enumerate(listed)}
    off = {one["name"] for one in disabled}
    kept = [] if "*" in off else [one for one in defaults if one["name"] not in off]
    enabled = [listed[last[one["name"]]] if one["name"] in last else one for one in kept]
    replaced = {last[one["name"]] for one in kept if one["name"] in last}
    enabled += [one for number, one in enumerate(listed) if number not in replaced]
    return {key: one for key, one in (("enabled", enabled), ("disabled", disabled)) if one}


def _reference(given: Manifest) -> Manifest:
    return {"name": given.get("name", ""), "weight": given.get("weight", 0)}


def _plugin_config(given: Manifest, plugins: Manifest) -> list[Manifest]:
    """What is stated, in its order, then the defaults of every other enabled plugin that takes arguments."""
    stated = [
        {"name": one.get("name", ""), "args": args_defaulted(one.get("name", ""), one.get("args"))}
        for one in given.get("pluginConfig", ())
    ]
    named = {one["name"] for one in stated}
    enabled = {one["name"] for section in plugins.values() for one in section.get("enabled", ())}
    return stated + [
        {"name": name, "args": args_defaulted(name, {})} for name in ARGS if name in enabled and name not in named
    ]


def needed_plugins(plugins: Manifest) -> set[str]:
    """Names of all plugins that a profile enables anywhere."""
    return {one["name"] for point in (*POINTS, "multiPoint") for one in plugins.get(point, {}).get("enabled", ())}
