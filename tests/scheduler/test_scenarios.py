"""Scenario files: read, refused by line and field, planned, and played by a run."""

import pytest

from scheduler import store
from scheduler.manifests.scenario import ScenarioError, read_scenario
from scheduler.models import Event, Node, Pod
from scheduler.services import clock_advance, scenario_cancel, scenario_load
from scheduler.services.projection import differences
from tests.scheduler.builders import a_cluster

RUSH = """\
apiVersion: podium.dev/v1
kind: Scenario
metadata: {name: rush-hour}
steps:
- at: 10s
  object: &web
    apiVersion: v1
    kind: Pod
    metadata: {name: rush, namespace: default}
    spec: {containers: [{name: main, resources: {requests: {cpu: 500m}}}]}
  repeat: {count: 3, every: 500ms}
- at: 5s
  action: cordon
  object: {kind: Node, metadata: {name: node-0}}
- at: 1m
  action: delete
  object: {kind: Pod, metadata: {name: rush-1}}
- at: 20s
  action: patch
  object: {kind: Node, metadata: {name: node-0, labels: {tier: gold}}}
"""


def faults(text: str) -> list[str]:
    with pytest.raises(ScenarioError) as error:
        read_scenario("s.yaml", text)
    return [str(fault) for fault in error.value.faults]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- at: soon\n  object: {kind: Pod, metadata: {name: a}}\n", "error: s.yaml:1: [0].at: 'soon' is no moment"),
        ("- object: {kind: Pod, metadata: {name: a}}\n", "error: s.yaml:1: [0]: at is missing"),
        ("- at: 1s\n  action: drop\n  object: {kind: Pod, metadata: {name: a}}\n", "error: s.yaml:2: [0].action:"),
        (
            "- at: 1s\n  object:\n    kind: Pod\n    metadata: {}\n",
            "error: s.yaml:4: [0].object.metadata: name is miss",
        ),
        ("- at: 1s\n", "error: s.yaml:1: [0]: object is missing"),
        ("- at: 1s\n  when: 2s\n  object: {kind: Pod, metadata: {name: a}}\n", "error: s.yaml:2: [0].when: unknown"),
        ("kind: Scenario\nsteps:\n- 7\n", "error: s.yaml:3: steps[0]: expected a step"),
        (
            "- at: 1s\n  action: cordon\n  object: {kind: Pod, metadata: {name: a}}\n",
            "error: s.yaml:3: [0].object.kind: only a Node",
        ),
        (
            "- at: 1s\n  object: {kind: Pod, metadata: {name: a}}\n  repeat: {count: 0}\n",
            "error: s.yaml:3: [0].repeat: count",
        ),
        ("[]\n", "error: s.yaml:1: holds no step"),
        ("a: [\n", "error: s.yaml:"),
        ("kind: Pod\n", "error: s.yaml:1: expected a list of steps"),
    ],
)
def test_a_fault_names_line_and_field(text, told):
    assert faults(text)[0].startswith(told)


def test_repetitions_are_numbered_and_spaced():
    steps = read_scenario("s.yaml", RUSH).steps
    assert [(one.manifest["metadata"]["name"], one.after_us) for one in steps[:3]] == [
        ("rush-1", 10_000_000),
        ("rush-2", 10_500_000),
        ("rush-3", 11_000_000),
    ]


def test_too_many_steps_are_refused():
    text = "- at: 1s\n  object: {kind: Pod, metadata: {name: a}}\n  repeat: {count: 6000}\n"
    assert "expected at most 10,000" in faults(text * 2)[0]


@pytest.mark.django_db(transaction=True)
class TestInACluster:
    def test_a_scenario_is_played_at_its_moments(self):
        cluster = a_cluster(pods=0, bound=0)
        scenario_load(cluster.pk, read_scenario("s.yaml", RUSH), actor="ada")
        clock_advance(cluster.pk, cluster.start_us + 9_000_000)
        assert Node.objects.get(cluster=cluster, name="node-0").unschedulable
        clock_advance(cluster.pk, cluster.start_us + 30_000_000)
        assert Pod.objects.filter(cluster=cluster, name__startswith="rush").count() == 3
        node = Node.objects.get(cluster=cluster, name="node-0")
        assert (node.unschedulable, node.manifest["metadata"]["labels"]["tier"]) == (True, "gold")
        clock_advance(cluster.pk, cluster.start_us + 61_000_000)
        assert set(Pod.objects.filter(cluster=cluster).values_list("name", flat=True)) == {"rush-2", "rush-3"}
        assert differences(cluster.pk) == []

    def test_pods_of_one_moment_come_a_microsecond_apart_in_file_order(self):
        cluster = a_cluster(pods=0, bound=0)
        pod = (
            "- at: 1s\n  object:\n    kind: Pod\n    metadata: {{name: {}}}\n    spec: {{containers: [{{name: c}}]}}\n"
        )
        scenario_load(cluster.pk, read_scenario("s.yaml", pod.format("b") + pod.format("a")))
        clock_advance(cluster.pk, cluster.start_us + 2_000_000)
        with store.reading(cluster.pk) as simulation:
            waiting = [(queued.key, queued.entry.timestamp_us) for queued in simulation.queue.lane("active")]
        assert [key for key, _ in waiting] == ["default/b", "default/a"]
        assert waiting[1][1] == waiting[0][1] + 1

    def test_an_object_that_no_api_server_would_take_is_refused_by_its_line(self):
        cluster = a_cluster(pods=0, bound=0)
        text = "- at: 1s\n  object:\n    kind: Pod\n    metadata: {name: a}\n    spec:\n      containers: []\n"
        with pytest.raises(ScenarioError) as error:
            scenario_load(cluster.pk, read_scenario("s.yaml", text))
        assert str(error.value.faults[0]).startswith("error: s.yaml:6: [0].object.spec.containers")
        assert not Event.objects.filter(cluster=cluster, kind="ScenarioLoaded").exists()

    def test_a_patch_of_nothing_is_refused(self):
        cluster = a_cluster(pods=0, bound=0)
        text = "- at: 1s\n  action: cordon\n  object: {kind: Node, metadata: {name: nowhere}}\n"
        with pytest.raises(ScenarioError, match="there is no Node nowhere to cordon"):
            scenario_load(cluster.pk, read_scenario("s.yaml", text))

    def test_a_cancelled_scenario_adds_nothing(self):
        cluster = a_cluster(pods=0, bound=0)
        scenario_load(cluster.pk, read_scenario("s.yaml", RUSH))
        scenario_cancel(cluster.pk)
        clock_advance(cluster.pk, cluster.start_us + 60_000_000)
        assert not Pod.objects.filter(cluster=cluster).exists()
