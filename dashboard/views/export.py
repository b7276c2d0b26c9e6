"""A cluster's objects as a file: the List that `kubectl get -o json` prints, for kubectl or another import."""

import io
from collections.abc import AsyncIterator, Iterator
from tempfile import TemporaryFile
from typing import IO

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

from dashboard.views.common import cluster_view
from scheduler.manifests.export import cluster_objects, write_json
from scheduler.models import Cluster

PIECE = 1 << 18


@cluster_view
def objects_json(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    """By way of a file on disk: a large cluster is not held in memory."""
    pieces = _pieces_async(cluster) if isinstance(request, ASGIRequest) else _pieces(cluster)
    response = StreamingHttpResponse(pieces, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{cluster.name}.json"'
    return response


def _write(cluster: Cluster, file: IO[bytes]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
    write_json(cluster_objects(cluster), text)
    text.detach()
    file.seek(0)


def _pieces(cluster: Cluster) -> Iterator[bytes]:
    with TemporaryFile() as file:
        _write(cluster, file)
        yield from iter(lambda: file.read(PIECE), b"")


async def _pieces_async(cluster: Cluster) -> AsyncIterator[bytes]:
    with TemporaryFile() as file:
        await sync_to_async(_write)(cluster, file)
        while piece := await sync_to_async(file.read)(PIECE):
            yield piece
