"""`manage.py explain -f FILE…`: why a pending pod waits, or where it would go. Needs no database."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

import msgspec

from scheduler.management.explain_fixes import Fixes
from scheduler.management.explain_text import told
from scheduler.management.explaining import Explained, explain
from scheduler.management.offline import Input
from scheduler.management.offline_command import OfflineCommand
from scheduler.management.progress import told_on

WIDTH, WRONG_USE = 80, 2


class Command(OfflineCommand):
    help = "Explain what kube-scheduler would do with a pending pod, number for number. Needs no database."
    lesson = """\
examples:
  manage.py explain -f cluster.json                        every pending pod, each on the cluster as it is
  manage.py explain -f nodes.yaml pods/ --pod shop/web-1   one pod; objects may lie in several files
  kubectl get no,po -A -o json | manage.py explain -f -    straight from a cluster
  manage.py explain -f cluster.json --config sched.yaml    with profiles, weights and arguments of your own
  manage.py explain -f cluster.json --pod shop/web-1 --node node-3   also every filter and score there, step by step
  manage.py explain -f cluster.json --pod shop/web-1 --fixes         also what would make it fit, each change tried
  manage.py explain -f cluster.json -o json | jq           every verdict and score of every node

Each pod gets one scheduling cycle; nothing is bound, so no pod sees the others' placement (see: simulate). Scores have
three layers: what the algorithm counts, that brought to 0 to 100, and that times the weight. One fitting node is taken
without scoring. The table shows the best three nodes, JSON shows all.

exit codes: 0 explained, 1 something in the files is wrong (told as error: FILE:LINE: …), 2 wrong use"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--pod", metavar="NS/NAME", help="only this pending pod")
        parser.add_argument(
            "--sample", action="store_true",
            help="look at as many nodes as the profile says (percentageOfNodesToScore), not at all of them",
        )  # fmt: skip
        parser.add_argument(
            "--fixes", action="store_true",
            help="also changes that would make the pod fit, each tried by a simulated run, the easiest first",
        )  # fmt: skip
        parser.add_argument("--node", metavar="NAME", default="", help="also every step on this node (table only)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["node"] and options["output"] == "json":
            self.stderr.write("error: --node goes with the table: JSON has no steps")
            sys.exit(WRONG_USE)
        super().handle(*args, **options)

    def answer(self, given: Input, options: dict[str, Any]) -> None:
        self.node, self.fixes = options["node"], Fixes(given) if options["fixes"] else None
        write = self._write_json if options["output"] == "json" else self._write_table
        with told_on(self.stderr) as progress:
            found = explain(given, options["pod"], node=self.node, sample=options["sample"], progress=progress)
            write(found, bool(options["pod"]))

    def _write_json(self, explained: Iterator[Explained], is_single: bool) -> None:
        """Pods are written as they come: those of a large cluster need not lie in memory together."""
        before = "" if is_single else "["
        for one in explained:
            more = self.fixes.as_json(one.pod.key) if self.fixes is not None else {}
            report = msgspec.json.format(msgspec.json.encode(one.as_json() | more)).decode()
            self.stdout.write(before + report, ending="")
            before = ",\n"
        self.stdout.write("" if is_single else "]")

    def _write_table(self, explained: Iterator[Explained], is_single: bool) -> None:
        for number, one in enumerate(explained):
            if number:
                self.stdout.write("\n" + "─" * WIDTH)
            fixes = self.fixes.told(one.pod.key) if self.fixes is not None else []
            self.stdout.write("\n".join([*told(one, self.node), *fixes]))
