"""Every address of the dashboard."""

from django.contrib.auth import views as auth
from django.urls import include, path

from dashboard.views.again import pod_again
from dashboard.views.answers import answers_json
from dashboard.views.board import board, lane_json, marks_json, state_json
from dashboard.views.cases import case_edit, case_file, case_new, case_remove, case_save
from dashboard.views.cluster import cluster_edit, cluster_remove
from dashboard.views.commands import commands
from dashboard.views.cycle import (
    cycle_csv,
    cycle_json,
    cycle_page,
    draws_json,
    explain_json,
    nodes_json,
    rows_json,
    topology_json,
)
from dashboard.views.cycles import cycle_list, cycle_table
from dashboard.views.export import events_jsonl, export_page, objects_json, objects_yaml, trace_json
from dashboard.views.find import find_json
from dashboard.views.fixes import fix_branch, fixes_json
from dashboard.views.health import healthz
from dashboard.views.home import home
from dashboard.views.imports import import_cancel, import_job, import_page, import_rest, import_state
from dashboard.views.learn import learn, lesson_open, lesson_page
from dashboard.views.login import login
from dashboard.views.metrics import metrics
from dashboard.views.moves import move_page, move_table, moves_json
from dashboard.views.node import node_lately, node_page
from dashboard.views.node_leave import node_delete, node_drain
from dashboard.views.node_make import node_clone, node_edit
from dashboard.views.nodes import node_list, nodes_csv, nodes_state
from dashboard.views.patterns import patterns
from dashboard.views.pod import pod_csv, pod_issue, pod_json, pod_page, pod_why, story_json
from dashboard.views.pods import pod_list, pod_table
from dashboard.views.profiles import profile_page
from dashboard.views.queue import flow_json, queue_page
from dashboard.views.time import time_page
from dashboard.views.undo import undo_events
from dashboard.views.united import united_data, united_list, united_page, united_yaml

cluster_patterns = [
    path("", board, name="board"),
    path("state.json", state_json, name="state"),
    path("find.json", find_json, name="find"),
    path("marks.json", marks_json, name="marks"),
    path("lanes/<slug:lane>.json", lane_json, name="lane"),
    path("queue/", queue_page, name="queue"),
    path("flow.json", flow_json, name="flow"),
    path("moves/", move_page, name="moves"),
    path("moves.json", moves_json, name="moves-json"),
    path("moves.csv", move_table, name="moves-csv"),
    path("commands/", commands, name="commands"),
    path("export/", export_page, name="export"),
    path("case/", case_save, name="case-save"),
    path("objects.json", objects_json, name="objects"),
    path("objects.yaml", objects_yaml, name="objects-yaml"),
    path("trace.json", trace_json, name="trace"),
    path("events.jsonl", events_jsonl, name="events"),
    path("edit/", cluster_edit, name="cluster-edit"),
    path("delete/", cluster_remove, name="cluster-delete"),
    path("cycles/", cycle_list, name="cycles"),
    path("cycles.csv", cycle_table, {"form": "csv"}, name="cycles-csv"),
    path("cycles.json", cycle_table, {"form": "json"}, name="cycles-json"),
    path("cycles/<int:number>/", cycle_page, name="cycle"),
    path("cycles/<int:number>.json", cycle_json, name="cycle-json"),
    path("cycles/<int:number>.csv", cycle_csv, name="cycle-csv"),
    path("cycles/<int:number>/explain.json", explain_json, name="explain"),
    path("cycles/<int:number>/nodes.json", nodes_json, name="cycle-nodes"),
    path("cycles/<int:number>/rows.json", rows_json, name="cycle-rows"),
    path("cycles/<int:number>/draws.json", draws_json, name="cycle-draws"),
    path("cycles/<int:number>/topology.json", topology_json, name="cycle-topology"),
    path("pods/", pod_list, name="pods"),
    path("pods.csv", pod_table, {"form": "csv"}, name="pods-csv"),
    path("pods.json", pod_table, {"form": "json"}, name="pods-json"),
    path("pods/<str:namespace>/<str:name>/", pod_page, name="pod"),
    path("pods/<str:namespace>/<str:name>.json", pod_json, name="pod-json"),
    path("pods/<str:namespace>/<str:name>.csv", pod_csv, name="pod-csv"),
    path("pods/<str:namespace>/<str:name>/why", pod_why, name="pod-why"),
    path("pods/<str:namespace>/<str:name>/issue.md", pod_issue, name="pod-issue"),
    path("pods/<str:namespace>/<str:name>/again/", pod_again, name="pod-again"),
    path("pods/<str:namespace>/<str:name>/answers.json", answers_json, name="pod-answers"),
    path("pods/<str:namespace>/<str:name>/story.json", story_json, name="pod-story"),
    path("pods/<str:namespace>/<str:name>/fixes.json", fixes_json, name="pod-fixes"),
    path("pods/<str:namespace>/<str:name>/fixes/", fix_branch, name="pod-fix"),
    path("nodes/", node_list, name="nodes"),
    path("nodes.csv", nodes_csv, name="nodes-csv"),
    path("nodes.json", nodes_state, name="nodes-state"),
    path("undo/", undo_events, name="undo"),
    path("nodes/<str:name>/", node_page, name="node"),
    path("nodes/<str:name>/lately/", node_lately, name="node-lately"),
    path("nodes/<str:name>/drain/", node_drain, name="node-drain"),
    path("nodes/<str:name>/delete/", node_delete, name="node-delete"),
    path("nodes/<str:name>/clone/", node_clone, name="node-clone"),
    path("nodes/<str:name>/edit/", node_edit, name="node-edit"),
    path("uniteddeployments/", united_list, name="uniteddeployments"),
    path("uniteddeployments/<str:namespace>/<str:name>/", united_page, name="uniteddeployment"),
    path(
        "uniteddeployments/<str:namespace>/<str:name>/subsets.csv",
        united_data,
        {"form": "csv"},
        name="uniteddeployment-csv",
    ),
    path(
        "uniteddeployments/<str:namespace>/<str:name>/plan.json",
        united_data,
        {"form": "json"},
        name="uniteddeployment-json",
    ),
    path("uniteddeployments/<str:namespace>/<str:name>/manifest.yaml", united_yaml, name="uniteddeployment-yaml"),
    path("profiles/", profile_page, name="profiles"),
    path("time/", time_page, name="time"),
]

urlpatterns = [
    path("", home, name="home"),
    path("c/<slug:cluster>/", include(cluster_patterns)),
    path("import/", import_page, name="import"),
    path("import/<int:number>/", import_job, name="import-job"),
    path("import/<int:number>/state.json", import_state, name="import-state"),
    path("import/<int:number>/cancel/", import_cancel, name="import-cancel"),
    path("import/<int:number>/rest/", import_rest, name="import-rest"),
    path("patterns/", patterns, name="patterns"),
    path("learn/", learn, name="learn"),
    path("learn/new/", case_new, name="case-new"),
    path("learn/<slug:slug>/", lesson_page, name="lesson"),
    path("learn/<slug:slug>.yaml", case_file, name="case-file"),
    path("learn/<slug:slug>/edit/", case_edit, name="case-edit"),
    path("learn/<slug:slug>/delete/", case_remove, name="case-delete"),
    path("learn/<slug:slug>/open/", lesson_open, name="lesson-open"),
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
    path("login/", login, name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
]
