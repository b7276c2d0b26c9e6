"""The contract between the cycle and its algorithms: Status, Verdict, Nodes and Plugin.

An algorithm answers for many nodes at once: `nodes` is a range of the snapshot's columns, so the same code serves one
node, a shard in a worker, or the whole cluster. Outcomes are values, never exceptions.
Source: kube-scheduler v1.34.1, framework/interface.go.
"""

from scheduler.engine.framework.arrays import BoolArray, Int64Array, Reads
from scheduler.engine.framework.contract import faults_of
from scheduler.engine.framework.in_tree import IN_TREE
from scheduler.engine.framework.nodes import Nodes, Verdict
from scheduler.engine.framework.plugin import Plugin
from scheduler.engine.framework.results import PASSED, SKIPPED, PostFilterResult, PreFilterResult, Step
from scheduler.engine.framework.scale import MAX_NODE_SCORE, default_normalize
from scheduler.engine.framework.status import SKIP, SUCCESS, Code, Status, error, unresolvable, unschedulable

__all__ = [
    "IN_TREE",
    "MAX_NODE_SCORE",
    "PASSED",
    "SKIP",
    "SKIPPED",
    "SUCCESS",
    "BoolArray",
    "Code",
    "Int64Array",
    "Nodes",
    "Plugin",
    "PostFilterResult",
    "PreFilterResult",
    "Reads",
    "Status",
    "Step",
    "Verdict",
    "default_normalize",
    "error",
    "faults_of",
    "unresolvable",
    "unschedulable",
]
