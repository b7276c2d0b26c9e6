"""A command that reads files and prints: its arguments, errors, exit codes and the end of a closed pipe."""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, DjangoHelpFormatter

from scheduler.engine.errors import PodiumError
from scheduler.management import offline, plugin_files
from scheduler.management.offline import Input, Unreadable
from scheduler.management.progress import told_on

FAILED, INTERRUPTED = 1, 130


class HelpFormatter(DjangoHelpFormatter, RawDescriptionHelpFormatter):
    """Django's options last, the lesson as it is written."""


class OfflineCommand(BaseCommand):
    """Subclasses set `lesson`, shown below the options, and write `answer`."""

    lesson = ""
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        options |= {"formatter_class": HelpFormatter, "epilog": self.lesson}
        return super().create_parser(prog_name, subcommand, **options)

    def add_arguments(self, parser: ArgumentParser) -> None:
        offline.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._note(plugin_files.warnings())
            with told_on(self.stderr) as progress:
                given = offline.read(options["filename"], options["config"], progress)
            self._note(given.notes)
            self.answer(given, options)
            self.stdout.flush()
        except Unreadable as fault:
            self.stderr.write(str(fault))
            sys.exit(FAILED)
        except PodiumError as fault:  # the files can be read, but not played
            self.stderr.write(f"error: {fault}")
            sys.exit(FAILED)
        except KeyboardInterrupt:
            self.stderr.write("Stopped.")
            sys.exit(INTERRUPTED)
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _note(self, notes: Iterable[str]) -> None:
        for note in notes:
            self.stderr.write(note, self.style.WARNING)

    def answer(self, given: Input, options: dict[str, Any]) -> None:
        raise NotImplementedError
