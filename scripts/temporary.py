"""A Django of a temporary directory, for scripts that measure in their own process: SQLite, nothing of anybody's."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def temporary_site() -> Iterator[None]:
    """Settings are loaded and the tables there; all of it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="podium-measure-") as home:
        os.environ |= {"PODIUM_HOME": home, "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "measure"}
        for name in ("REDIS_URL", "DATABASE_URL"):
            os.environ.pop(name, None)
        sys.path.insert(0, str(ROOT))
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield
