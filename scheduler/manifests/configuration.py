"""A KubeSchedulerConfiguration file: YAML or JSON text to the one document that it holds."""

from typing import Any

from scheduler.engine.config import InvalidConfiguration
from scheduler.engine.errors import Invalid
from scheduler.engine.words import count
from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.limits import DEFAULT, Limits
from scheduler.manifests.yaml_reader import read_yaml


def configuration_document(name: str, text: str, limits: Limits = DEFAULT) -> Any:
    """The parsed document. Raises InvalidConfiguration at stage `load`; its text tells the line. JSON is YAML, too."""
    try:
        items = list(read_yaml(name, text, limits))
    except FileError as error:
        raise InvalidConfiguration("load", [Invalid(str(error).removeprefix("error: "))]) from None
    if len(items) != 1:
        found = f"found {count(len(items), 'document')}" if items else "it is empty"
        raise InvalidConfiguration("load", [Invalid(f"{name}: {found}, expected one KubeSchedulerConfiguration")])
    if items[0].faults:
        faults = [Invalid(str(Fault(name, *fault)).removeprefix("error: ")) for fault in items[0].faults]
        raise InvalidConfiguration("load", faults)
    return items[0].value
