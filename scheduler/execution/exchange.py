"""The meeting place of one cycle in Redis: its prepared state, the rows that came back, and marks of what is complete.

Keys (all expire):  …:prepared  the sealed prepared state; while it exists, results are welcome
                    …:results   hash: job name → packed `Result`, written once, first one wins
                    …:rows      hash: algorithm → its whole raw row, for its reduce task
                    …:done      list: job names in the order of their completion
"""

import secrets
from collections.abc import Iterable
from functools import cache
from typing import Any, cast

import msgspec
import numpy as np

from scheduler.engine.cycle.score_errors import CellErrors
from scheduler.engine.framework import Int64Array
from scheduler.execution.redis import BLOCK_SECONDS, client
from scheduler.execution.sealed import seal, unseal

TTL_SECONDS = 120

# One atomic step, so that a result delivered twice (or after the cycle is over) changes nothing and is counted once.
DEPOSIT = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('RPUSH', KEYS[3], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[3])
return 1
"""


class Result(msgspec.Struct, array_like=True):
    """What one map or reduce task brings back. Times are Unix seconds; `rows` is int64 of shape (algorithms, nodes).

    `error`: why it brings nothing. `cells`: what of map failed while the rest went on.
    """

    worker: str
    started: float
    ended: float
    algorithms: list[str] = []
    rows: bytes = b""
    error: str = ""
    cells: CellErrors = {}

    def arrays(self, length: int) -> dict[str, Int64Array]:
        """`rows` by algorithm; ValueError unless each holds `length` numbers."""
        matrix = np.frombuffer(self.rows, np.int64).reshape(len(self.algorithms), length)
        return dict(zip(self.algorithms, matrix, strict=True))


def pack(arrays: dict[str, Int64Array]) -> tuple[list[str], bytes]:
    return list(arrays), b"".join(np.ascontiguousarray(row, np.int64).tobytes() for row in arrays.values())


class Exchange:
    """`reference` names one attempt at one cycle; it is all that a task message carries besides its job."""

    def __init__(self, reference: str) -> None:
        self.reference = reference
        base = f"podium:{{{reference}}}"
        self.prepared, self.results, self.rows, self.done = (
            f"{base}:{part}" for part in ("prepared", "results", "rows", "done")
        )

    @classmethod
    def open(cls, cluster_id: int, number: int, prepared: Any) -> "Exchange":
        """Put the prepared state where workers find it. A fresh name each time: a late result of an earlier attempt at
        the same cycle can never be taken for one of this."""
        exchange = cls(f"cycle:{cluster_id}:{number}:{secrets.token_hex(6)}")
        client().set(exchange.prepared, seal(prepared, exchange.prepared), ex=TTL_SECONDS)
        return exchange

    def close(self) -> None:
        client().unlink(self.prepared, self.results, self.rows, self.done)

    def load(self) -> Any | None:
        """The prepared state, None once the cycle is over; `SealError` if it is not ours."""
        blob = cast("bytes | None", client().get(self.prepared))
        return None if blob is None else unseal(blob, self.prepared)

    def deposit(self, job: str, result: Result) -> bool:
        """Whether this was the first result of `job` in a cycle that still waits."""
        packed = msgspec.msgpack.encode(result)
        return bool(_deposit()(keys=[self.prepared, self.results, self.done], args=[job, packed, TTL_SECONDS]))

    def take(self, seconds: float) -> list[tuple[str, Result]]:
        """Results that came back since the last call; waits up to `seconds` (at most one) for the first."""
        seconds = max(0.001, min(seconds, BLOCK_SECONDS))
        first = cast("tuple[bytes, bytes] | None", client().blpop([self.done], timeout=seconds))
        if first is None:
            return []
        more = cast("list[bytes]", client().lpop(self.done, 10_000) or [])
        return self.peek(name.decode() for name in (first[1], *more))

    def peek(self, jobs: Iterable[str]) -> list[tuple[str, Result]]:
        """Which of these jobs have a result, waiting for none."""
        names = list(jobs)
        packed = cast("list[bytes | None]", client().hmget(self.results, names) if names else [])
        return [(name, _result(blob)) for name, blob in zip(names, packed, strict=True) if blob is not None]

    def put_rows(self, rows: dict[str, Int64Array]) -> None:
        packed: dict[Any, Any] = {name: np.ascontiguousarray(row, np.int64).tobytes() for name, row in rows.items()}
        pipe = client().pipeline(transaction=False)
        pipe.hset(self.rows, mapping=packed)
        pipe.expire(self.rows, TTL_SECONDS)
        pipe.execute()

    def row(self, algorithm: str) -> Int64Array | None:
        blob = cast("bytes | None", client().hget(self.rows, algorithm))
        return None if blob is None else np.frombuffer(blob, np.int64)


def _result(packed: bytes) -> Result:
    try:
        return msgspec.msgpack.decode(packed, type=Result)
    except msgspec.MsgspecError as fault:
        return Result(worker="", started=0, ended=0, error=f"unreadable result: {fault}")


@cache
def _deposit() -> Any:
    return client().register_script(DEPOSIT)
