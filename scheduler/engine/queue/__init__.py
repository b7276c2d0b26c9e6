"""The scheduling queue: activeQ, backoffQ, unschedulablePods, in-flight pods, and what moves pods between them."""
