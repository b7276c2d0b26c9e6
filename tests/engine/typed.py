"""Typed objects for tests that need no cluster."""

from scheduler.engine.objects import decode
from tests.engine.scenario import a_node, a_pod, with_metadata


def pod(name="web", **spec):
    return decode("Pod", a_pod(name, **spec))


def node(name="n1", labels=None, cpu="4", **spec):
    return decode("Node", with_metadata(a_node(name, cpu=cpu, **spec), labels=labels or {}))


def labelled(labels, name="other", **spec):
    return decode("Pod", with_metadata(a_pod(name, **spec), labels=labels))


def thing(kind, name="x", **fields):
    metadata = {"name": name, "namespace": fields.pop("namespace", "default"), **fields.pop("metadata", {})}
    return decode(kind, {"metadata": metadata, **fields})
