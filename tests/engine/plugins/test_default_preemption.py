"""DefaultPreemption by examples."""

from typing import Any

import pytest

from scheduler.engine.conformance import nominated_pods
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.framework import Plugin, PostFilterResult, Verdict, error
from scheduler.engine.plugins.default_preemption import DefaultPreemption
from scheduler.engine.preemption.dry_run import candidates_wanted
from scheduler.engine.preemption.record import DRAWN, ONLY_CANDIDATE, SMALLEST_NAME
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cluster, a_cycle, a_node, a_pod

HALF = {"cpu": "2"}
EARLY, LATE = "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"
PREEMPTED = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}


def low(name: str, node: str, *, started: str | None = EARLY, cpu: str = "2", **spec: Any) -> dict[str, Any]:
    pod = a_pod(name, node=node, requests={"cpu": cpu}, **spec)
    pod["status"]["startTime"] = started
    return pod


def wanting(cpu: str = "4", **spec: Any) -> dict[str, Any]:
    return a_pod("high", requests={"cpu": cpu}, priority=100, **spec)


def a_budget(name: str, allowed: int, app: str, **status: Any) -> dict[str, Any]:
    selector = {"matchLabels": {"app": app}} if app else {}
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": selector},
        "status": {"disruptionsAllowed": allowed, **status},
    }


def preempt(*manifests: dict[str, Any], pod: dict[str, Any] | None = None, **options: Any) -> PostFilterResult:
    cycle = a_cycle(pod or wanting(), *manifests, percentage=100, **options)
    cycle.run()
    assert cycle.post_filter_result is not None
    return cycle.post_filter_result


def nodes(*names: str) -> list[dict[str, Any]]:
    return [a_node(name) for name in names]


@pytest.mark.parametrize(
    ("on_a", "on_b", "rule"),
    [
        pytest.param(
            [low("a", "a", labels={"app": "kept"})],
            [low("b", "b")],
            "fewest disruption budgets broken",
            id="no budget broken",
        ),
        pytest.param(
            [low("a", "a", priority=5)],
            [low("b1", "b", priority=4), low("b2", "b", priority=4)],
            "lowest priority of the first victim",
            id="lower victims, though more of them",
        ),
        pytest.param(
            [low("a1", "a", priority=4), low("a2", "a", priority=3)],
            [low("b1", "b", priority=4), low("b2", "b", priority=2)],
            "smallest sum of priorities",
            id="smaller sum",
        ),
        pytest.param(
            [low("a1", "a", priority=4), low("a2", "a", priority=-(2**31))],
            [low("b", "b", priority=4, cpu="4")],
            "fewest victims",
            id="fewer victims of the same sum",
        ),
        pytest.param(
            [low("a", "a", started=EARLY)],
            [low("b", "b", started=LATE)],
            "latest start of the most important victims",
            id="younger victim",
        ),
        pytest.param(
            [low("a", "a", started=LATE)],
            [low("b", "b", started=None)],
            "latest start of the most important victims",
            id="not started is youngest",
        ),
    ],
)
def test_the_node_that_is_disturbed_least_is_taken(on_a, on_b, rule):
    result = preempt(*nodes("a", "b"), a_budget("kept", 0, "kept"), *on_a, *on_b)
    assert (result.nominated_node, result.details.decided_by) == ("b", rule)
    assert [victim.key for victim in result.victims] == [f"default/{one['metadata']['name']}" for one in on_b]


def test_one_candidate_needs_no_rule():
    result = preempt(*nodes("a"), low("a", "a"))
    assert (result.details.decided_by, result.details.comparisons) == (ONLY_CANDIDATE, ())


def test_of_equals_the_first_by_name_is_taken():
    result = preempt(*nodes("b", "a", "c"), *(low(name, name) for name in "abc"))
    assert (result.nominated_node, result.details.tied) == ("a", ("a", "b", "c"))
    assert result.details.decided_by == SMALLEST_NAME


def test_of_equals_one_is_drawn_where_that_is_asked_for():
    cluster = [*nodes("b", "a", "c"), *(low(name, name) for name in "abc")]
    drawn = [preempt(*cluster, seed=seed, draws_nomination=True) for seed in range(20)]
    assert {one.nominated_node for one in drawn} == {"a", "b", "c"}
    assert {one.details.decided_by for one in drawn} == {DRAWN}


@pytest.mark.parametrize(
    ("pods", "victims"),
    [
        pytest.param([low("x", "n", priority=1), low("y", "n", priority=2)], ["x"], id="the lower one goes"),
        pytest.param([low("x", "n", started=LATE), low("y", "n")], ["x"], id="the younger one goes"),
        pytest.param([low("x", "n", started=None), low("y", "n", started=None)], ["x"], id="unstarted: the first goes"),
        pytest.param([low("x", "n", labels={"app": "kept"}), low("y", "n")], ["y"], id="a budget protects"),
        pytest.param([low("x", "n", cpu="1"), low("y", "n", priority=1, cpu="3")], ["y"], id="who can stay stays"),
        pytest.param([low("x", "n"), low("y", "n", priority=100)], ["x"], id="equal priority is no victim"),
    ],
)
def test_those_who_matter_most_are_spared(pods, victims):
    result = preempt(a_node("n"), a_budget("kept", 0, "kept"), *pods, pod=wanting("2"))
    assert [victim.pod.name for victim in result.victims] == victims


@pytest.mark.parametrize(
    ("budget", "violations"),
    [
        pytest.param(a_budget("b", 0, "web"), 2, id="none allowed"),
        pytest.param(a_budget("b", 1, "web"), 1, id="one allowed"),
        pytest.param(a_budget("b", 2, "web"), 0, id="both allowed"),
        pytest.param(a_budget("b", 0, ""), 0, id="an empty selector protects nobody"),
        pytest.param(a_budget("b", 0, "other"), 0, id="other pods"),
        pytest.param(a_budget("b", 0, "web", disruptedPods={"x": EARLY}), 1, id="already being disrupted"),
        pytest.param({**a_budget("b", 0, "web"), "metadata": {"name": "b", "namespace": "team"}}, 0, id="elsewhere"),
    ],
)
def test_budgets_are_counted(budget, violations):
    pods = [low(name, "n", labels={"app": "web"}) for name in "xy"]
    assert preempt(a_node("n"), budget, *pods).details.candidates["n"].violations == violations


@pytest.mark.parametrize(
    ("pod", "manifests", "said"),
    [
        pytest.param(
            wanting(preemptionPolicy="Never"),
            [low("x", "n")],
            "not eligible due to preemptionPolicy=Never.",
            id="never",
        ),
        pytest.param(
            wanting(),
            [low("x", "n", priority=100)],
            "0/1 nodes are available: 1 No preemption victims found for incoming pod.",
            id="nobody lower",
        ),
        pytest.param(
            wanting("9"),
            [low("x", "n")],
            "0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
            id="no room even when empty",
        ),
        pytest.param(
            wanting("4"),
            [low("x", "n"), low("y", "n", priority=100)],
            "0/1 nodes are available: 1 Insufficient cpu.",
            id="others stay",
        ),
    ],
)
def test_where_it_cannot_help_it_says_why(pod, manifests, said):
    result = preempt(a_node("n"), *manifests, pod=pod)
    assert result.status.reasons == ("no new claims to deallocate", f"preemption: {said}")
    assert result.victims == ()


@pytest.mark.parametrize(
    ("conditions", "eligible"),
    [
        pytest.param([PREEMPTED], False, id="its victim is on its way out"),
        pytest.param([{"type": "Ready"}, PREEMPTED], False, id="another condition first"),
        pytest.param([{**PREEMPTED, "reason": "EvictionByEvictionAPI"}], True, id="evicted by somebody else"),
        pytest.param([{**PREEMPTED, "reason": "x"}, PREEMPTED], True, id="the first one decides"),
        pytest.param([], True, id="only terminating"),
    ],
)
def test_a_nominated_pod_waits_for_its_victims(conditions, eligible):
    leaving = low("x", "n")
    leaving["metadata"]["deletionTimestamp"] = LATE
    leaving["status"]["conditions"] = conditions
    result = preempt(a_node("n"), leaving, pod=wanting(nominated="n"))
    assert (result.nominated_node == "n") is eligible
    assert result.details.report()["eligible"] is eligible
    assert eligible or result.nominated_node is None


def test_a_failed_preemption_clears_the_nomination():
    assert preempt(a_node("n"), low("x", "n", priority=100), pod=wanting(nominated="n")).nominated_node == ""


def test_room_is_left_for_pods_that_wait_for_the_node():
    waiting = a_pod("waiting", requests=HALF, priority=100, nominated="n")
    cluster = a_cluster(a_node("n"), low("x", "n"), waiting, wanting("3"))
    pod = cluster.get("Pod", "default", "high")
    cycle = Cycle(cluster.snapshot(), Profiles.default().first, pod, nominated=nominated_pods(cluster))
    cycle.run()
    assert cycle.post_filter_result is not None
    assert cycle.post_filter_result.details.rejected["n"].reasons == ("Insufficient cpu",)


def test_the_pod_s_own_affinity_to_a_victim_cannot_be_kept():
    near = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}}
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [near]}}
    node = a_node("n", labels={"kubernetes.io/hostname": "n"})
    result = preempt(node, low("x", "n", labels={"app": "web"}), pod=wanting(affinity=affinity))
    assert result.details.rejected["n"].reasons == ("node(s) didn't match pod affinity rules",)


@pytest.mark.parametrize(
    ("potential", "percentage", "absolute", "wanted"),
    [(5, 10, 100, 5), (100, 10, 100, 100), (101, 10, 100, 100), (2000, 10, 100, 200), (7, 50, 1, 3), (7, 0, 1, 1)],
)
def test_enough_candidates_are_enough(potential, percentage, absolute, wanted):
    assert candidates_wanted(potential, percentage, absolute) == wanted


def test_the_search_ends_with_enough_candidates_and_begins_anywhere():
    arguments = {"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 2}
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"pluginConfig": [{"name": "DefaultPreemption", "args": arguments}]}],
    }
    profile = Profiles.from_configuration(configuration).first
    names = [f"n{number}" for number in range(8)]
    cluster = [*nodes(*names), *(low(name, name) for name in names)]
    tried = [tuple(preempt(*cluster, profile=profile, seed=seed).details.candidates) for seed in range(30)]
    assert {len(one) for one in tried} == {2}
    assert len(set(tried)) > 2
    assert all((names.index(last) - names.index(first)) % 8 == 1 for first, last in tried)


def test_a_node_that_breaks_a_budget_does_not_end_the_search():
    arguments = {"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 1}
    plugin = DefaultPreemption(DefaultPreemption.Args(*arguments.values()))
    names = [f"n{number}" for number in range(6)]
    pods = [low(name, name, labels={"app": "kept"}) for name in names[:-1]]
    cycle = a_cycle(wanting(), *nodes(*names), *pods, low("free", "n5"), a_budget("b", 0, "kept"), percentage=100)
    cycle.run()
    assert plugin.post_filter(cycle).nominated_node == "n5"


class _Faulty(Plugin):
    name = "NodeResourcesFit"

    def filter(self, cycle, nodes):
        return Verdict.where(nodes.rows >= 0, error("out of order"))


def test_an_internal_error_ends_it_if_nothing_else_was_found(monkeypatch):
    cycle = a_cycle(wanting(), a_node("n"), low("x", "n"))
    cycle.pre_filter()
    cycle.filter()
    monkeypatch.setattr(Cycle, "active_filters", [_Faulty()])
    result = cycle.post_filter()
    assert result.status.message == 'preemption: running "NodeResourcesFit" filter plugin: out of order'
    assert result.nominated_node is None
