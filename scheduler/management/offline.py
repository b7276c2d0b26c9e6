"""Kubernetes files and a scheduler configuration, read for the commands that need no database."""

import re
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scheduler.engine.config import InvalidConfiguration
from scheduler.engine.plugins import line_up
from scheduler.engine.profile import Profiles
from scheduler.manifests.configuration import configuration_document
from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.kinds import KUBECTL
from scheduler.manifests.limits import DEFAULT
from scheduler.manifests.locate import field_line
from scheduler.manifests.reading import Manifest, Progress, Reader
from scheduler.manifests.sources import sources_of
from scheduler.manifests.warnings import notices

_FIELD = r"([A-Za-z][\w.\[\]-]*)"
_PATH = re.compile(rf"{_FIELD}: |decoding \.{_FIELD}: |strict decoding error: unknown field \"{_FIELD}\"")


class Unreadable(Exception):  # noqa: N818 - read as a sentence
    """`lines`: all that is wrong, each as `error: FILE:LINE: …`."""

    def __init__(self, lines: Iterable[object]) -> None:
        self.lines = [str(line) for line in lines]
        super().__init__("\n".join(self.lines))


@dataclass
class Input:
    """`manifests`: of all objects, in file order. `notes`: what to know before trusting the verdicts."""

    manifests: list[Manifest]
    configuration: dict[str, Any]
    profiles: Profiles
    notes: list[str]


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments that name the input and the form of the output."""
    parser.add_argument(
        "-f", "--filename", nargs="+", action="extend", required=True, metavar="FILE",
        help=f"files and directories of Kubernetes objects, YAML or JSON, gzip or not; - is standard input. "
        f"To get one from a cluster: {KUBECTL}",
    )  # fmt: skip
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="a KubeSchedulerConfiguration (v1); without it the default profile"
    )
    parser.add_argument("-o", "--output", choices=("table", "json"), default="table")


def read(filenames: Iterable[str], config: Path | None, progress: Progress | None = None) -> Input:
    """Raises Unreadable, which lists every fault."""
    configuration, profiles = read_configuration(config)
    reader = Reader(DEFAULT, progress, webhooks=False)
    try:
        reader.read(sources_of(filenames, DEFAULT))
    except FileError as error:
        raise Unreadable([error]) from None
    reader.check()
    faults = reader.report.faults
    if faults:
        raise Unreadable([*faults, *([f"error: and {faults.untold:,} more"] if faults.untold else [])])
    manifests = [entry.manifest for entry in reader.entries.values()]
    if not manifests:
        raise Unreadable([f"error: {', '.join(reader.report.files)}: no Kubernetes object that plays a part here"])
    ignored = [f"ignored: {count:,} {kind}: {why}" for (kind, why), count in sorted(reader.report.ignored.items())]
    found = [*reader.unknown.told(), *notices(manifests, profiles.by_name)]
    warnings = [*map(str, found), *profiles.not_modelled]
    return Input(manifests, configuration, profiles, [*ignored, *(f"warning: {one}" for one in warnings)])


def read_configuration(path: Path | None) -> tuple[dict[str, Any], Profiles]:
    """The document and its profiles. Raises Unreadable."""
    if path is None:
        return {}, Profiles.default()
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise Unreadable([Fault(str(path), 0, f"cannot be read: {error.strerror or error}")]) from None
    except UnicodeDecodeError:
        raise Unreadable([Fault(str(path), 0, "not UTF-8 text, expected a KubeSchedulerConfiguration")]) from None
    try:
        document = configuration_document(str(path), text)
        profiles = Profiles.from_configuration(document)
    except InvalidConfiguration as error:
        raise Unreadable(_fault(str(path), text, one) for one in error.errors) from None
    if faults := [fault for profile in profiles if (fault := line_up(profile).fault)]:
        raise Unreadable(f"error: {path}: {fault}" for fault in faults)
    return document, profiles


def _fault(name: str, text: str, message: str) -> str:
    """A field's path leads to its line; faults of the notation tell theirs themselves."""
    if message.startswith(name):
        return f"error: {message}"
    found = _PATH.match(message)
    path = found[found.lastindex or 0] if found else ""
    return str(Fault(name, 1 + field_line(text, path) if path else 0, message))
