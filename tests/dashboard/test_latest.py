"""The newest event about pods: read on, in the past and after an undo it is the one that counts."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from dashboard.build import latest as module
from dashboard.build.kept import Kept
from dashboard.build.latest import latest
from scheduler import services
from scheduler.models import Cluster, Event
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(module, "_known", Kept(module.KEPT))


@pytest.fixture
def made():
    a_cluster(nodes=3, pods=4, bound=0, name="watched")
    return Cluster.objects.get(name="watched")


def head(cluster: Cluster) -> int:
    cluster.refresh_from_db()
    return cluster.seq


def counted(cluster: Cluster, kind: str, up_to: int, undone: range = range(0)) -> dict[str, int]:
    """As a person would look it up: down the log, the last one of each pod stays."""
    rows = Event.objects.filter(cluster=cluster, kind=kind, seq__lte=up_to).exclude(seq__in=undone).order_by("seq")
    return {row.payload["pod"]: row.seq for row in rows}


def seqs(cluster: Cluster, kind: str, up_to: int) -> dict[str, int]:
    pods = [*counted(cluster, kind, head(cluster)), "default/nobody"]
    return {pod: told.seq for pod, told in latest(cluster.pk, kind, pods, up_to).items()}


@pytest.mark.parametrize("kind", ["PodMoved", "CycleFinished"])
def test_reading_on_gives_what_asking_afresh_gives(made, kind, monkeypatch):
    marks = [head(made)]
    for _ in range(4):
        services.cycle_step(made.pk)
        marks.append(head(made))
    for up_to in [*marks, marks[1], marks[-1]]:
        assert seqs(made, kind, up_to) == counted(made, kind, up_to)
    monkeypatch.setattr(module, "READ_ON", -1)
    assert seqs(made, kind, marks[-1]) == counted(made, kind, marks[-1])


def test_what_was_undone_does_not_count(made):
    services.cycle_step(made.pk)
    before = head(made)
    assert seqs(made, "CycleFinished", before)
    services.cycle_step(made.pk)
    last = head(made)
    assert len(seqs(made, "CycleFinished", last)) == 2
    services.cluster_reset(made.pk, before)
    undone = range(before + 1, last + 1)
    assert seqs(made, "CycleFinished", head(made)) == counted(made, "CycleFinished", head(made), undone)
    assert len(seqs(made, "CycleFinished", head(made))) == 1


def test_only_what_is_new_is_read(made):
    services.cycle_step(made.pk)
    first = head(made)
    assert seqs(made, "PodMoved", first)
    services.cycle_step(made.pk)
    with CaptureQueriesContext(connection) as asked:
        latest(made.pk, "PodMoved", list(counted(made, "PodMoved", first)), head(made))
    reads = [one["sql"] for one in asked if "MAX(" in one["sql"]]
    assert not reads
