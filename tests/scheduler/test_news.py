"""What services send past the channel layer arrives through it."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer

from scheduler.services import news

pytestmark = pytest.mark.services


async def test_a_message_sent_through_redis_itself_reaches_the_layer(redis_url):
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(news.group_of(7), channel)
    message = {"type": "progress", "cycle": 3, "cells": [{"rows": [0, 2], "raw": [[1, None]]}]}
    assert await sync_to_async(news.send)(7, message)
    assert await asyncio.wait_for(layer.receive(channel), 5) == message
    await layer.flush()
