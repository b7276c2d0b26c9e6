"""An algorithm that fails while nodes are scored: the first error ends it, or all are collected (classic preset)."""

from pathlib import Path

import pytest

from scheduler.engine import plugins
from scheduler.engine.cycle.score_errors import LISTED_ERRORS, ScoreErrors
from scheduler.engine.simulation.settings import CLASSIC, PRESETS, Settings
from tests.engine import list_algorithms, scenario
from tests.engine.builders import a_cycle, a_node, a_pod, with_algorithm
from tests.engine.list_algorithms import CpuPlace, Fragile, FragileList, NoReduce

SOURCE = Path(list_algorithms.__file__).read_text().splitlines()
LINE = next(number for number, line in enumerate(SOURCE, 1) if "raise LookupError" in line)
PLACE = f"(line {LINE} of list_algorithms.py)"
NODES = [
    a_node(name, labels={"fragile": how} if how else {})
    for name, how in {"n1": "", "n2": "glass", "n3": "", "n4": "china"}.items()
]


def failed(name, how):
    return f"{name}.score raised LookupError: {how} {PLACE}"


@pytest.fixture(autouse=True)
def known(monkeypatch):
    found = {**plugins.registry(), **{one.name: one for one in (CpuPlace, Fragile, FragileList, NoReduce)}}
    monkeypatch.setattr(plugins, "registry", lambda: found)


def scored(*names, nodes=NODES, collects=True, **options):
    """A finished attempt with these algorithms beside kube-scheduler's own."""
    profile = with_algorithm(names[0])
    for name in names[1:]:
        profile.plugins["score"] = (*profile.plugins["score"], name)
    cycle = a_cycle(a_pod(), *nodes, profile=profile, collects_errors=collects, **options)
    cycle.run()
    return cycle


def test_in_v1_34_the_first_error_ends_the_scoring():
    cycle = scored("Fragile", collects=False)
    assert cycle.decision.outcome == "error"
    assert cycle.decision.message == failed("Fragile", "glass")
    assert cycle.failed_phase == "Map"
    assert cycle.score_errors is None


def test_in_v1_34_an_error_of_reduce_is_one_of_that_phase():
    cycle = scored("NoReduce", collects=False)
    assert cycle.decision.message.startswith("NoReduce.normalize raised ArithmeticError: no scale")
    assert cycle.failed_phase == "Reduce"


def test_collected_errors_stand_in_their_cells_and_are_reported_together():
    cycle = scored("Fragile")
    assert cycle.decision.outcome == "error"
    assert cycle.decision.message == f"[{failed('Fragile', 'glass')}, {failed('Fragile', 'china')}]"
    assert cycle.score_errors.cells == {"Fragile": {1: failed("Fragile", "glass"), 3: failed("Fragile", "china")}}
    assert cycle.decision.unschedulable_plugins == ()


def test_the_other_cells_and_algorithms_go_on():
    cycle = scored("Fragile", "CpuPlace")
    raw = cycle.map_all()
    assert raw["Fragile"].tolist() == [7, 0, 7, 0]
    assert raw["CpuPlace"].tolist() == [10, 10, 10, 10]
    assert set(raw) == set(cycle.algorithms)


def test_the_phases_go_on_to_the_sum_and_say_how_many_failed():
    notes = {one.name: (one.state, one.note) for one in scored("Fragile", "NoReduce").trace.phases}
    assert notes["Map"][1].endswith("scores, 2 failed")
    assert notes["Reduce"][1].endswith("rows, 1 failed")
    assert notes["Sum"][0] == "fail"
    assert "Select" not in notes


def test_errors_of_all_algorithms_are_in_the_order_of_the_profile_map_before_reduce():
    cycle = scored("Fragile", "NoReduce", "FragileList")
    assert cycle.decision.message == (
        f"[{failed('Fragile', 'glass')}, {failed('Fragile', 'china')}, {failed('FragileList', 'glass')}, "
        f"{cycle.score_errors.rows['NoReduce']}]"
    )


def test_a_whole_list_fails_in_all_of_its_cells():
    cycle = scored("FragileList")
    assert cycle.score_errors.cells == {"FragileList": dict.fromkeys(range(4), failed("FragileList", "glass"))}
    assert cycle.decision.message == failed("FragileList", "glass")


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_which_cells_fail_does_not_depend_on_the_ranges(size):
    whole = scored("Fragile")
    cycle = scored("CpuPlace", "Fragile")
    errors = {}
    for first in range(0, 4, size):
        cycle.scoring.map(first, min(4, first + size), errors)
    assert errors == whole.score_errors.cells


def test_places_count_the_feasible_nodes_in_the_order_found():
    cycle = scored("Fragile", nodes=[NODES[0], a_node("full", pods="0"), *NODES[1:]], start_index=2)
    names = [cycle.trace.feasible[place] for place in cycle.score_errors.cells["Fragile"]]
    assert sorted(names) == ["n2", "n4"]


@pytest.mark.parametrize("collects", [True, False])
@pytest.mark.parametrize("reads", ["node", "cluster"])
def test_a_node_that_is_not_feasible_is_not_scored_and_cannot_fail(collects, reads, monkeypatch):
    """Also where answers of all nodes would be kept for the next pod."""
    monkeypatch.setattr(Fragile, "score_reads", reads)
    nodes = [
        *(node for node in NODES if not node["metadata"]["labels"]),
        a_node("full", labels={"fragile": "x"}, pods="0"),
    ]
    cycle = scored("Fragile", nodes=nodes, collects=collects)
    assert cycle.decision.outcome == "bound"
    assert not cycle.score_errors


def test_the_same_error_in_many_cells_is_told_once_and_of_many_the_first():
    errors = ScoreErrors({"A": {place: f"e{place // 2}" for place in range(60)}})
    said = errors.message(["A"])
    assert said == f"[{', '.join(f'e{number}' for number in range(LISTED_ERRORS))}, and 10 more]"
    assert errors.cell_count == 60


def test_the_presets_decide():
    assert PRESETS["classic"][0].collect_score_errors
    assert not PRESETS["v1.34"][0].collect_score_errors


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (CLASSIC, f"[{failed('Fragile', 'glass')}, {failed('Fragile', 'china')}]"),
        (Settings(), failed("Fragile", "glass")),
    ],
)
def test_a_failed_pod_waits_out_its_backoff_with_the_message(settings, message):
    profile = {"plugins": {"multiPoint": {"enabled": [{"name": "Fragile"}]}}}
    kind = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    story = scenario.Scenario(settings, kind | {"profiles": [profile]})
    story.add(*NODES, scenario.a_pod("web"))
    story.schedule()
    assert story.simulation.last_message("default/web") == message
    assert story.place("web").startswith(("backoff", "error"))
