#!/usr/bin/env python
"""Kill -9 of worker, runner, web server and embedded Redis while a cluster runs, and what must hold afterwards.

    .venv/bin/python scripts/kill_test.py            # ten times each
    .venv/bin/python scripts/kill_test.py --times 1 --roles runner,web

It works in a data directory of its own and kills only processes that it has started. Checked: no acknowledged event is
lost, no cycle is doubled, the log has no hole, its fold is valid and is what the tables say, and the run goes on.
"""

import argparse
import contextlib
import http.client
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROLES = ("worker", "runner", "web", "redis")
CLUSTER, NODES, PODS, STANDING = "killed", 12, 3_000, 40
DEADLINE = 30.0  # s: how long anything may take to come back


class Setup:
    """The parts of Podium, each in a process group of its own."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, role: str) -> None:
        from scheduler.management.embedded import embedded_socket, server_command, wait_for_redis

        if role == "redis":
            embedded_socket().unlink(missing_ok=True)
            command = server_command(embedded_socket())
        else:
            command = [sys.executable, str(ROOT / "manage.py"), role]
        self.processes[role] = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
        if role == "redis" and (fault := wait_for_redis(f"unix://{embedded_socket()}", DEADLINE)):
            raise SystemExit(f"error: the embedded Redis does not answer: {fault}")

    def kill(self, role: str) -> None:
        process = self.processes.pop(role)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for role in list(self.processes):
            with contextlib.suppress(ProcessLookupError):
                self.kill(role)


class Person:
    """Somebody at the board: steps through the web server, and remembers what was acknowledged."""

    def __init__(self, port: int) -> None:
        from django.conf import settings
        from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
        from django.contrib.sessions.backends.db import SessionStore

        user = get_user_model().objects.create_superuser("kill-test", password=secrets.token_urlsafe())
        session = SessionStore()
        session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session.save()
        token = secrets.token_hex(16)
        self.port, self.acknowledged, self.created = port, list[tuple[int, int | None]](), list[str]()
        self.said = ""
        self.headers = {
            "Content-Type": "application/json",
            "Cookie": f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={token}",
            "X-CSRFToken": token,
        }

    def step(self) -> bool:
        """Whether the step was acknowledged."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        try:
            connection.request("POST", f"/c/{CLUSTER}/commands/", json.dumps({"command": "step"}), self.headers)
            answer = json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError) as fault:
            self.said = f"{type(fault).__name__}: {fault}"
            return False
        finally:
            connection.close()
        self.said = str(answer)
        if answer.get("ok"):
            self.acknowledged.append((answer["seq"], answer["cycle"]))
        return bool(answer.get("ok"))

    def create(self, cluster_id: int) -> None:
        from scheduler.engine.errors import Refused
        from scheduler.services import object_create

        name = f"ack-{len(self.created)}"
        with contextlib.suppress(Refused):
            committed = object_create(cluster_id, pod(name), actor="kill-test")
            self.created.append(name)
            self.acknowledged.append((committed.last_seq, None))


def pod(name: str) -> dict:
    requests = {"cpu": "100m", "memory": "64Mi"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "annotations": {"podium.dev/duration": "30s"}},
        "spec": {"containers": [{"name": "main", "image": "app:1", "resources": {"requests": requests}}]},
    }


def make_cluster() -> int:
    """A few nodes, pods that come and go, and more of them by a scenario for as long as this takes."""
    from scheduler.manifests.scenario import read_scenario
    from scheduler.services import cluster_create, scenario_load

    allocatable = {"cpu": "8", "memory": "16Gi", "pods": "110"}
    nodes = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{i}"}, "status": {"allocatable": allocatable}}
        for i in range(NODES)
    ]
    cluster = cluster_create(CLUSTER, [*nodes, *(pod(f"first-{i}") for i in range(STANDING))])
    steps = [{"at": "1s", "object": pod("rush"), "repeat": {"count": PODS, "every": "500ms"}}]
    scenario_load(cluster.pk, read_scenario("rush.yaml", json.dumps(steps)))
    return cluster.pk


def head(cluster_id: int) -> int:
    from scheduler.models import Cluster

    return Cluster.objects.values_list("seq", flat=True).get(pk=cluster_id)


def runs(cluster_id: int, after: int) -> bool:
    """Whether the runner, which has no name in the log, has finished cycles since that event."""
    from scheduler.models import Event

    return Event.objects.filter(cluster_id=cluster_id, kind="CycleFinished", actor="", seq__gt=after).count() > 2


def wait_for(what: str, true: Callable[[], bool], said: Callable[[], str] = lambda: "") -> float:
    began = time.monotonic()
    while not true():
        if time.monotonic() - began > DEADLINE:
            raise SystemExit(f"FAILED: {what} within {DEADLINE:g} s. {said()}")
        time.sleep(0.05)
    return time.monotonic() - began


def kill_once(setup: Setup, person: Person, cluster_id: int, role: str) -> float:
    """Kill in the middle of work, start again as `manage.py up` would; seconds until run and steps go on."""
    before = head(cluster_id)
    wait_for("the run moves", lambda: runs(cluster_id, before))
    person.create(cluster_id)
    person.step()
    setup.kill(role)
    person.create(cluster_id)
    at_kill = head(cluster_id)
    began = time.monotonic()
    setup.start(role)
    wait_for(f"the run goes on after the {role} was killed", lambda: runs(cluster_id, at_kill))
    wait_for(f"a step is acknowledged after the {role} was killed", person.step, lambda: person.said)
    return time.monotonic() - began


def faults(cluster_id: int, person: Person) -> list[str]:
    """Everything that must hold and does not."""
    from django.db.models import Count

    from scheduler import store
    from scheduler.engine.simulation.simulation import Simulation
    from scheduler.models import Event
    from scheduler.services.projection import differences

    events, end, found = Event.objects.filter(cluster_id=cluster_id), head(cluster_id), list[str]()
    seqs = list(events.order_by("seq").values_list("seq", flat=True))
    if seqs != list(range(1, end + 1)):
        found.append(f"the log is not 1…{end} without holes")
    for kind in ("CycleStarted", "CycleFinished"):
        doubled = events.filter(kind=kind).order_by().values("cycle").annotate(rows=Count("pk")).filter(rows__gt=1)
        found += [f"cycle {row['cycle']} has {row['rows']} {kind}" for row in doubled]
    twice = events.filter(outcome="bound").order_by().values("object_key").annotate(rows=Count("pk")).filter(rows__gt=1)
    found += [f"{row['object_key']} was bound {row['rows']} times" for row in twice]
    finished = set(events.filter(kind="CycleFinished").values_list("cycle", flat=True))
    for seq, cycle in person.acknowledged:
        if seq > end or (cycle is not None and cycle not in finished):
            found.append(f"the acknowledged event {seq} (cycle {cycle}) is lost")
    added = events.filter(kind="ObjectAdded", object_key__startswith="Pod/default/ack-")
    names = [key.rpartition("/")[2] for key in added.order_by("seq").values_list("object_key", flat=True)]
    if not set(person.created) <= set(names) or len(names) != len(set(names)):
        found.append("an acknowledged pod is lost or there twice")
    state = Simulation()
    for event in store.events_between(cluster_id, 0, end):
        state.apply(event)
    try:
        state.validate()
    except AssertionError as fault:
        found.append(f"the fold is not valid: {fault}")
    return found + [f"tables and log differ: {one}" for one in differences(cluster_id)[:5]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10, metavar="N", help="kills of each role (default 10)")
    parser.add_argument("--roles", default=",".join(ROLES), help=f"which to kill (default {','.join(ROLES)})")
    parser.add_argument("--port", type=int, default=8807, help="of the web server, on this machine only")
    options = parser.parse_args()
    roles = options.roles.split(",")
    if unknown := set(roles) - set(ROLES):
        parser.error(f"no such role: {', '.join(sorted(unknown))}")
    home = tempfile.mkdtemp(prefix="kill-", dir="/tmp")
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ |= {"PODIUM_HOME": home, "HOST": "127.0.0.1", "PORT": str(options.port)}
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    sys.path.insert(0, str(ROOT))
    setup = Setup(options.port)
    try:
        return run(setup, roles, options.times)
    finally:
        setup.stop()
        shutil.rmtree(home, ignore_errors=True)


def run(setup: Setup, roles: list[str], times: int) -> int:
    import django

    django.setup()
    from scheduler.management.bootstrap import migrate
    from scheduler.services import run_pause, run_start

    migrate()
    cluster_id = make_cluster()
    person = Person(setup.port)
    for role in ("redis", "worker", "runner", "web"):
        setup.start(role)
    run_start(cluster_id, speed=20)
    wait_for("the first step is acknowledged", person.step)
    for role in roles:
        seconds = [kill_once(setup, person, cluster_id, role) for _ in range(times)]
        print(f"{role:<7} killed {times}×: back within {max(seconds):.1f} s", flush=True)
    run_pause(cluster_id)
    setup.kill("runner")
    found = faults(cluster_id, person)
    print(f"{head(cluster_id):,} events, {len(person.acknowledged)} acknowledged by the web server or a command")
    for fault in found:
        print(f"FAILED: {fault}")
    print("FAILED" if found else "ok: nothing acknowledged is lost, nothing is doubled, the fold is valid")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
