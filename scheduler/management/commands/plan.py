"""`manage.py plan -f FILE…`: what a UnitedDeployment would do, before it does it. Needs no database."""

from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.management.offline import Input, Unreadable
from scheduler.management.offline_command import OfflineCommand
from scheduler.management.plan_text import lines
from scheduler.management.planning import KIND, Planned, plan

MOST = 2**31 - 1


def replicas(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST:
        raise ArgumentTypeError(f"{text!r} is no number of replicas from 0 to {MOST:,}")
    return int(text)


class Command(OfflineCommand):
    help = "Plan one pass of OpenKruise's UnitedDeployment controller, number for number. Needs no database."
    lesson = """\
examples:
  manage.py plan -f ud.yaml                  replicas of each subset, how they came about, what would be done
  manage.py plan -f ud.yaml --replicas 12    the same at another size
  manage.py plan -f ud.yaml cluster.json     with the workloads and pods that it has already
  manage.py plan -f ud.yaml -o json          with the manifests that would be written

The object is defaulted as the webhook does it and then checked; what the webhook would refuse is told, and what the
controller would do all the same. Workloads count if the UnitedDeployment controls them or would adopt them.

exit codes: 0 planned, 1 something in the files is wrong or the plan fails, 2 wrong use"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--replicas", type=replicas, metavar="N", help="instead of spec.replicas")

    def answer(self, given: Input, options: dict[str, Any]) -> None:
        try:
            planned = list(plan(given.manifests, options["replicas"]))
        except (Invalid, msgspec.ValidationError) as error:
            raise Unreadable([f"error: {KIND}: {error}"]) from None
        if not planned:
            raise Unreadable([f"error: no {KIND} among the objects of {', '.join(options['filename'])}"])
        self.stdout.write(_json(planned) if options["output"] == "json" else "\n\n".join(map(_text, planned)))
        if any(one.faults or one.done.error for one in planned):
            self.stdout.flush()
            raise SystemExit(1)


def _json(planned: list[Planned]) -> str:
    reports = [one.as_json() for one in planned]
    return msgspec.json.format(msgspec.json.encode(reports[0] if len(reports) == 1 else reports)).decode()


def _text(planned: Planned) -> str:
    return "\n".join(lines(planned))
