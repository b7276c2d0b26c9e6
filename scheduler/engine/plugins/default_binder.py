"""Writes the chosen node into the pod. The simulation does it with the event that ends a successful cycle."""

from scheduler.engine.framework import Plugin


class DefaultBinder(Plugin):
    name = "DefaultBinder"
