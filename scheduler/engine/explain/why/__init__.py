"""Why a pod waits: the true cause from everything that refuses it on every node, not only the first refusal."""

from scheduler.engine.explain.why.cause import Cause, cause

__all__ = ["Cause", "cause"]
