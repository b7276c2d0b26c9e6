"""Hypothesis strategies for clusters with few volumes that everybody wants."""

from typing import Any

from hypothesis import strategies as st

from tests.engine.builders import a_node, a_pod
from tests.engine.oracle.drawing import NAMESPACES
from tests.engine.storage_builders import a_claim, a_class, a_csi_node, a_volume, an_attachment, zone_term

ZONE, OLD_ZONE = "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"
CLAIMS = ("a", "b", "c")
DRIVERS = ("disk.test", "file.test")
SELECTED = "volume.kubernetes.io/selected-node"

sizes = st.sampled_from(["1Gi", "2Gi", "3Gi"])
modes = st.sampled_from([["ReadWriteOnce"], ["ReadWriteOncePod"], ["ReadWriteOnce", "ReadOnlyMany"]])
inline = st.sampled_from(
    [
        {"name": "d", "gcePersistentDisk": {"pdName": "d"}},
        {"name": "d", "gcePersistentDisk": {"pdName": "d", "readOnly": True}},
        {"name": "d", "awsElasticBlockStore": {"volumeID": "vol-1"}},
    ]
)


@st.composite
def affinities(draw: st.DrawFn) -> dict[str, Any] | None:
    zones = draw(st.sampled_from([None, None, ("a",), ("b",), ("a", "b")]))
    return zones and {"required": {"nodeSelectorTerms": [zone_term(*zones, key=ZONE)]}}


@st.composite
def claims(draw: st.DrawFn, name: str, namespace: str, nodes: list[str]) -> list[dict[str, Any]]:
    """A claim, with its volume if it is bound."""
    claim = {"namespace": namespace, "accessModes": draw(modes), "size": draw(sizes)}
    if draw(st.booleans()):
        volume = f"{namespace}-{name}"
        labels = draw(st.sampled_from([{}, {}, {ZONE: "a"}, {ZONE: "a__b"}, {OLD_ZONE: "b"}]))
        source = {"driver": draw(st.sampled_from(DRIVERS)), "labels": labels, "nodeAffinity": draw(affinities())}
        return [a_claim(name, volume=volume, **claim), a_volume(volume, **source)]
    selected = draw(st.sampled_from([None, None, None, *nodes]))
    annotations = {SELECTED: selected} if selected else {}
    storage_class = draw(st.sampled_from(["late", "static"]))
    return [a_claim(name, annotations=annotations, storageClassName=storage_class, **claim)]


@st.composite
def free_volumes(draw: st.DrawFn, name: str) -> dict[str, Any]:
    reserved = draw(st.sampled_from([None, None, None, {"namespace": "default", "name": "a"}]))
    return a_volume(
        name,
        size=draw(sizes),
        phase=draw(st.sampled_from(["Available", "Available", "Released"])),
        storageClassName="static",
        accessModes=draw(st.sampled_from([["ReadWriteOnce", "ReadWriteOncePod", "ReadOnlyMany"], ["ReadWriteOnce"]])),
        nodeAffinity=draw(affinities()),
        claimRef=reserved,
    )


@st.composite
def classes(draw: st.DrawFn) -> list[dict[str, Any]]:
    allowed = draw(st.sampled_from([None, None, ["a"], ["a", "b"]]))
    topologies = allowed and [{"matchLabelExpressions": [{"key": ZONE, "values": allowed}]}]
    capacity = {
        "kind": "CSIStorageCapacity",
        "metadata": {"name": "c", "namespace": "default"},
        "storageClassName": "late",
        "nodeTopology": {"matchLabels": {ZONE: "a"}},
        "capacity": draw(sizes),
    }
    driver = {"kind": "CSIDriver", "metadata": {"name": "disk.test"}, "spec": {"storageCapacity": draw(st.booleans())}}
    static = a_class("static", provisioner="kubernetes.io/no-provisioner")
    return [a_class(allowedTopologies=topologies), static, driver, capacity]


@st.composite
def pods(draw: st.DrawFn, name: str, node: str | None) -> dict[str, Any]:
    used = draw(st.lists(st.sampled_from(CLAIMS), max_size=3, unique=True))
    volumes = [{"name": claim, "persistentVolumeClaim": {"claimName": claim}} for claim in used]
    disks = draw(st.lists(inline, max_size=1))
    return a_pod(name, node=node, namespace=draw(st.sampled_from(NAMESPACES)), volumes=[*volumes, *disks])


@st.composite
def clusters(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Like `drawing.clusters`; limits and attachments come after some of the pods, so that kept counts must follow."""
    names = [f"n{number}" for number in range(draw(st.integers(2, 4)))]
    zones = {name: draw(st.sampled_from([{}, {ZONE: "a"}, {ZONE: "b"}, {OLD_ZONE: "b", ZONE: "a"}])) for name in names}
    wanted = [draw(claims(name, space, names)) for name in CLAIMS for space in NAMESPACES]
    storage = [*draw(classes()), *(one for found in wanted for one in found)]
    storage += [draw(free_volumes(f"free-{number}")) for number in range(draw(st.integers(0, 3)))]
    bound = [one["metadata"]["name"] for one in storage if one["kind"] == "PersistentVolume" and "csi" in one["spec"]]
    limits = st.integers(0, 3)
    late = [
        a_csi_node(name, disk_test=draw(limits), file_test=draw(limits), ebs_csi_aws_com=draw(limits))
        for name in names
        if draw(st.booleans())
    ]
    late += [an_attachment(volume, draw(st.sampled_from(names))) for volume in bound if draw(st.booleans())]
    placed = [draw(pods(f"placed-{number}", draw(st.sampled_from(names)))) for number in range(draw(st.integers(1, 5)))]
    half = len(placed) // 2
    nodes = [a_node(name, labels=zones[name]) for name in names]
    namespace = {"kind": "Namespace", "metadata": {"name": "team"}}
    return [namespace, *nodes, *storage, *placed[:half], *late, *placed[half:], draw(pods("incoming", None))]
