"""`manage.py newplugin MyAlgorithm`: a new scheduling algorithm that works, and its test, ready to be changed."""

import re
from argparse import ArgumentParser
from pathlib import Path
from string import Template
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

TEMPLATES = Path(__file__).resolve().parent.parent / "newplugin"
FILES = {
    "algorithm.py.txt": "scheduler/engine/plugins/{module}.py",
    "test.py.txt": "tests/engine/plugins/test_{module}.py",
}
NEXT = """\
{name} is known from now on, and off until a profile enables it. CONTRIBUTING.md says how, and what each hook answers.
Its test:    .venv/bin/python -m pytest {test}
All checks:  make fmt check"""


class Command(BaseCommand):
    help = "Write a new scheduling algorithm and its test: newplugin MyAlgorithm"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="name in the manner of NodeAffinity")
        parser.add_argument("--root", type=Path, default=settings.BASE_DIR, help="where the project lies")

    def handle(self, *args: Any, **options: Any) -> None:
        name, root = options["name"], Path(options["root"])
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]{1,62}", name):
            raise CommandError(f'"{name}" is no name for an algorithm; one is written like NodeAffinity')
        module = snake_case(name)
        files = {root / place.format(module=module): TEMPLATES / template for template, place in FILES.items()}
        for path in files:
            if path.exists():
                raise CommandError(f"{path.relative_to(root)} is already there")
        for path, template in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            text = Template(template.read_text("utf-8")).substitute(name=name, module=module)
            path.write_text(text, encoding="utf-8")
            self.stdout.write(f"wrote {path.relative_to(root)}")
        self.stdout.write(NEXT.format(name=name, test=FILES["test.py.txt"].format(module=module)))


def snake_case(name: str) -> str:
    """`NodeAffinity` → `node_affinity`, `CSILimits2` → `csi_limits2`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
