"""Tests of the dashboard need no collected files and no broker."""

import pytest
from channels.layers import channel_layers
from django.test import Client


@pytest.fixture(autouse=True)
def plain_static_and_layer(settings, plain_static):
    """And a channel layer inside this process."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    channel_layers.backends.clear()
    yield
    channel_layers.backends.clear()


@pytest.fixture
def browser() -> Client:
    """Somebody on this machine who has not logged in."""
    return Client(SERVER_NAME="localhost")
