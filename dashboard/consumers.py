"""The websocket of a board: a hint that the cluster has news, with the parts that changed. HTTP stays the truth."""

import asyncio
import json
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from dashboard import access
from dashboard.build.delta import news_text
from dashboard.feed import Feed, Stalled
from scheduler.models import Cluster

LOOK_SECONDS = 2.0  # a hint may get lost, or no broker be there: then the head of the log is looked at
MESSAGE_LIMIT = 1_000  # bytes; a browser only ever sends acknowledgements
BAD_MESSAGE, GONE, STALLED = 4400, 4404, 4408


class BoardConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Speaks `hello`, `news`, `progress` (see payloads) and hears `{"type": "ack"}`, with `seq` after a fetch."""

    feed: Feed | None = None
    group = ""

    def __init__(self) -> None:
        super().__init__()
        self.tasks: list[asyncio.Task[None]] = []

    async def connect(self) -> None:
        cluster = await self._cluster() if self._allowed() else None
        if cluster is None:
            await self.close()  # before accept: the handshake is answered with 403
            return
        self.cluster_id, self.group = cluster.pk, f"cluster-{cluster.pk}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        try:
            self.seen = await self._head()  # read after joining: nothing falls between
        except Cluster.DoesNotExist:
            await self.close()
            return
        self.feed = Feed(self.seen[0])
        await self.accept()
        await self._say({"type": "hello", "seq": self.seen[0]})
        self.tasks = [asyncio.create_task(work(self.feed)) for work in (self._send_turns, self._look)]

    async def disconnect(self, code: int) -> None:
        for task in self.tasks:
            task.cancel()
        if self.group:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            if text_data is None or len(text_data) > MESSAGE_LIMIT:
                raise ValueError
            message = json.loads(text_data)
            if message["type"] != "ack" or not isinstance(message.get("seq"), int | None):
                raise ValueError
        except (ValueError, LookupError, TypeError, RecursionError):
            await self.close(BAD_MESSAGE)
            return
        if self.feed:
            self.feed.acknowledge(message.get("seq"))

    async def news(self, message: dict[str, Any]) -> None:
        if self.feed:
            self.feed.news(message["seq"])

    async def progress(self, message: dict[str, Any]) -> None:
        if self.feed:
            self.feed.add_progress(message)

    async def _send_turns(self, feed: Feed) -> None:
        try:
            while True:
                await feed.turn()
                await self._send_turn(feed)
        except Stalled:
            await self.close(STALLED)
        except Cluster.DoesNotExist:
            await self.close(GONE)

    async def _look(self, feed: Feed) -> None:
        """What no hint told between two looks: newer events, or another wish."""
        try:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                seen = await self._head()
                if self.seen[0] > feed.newest or seen[1:] != self.seen[1:]:
                    feed.news(seen[0])
                self.seen = seen
        except Cluster.DoesNotExist:
            await self.close(GONE)

    async def _send_turn(self, feed: Feed) -> None:
        if span := feed.take_news():
            await self.send(await database_sync_to_async(news_text)(self.cluster_id, *span))
        elif progress := feed.take_progress():
            await self._say(progress)
        else:
            feed.skip()

    async def _say(self, message: dict[str, Any]) -> None:
        await self.send(json.dumps(message, separators=(",", ":")))

    def _allowed(self) -> bool:
        headers = {name.decode("latin1"): value.decode("latin1") for name, value in self.scope["headers"]}
        host = headers.get("host", "")
        if not access.same_origin(headers.get("origin", ""), host):
            return False
        client = (self.scope.get("client") or ("",))[0]
        return self.scope["user"].is_authenticated or access.anonymous_may_read(host, client, headers)

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _cluster(self) -> Cluster | None:
        return Cluster.objects.filter(name=self.scope["url_route"]["kwargs"].get("cluster", "")).only("pk").first()

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _head(self) -> tuple[Any, ...]:
        """The head of the log and what the runner is asked to do."""
        return Cluster.objects.values_list("seq", "wanted", "wanted_reason", "speed").get(pk=self.cluster_id)
