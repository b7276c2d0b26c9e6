"""The demo cluster: made by seeded code, the same to the byte each time; every pending pod teaches one thing."""

from scheduler.manifests.demo.build import demo_manifests
from scheduler.manifests.demo.lessons import LESSON
from scheduler.manifests.demo.rollout import ROLLOUT_NAME, rollout_manifests

__all__ = ["DEMO_NAME", "LESSON", "ROLLOUT_NAME", "demo_manifests", "rollout_manifests"]

DEMO_NAME = "demo"
