"""Every write: decide, append, project, publish. Nobody else writes to a cluster."""

from scheduler.services.branch import cluster_branch
from scheduler.services.clock import clock_advance, event_step
from scheduler.services.clusters import cluster_create, cluster_delete, cluster_reset
from scheduler.services.commit import Busy, Committed, execute, write
from scheduler.services.cycles import Stepped, cycle_step, cycle_step_phase
from scheduler.services.fixes import fix_branch
from scheduler.services.node_changes import node_clone, node_edit
from scheduler.services.nodes import node_delete, nodes_cordon, nodes_drain
from scheduler.services.objects import (
    object_create,
    object_delete,
    objects_apply,
    objects_change,
    objects_delete,
)
from scheduler.services.pods import pods_activate
from scheduler.services.profiles import profile_change
from scheduler.services.redo import NOTHING_TO_REDO, Redoable, redo, redoable
from scheduler.services.runs import run_pause, run_speed, run_start
from scheduler.services.scenarios import scenario_cancel, scenario_load
from scheduler.services.undo import Undoable, undo, undo_to, undoable, undoables
from scheduler.services.workloads import controllers_step, controllers_switch

__all__ = [
    "NOTHING_TO_REDO",
    "Busy",
    "Committed",
    "Redoable",
    "Stepped",
    "Undoable",
    "clock_advance",
    "cluster_branch",
    "cluster_create",
    "cluster_delete",
    "cluster_reset",
    "controllers_step",
    "controllers_switch",
    "cycle_step",
    "cycle_step_phase",
    "event_step",
    "execute",
    "fix_branch",
    "node_clone",
    "node_delete",
    "node_edit",
    "nodes_cordon",
    "nodes_drain",
    "object_create",
    "object_delete",
    "objects_apply",
    "objects_change",
    "objects_delete",
    "pods_activate",
    "profile_change",
    "redo",
    "redoable",
    "run_pause",
    "run_speed",
    "run_start",
    "scenario_cancel",
    "scenario_load",
    "undo",
    "undo_to",
    "undoable",
    "undoables",
    "write",
]
