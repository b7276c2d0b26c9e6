#!/usr/bin/env python
"""An import of a large cluster, end to end: `scripts/measure_import.py [--nodes N] [--pods M] [--database D] [--page]`.

From the command line, or with --page through the import page of a whole Podium: uploaded, given to Celery, its progress
asked for as a browser does, then the board opened. Memory is that of each process at its highest. Prints JSON.
"""

import argparse
import http.client
import http.cookiejar
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from measure_run import PASSWORD, ROOT, database, free_port, podium

NAME, POLL_SECONDS, LOOK_SECONDS = "measured", 0.25, 0.05
BOUNDARY = "podium-measures-an-import"
MANAGE = [sys.executable, str(ROOT / "manage.py")]


def main() -> None:
    options = arguments()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="podium-measure-")))
        os.environ |= {"PODIUM_HOME": str(home), "PODIUM_ADMIN_PASSWORD": PASSWORD, "PORT": str(free_port())}
        os.environ |= {"SECRET_KEY": "measure", **stack.enter_context(database(options.database))}
        file = options.file or made(home / "dump.json", options)
        peaks = stack.enter_context(Peaks())
        if options.page:
            _, site = stack.enter_context(podium(home))
            result = through_the_page(site, file, peaks)
        else:
            result = on_the_command_line(file)
        result |= {"peak_mib": peaks.mib()}
    print(json.dumps({"database": options.database, "mb": file_mb(file, options), **result}))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5_000)
    parser.add_argument("--pods", type=int, default=50_000)
    parser.add_argument("--pending", type=int, default=2_000)
    parser.add_argument("--file", type=Path, help="import this instead of a made dump")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--page", action="store_true", help="through the page and Celery")
    return parser.parse_args()


def made(path: Path, options: argparse.Namespace) -> Path:
    command = [sys.executable, str(ROOT / "scripts/make_big_dump.py"), *map(str, (options.nodes, options.pods))]
    with path.open("wb") as target:
        subprocess.run([*command, str(options.pending)], stdout=target, check=True)
    options.mb = path.stat().st_size // 1_000_000
    return path


def file_mb(file: Path, options: argparse.Namespace) -> int:
    return int(getattr(options, "mb", 0) or file.stat().st_size // 1_000_000)


# --- the two ways in --------------------------------------------------------------------------------------------------


def on_the_command_line(file: Path) -> dict[str, Any]:
    subprocess.run([*MANAGE, "migrate", "-v0"], check=True)
    began = time.monotonic()
    before = os.times()
    subprocess.run([*MANAGE, "import_cluster", NAME, "-f", str(file)], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"seconds": round(time.monotonic() - began, 1), "cpu_seconds": round(cpu, 1)}


def through_the_page(site: str, file: Path, peaks: "Peaks") -> dict[str, Any]:
    visitor = Visitor(site)
    began = time.monotonic()
    job = visitor.upload(file)
    sent = time.monotonic()
    stages, longest = follow(lambda: json.loads(visitor.get(job + "state.json")))
    ended = time.monotonic()
    if peaks.names.get("import_job") is None:
        print("The import did not run in a process of its own.", file=sys.stderr)
    return {
        "seconds": round(ended - began, 1),
        "upload_seconds": round(sent - began, 1),
        "step_seconds": stages,
        "longest_without_news": round(longest, 2),
        **{f"{name}_seconds": taken for name, taken in visitor.first_look().items()},
    }


def follow(ask: Callable[[], dict[str, Any]]) -> tuple[dict[str, float], float]:
    """Seconds in each step, and the longest time without anything new, as somebody saw it who asked all the time."""
    seen: dict[str, float] = {}
    shown, since, longest, label, at = "", time.monotonic(), 0.0, "", time.monotonic()
    while True:
        state, now = ask(), time.monotonic()
        if label:
            seen[label] = round(seen.get(label, 0) + now - at, 1)
        at = now
        label = next((step["label"] for step in state["steps"] if step["state"] == "run"), "waiting")
        if (news := json.dumps(state["steps"])) != shown:
            longest, shown, since = max(longest, now - since), news, now
        if state["ended"]:
            if state["state"] != "done":
                raise SystemExit(f"The import ended as {state['state']}.")
            return seen, longest
        time.sleep(POLL_SECONDS)


class Visitor:
    """A browser as far as it is needed: cookies, a login, an upload that is sent from the disk."""

    def __init__(self, site: str) -> None:
        self.site, self.cookies = site, http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        fields = {"username": "admin", "password": PASSWORD, "csrfmiddlewaretoken": self.token("/login/")}
        self.opener.open(site + "/login/", urllib.parse.urlencode(fields).encode()).close()

    def get(self, path: str) -> str:
        with self.opener.open(self.site + path) as answer:
            return str(answer.read().decode())

    def token(self, path: str) -> str:
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(path))
        assert found is not None
        return found[1]

    def upload(self, file: Path) -> str:
        """The address of the job."""
        head = part("csrfmiddlewaretoken", self.token("/import/")) + part("name", NAME)
        head += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="dump.json"\r\n\r\n'.encode()
        tail = f"\r\n--{BOUNDARY}--\r\n".encode()
        connection = http.client.HTTPConnection(self.site.removeprefix("http://"), timeout=120)
        headers = {
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
            "Content-Length": str(len(head) + file.stat().st_size + len(tail)),
            "Cookie": "; ".join(f"{one.name}={one.value}" for one in self.cookies),
            "Accept": "application/json",
        }
        connection.request("POST", "/import/", sent_from(head, file, tail), headers)
        answer = json.loads(connection.getresponse().read())
        if not answer["ok"]:
            raise SystemExit(f"The upload was refused: {answer}")
        return str(answer["url"])

    def first_look(self) -> dict[str, float]:
        """How long the pages take that somebody opens first, one after the other."""
        taken = {}
        for name, path in (("board", "/"), ("state", "/state.json"), ("state_again", "/state.json")):
            began = time.monotonic()
            self.get(f"/c/{NAME}{path}")
            taken[name] = round(time.monotonic() - began, 2)
        return taken


def part(name: str, value: str) -> bytes:
    return f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()


def sent_from(head: bytes, file: Path, tail: bytes) -> Iterator[bytes]:
    yield head
    with file.open("rb") as source:
        while block := source.read(1 << 20):
            yield block
    yield tail


# --- memory -----------------------------------------------------------------------------------------------------------


class Peaks:
    """Looks at all processes below this one, again and again, and keeps the most memory of each by its command."""

    def __init__(self) -> None:
        self.names: dict[str, dict[int, int]] = {}
        self.most_together = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Peaks":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def mib(self) -> dict[str, int]:
        peaks = {name: sum(by_process.values()) // 1024 for name, by_process in sorted(self.names.items())}
        return {**peaks, "all_together": self.most_together // 1024}

    def _watch(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            found = list(below(os.getpid()))
            for pid, name, kib in found:
                by_process = self.names.setdefault(name, {})
                by_process[pid] = max(by_process.get(pid, 0), kib)
            self.most_together = max(self.most_together, sum(kib for _, _, kib in found))


def below(root: int) -> Iterator[tuple[int, str, int]]:
    """Process, the manage.py command that it is, and its resident KiB."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    for pid in parents:
        if pid != root and is_below(pid, root, parents):
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
                resident = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
            except OSError:
                continue
            at = next((index for index, word in enumerate(words) if word.endswith("manage.py")), None)
            if at is not None and resident:
                yield pid, words[at + 1], int(resident[1])


def is_below(pid: int, root: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != root:
        pid = parents[pid]
    return pid == root


if __name__ == "__main__":
    main()
