"""The websocket: hello, news, progress, acknowledgements, and frames that are lost."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from channels.auth import AuthMiddlewareStack
from channels.layers import get_channel_layer
from channels.routing import URLRouter
from django.contrib.auth.models import User
from django.test import Client

from config.asgi import application
from dashboard import consumers, feed
from dashboard.payloads.news import Hello, News
from dashboard.routing import websocket_urlpatterns
from scheduler import services
from scheduler.models import Cluster
from scheduler.services.news import group_of
from tests.dashboard.shapes import faults
from tests.dashboard.sockets import Socket
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)
HERE = "http://127.0.0.1:8000"


def socket(path="/ws/c/demo/", origin=HERE, host="127.0.0.1:8000", client="127.0.0.1", **headers):
    return Socket(application, path, {"host": host, "origin": origin, **headers}, client)


@pytest.fixture(autouse=True)
def news_only_as_the_test_says(monkeypatch):
    monkeypatch.setattr(services.news, "send", lambda *args: True)
    monkeypatch.setattr(services.cycles, "send", lambda *args: True)


@pytest.fixture
def cluster():
    return a_cluster(nodes=3, pods=5, bound=0, name="demo")


async def opened(browser):
    assert await browser.connect()
    hello = await browser.hear()
    assert faults(hello, Hello) == []
    return hello


async def say(cluster, message):
    await get_channel_layer().group_send(group_of(cluster.pk), message)


async def step(cluster):
    await sync_to_async(services.cycle_step)(cluster.pk)
    await sync_to_async(cluster.refresh_from_db)()
    await say(cluster, {"type": "news", "cluster": cluster.pk, "seq": cluster.seq})


async def test_hello_says_where_the_log_ends_and_news_follow(cluster):
    browser = socket()
    assert (await opened(browser))["seq"] == cluster.seq
    before = cluster.seq
    await step(cluster)
    told = await browser.hear()
    assert faults(told, News) == []
    assert (told["from_seq"], told["seq"]) == (before, cluster.seq)
    assert told["state"]["cycle"]["outcome"] == "bound"
    await browser.leave()


async def test_dropped_frames_are_made_good_by_the_next_one(cluster):
    browser = socket()
    hello = await opened(browser)
    for _ in range(3):
        await sync_to_async(services.cycle_step)(cluster.pk)  # their news are lost: nobody hears them
    await step(cluster)
    told = await browser.hear()
    assert (told["from_seq"], told["seq"]) == (hello["seq"], cluster.seq)
    await browser.leave()


async def test_one_frame_is_under_way_and_the_newest_state_follows_its_acknowledgement(cluster):
    browser = socket()
    hello = await opened(browser)
    await step(cluster)
    first = await browser.hear()
    for _ in range(3):
        await step(cluster)
    assert await browser.receive_nothing(timeout=0.4)
    await browser.say('{"type": "ack"}')
    second = await browser.hear()
    assert (first["from_seq"], first["seq"], second["seq"]) == (hello["seq"], second["from_seq"], cluster.seq)
    await browser.leave()


async def test_a_browser_that_fetched_the_state_itself_says_what_it_holds(cluster):
    browser = socket()
    await opened(browser)
    await step(cluster)
    await browser.hear()
    held = cluster.seq - 1
    await browser.say(json.dumps({"type": "ack", "seq": held}))
    await step(cluster)
    assert (await browser.hear())["from_seq"] == held
    await browser.leave()


async def test_a_stalled_browser_holds_little_and_is_let_go(cluster, monkeypatch):
    monkeypatch.setattr(feed, "ACK_DEADLINE", 0.6)
    browser = socket()
    await opened(browser)
    await step(cluster)
    await browser.hear()
    for number in range(300):
        await say(cluster, {"type": "news", "cluster": cluster.pk, "seq": cluster.seq})
        progress = {"type": "progress", "cycle": number, "phase": "Map", "phases": [], "algorithms": [], "tasks": []}
        await say(cluster, {**progress, "cells": [{"rows": [0, 3], "raw": [[number] * 3]}]})
    assert await browser.closed() == 4408
    assert browser.output_queue.empty()


async def test_progress_reaches_the_browser_with_all_its_cells(cluster):
    browser = socket()
    await opened(browser)
    base = {"type": "progress", "cycle": 1, "phase": "Map", "phases": [], "algorithms": [], "tasks": []}
    for first in (0, 1, 2):
        await say(cluster, {**base, "cells": [{"rows": [first, first + 1], "raw": [[7]]}]})
    cells = []
    while len(cells) < 3:
        told = await browser.hear()
        assert told["type"] == "progress"
        cells += told["cells"]
        await browser.say('{"type": "ack"}')
    assert [cell["rows"][0] for cell in cells] == [0, 1, 2]
    await browser.leave()


async def test_two_browsers_hear_the_same(cluster):
    browsers = [socket(), socket()]
    for browser in browsers:
        await opened(browser)
    await step(cluster)
    told = [await browser.text() for browser in browsers]
    assert told[0] == told[1]
    for browser in browsers:
        await browser.leave()


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param({"origin": "http://evil.example"}, id="other origin"),
        pytest.param({"origin": "http://127.0.0.1:9999"}, id="other port"),
        pytest.param({"origin": ""}, id="no origin"),
        pytest.param({"client": "10.0.0.9"}, id="other machine"),
        pytest.param({"x-forwarded-for": "10.0.0.9"}, id="proxy"),
        pytest.param({"path": "/ws/c/nowhere/"}, id="no such cluster"),
        pytest.param({"path": "/ws/"}, id="no such address"),
        pytest.param({"path": "/ws/c/\0/"}, id="no name"),
    ],
)
async def test_who_may_not_listen_is_refused_at_the_door(cluster, refused):
    assert not await socket(**refused).connect()


async def test_a_login_opens_the_door_from_elsewhere(cluster, settings):
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "podium.example.com"]
    there = {"origin": "https://podium.example.com", "host": "podium.example.com", "client": "10.0.0.9"}
    assert not await socket(**there).connect()

    def log_in():
        client = Client(SERVER_NAME="podium.example.com")
        client.force_login(User.objects.create_user("mira"))
        return client.cookies[settings.SESSION_COOKIE_NAME].value

    cookie = f"{settings.SESSION_COOKIE_NAME}={await sync_to_async(log_in)()}"
    headers = {"origin": there["origin"], "host": there["host"], "cookie": cookie}
    # The list of hosts is read when the application is made: here the part behind that door is asked.
    browser = Socket(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)), "/ws/c/demo/", headers, "10.0.0.9")
    await opened(browser)
    await browser.leave()


@pytest.mark.parametrize("text", ["x", "[]", "{}", '{"type": "step"}', '{"type": "ack", "seq": "1"}', "[" * 5_000])
async def test_whoever_says_anything_else_is_let_go(cluster, text):
    browser = socket()
    await opened(browser)
    await browser.say(text)
    assert await browser.closed() == 4400


async def test_a_deleted_cluster_closes_its_sockets(cluster):
    browser = socket()
    await opened(browser)
    await sync_to_async(services.cluster_delete)(cluster.pk)
    await say(cluster, {"type": "news", "cluster": cluster.pk, "seq": cluster.seq})
    assert await browser.closed() == 4404
    assert not await sync_to_async(Cluster.objects.exists)()


async def test_a_cluster_deleted_during_the_handshake_is_refused_at_the_door(cluster, monkeypatch):
    join = get_channel_layer().group_add

    async def gone_meanwhile(group, channel):
        await join(group, channel)
        await sync_to_async(services.cluster_delete)(cluster.pk)

    monkeypatch.setattr(get_channel_layer(), "group_add", gone_meanwhile)
    assert not await socket().connect()


async def test_what_no_hint_told_is_seen_by_looking(cluster, monkeypatch):
    monkeypatch.setattr(consumers, "LOOK_SECONDS", 0.05)
    browser = socket()
    await opened(browser)
    await sync_to_async(services.cycle_step)(cluster.pk)
    await sync_to_async(cluster.refresh_from_db)()
    assert (await browser.hear())["seq"] == cluster.seq
    await browser.say('{"type": "ack"}')
    await sync_to_async(services.run_start)(cluster.pk)
    assert (await browser.hear())["state"]["cluster"]["wanted"] == "running"
    await browser.leave()


async def test_without_a_broker_sockets_open_and_hear_all_the_same(cluster, settings, monkeypatch, tmp_path):
    monkeypatch.setattr(consumers, "LOOK_SECONDS", 0.05)
    hosts = [{"address": f"unix://{tmp_path}/nobody.sock"}]
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "dashboard.layer.HintLayer", "CONFIG": {"hosts": hosts}}}
    browser = socket()
    await opened(browser)
    await sync_to_async(services.cycle_step)(cluster.pk)
    assert (await browser.hear())["state"]["cycle"]["outcome"] == "bound"
    await browser.leave()


async def test_a_closed_socket_leaves_its_group(cluster):
    browser = socket()
    await opened(browser)
    await browser.leave()
    await asyncio.sleep(0)
    assert not get_channel_layer().groups.get(group_of(cluster.pk))
