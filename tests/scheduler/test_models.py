"""What the database must give back exactly as it was given."""

import pytest
from django.db import IntegrityError, transaction

from scheduler.models import Cluster, Event, Pod
from scheduler.services import objects_apply
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = pytest.mark.django_db

MANIFEST = {
    "z": 1,
    "a": {"y": [1, 2.5, None, True], "b": ""},
    "m": "null \u0000 and ü and \U0001f680",
    "big": 2**53 + 1,
}


def test_json_keeps_the_order_of_keys_and_every_character():
    cluster = Cluster.objects.create(name="order")
    Event.objects.create(cluster=cluster, seq=1, at_us=0, kind="Test", payload=MANIFEST)
    stored = Event.objects.get(cluster=cluster).payload
    assert stored == MANIFEST
    assert list(stored) == list(MANIFEST)
    assert list(stored["a"]) == ["y", "b"]


def test_a_manifest_is_stored_in_the_order_in_which_it_was_written():
    cluster = a_cluster(pods=0, bound=0)
    selector = {"zone": "b", "arch": "arm64", "disk": "ssd"}
    objects_apply(cluster.pk, [a_pod("choosy", nodeSelector=selector)])
    stored = Pod.objects.get(cluster=cluster, name="choosy").manifest
    assert list(stored["spec"]["nodeSelector"]) == ["zone", "arch", "disk"]


def test_one_seq_is_written_once():
    cluster = Cluster.objects.create(name="once")
    Event.objects.create(cluster=cluster, seq=1, at_us=0, kind="Test", payload={})
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.create(cluster=cluster, seq=1, at_us=0, kind="Other", payload={})


def test_labels_are_found_whole():
    cluster = a_cluster(pods=3, bound=0)
    objects_apply(cluster.pk, [a_pod("webbing-1")])
    found = Pod.objects.filter(cluster=cluster, labels__contains=",app=web,").count()
    assert found == 3
