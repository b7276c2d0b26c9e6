"""Files of any size as answers: written to disk first, then sent piece by piece, so that none is held in memory."""

import io
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from itertools import chain
from tempfile import TemporaryFile
from typing import IO, Any, Literal, TextIO, TypeVar

import msgspec
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse

from dashboard.build.past import is_past
from dashboard.build.tables import CycleRow, MoveRow, PodRow
from dashboard.sheets import write_csv
from scheduler.models import Cluster

PIECE, CHUNK = 1 << 18, 1_000

Write = Callable[[TextIO], object]
Form = Literal["csv", "json"]
Row = TypeVar("Row", PodRow, CycleRow, MoveRow)
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


def file_stem(cluster: Cluster) -> str:
    """What the name of a file about a cluster begins with: `demo`, of the past `demo-event-12`."""
    return f"{cluster.name}-event-{cluster.seq}" if is_past(cluster) else cluster.name


def table(request: HttpRequest, name: str, form: Form, row: type[Row], rows: Iterable[Row]) -> StreamingHttpResponse:
    """A table as CSV with a head, or as a JSON list of objects. `row`: the NamedTuple of its rows."""

    def write(out: TextIO) -> None:
        if form == "csv":
            write_csv(out, chain((row._fields,), rows))
        else:
            write_list(out, (one._asdict() for one in rows))

    return download(request, write, f"{name}.{form}", TYPES[form])


def write_list(out: TextIO, items: Iterable[dict[str, Any]]) -> None:
    """JSON, an item a line."""
    comma = "["
    for item in items:
        out.write(f"{comma}\n{msgspec.json.encode(item).decode()}")
        comma = ","
    out.write("[]\n" if comma == "[" else "\n]\n")


def each(rows: Any) -> Iterator[Any]:
    """One after the other, of the database not all at once. `rows`: a QuerySet, or rows of the past."""
    return rows.iterator(CHUNK) if isinstance(rows, QuerySet) else iter(rows)


def download(request: HttpRequest, write: Write, name: str, content_type: str) -> StreamingHttpResponse:
    """What `write` writes, as the file `name`."""
    pieces = _pieces_async(write) if isinstance(request, ASGIRequest) else _pieces(write)
    response = StreamingHttpResponse(pieces, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _written(write: Write, file: IO[bytes]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    write(text)
    text.detach()
    file.seek(0)


def _pieces(write: Write) -> Iterator[bytes]:
    with TemporaryFile() as file:
        _written(write, file)
        yield from iter(lambda: file.read(PIECE), b"")


async def _pieces_async(write: Write) -> AsyncIterator[bytes]:
    with TemporaryFile() as file:
        await sync_to_async(_written)(write, file)
        while piece := await sync_to_async(file.read)(PIECE):
            yield piece
