"""What the tests of services, execution and runner share."""

from tests.services import no_redis, redis_socket, redis_url, start_worker

__all__ = ["no_redis", "redis_socket", "redis_url", "start_worker"]
