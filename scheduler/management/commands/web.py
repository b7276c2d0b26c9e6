"""`manage.py web`: the web server alone, as `up` runs it; several may serve behind a proxy."""

import gc
import socket
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from scheduler.management.preflight import listen

# Compressing for each browser apart costs 15 times the CPU; a frame is small or already packed.
UVICORN: dict[str, Any] = {
    "ws": "websockets-sansio",
    "ws_per_message_deflate": False,
    "ws_max_size": 1 << 20,
    "lifespan": "off",
    "proxy_headers": False,
    "server_header": False,
    "access_log": False,
    "log_config": None,
    "timeout_graceful_shutdown": 2,
}


# States and pictures of clusters are long-lived and free of circles: looking through them for garbage every 700 new
# objects costs a step a third of its time.
NEW_OBJECTS = 50_000


class Command(BaseCommand):
    help = "Serve the dashboard on HOST and PORT."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--fd", type=int, help="a listening socket that the caller made")

    def handle(self, *, fd: int | None, **options: Any) -> None:
        gc.set_threshold(NEW_OBJECTS)
        listener = socket.socket(fileno=fd) if fd is not None else listen(settings.HOST, settings.PORT)
        uvicorn.Server(uvicorn.Config("config.asgi:application", **UVICORN)).run(sockets=[listener])
