"""The controllers of workloads, as far as scheduling needs them: which pods they make, keep and delete, and when.

Each is a pure function of what the workload asks for and of the pods that it has. Nothing here knows a cluster.
"""
