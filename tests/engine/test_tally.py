"""Counters of the fold: every change of place is counted once, and an undo takes its counts back."""

from collections import Counter

from scheduler.engine.codec import codec
from scheduler.engine.simulation.moves import Move, move_of
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.tally import Tally
from tests.engine.scenario import Scenario, a_node, a_pod


def a_life() -> Scenario:
    """One pod that is placed at its second attempt, one that is deleted while it waits, one behind a gate."""
    scenario = Scenario()
    scenario.add(a_node("n1", cpu="1"), a_pod("web", cpu="2"), a_pod("held", schedulingGates=[{"name": "g"}]))
    scenario.schedule()
    scenario.add(a_node("n2", cpu="4"))
    scenario.schedule()
    scenario.add(a_pod("gone"))
    scenario.delete("Pod", "gone")
    return scenario


def test_every_move_of_a_pods_life_is_counted_with_its_event_and_hint():
    assert a_life().simulation.tally.moves == {
        Move("", "active", "UnschedulablePodAdd"): 2,
        Move("", "gated", "UnschedulablePodAdd"): 1,
        Move("active", "in_flight", "Pop"): 1,
        Move("in_flight", "unschedulable", "ScheduleAttemptFailure"): 1,
        Move("unschedulable", "backoff", "NodeAdd", "NodeResourcesFit"): 1,
        Move("backoff", "in_flight", "PopFromBackoffQ"): 1,
        Move("in_flight", "bound", "Bind"): 1,
        Move("active", "gone", "Remove"): 1,
    }


def test_the_counts_are_those_of_the_log():
    scenario = a_life()
    told = Counter(move for event in scenario.log if (move := move_of(event.happening)) is not None)
    assert scenario.simulation.tally.moves == told


def test_what_goes_into_a_place_and_does_not_come_out_is_there():
    scenario = a_life()
    balance: Counter[str] = Counter()
    for move, count in scenario.simulation.tally.moves.items():
        balance[move.target] += count
        balance[move.source] -= count
    counts = scenario.simulation.queue.counts()
    assert {place: balance[place] for place in counts} == counts


def test_a_pod_that_is_deleted_in_flight_leaves_and_another_of_its_name_stays():
    scenario = Scenario()
    scenario.add(a_node("n1"), a_pod("web"))
    scenario.pop()
    scenario.delete("Pod", "web")
    scenario.add(a_pod("web", uid="another"))
    scenario.finish("bound", node="n1")
    moves, queue = scenario.simulation.tally.moves, scenario.simulation.queue
    assert moves[Move("in_flight", "gone", "Remove")] == moves[Move("active", "in_flight", "Pop")] == 1
    assert Move("in_flight", "bound", "Bind") not in moves
    assert (queue.counts()["in_flight"], queue.counts()["active"]) == (0, 1)
    scenario.simulation.validate()


def test_a_pod_that_is_bound_from_outside_in_flight_leaves():
    scenario = Scenario()
    scenario.add(a_node("n1"), a_pod("web"))
    scenario.pop()
    scenario.update(a_pod("web", nodeName="n1"))
    scenario.finish("bound", node="n1")
    assert scenario.simulation.tally.moves[Move("in_flight", "gone", "Remove")] == 1


def test_attempts_are_counted_by_result_and_profile_and_bound_pods_by_their_tries():
    tally = a_life().simulation.tally
    assert tally.attempts == {("unschedulable", "default-scheduler"): 1, ("scheduled", "default-scheduler"): 1}
    assert tally.tries == {2: 1}
    assert (tally.preemptions, tally.victims) == (1, {})


def test_victims_are_counted_by_preemption():
    scenario = Scenario(Settings(cycle_us=0))
    scenario.add(a_node("n1"), a_pod("a", nodeName="n1"), a_pod("b", nodeName="n1"), a_pod("vip", priority=9))
    scenario.pop()
    victims = ("default/a", "default/b")
    scenario.finish(unschedulable_plugins=("Fit",), message="no", nominated_node="n1", victims=victims)
    assert (scenario.simulation.tally.preemptions, scenario.simulation.tally.victims) == (1, {2: 1})


def test_an_error_is_no_preemption_attempt():
    scenario = Scenario()
    scenario.add(a_pod("web"))
    scenario.pop()
    scenario.finish("error", message="no nodes available to schedule pods")
    assert scenario.simulation.tally.attempts == {("error", "default-scheduler"): 1}
    assert scenario.simulation.tally.preemptions == 0


def test_a_checkpoint_keeps_the_counts():
    simulation = a_life().simulation
    again = codec.decode_checkpoint(codec.encode_checkpoint(simulation))
    assert again.tally.dump() == simulation.tally.dump()
    assert Tally.load(simulation.tally.dump()).dump() == simulation.tally.dump()


def test_an_undo_takes_the_counts_back():
    scenario = a_life()
    half = Simulation()
    for event in scenario.log[: len(scenario.log) // 2]:
        half.apply(event)
    before = half.tally.dump()
    scenario.simulation.reset(half)
    assert scenario.simulation.tally.dump() == before
