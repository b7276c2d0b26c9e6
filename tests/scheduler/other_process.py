"""A second process on the database of the running test."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from django.db import connection

ROOT = Path(__file__).parents[2]
SETUP = "import os, signal, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup()\n"


def database_url() -> str:
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    host, port = settings["HOST"], settings["PORT"]
    return f"postgresql://{settings['USER']}:{settings['PASSWORD']}@:{port}/{settings['NAME']}?host={quote(host)}"


def run_python(code: str) -> int:
    """Run `code` with Django ready; the exit status, negative for the signal that ended it."""
    environment = {**os.environ, "DATABASE_URL": database_url(), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", SETUP + code], cwd=ROOT, env=environment, timeout=60).returncode
