"""The cluster as columns, one row a node: applies object changes, touches what changed, hands out snapshots."""
