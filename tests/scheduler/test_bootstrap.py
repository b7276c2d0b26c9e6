"""What makes an installation ready, each step done once."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model

from scheduler import store
from scheduler.management import bootstrap
from scheduler.manifests.demo import DEMO_NAME
from scheduler.models import Cluster
from scheduler.services import cluster_create, imports
from tests.scheduler.builders import a_node

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def small_demo(monkeypatch):
    monkeypatch.setattr(bootstrap, "demo_create", lambda: cluster_create(DEMO_NAME))
    monkeypatch.delenv("PODIUM_ADMIN_PASSWORD", raising=False)


def admin():
    return get_user_model().objects.get(username="admin")


def test_the_first_start_makes_the_demo_and_an_administrator_with_a_random_password():
    password = bootstrap.first_start(print)
    assert admin().check_password(password)
    assert admin().is_superuser
    assert Cluster.objects.filter(name=DEMO_NAME).exists()


def test_later_starts_change_nothing(monkeypatch):
    password = bootstrap.first_start(print)
    Cluster.objects.all().delete()
    monkeypatch.setenv("PODIUM_ADMIN_PASSWORD", "another password")
    assert bootstrap.first_start(print) is None
    assert admin().check_password(password)
    assert not Cluster.objects.exists()  # who deletes the demo does not want it back


def test_a_given_password_is_used_and_not_printed(monkeypatch):
    monkeypatch.setenv("PODIUM_ADMIN_PASSWORD", "correct horse battery")
    assert bootstrap.first_start(print) is None
    assert admin().check_password("correct horse battery")


def test_a_first_start_that_was_interrupted_is_one_again():
    bootstrap.create_demo(print)
    assert bootstrap.first_start(print)
    assert Cluster.objects.filter(name=DEMO_NAME).count() == 1


def test_tables_that_are_up_to_date_are_left_alone():
    assert bootstrap.migrate() is False


def test_static_files_are_gathered_only_when_something_changed(settings, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_text("a {}")
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], tmp_path / "static"
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    assert bootstrap.collect_static(print) is True
    assert (tmp_path / "static" / "a.css").exists()
    assert bootstrap.collect_static(print) is False
    (source / "a.css").write_text("a { color: red }")
    assert bootstrap.collect_static(print) is True


def test_a_command_on_an_empty_data_directory_says_what_to_do(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    ended = subprocess.run(
        [sys.executable, "manage.py", "step", "demo"],
        cwd=settings.BASE_DIR,
        env={**environment, "PODIUM_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert "run `manage.py migrate` first" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_the_first_run_of_the_demo_takes_one_cycle_a_second_and_can_be_watched(monkeypatch):
    monkeypatch.setattr(imports, "demo_manifests", lambda: [a_node("n")])
    cluster = imports.demo_create()
    with store.reading(cluster.pk) as simulation:
        assert simulation.settings.cycle_us / cluster.speed == 1_000_000
