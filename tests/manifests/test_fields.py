"""Fields that Kubernetes does not know: found at every level, told once, refused where one writes by hand."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from scheduler.manifests.demo import demo_manifests, rollout_manifests
from scheduler.manifests.fields import kinds, refused_fields, type_of, unknown_fields
from scheduler.manifests.kinds import API_VERSIONS, STORED
from scheduler.manifests.reading import Reader
from scheduler.manifests.scenario import ScenarioError, read_scenario
from scheduler.manifests.sources import Source
from scheduler.manifests.unknown import MOST

SAMPLES = Path(__file__).parents[2] / "scheduler/manifests/samples"


def an_object(kind: str, path: str, version: str = "") -> dict[str, Any]:
    """With one value at `path`; `[0]` is the first of a list."""
    value: Any = {}
    for step in reversed(path.split(".")):
        name, _, index = step.partition("[")
        value = {name: [value] if index else value}
    return {"apiVersion": version or API_VERSIONS[kind], "kind": kind, "metadata": {"name": "x"}, **value}


TYPOS = [
    ("Pod", "metadata.lables", "labels"),
    ("Pod", "sepc", "spec"),
    ("Pod", "spec.nodeSelectr", "nodeSelector"),
    ("Pod", "spec.nodeselector", "nodeSelector"),
    ("Pod", "spec.whatever", ""),
    ("Pod", "spec.containers[0].resorces", "resources"),
    ("Pod", "spec.containers[0].resources.request", "requests"),
    ("Pod", "spec.initContainers[0].ports[0].hostport", "hostPort"),
    ("Pod", "spec.affinity.nodeAfinity", "nodeAffinity"),
    (
        "Pod",
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpresions",
        "matchExpressions",
    ),
    (
        "Pod",
        "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologykey",
        "topologyKey",
    ),
    ("Pod", "spec.tolerations[0].efect", "effect"),
    ("Pod", "spec.topologySpreadConstraints[0].maxskew", "maxSkew"),
    ("Pod", "spec.volumes[0].persistentVolumeClaim.claimname", "claimName"),
    ("Pod", "status.nominatedNode", "nominatedNodeName"),
    ("Deployment", "spec.nodeSelector", ""),
    ("Deployment", "spec.template.spec.nodeSelectr", "nodeSelector"),
    ("StatefulSet", "spec.volumeClaimTemplates[0].spec.storageClass", "storageClassName"),
    ("DaemonSet", "spec.template.metadata.lables", "labels"),
    ("CronJob", "spec.jobTemplate.spec.template.spec.prioritClassName", "priorityClassName"),
    ("Node", "spec.taint", "taints"),
    ("Node", "spec.taints[0].efect", "effect"),
    ("Node", "status.alocatable", "allocatable"),
    ("PersistentVolume", "spec.nodeAffinity.require", "required"),
    ("PodDisruptionBudget", "spec.minAvailabel", "minAvailable"),
    ("PriorityClass", "valu", "value"),
    ("StorageClass", "volumeBindingmode", "volumeBindingMode"),
    ("CSINode", "spec.drivers[0].allocatable.counts", "count"),
]


@pytest.mark.parametrize(("kind", "path", "meant"), TYPOS, ids=[f"{kind}.{path[-40:]}" for kind, path, _ in TYPOS])
def test_a_typo_is_found_and_what_was_meant(kind: str, path: str, meant: str) -> None:
    found = unknown_fields(an_object(kind, path))
    assert [(one.path, one.meant) for one in found] == [(path, meant)]


def test_templates_of_kruise_are_looked_into() -> None:
    path = "spec.template.{}.spec.template.spec.containers[0].resorces"
    for template in ("deploymentTemplate", "cloneSetTemplate", "statefulSetTemplate", "advancedStatefulSetTemplate"):
        manifest = an_object("UnitedDeployment", path.format(template), "apps.kruise.io/v1alpha1")
        assert [one.path for one in unknown_fields(manifest)] == [path.format(template)]


def test_the_table_has_every_kind_that_is_stored() -> None:
    assert {(version.rpartition("/")[0], kind) for version, kind in kinds()} - {("", "PodTemplate")} == STORED


def test_what_anybody_may_name_is_left_open() -> None:
    names = {"anything/goes": "1"}
    template = {"metadata": {"labels": names, "annotations": names}, "spec": {"nodeSelector": names, "overhead": names}}
    assert unknown_fields({"apiVersion": "v1", "kind": "Pod", **template}) == []
    assert unknown_fields({"apiVersion": "example.com/v1", "kind": "Pod", "bogus": 1}) == []
    assert unknown_fields({"apiVersion": "v1", "kind": "Node", "status": {"capacity": names}}) == []


@pytest.mark.parametrize("spec", [None, 3, [], "x", [[{"nodeSelectr": 1}]], {"containers": "x", "affinity": [1]}])
def test_values_of_a_wrong_type_are_left_to_others(spec: Any) -> None:
    assert unknown_fields({"apiVersion": "v1", "kind": "Pod", "spec": spec}) == []


def test_demos_and_samples_have_no_unknown_field() -> None:
    demos = [*demo_manifests(), *rollout_manifests()]
    assert all(type_of(one) is not None for one in demos)
    assert [str(one) for manifest in demos for one in unknown_fields(manifest)] == []
    for path in SAMPLES.glob("*.yaml*"):
        raw = path.read_bytes()
        assert imported(path.name, gzip.decompress(raw) if path.suffix == ".gz" else raw).unknown.told() == []


def imported(name: str, raw: bytes) -> Reader:
    reader = Reader()
    reader.read([Source(name, content=raw)])
    reader.check()
    return reader


WRITTEN = b"""apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  nodeSelectr: {disk: ssd}
  containers: [{name: main, image: web}]
"""


def test_an_import_takes_the_object_and_warns_by_file_and_line() -> None:
    reader = imported("web.yaml", WRITTEN)
    assert not reader.report.faults
    assert len(reader.entries) == 1
    assert [str(one) for one in reader.unknown.told()] == [
        'Pod shop/web: unknown field "spec.nodeSelectr", did you mean nodeSelector? kubectl apply refuses it; '
        "without that check the API server drops it. (web.yaml:5)"
    ]


def dump(count: int, field: str) -> bytes:
    pods = [an_object("Pod", field.format(number)) | {"metadata": {"name": f"p{number}"}} for number in range(count)]
    for pod in pods:
        pod["spec"].setdefault("containers", [{"name": "main", "image": "web"}])
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": pods}, indent=1).encode()


def test_one_field_of_many_objects_is_one_line() -> None:
    (notice,) = imported("new.json", dump(5, "spec.podGroupThing")).unknown.told()
    assert notice.message.startswith('Pod default/p0 and 4 more: unknown field "spec.podGroupThing".')
    assert (notice.count, len(notice.objects)) == (5, 3)


def test_the_lines_are_bounded() -> None:
    told = imported("odd.json", dump(MOST + 7, "spec.zzz{0}zzz")).unknown.told()
    assert len(told) == MOST + 1
    assert "not listed: 7." in told[-1].message


def test_what_is_written_by_hand_is_refused() -> None:
    (fault,) = refused_fields(an_object("Pod", "spec.nodeSelectr"))
    assert str(fault) == 'strict decoding error: unknown field "spec.nodeSelectr", did you mean nodeSelector?'
    assert refused_fields(an_object("Pod", "spec.nodeSelectr"), an_object("Pod", "spec.nodeSelectr")) == []


STEP = "- at: 1s\n  action: {}\n  object:\n    apiVersion: v1\n    kind: Pod\n    metadata: {{name: web}}\n    spec: {}"


def test_a_scenario_with_one_is_refused_by_its_line() -> None:
    with pytest.raises(ScenarioError) as caught:
        read_scenario("day.yaml", STEP.format("add", "{nodeSelectr: {a: b}}"))
    (fault,) = caught.value.faults
    assert fault.line == 7
    assert 'strict decoding error: unknown field "spec.nodeSelectr"' in fault.message
    assert read_scenario("day.yaml", STEP.format("patch", "{nodeSelectr: null}")).steps
