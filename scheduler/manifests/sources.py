"""Where bytes come from: files, directories, standard input, uploads; gzip is known by its content, not its name.

Large files are mapped, and what has been read of them is given back, so that they cost no memory.
"""

import gzip
import io
import mmap
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from scheduler.engine.words import count
from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.limits import MIB, Limits

Data = bytes | mmap.mmap
Look = Callable[[bytes, int], None]
"""Called with how a file begins and how large it is so far. May raise FileError, before the rest is read."""
GZIP = b"\x1f\x8b"
HEAD_BYTES = 64 << 10
OTHER_SUFFIXES = (".md", ".txt", ".txt.gz", ".png", ".csv", ".sh", ".py", ".log")
STDIN = "-"


@dataclass(frozen=True)
class Source:
    """`name` is what people call it; the bytes are at `path`, or are `content`, or come from standard input.

    `skipped`: why it is not read, "" if it is.
    """

    name: str
    path: Path | None = None
    content: bytes | None = None
    skipped: str = ""


def sources_of(arguments: Iterable[str], limits: Limits) -> list[Source]:
    """Files as given, directories read through in order of name. Raises FileError for what is not there."""
    found = [source for argument in arguments for source in _sources(argument)]
    if len(found) > limits.files:
        told = f"{count(len(found), 'file is', 'files are')} too many, expected at most {limits.files}"
        raise FileError(Fault(found[0].name, 0, told))
    return found


def _sources(argument: str) -> Iterator[Source]:
    if argument == STDIN:
        yield Source("<stdin>")
        return
    path = Path(argument)
    if not path.exists():
        raise FileError(Fault(argument, 0, "no such file or directory"))
    if not path.is_dir():
        yield Source(argument, path)
        return
    files = [file for file in sorted(path.rglob("*")) if file.is_file() and not _is_hidden(file.relative_to(path))]
    if not files:
        raise FileError(Fault(argument, 0, "the directory holds no file, expected YAML or JSON files"))
    for file in files:
        other = file.name.endswith(OTHER_SUFFIXES)
        yield Source(str(file), file, skipped="by its name neither YAML nor JSON" if other else "")


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


class Budget:
    """What may still be read in this import."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left = limits.total_bytes

    def spend(self, name: str, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            wanted = f"expected at most {self.limits.total_bytes // MIB} MiB in one import"
            raise FileError(Fault(name, 0, f"too large after decompression, {wanted}"))


@contextmanager
def opened(source: Source, budget: Budget, look: Look = lambda head, size: None) -> Iterator[Data]:
    """The decompressed bytes. Large ones are mapped from the disk. Raises FileError."""
    with ExitStack() as stack:
        try:
            data = _read(source, _stream(source, budget, look, stack), budget, look, stack)
        except OSError as error:
            raise FileError(Fault(source.name, 0, f"cannot be read: {error.strerror or error}")) from None
        yield data


def release(data: Data, before: int) -> None:
    """Give the memory of what lies before that byte back; it can still be read."""
    whole = before - before % mmap.PAGESIZE
    if isinstance(data, mmap.mmap) and whole > 0:
        data.madvise(mmap.MADV_DONTNEED, 0, whole)


def _stream(source: Source, budget: Budget, look: Look, stack: ExitStack) -> IO[bytes]:
    if source.path is not None:
        return stack.enter_context(source.path.open("rb"))
    if source.content is not None:
        return io.BytesIO(source.content)
    return _spooled(source, iter(partial(sys.stdin.buffer.read, MIB), b""), Budget(budget.limits), look, stack)


def _read(source: Source, stream: IO[bytes], budget: Budget, look: Look, stack: ExitStack) -> Data:
    head = stream.read(HEAD_BYTES)
    size = stream.seek(0, 2)
    stream.seek(0)
    if head.startswith(GZIP):
        stream = _spooled(source, _inflated(source, stream), budget, look, stack)
        size = stream.seek(0, 2)
    else:
        budget.spend(source.name, size)
        look(head, size)
    stream.seek(0)
    if size <= budget.limits.in_memory_bytes or isinstance(stream, io.BytesIO):
        return stream.read()
    stream.flush()
    return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


def _spooled(source: Source, blocks: Iterable[bytes], budget: Budget, look: Look, stack: ExitStack) -> IO[bytes]:
    target = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  (the stack closes it)
    head, size = b"", 0
    for block in blocks:
        budget.spend(source.name, len(block))
        head = head or block[:HEAD_BYTES]
        size += target.write(block)
        if not head.startswith(GZIP):
            look(head, size)
    return target


def _inflated(source: Source, stream: IO[bytes]) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=stream) as inflated:
            while block := inflated.read(MIB):
                yield block
    except EOFError:
        raise FileError(Fault(source.name, 0, "the gzip data ends too early, expected a complete file")) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise FileError(Fault(source.name, 0, f"damaged gzip data: {error}")) from None
