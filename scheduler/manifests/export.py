"""A cluster's objects as `kubectl get -o json|yaml` would print them: one List, object by object."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO, cast

import yaml

from scheduler.models import Cluster, KubeObject, Node, Pod, UnitedDeployment

TABLES = (KubeObject, Node, UnitedDeployment, Pod)
"""What pods refer to comes first."""
_BATCH = 500
_NUMBER = re.compile(r"[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?|0[xob][0-9a-fA-F_]+")


class _Dumper(yaml.CSafeDumper):
    """No aliases; texts that any YAML reader could take for a number are quoted."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: _Dumper, text: str) -> yaml.Node:
    if _NUMBER.fullmatch(text) or text in ("y", "Y", "n", "N"):
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="'")
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def cluster_objects(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """Manifests as stored, table by table, in the order in which they came."""
    for model in TABLES:
        rows = model._default_manager.filter(cluster=cluster).order_by("pk").values_list("manifest", flat=True)
        yield from cast("Iterator[dict[str, Any]]", rows.iterator(chunk_size=_BATCH))


def yaml_text(value: Any) -> str:
    """One document, its keys in their order, long lines left whole."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**20)


def write_json(objects: Iterator[dict[str, Any]], out: TextIO) -> int:
    """Returns the number of objects written."""
    count = 0
    out.write('{\n    "apiVersion": "v1",\n    "items": [')
    for manifest in objects:
        text = json.dumps(manifest, indent=4, ensure_ascii=False).replace("\n", "\n        ")
        out.write(f"{',' if count else ''}\n        {text}")
        count += 1
    out.write('\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n')
    return count


def write_yaml(objects: Iterator[dict[str, Any]], out: TextIO) -> int:
    """Returns the number of objects written."""
    count = 0
    out.write("apiVersion: v1\n")
    for manifest in objects:
        text = yaml_text([manifest])
        out.write("items:\n" + text if not count else text)
        count += 1
    out.write(("" if count else "items: []\n") + 'kind: List\nmetadata:\n  resourceVersion: ""\n')
    return count
