"""`manage.py simulate -f FILE…`: all pending pods, one after the other, on the cluster of the files. No database."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from scheduler.engine.conformance.sequence import decision_report
from scheduler.engine.conformance.until_idle import step_report
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.simulation.parts import OpenCycle
from scheduler.management.commands.scenario import scenario_of
from scheduler.management.offline import Input, Unreadable
from scheduler.management.offline_command import OfflineCommand
from scheduler.management.progress import told_on
from scheduler.management.simulate_text import line, told
from scheduler.management.simulating import Run, attempts, prepare
from scheduler.manifests.scenario import ScenarioError

Told = TypeVar("Told")


class Command(OfflineCommand):
    help = "Schedule all pending pods of Kubernetes files as kube-scheduler would. Needs no database."
    lesson = """\
examples:
  manage.py simulate -f cluster.json                        each pod is placed before the next one comes
  manage.py simulate -f cluster.json --arrive together      all are queued first; priority decides who begins
  manage.py simulate -f nodes.yaml app.yaml --seed 7        other draws among nodes with equal totals
  manage.py simulate -f c.json --tie-break first -o json    no draws: the node whose name comes first

Pods come in file order, one second apart. A pod that fits nowhere may evict others (DefaultPreemption); it waits and is
tried again when something happens that could help it, as in a live cluster. The run ends when no pod can be tried any
more; time does not go on after that. An attempt takes 10 ms. Evicted pods are gone: no controller makes them anew.

exit codes: 0 simulated, 1 something in the files is wrong (told as error: FILE:LINE: …), 2 wrong use"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all draws: same seed, same run")
        parser.add_argument(
            "--tie-break", choices=("random", "first"), default="random",
            help="among nodes with the highest total: drawn, as kube-scheduler does, or the first by name",
        )  # fmt: skip
        parser.add_argument(
            "--arrive", choices=("one-by-one", "together"), default="one-by-one",
            help="each pod has its attempts before the next one comes, or all are queued first",
        )  # fmt: skip
        parser.add_argument(
            "--scenario", type=Path, metavar="FILE", help="what happens besides, by time: see docs/scenarios.md"
        )

    def answer(self, given: Input, options: dict[str, Any]) -> None:
        try:
            scenario = scenario_of(options["scenario"]) if options["scenario"] else None
        except ScenarioError as error:
            raise Unreadable(error.faults) from None
        run = prepare(given, options["seed"], scenario)
        if options["output"] == "json":
            self._write_json(run, options)
        else:
            lines = list(self._attempts(run, line, options))
            self.stdout.write("\n".join(told(run, lines)[1:]))

    def _attempts(self, run: Run, look: Callable[[Cycle, OpenCycle], Told], options: dict[str, Any]) -> Iterator[Told]:
        with told_on(self.stderr) as progress:
            yield from attempts(
                run,
                look,
                smallest_name=options["tie_break"] == "first",
                together=options["arrive"] == "together",
                progress=progress,
            )

    def _write_json(self, run: Run, options: dict[str, Any]) -> None:
        """Decisions are written as they come: those of a large cluster need not lie in memory together."""

        def look(cycle: Cycle, opened: OpenCycle) -> tuple[dict[str, Any], dict[str, Any]]:
            return decision_report(cycle, run.simulation.cluster), step_report(cycle, opened)

        steps, opening = list[str](), '{"decisions": ['
        for decision, step in self._attempts(run, look, options):
            self.stdout.write(f"{opening}\n{_json(decision)}", ending="")
            steps.append(_json(step | {"now_ms": run.now_ms}))
            opening = ","
        self.stdout.write(("" if steps else opening) + '\n],\n"steps": [\n' + ",\n".join(steps) + "\n],")
        rest = [f"{_json(key)}: {_json(value)}" for key, value in run.outcome().items()]
        self.stdout.write(",\n".join(rest) + "}")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
