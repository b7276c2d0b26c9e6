"""The admin site: every model, with forms for people who run clusters."""

from scheduler.admin import clusters, log, nodes, objects, people, pods, profiles, united

__all__ = ["clusters", "log", "nodes", "objects", "people", "pods", "profiles", "united"]
