"""A cluster as a file: every object, readable again, also for those who may only look."""

import asyncio
import io
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import AsyncClient, Client
from django.urls import reverse

from dashboard.sheets import write_csv
from dashboard.views import download
from dashboard.views.export import TABLES
from scheduler.manifests.export import cluster_objects
from scheduler.services import cycle_step, object_delete, objects_apply
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/c/demo/objects.json"


@pytest.fixture
def objects():
    odd = a_pod("odd", cpu="2")
    odd["metadata"]["annotations"] = {"example.org/note": "größer"}
    cluster = a_cluster(nodes=2, pods=1, name="demo", more=[odd])
    return list(cluster_objects(cluster))


def test_a_cluster_is_given_as_one_list(objects):
    answer = Client(SERVER_NAME="localhost").get(ADDRESS)
    told = json.loads(answer.getvalue())
    assert answer["Content-Disposition"] == 'attachment; filename="demo.json"'
    assert (told["kind"], told["items"]) == ("List", objects)


def test_it_is_sent_in_pieces_by_the_server(objects, admin_user, monkeypatch):
    monkeypatch.setattr(download, "PIECE", 100)
    client = AsyncClient()
    client.force_login(admin_user)

    async def read() -> list[bytes]:
        answer = await client.get(ADDRESS)
        return [piece async for piece in answer.streaming_content]

    pieces = asyncio.run(read())
    assert {len(piece) for piece in pieces[:-1]} == {100}
    assert json.loads(b"".join(pieces))["items"] == objects


def test_what_was_given_can_be_imported_as_another_cluster(objects, admin_client, tmp_path):
    path = tmp_path / "copy.json"
    path.write_bytes(admin_client.get(ADDRESS).getvalue())
    call_command("import_cluster", "copy", "-f", str(path), verbosity=0)
    copied = json.loads(admin_client.get("/c/copy/objects.json").getvalue())["items"]
    assert [one["metadata"]["name"] for one in copied] == [one["metadata"]["name"] for one in objects]


def test_an_export_of_the_past_is_what_an_export_was_then():
    cluster, browser = a_cluster(pods=3, name="demo"), Client(SERVER_NAME="localhost")
    cycle_step(cluster.pk)
    cluster.refresh_from_db()
    then = cluster.seq
    files = ("objects.json", "objects.yaml", "trace.json", "events.jsonl")
    before = {name: browser.get(f"/c/demo/{name}").getvalue() for name in files}
    object_delete(cluster.pk, "Pod", "default", "web-0")
    objects_apply(cluster.pk, [a_node("node-9"), a_node("node-0", cpu="32")])
    cycle_step(cluster.pk)
    for name in files:
        answer = browser.get(f"/c/demo/{name}", {"at": then})
        assert answer.getvalue() == before[name], name
        assert f'filename="demo-event-{then}' in answer["Content-Disposition"], name
        assert browser.get(f"/c/demo/{name}").getvalue() != before[name], name
    assert browser.get("/c/demo/objects.json", {"at": then + 99}).status_code == 404
    for output in ("json", "yaml"):
        out = StringIO()
        call_command("export_cluster", "demo", output=output, at=then, stdout=out)
        assert out.getvalue().encode() == before[f"objects.{output}"]
    with pytest.raises(CommandError, match="demo has no event 0: its log has the events 1 to"):
        call_command("export_cluster", "demo", at=0)
    page = browser.get("/c/demo/export/", {"at": then}).content.decode()
    assert f"As it was at event {then}" in page
    tables = [reverse(name, args=["demo"]) for name, _ in TABLES]
    for address in (*(f"/c/demo/{name}" for name in files), *tables):
        assert f'href="{address}?at={then}" download' in page
    for address in tables:
        assert f'filename="demo-event-{then}-' in browser.get(address, {"at": then})["Content-Disposition"]


def test_the_list_of_clusters_leads_to_it(objects):
    browser = Client(SERVER_NAME="localhost")
    assert 'href="/c/demo/export/"' in browser.get("/").content.decode()
    assert f'href="{ADDRESS}"' in browser.get("/c/demo/export/").content.decode()


def test_no_cell_of_a_table_is_taken_for_a_formula():
    """A pod's status holds what its author, or a kubelet, wrote."""
    odd = {**a_pod("odd", priority=-5), "status": {"podIP": "=1+1", "phase": "Running"}}
    a_cluster(nodes=1, name="demo", more=[odd])
    rows = Client(SERVER_NAME="localhost").get("/c/demo/pods.csv").getvalue().decode().splitlines()
    told = dict(zip(rows[0].split(","), rows[1].split(","), strict=True))
    assert (told["ip"], told["priority"]) == ("'=1+1", "-5")


@pytest.mark.parametrize(
    ("cell", "written"),
    [("@SUM(A1)", "'@SUM(A1)"), ("-x", "'-x"), ("\t=1", "'\t=1"), ("-5", "-5"), ("+2", "+2"), (-5, "-5"), (None, "")],
)
def test_numbers_stay_numbers(cell, written):
    out = io.StringIO()
    write_csv(out, [[cell, "a"]])
    assert out.getvalue() == f"{written},a\r\n"
