"""Controllers of workloads, driven by a small world in which pods become ready one tick after they were made.

What is expected was worked out by hand from the documented rules of each kind.
"""

import itertools
from dataclasses import dataclass, field

import msgspec
import pytest

from scheduler.engine.workloads.clone_set import Clones, clone_set
from scheduler.engine.workloads.daemon_set import daemon_set
from scheduler.engine.workloads.daemon_template import node_of, pod_template
from scheduler.engine.workloads.deletion_order import in_deletion_order
from scheduler.engine.workloads.deployment import Generation, scaled
from scheduler.engine.workloads.job import job
from scheduler.engine.workloads.owned import SECOND_US, OwnedPod
from scheduler.engine.workloads.replica_set import replica_set
from scheduler.engine.workloads.stateful_set import Ordinals, stateful_set


@dataclass
class World:
    """`tick(wanted)` does what a controller wants; `settle()` lets every pod become ready."""

    pods: dict[str, OwnedPod] = field(default_factory=dict)
    now_us: int = SECOND_US
    drawn: itertools.count = field(default_factory=itertools.count)

    def do(self, wanted):
        for old in wanted.deletes:
            del self.pods[old.name]
        for new in wanted.creates:
            name = new.name or f"p{next(self.drawn)}"
            self.pods[name] = OwnedPod(name, "Pending", self.now_us, revision=new.revision)
        self.now_us += SECOND_US
        return wanted

    def settle(self):
        for name, pod in self.pods.items():
            if not pod.ready:
                self.pods[name] = msgspec.structs.replace(
                    pod, phase="Running", node_name="n", ready=True, ready_since_us=self.now_us
                )

    def revisions(self):
        return {name: pod.revision for name, pod in sorted(self.pods.items())}

    @property
    def unavailable(self):
        return sum(not pod.ready for pod in self.pods.values())


# --- StatefulSet ------------------------------------------------------------------------------------------------------


def run_set(world, asked, current="old", updated="new"):
    return world.do(stateful_set(asked, list(world.pods.values()), current, updated, world.now_us))


def a_set(world, asked, revision="old"):
    for _ in range(20):
        run_set(world, asked, revision, revision)
        world.settle()
    return world


def test_pods_of_a_stateful_set_come_one_after_the_other():
    world, asked = World(), Ordinals("db", 3)
    run_set(world, asked)
    run_set(world, asked)
    assert list(world.pods) == ["db-0"]
    world.settle()
    run_set(world, asked)
    assert list(world.pods) == ["db-0", "db-1"]


def test_parallel_ones_come_at_once():
    world = World()
    run_set(world, Ordinals("db", 3, parallel=True))
    assert list(world.pods) == ["db-0", "db-1", "db-2"]


def test_a_stateful_set_shrinks_from_the_highest_ordinal():
    world = a_set(World(), Ordinals("db", 4))
    shrinking = Ordinals("db", 2)
    assert [one.name for one in run_set(world, shrinking, "old", "old").deletes] == ["db-3"]
    assert [one.name for one in run_set(world, shrinking, "old", "old").deletes] == ["db-2"]
    assert run_set(world, shrinking, "old", "old").deletes == ()


def test_a_partition_keeps_the_lower_ordinals_at_the_old_revision():
    """Partition 2 of 4: db-3 is replaced, then db-2 once db-3 is ready; db-0 and db-1 stay."""
    world = a_set(World(), Ordinals("db", 4))
    asked = Ordinals("db", 4, partition=2)
    gone = []
    for _ in range(8):
        gone += [one.name for one in run_set(world, asked).deletes]
        assert world.unavailable + (4 - len(world.pods)) <= 1
        world.settle()
    assert gone == ["db-3", "db-2"]
    assert world.revisions() == {"db-0": "old", "db-1": "old", "db-2": "new", "db-3": "new"}


def test_a_pod_below_the_partition_that_is_lost_comes_back_at_the_old_revision():
    world = a_set(World(), Ordinals("db", 3))
    asked = Ordinals("db", 3, partition=2)
    del world.pods["db-1"]
    run_set(world, asked)
    assert world.pods["db-1"].revision == "old"


def test_the_roll_stops_at_a_pod_that_does_not_become_ready():
    world = a_set(World(), Ordinals("db", 3))
    asked = Ordinals("db", 3)
    for _ in range(5):
        run_set(world, asked)
    assert world.revisions() == {"db-0": "old", "db-1": "old", "db-2": "new"}


def test_on_delete_replaces_only_what_somebody_deletes():
    world = a_set(World(), Ordinals("db", 2))
    asked = Ordinals("db", 2, on_delete=True)
    assert run_set(world, asked).deletes == ()
    del world.pods["db-0"]
    run_set(world, asked)
    assert world.revisions() == {"db-0": "new", "db-1": "old"}


def test_the_current_revision_moves_when_all_are_updated_and_ready():
    world = a_set(World(), Ordinals("db", 2))
    asked = Ordinals("db", 2)
    for _ in range(6):
        wanted = run_set(world, asked)
        world.settle()
    assert wanted.status["currentRevision"] == "new"
    assert wanted.status["updatedReplicas"] == 2


def test_an_advanced_stateful_set_may_have_several_down():
    world = a_set(World(), Ordinals("db", 5))
    asked = Ordinals("db", 5, advanced=True, parallel=True, unavailable=2)
    assert [one.name for one in run_set(world, asked).deletes] == ["db-4", "db-3"]


def test_what_a_stateful_set_asks_for_is_read_from_its_spec():
    spec = {
        "replicas": 10,
        "ordinals": {"start": 5},
        "podManagementPolicy": "Parallel",
        "minReadySeconds": 7,
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 3, "maxUnavailable": "25%"}},
    }
    assert Ordinals.of("db", spec) == Ordinals("db", 10, 5, parallel=True, partition=3, min_ready_seconds=7)
    spec |= {"reserveOrdinals": [6, "8-9", "x"], "scaleStrategy": {"maxUnavailable": "25%"}}
    asked = Ordinals.of("db", spec, advanced=True)
    assert (asked.unavailable, asked.coming, asked.reserved, asked.paused) == (2, 2, {6, 8, 9}, False)
    assert list(asked.ordinals()) == [5, 7, 10, 11, 12, 13, 14, 15, 16, 17]


def test_reserved_ordinals_have_no_pod_and_others_stand_in():
    """Of 3 pods db-1 is reserved: db-3 comes, and only then, one at a time, db-1 goes."""
    world = a_set(World(), Ordinals("db", 3))
    asked = Ordinals("db", 3, advanced=True, reserved=frozenset({1}))
    seen = []
    for _ in range(4):
        run_set(world, asked, "old", "old")
        seen.append(sorted(world.pods))
        world.settle()
    before, after = ["db-0", "db-1", "db-2", "db-3"], ["db-0", "db-2", "db-3"]
    assert seen == [before, after, after, after]


def test_an_advanced_update_counts_what_is_down_from_the_top_only():
    """Two may be down: db-4 is not ready yet, so one more goes; db-0, which is down as well, is not reached."""
    world = a_set(World(), Ordinals("db", 5, parallel=True))
    asked = Ordinals("db", 5, advanced=True, parallel=True, unavailable=2)
    for name in ("db-4", "db-0"):
        world.pods[name] = msgspec.structs.replace(world.pods[name], ready=False)
    world.pods["db-4"] = msgspec.structs.replace(world.pods["db-4"], revision="new")
    assert [one.name for one in run_set(world, asked).deletes] == ["db-3"]


def test_a_paused_advanced_set_is_not_updated():
    world = a_set(World(), Ordinals("db", 2))
    assert run_set(world, Ordinals("db", 2, advanced=True, paused=True)).deletes == ()


def test_pods_that_come_all_at_once_may_be_bounded():
    world, asked = World(), Ordinals("db", 5, advanced=True, parallel=True, coming=2)
    assert [one.name for one in run_set(world, asked).creates] == ["db-0", "db-1"]
    assert run_set(world, asked).creates == ()
    world.settle()
    assert [one.name for one in run_set(world, asked).creates] == ["db-2", "db-3"]


def test_of_surplus_pods_that_are_down_the_lowest_goes_first():
    """As in kubernetes: the highest waits until those below it are well."""
    world = a_set(World(), Ordinals("db", 4))
    for name in ("db-2", "db-3"):
        world.pods[name] = msgspec.structs.replace(world.pods[name], ready=False)
    shrinking = Ordinals("db", 2)
    assert run_set(world, shrinking, "old", "old").deletes == ()
    world.pods["db-2"] = msgspec.structs.replace(world.pods["db-2"], ready=True)
    assert [one.name for one in run_set(world, shrinking, "old", "old").deletes] == ["db-3"]


# --- Deployment -------------------------------------------------------------------------------------------------------


def roll(replicas, strategy, steps=20):
    """Sizes of (old, new) after each look, each pod available right after."""
    sizes = {"old": replicas, "new": 0}
    seen = []
    available = dict(sizes)
    for _ in range(steps):
        old = Generation("old", sizes["old"], available["old"], 0)
        new = Generation("new", sizes["new"], available["new"], 1)
        sizes = scaled(replicas, strategy, new, [old])
        available = {name: min(available[name], sizes[name]) for name in sizes}
        total_available = sum(available.values())
        seen.append((sizes["old"], sizes["new"], total_available))
        available = dict(sizes)
    return seen


def test_a_rolling_update_of_ten_with_a_quarter_each():
    """25 % of 10: 3 more (rounded up), 2 fewer (rounded down), so between 8 available and 13 in all."""
    seen = roll(10, {})
    assert seen[:4] == [(10, 3, 10), (5, 3, 8), (5, 8, 8), (0, 8, 8)]
    assert seen[-1] == (0, 10, 10)
    assert all(old + new <= 13 and available >= 8 for old, new, available in seen)


def test_without_surge_old_pods_go_first():
    seen = roll(4, {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}})
    assert seen[0][:2] == (3, 0)
    assert all(old + new <= 4 for old, new, _ in seen)
    assert seen[-1][:2] == (0, 4)


def test_without_unavailable_new_pods_come_first():
    seen = roll(4, {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}})
    assert seen[0][:2] == (4, 1)
    assert all(available >= 4 for *_, available in seen)
    assert seen[-1][:2] == (0, 4)


def test_recreate_waits_until_all_old_pods_are_gone():
    assert [one[:2] for one in roll(3, {"type": "Recreate"}, 2)] == [(0, 0), (0, 3)]


def test_a_deployment_that_is_scaled_in_a_roll_shares_in_proportion():
    """10 to 15 with 3 surging: of 18, the old with 8 of 13 gets 11 and the new with 5 gets 7."""
    old = Generation("old", 8, 8, 0, desired=10, most=13)
    new = Generation("new", 5, 5, 1, desired=10, most=13)
    strategy = {"rollingUpdate": {"maxSurge": 3, "maxUnavailable": 2}}
    assert scaled(15, strategy, new, [old]) == {"old": 11, "new": 7}


def test_the_only_active_generation_takes_a_new_size_at_once():
    only = Generation("new", 3, 3, 1, desired=3, most=4)
    assert scaled(7, {}, only, []) == {"new": 7}


# --- CloneSet ---------------------------------------------------------------------------------------------------------


def run_clones(world, asked, current="old", updated="new"):
    return world.do(clone_set(asked, list(world.pods.values()), current, updated, world.now_us))


def clones(count):
    world = World()
    run_clones(world, Clones(count, unavailable=1), "old", "old")
    world.settle()
    return world


def test_a_partition_of_a_clone_set_is_the_number_that_stays_old():
    world, asked = clones(5), Clones(5, partition=3, unavailable=1)
    for _ in range(12):
        run_clones(world, asked)
        assert world.unavailable <= 1
        world.settle()
    assert sorted(world.revisions().values()) == ["new", "new", "old", "old", "old"]


def test_clones_surge_above_and_end_at_their_number():
    world, asked = clones(4), Clones(4, surge=2, unavailable=0)
    most = 0
    for _ in range(20):
        run_clones(world, asked)
        most = max(most, len(world.pods))
        world.settle()
    assert most == 6
    assert list(world.revisions().values()) == ["new"] * 4


def test_an_update_that_does_not_come_up_takes_no_more_pods_than_may_be_unavailable():
    """Old pods that are down are replaced first, but new ones that do not become ready stop it."""
    world, asked = clones(6), Clones(6, unavailable=2)
    for name in list(world.pods)[:4]:
        world.pods[name] = msgspec.structs.replace(world.pods[name], ready=False)
    for _ in range(6):
        run_clones(world, asked)
    assert sorted(world.revisions().values()) == ["new"] * 2 + ["old"] * 4


def test_clones_that_come_may_be_bounded():
    world, asked = World(), Clones(5, unavailable=1, coming=2)
    run_clones(world, asked, "old", "old")
    run_clones(world, asked, "old", "old")
    assert len(world.pods) == 2
    world.settle()
    run_clones(world, asked, "old", "old")
    assert len(world.pods) == 4


def test_a_paused_clone_set_still_scales():
    world, asked = clones(2), Clones(3, paused=True)
    run_clones(world, asked)
    assert sorted(world.revisions().values()) == ["new", "old", "old"]


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ({}, Clones(10, unavailable=2)),
        ({"maxUnavailable": "25%"}, Clones(10, unavailable=3)),
        ({"maxUnavailable": "25%", "maxSurge": 1}, Clones(10, unavailable=2, surge=1)),
        ({"maxUnavailable": "25%", "maxSurge": 1, "paused": True}, Clones(10, unavailable=3, paused=True)),
        ({"partition": "99%"}, Clones(10, unavailable=2, partition=9)),
        ({"partition": "100%"}, Clones(10, unavailable=2, partition=10)),
        ({"rollingUpdate": {"partition": "25%", "maxSurge": "10%"}}, Clones(10, partition=3, surge=1, unavailable=2)),
        ({"type": "InPlaceIfPossible", "partition": 4}, Clones(10, partition=4, unavailable=2)),
        ({"type": "OnDelete"}, Clones(10, unavailable=2, on_delete=True)),
    ],
)
def test_what_a_clone_set_asks_for_is_read_in_both_layouts(strategy, expected):
    assert Clones.of({"replicas": 10, "updateStrategy": strategy}) == expected


# --- ReplicaSet, Job, DaemonSet ---------------------------------------------------------------------------------------


def a_pod(name, **more):
    return OwnedPod(name, **({"phase": "Running", "node_name": "n1", "ready": True, "created_us": 0} | more))


def test_pods_are_missed_least_in_this_order():
    now = 1000 * SECOND_US
    pods = [
        a_pod("old", node_name="n4"),
        a_pod("young", node_name="n5", created_us=999 * SECOND_US, ready_since_us=999 * SECOND_US),
        a_pod("crowded-a", node_name="n2"),
        a_pod("crowded-b", node_name="n2"),
        a_pod("crowded-c", node_name="n2"),
        a_pod("cheap", deletion_cost=-1, node_name="n3"),
        a_pod("starting", ready=False),
        a_pod("waiting", phase="Pending", node_name="", ready=None),
    ]
    names = [pod.name for pod in in_deletion_order(reversed(pods), now)]
    assert names == ["waiting", "starting", "cheap", "crowded-a", "crowded-b", "crowded-c", "young", "old"]


def test_a_replica_set_makes_what_is_missing_and_drops_what_is_too_much():
    assert len(replica_set(3, [a_pod("a")], 0).creates) == 2
    wanted = replica_set(1, [a_pod("a"), a_pod("b", ready=False)], 0)
    assert [one.name for one in wanted.deletes] == ["b"]
    assert wanted.status == {"replicas": 2, "readyReplicas": 1, "availableReplicas": 1}


def test_pods_that_ended_or_end_do_not_count():
    pods = [a_pod("a", phase="Succeeded"), a_pod("b", deleting=True)]
    assert len(replica_set(1, pods, 0).creates) == 1


def test_a_job_runs_a_few_at_a_time_until_all_is_done():
    spec = {"parallelism": 2, "completions": 5}
    assert len(job(spec, [], 0, 0).creates) == 2
    assert len(job(spec, [a_pod("a")], 4, 0).creates) == 0
    assert len(job(spec, [], 4, 0).creates) == 1
    assert len(job(spec, [], 5, 0).creates) == 0
    assert len(job({**spec, "suspend": True}, [a_pod("a")], 0, 0).deletes) == 1


def test_a_job_without_completions_ends_with_its_first_success():
    assert len(job({"parallelism": 3}, [], 0, 0).creates) == 3
    assert len(job({"parallelism": 3}, [a_pod("a")], 1, 0).creates) == 0
    assert len(job({}, [], 0, 0).creates) == 1


def test_a_daemon_set_has_one_pod_on_every_node_it_is_for():
    pods = [a_pod("a", revision="new", meant_for="n1"), a_pod("b", revision="new", meant_for="gone")]
    wanted = daemon_set({}, pods, ["n1", "n2"], "new", 0)
    assert [one.node for one in wanted.creates] == ["n2"]
    assert [one.name for one in wanted.deletes] == ["b"]


def test_a_daemon_set_rolls_node_by_node():
    nodes = ["n0", "n1", "n2"]
    pods = [a_pod(f"p-{node}", revision="old", meant_for=node) for node in nodes]
    assert len(daemon_set({}, pods, nodes, "new", 0).deletes) == 1
    strategy = {"updateStrategy": {"rollingUpdate": {"maxUnavailable": "67%"}}}
    assert len(daemon_set(strategy, pods, nodes, "new", 0).deletes) == 3


def test_a_daemon_set_that_surges_has_the_new_pod_ready_before_the_old_one_goes():
    """Two of four nodes at a time: never is a node without a ready pod, never are there more than six pods."""
    world, nodes = World(), ["n0", "n1", "n2", "n3"]
    strategy = {"updateStrategy": {"rollingUpdate": {"maxSurge": "50%", "maxUnavailable": 0}}}

    def look(revision):
        wanted = daemon_set(strategy, world.pods.values(), nodes, revision, world.now_us)
        made = {f"{new.node}-{revision}": new for new in wanted.creates}
        for old in wanted.deletes:
            del world.pods[old.name]
        for name, new in made.items():
            world.pods[name] = OwnedPod(name, "Pending", world.now_us, revision=new.revision, meant_for=new.node)
        world.now_us += SECOND_US
        return len(made), [old.name for old in wanted.deletes]

    assert look("old") == (4, [])
    world.settle()
    seen = []
    for _ in range(4):
        seen.append(look("new"))
        assert {pod.meant_for for pod in world.pods.values() if pod.ready} == set(nodes)
        world.settle()
    assert seen == [(2, []), (2, ["n0-old", "n1-old"]), (0, ["n2-old", "n3-old"]), (0, [])]
    assert look("newer")[0] == 2
    assert look("newer") == (0, [])  # they do not come up


def test_a_daemons_pod_may_go_only_to_its_node():
    template = {"spec": {"tolerations": [{"key": "a"}]}}
    made = pod_template(template, "n7")
    assert node_of(made["spec"]) == "n7"
    assert made["spec"]["tolerations"][0] == {"key": "a"}
    assert {one["key"] for one in made["spec"]["tolerations"][1:]} >= {"node.kubernetes.io/unschedulable"}
    assert template == {"spec": {"tolerations": [{"key": "a"}]}}


def test_every_term_of_a_daemons_affinity_is_narrowed():
    terms = [{"matchExpressions": [{"key": "x", "operator": "Exists"}]}, {"matchExpressions": []}]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    required = pod_template({"spec": {"affinity": affinity}}, "n7")["spec"]["affinity"]["nodeAffinity"]
    narrowed = required["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert [one["matchFields"][0]["values"] for one in narrowed] == [["n7"], ["n7"]]
    assert narrowed[0]["matchExpressions"] == terms[0]["matchExpressions"]
