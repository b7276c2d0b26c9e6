"""The first stage, `load`: the document has the right version, kind, fields and types, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from scheduler.engine import plugins
from scheduler.engine.config.args_types import ARGS
from scheduler.engine.config.durations import signed_us
from scheduler.engine.config.types import Configuration, Manifest
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import null_free

API_VERSION = "kubescheduler.config.k8s.io/v1"
KIND = "KubeSchedulerConfiguration"

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]*)`(?: - at `\$\.?(?P<path>[^`]*)`)?", re.DOTALL)
_WRONG = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)?", re.DOTALL)
DURATIONS = ("leaseDuration", "renewDeadline", "retryPeriod")


def decode(document: Any) -> Manifest:
    """The document without nulls, checked; arguments of known plugins are checked too. Raises Invalid."""
    _check_head(document)
    configuration = null_free(document)
    _check(configuration, Configuration)
    _check_durations("leaderElection", configuration.get("leaderElection", {}), DURATIONS)
    for number, extender in enumerate(configuration.get("extenders", ())):
        _check_durations(f"extenders[{number}]", extender, ("httpTimeout",))
    for number, profile in enumerate(configuration.get("profiles", ())):
        for index, entry in enumerate(profile.get("pluginConfig", ())):
            check_args(f".profiles[{number}].pluginConfig[{index}]", entry)
    result: Manifest = configuration
    return result


def _check_head(document: Any) -> None:
    if not isinstance(document, dict):
        raise Invalid("Object 'Kind' is missing: the document is no mapping")
    for field, shown in (("kind", "Kind"), ("apiVersion", "apiVersion")):
        if not isinstance(document.get(field), str) or not document[field]:
            raise Invalid(f"Object '{shown}' is missing")
    version, kind = document["apiVersion"], document["kind"]
    if (version, kind) != (API_VERSION, KIND):
        raise Invalid(f'no kind "{kind}" is registered for version "{version}": this reads {KIND} of {API_VERSION}')


def _check(value: Any, shape: type[msgspec.Struct]) -> None:
    try:
        msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise _explained(str(error)) from None
    except RecursionError:
        raise Invalid("nested too deeply") from None


def _explained(text: str) -> Invalid:
    if unknown := _UNKNOWN.fullmatch(text):
        path = f"{unknown['path']}." if unknown["path"] else ""
        return Invalid(f'strict decoding error: unknown field "{path}{unknown["field"]}"')
    found = _WRONG.fullmatch(text)
    assert found is not None
    return Invalid(found["what"], found["path"] or "")


def _check_durations(path: str, owner: Manifest, fields: tuple[str, ...]) -> None:
    for field in fields:
        text = owner.get(field)
        if text is not None and signed_us(text) is None:
            raise Invalid(f'time: invalid duration "{text}"', f"{path}.{field}")


def check_args(path: str, entry: Manifest) -> None:
    """`entry`: one of `pluginConfig`. Raises Invalid for arguments that a plugin which is here does not take."""
    name, args = entry.get("name", ""), entry.get("args", {})
    try:
        if name in ARGS:
            _check_known_args(name, args)
        elif (own := plugins.registry().get(name)) is not None and own.Args is not None:
            _check_own_args({key: one for key, one in args.items() if key not in ("apiVersion", "kind")}, own.Args)
    except Invalid as error:
        raise Invalid(f"decoding {path}: decoding args for plugin {name}: {error}") from None


def _check_known_args(name: str, args: Manifest) -> None:
    version, kind = args.get("apiVersion", API_VERSION), args.get("kind", f"{name}Args")
    if version != API_VERSION or str(kind).removesuffix("Args") not in ARGS:
        raise Invalid(f'no kind "{kind}" is registered for version "{version}"')
    if kind != f"{name}Args":
        raise Invalid(f"args for plugin {name} were not of type {name}Args, got {kind}")
    _check(args, ARGS[name])
    _check_durations(f"{name}Args", args, ("filterTimeout",))


def _check_own_args(args: Manifest, shape: type[msgspec.Struct]) -> None:
    """As strict about fields as kube-scheduler is about those of its own plugins."""
    known = {field.encode_name for field in msgspec.structs.fields(shape)}
    if unknown := [name for name in args if name not in known]:
        raise Invalid(f'strict decoding error: unknown field "{unknown[0]}"')
    _check(args, shape)
