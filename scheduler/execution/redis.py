"""This process's connection to the Redis-compatible server, and how its absence shows."""

from functools import cache

import redis
from django.conf import settings

# What means "no broker" here. A ResponseError (read-only, out of memory, loading) says that it cannot work now.
Unavailable = (redis.ConnectionError, redis.TimeoutError, redis.ResponseError, OSError)

CONNECT_SECONDS = 2
# Blocking calls wait at most BLOCK_SECONDS, so a server that hangs shows as a timeout and never holds a step for ever.
BLOCK_SECONDS = 1
SOCKET_SECONDS = 3


@cache
def client(url: str = "") -> redis.Redis:
    """One pool a process; redis-py makes new connections after a fork by itself."""
    return redis.Redis.from_url(
        url or settings.REDIS_URL,
        socket_timeout=SOCKET_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=None,
    )


def answers() -> bool:
    try:
        return bool(client().ping())
    except Unavailable:
        return False
