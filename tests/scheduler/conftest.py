"""What the tests of services, execution and runner share."""

from tests.services import redis_socket, redis_url, start_worker

__all__ = ["redis_socket", "redis_url", "start_worker"]
