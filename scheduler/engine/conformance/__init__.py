"""Runs reference vectors: the input of a recorded case through this engine, its outcome in the recording's shape."""

from scheduler.engine.conformance.adaptive import run_adaptive_vector
from scheduler.engine.conformance.cycles import (
    admitted,
    cluster_of,
    gate,
    nominated_pods,
    run_cycle_vector,
    vector_cycle,
)
from scheduler.engine.conformance.queue import run_queue_vector
from scheduler.engine.conformance.retry import run_retry_vector
from scheduler.engine.conformance.sequence import run_sequence_vector
from scheduler.engine.conformance.united_deployment import comparable, run_united_deployment_vector

__all__ = [
    "admitted",
    "cluster_of",
    "comparable",
    "gate",
    "nominated_pods",
    "run_adaptive_vector",
    "run_cycle_vector",
    "run_queue_vector",
    "run_retry_vector",
    "run_sequence_vector",
    "run_united_deployment_vector",
    "vector_cycle",
]
