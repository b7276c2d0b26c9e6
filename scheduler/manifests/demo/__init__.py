"""The demo cluster: made by seeded code, the same to the byte each time; every pending pod teaches one thing."""

from scheduler.manifests.demo.build import demo_manifests
from scheduler.manifests.demo.lessons import LESSON

__all__ = ["DEMO_NAME", "LESSON", "demo_manifests"]

DEMO_NAME = "demo"
