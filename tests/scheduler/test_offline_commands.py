"""What `explain` and `simulate` have in common: errors by file and line, exit codes, help, no database."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from scheduler.engine import plugins
from tests.scheduler.commands import run, written
from tests.scheduler.test_explain_command import NODES, a_pod

ROOT = Path(__file__).parent.parent.parent
both = pytest.mark.parametrize("command", ["explain", "simulate"])


def manage(*arguments, **options):
    """The command as a process of its own, with a database that nobody can reach."""
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody:x@127.0.0.1:9/none", "PYTHONWARNINGS": "error"}
    command = [sys.executable, "manage.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, **options)


@both
def test_no_database_is_touched_and_standard_input_is_read(command):
    text = yaml.safe_dump_all([*NODES, a_pod("web")])
    done = manage(command, "-f", "-", input=text)
    assert (done.returncode, "shop/web" in done.stdout) == (0, True), done.stderr


@both
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("kind: Pod\napiVersion: v1\nmetadata:\n  name: x\nspec:\n  containers: 3\n", "bad.yaml:6: "),
        ("kind: Pod\n  wrong: indent\n", "bad.yaml:2: "),
        ("", "bad.yaml: is empty"),
        ("a\0b", "bad.yaml:1: not a text file"),
    ],
)
def test_faults_of_files_are_told_by_line(capsys, tmp_path, command, text, place):
    (tmp_path / "bad.yaml").write_text(text)
    ran = run(capsys, command, "-f", tmp_path / "bad.yaml")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"error: {tmp_path}/{place}")


@both
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "profiles:\n- percentageOfNodesToScore: 101\n",
            ":4: profiles[0].percentageOfNodesToScore: Invalid value: 101",
        ),
        ("percentageOfNodesToScore: 101\n", ":3: percentageOfNodesToScore: Invalid value: 101"),
        (
            "profiles:\n- plugins:\n    score:\n      enable: []\n",
            ':6: strict decoding error: unknown field "profiles[0]',
        ),
        (
            "profiles:\n- pluginConfig:\n  - {name: InterPodAffinity, args: {hardPodAffinityWeight: x}}\n",
            ":5: decoding .profiles[0].pluginConfig[0]",
        ),
        ("parallelism: 4\nparallelism: 4\n", ":4: "),
        ("- 1\n", ":3: "),
    ],
)
def test_faults_of_the_configuration_are_told_by_line(capsys, tmp_path, command, text, told):
    head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    files = written(tmp_path, [*NODES, a_pod("web")])
    (tmp_path / "sched.yaml").write_text(head + text)
    ran = run(capsys, command, *files, "--config", tmp_path / "sched.yaml")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"error: {tmp_path}/sched.yaml{told}")


@both
def test_a_file_of_an_algorithm_that_was_left_out_is_told_first(capsys, tmp_path, monkeypatch, command):
    """Also where the configuration is refused for it."""
    module = f"{plugins.__name__}.quiet"
    made = plugins.registry(), {module: ["Quiet: explains is no hook: is explain meant?"]}
    monkeypatch.setattr(plugins, "_discovered", lambda: made)
    head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    enabled = "profiles:\n- plugins:\n    multiPoint:\n      enabled:\n      - {name: Quiet}\n"
    (tmp_path / "sched.yaml").write_text(head + enabled)
    ran = run(capsys, command, *written(tmp_path, [*NODES, a_pod("web")]), "--config", tmp_path / "sched.yaml")
    assert (ran.status, ran.out) == (1, "")
    assert "left out: scheduler/engine/plugins/quiet.py: Quiet: explains is no hook" in ran.err.splitlines()[0]
    assert '"Quiet" does not exist; its file quiet.py is at fault: Quiet: explains is no hook' in ran.err


@both
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-f", "/no/such/file"), "error: /no/such/file: no such file or directory"),
        (("-f", "manage.py", "--config", "/no/such/file"), "error: /no/such/file: cannot be read: No such file"),
        (("-f", "manage.py", "--config", "."), "error: .: cannot be read: Is a directory"),
    ],
)
def test_missing_files(capsys, command, arguments, told):
    ran = run(capsys, command, *arguments)
    assert (ran.status, ran.err.startswith(told)) == (1, True), ran.err


@both
def test_files_without_a_pending_pod(capsys, tmp_path, command):
    ran = run(capsys, command, *written(tmp_path, [*NODES, a_pod("busy", nodeName="a")]))
    assert ran.status == 1
    assert ran.err.splitlines()[-1].startswith("error: there is no pending pod in these files")


@both
def test_only_kinds_that_play_no_part(capsys, tmp_path, command):
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x"}}
    ran = run(capsys, command, *written(tmp_path, [secret]))
    assert (ran.status, "no Kubernetes object that plays a part here" in ran.err) == (1, True)


@both
def test_several_files_gzip_and_folders(capsys, tmp_path, command):
    (tmp_path / "pods").mkdir()
    (tmp_path / "nodes.yaml.gz").write_bytes(gzip.compress(yaml.safe_dump_all(NODES).encode()))
    (tmp_path / "pods/web.yaml").write_text(yaml.safe_dump(a_pod("web")))
    ran = run(capsys, command, "-f", tmp_path / "nodes.yaml.gz", tmp_path / "pods")
    assert (ran.status, "shop/web" in ran.out) == (0, True)


@both
def test_what_is_not_modelled_is_said(capsys, tmp_path, command):
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [{"urlPrefix": "http://example.com", "filterVerb": "filter"}],
    }
    ran = run(capsys, command, *written(tmp_path, [*NODES, a_pod("web")], config))
    assert "warning: Extender http://example.com is not modelled" in ran.err


@both
def test_an_unknown_field_is_warned_of(capsys, tmp_path, command):
    pod = a_pod("web")
    pod["spec"]["nodeSelectr"] = {"disk": "ssd"}
    ran = run(capsys, command, *written(tmp_path, [*NODES, pod]))
    assert ran.status == 0
    assert 'warning: Pod shop/web: unknown field "spec.nodeSelectr", did you mean nodeSelector?' in ran.err


def test_profiles_are_chosen_by_the_pod(capsys, tmp_path):
    plugins = {"score": {"disabled": [{"name": "*"}], "enabled": [{"name": "ImageLocality", "weight": 7}]}}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler"}, {"schedulerName": "mine", "plugins": plugins}],
    }
    out = run(capsys, "explain", *written(tmp_path, [*NODES, a_pod("web", schedulerName="mine")], config)).out
    rows = [line.split()[:2] for line in out.partition("Scores")[2].splitlines()[2:4]]
    assert rows == [["ImageLocality", "7"], ["total", "0"]]


@both
def test_help_teaches(capsys, command):
    ran = run(capsys, command, "--help")
    assert ran.status == 0
    assert all(part in ran.out for part in ("examples:", f"  manage.py {command} -f cluster.json", "exit codes:"))


def test_a_closed_pipe_ends_without_a_traceback(tmp_path):
    nodes = [NODES[0] | {"metadata": {"name": f"n{number:04}"}} for number in range(3000)]
    files = " ".join(written(tmp_path, [*nodes, a_pod("web")]))
    done = subprocess.run(
        f"{sys.executable} manage.py explain {files} -o json | head -1",
        shell=True, cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@both
def test_ctrl_c_ends_without_a_traceback(capsys, monkeypatch, command):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("scheduler.management.offline.read", interrupted)
    ran = run(capsys, command, "-f", "any.yaml")
    assert (ran.status, ran.err) == (130, "Stopped.\n")


@both
def test_wrong_use_is_exit_code_2(command):
    assert manage(command).returncode == 2
