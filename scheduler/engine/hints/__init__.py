"""Queueing hints: which change in the cluster makes a refused pod worth another attempt."""
