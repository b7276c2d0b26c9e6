"""The process that drives running clusters, each for a slice of time in turn."""

from scheduler.runner.loop import Runner

__all__ = ["Runner"]
