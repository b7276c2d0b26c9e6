"""Makes an installation ready: tables, static files, and on the first start an administrator and the demo cluster."""

import hashlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from scheduler.manifests.demo import DEMO_NAME, ROLLOUT_NAME
from scheduler.models import Cluster
from scheduler.services.imports import demo_create, rollout_create

ADMIN = "admin"
PASSWORD_BYTES = 9  # 12 characters
FINGERPRINT = "podium-fingerprint"


def migrate() -> bool:
    """Bring the tables up to date; whether there was anything to do."""
    if _migrations_on_disk() <= {(app, name) for app, name in MigrationRecorder(connection).applied_migrations()}:
        return False
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    call_command("migrate", interactive=False, verbosity=0)
    return True


def _migrations_on_disk() -> set[tuple[str, str]]:
    """Names alone: loading every migration takes ten times as long as starting would otherwise."""
    return {
        (config.label, file.stem)
        for config in apps.get_app_configs()
        for file in Path(config.path, "migrations").glob("[0-9]*.py")
    }


def collect_static(say: Callable[[str], None]) -> bool:
    """Gather and hash the static files if any has changed since the last time."""
    mark = settings.STATIC_ROOT / FINGERPRINT
    found = _fingerprint()
    if mark.exists() and mark.read_text() == found:
        return False
    say("Gathering the static files: once, and again when they change.")
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(found)
    return True


def _fingerprint() -> str:
    digest = hashlib.blake2b(django.__version__.encode(), digest_size=16)
    for finder in get_finders():
        for name, storage in finder.list([]):
            stat = os.stat(storage.path(name))
            digest.update(f"{name}\0{stat.st_mtime_ns}\0{stat.st_size}\n".encode())
    return digest.hexdigest()


def first_start(say: Callable[[str], None]) -> str | None:
    """The demo cluster and the administrator, once; the administrator's random password if one was made.

    The administrator comes last: a start that is interrupted before is a first start again.
    """
    users = get_user_model()
    if users.objects.filter(is_superuser=True).exists():
        return None
    create_demo(say)
    given = os.environ.get("PODIUM_ADMIN_PASSWORD", "")
    password = given or secrets.token_urlsafe(PASSWORD_BYTES)
    users.objects.create_superuser(username=ADMIN, email="", password=password)
    return None if given else password


def create_demo(say: Callable[[str], None]) -> None:
    """One with pods that wait, and one in which controllers make them."""
    if not Cluster.objects.filter(name=DEMO_NAME).exists():
        say("First start: creating the demo cluster.")
        demo_create()
    if not Cluster.objects.filter(name=ROLLOUT_NAME).exists():
        rollout_create()
