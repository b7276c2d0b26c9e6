"""A fixed piece of NumPy work, timed beside a benchmark, so that figures of different machines compare."""

from time import perf_counter_ns

import numpy as np

REFERENCE_US = 30.7
"""The yardstick of the machine on which kube-scheduler was measured and the floors were set."""

ROWS, ROUNDS, BATCHES = 5000, 300, 7


def yardstick_us() -> float:
    """µs of one round, the best of 7 batches of 300 rounds."""
    random = np.random.default_rng(0)
    a = random.integers(1, 10**9, ROWS, endpoint=True)
    b = random.integers(1, 10**6, ROWS, endpoint=True)
    return min(_batch_ns(a, b) for _ in range(BATCHES)) / ROUNDS / 1000


def _batch_ns(a: np.ndarray, b: np.ndarray) -> int:
    begun = perf_counter_ns()
    for _ in range(ROUNDS):
        c = (a - b) * 100 // a
        (c + b).argmax()
        np.bincount(b % 16, minlength=16)
    return perf_counter_ns() - begun
