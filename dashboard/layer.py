"""The channel layer, forgiving: without a broker sockets open all the same, and look instead of listening."""

import asyncio
import logging
import uuid

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis import RedisError

PATIENCE_SECONDS = 2.0
AWAY = (RedisError, OSError, TimeoutError)
log = logging.getLogger(__name__)


class HintLayer(RedisPubSubChannelLayer):  # type: ignore[misc]
    """What it carries are hints only (see `consumers`), so an absent broker costs seconds and breaks nothing."""

    async def new_channel(self, prefix: str = "specific.") -> str:
        layer = self._get_layer()
        try:
            name: str = await asyncio.wait_for(layer.new_channel(prefix), PATIENCE_SECONDS)
        except AWAY as fault:
            log.info("A socket opens without the broker: %s", fault)
            name = f"{prefix}deaf.{uuid.uuid4().hex}"
            layer.channels[name] = asyncio.Queue()
        return name

    async def group_add(self, group: str, channel: str) -> None:
        try:
            await asyncio.wait_for(self._get_layer().group_add(group, channel), PATIENCE_SECONDS)
        except AWAY as fault:
            log.info("A socket cannot join %s: %s", group, fault)

    async def group_discard(self, group: str, channel: str) -> None:
        try:
            await asyncio.wait_for(self._get_layer().group_discard(group, channel), PATIENCE_SECONDS)
        except AWAY as fault:
            log.info("A socket cannot leave %s: %s", group, fault)
