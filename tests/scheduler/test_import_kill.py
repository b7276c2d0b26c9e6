"""The process of an import killed on the way: nothing of it is stored, and the job is begun anew and done once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from scheduler.models import Cluster, Event, Pod
from scheduler.services import import_jobs, job_signs
from tests.scheduler.other_process import database_url
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[2]
PODS = 1_500


@pytest.fixture
def job(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(import_jobs, "send", lambda job_id: None)
    file = tmp_path / "uploads" / "one" / "upload"
    file.parent.mkdir(parents=True)
    with file.open("wb") as target:
        subprocess.run([sys.executable, ROOT / "scripts/make_big_dump.py", "100", str(PODS)], stdout=target, check=True)
    user = User.objects.create_user("mira")
    wanted = {"file": str(file), "file_name": "big.json", "skip_invalid": False, "replace": False}
    return import_jobs.import_start(user, "big", **wanted)


def a_process(job, home):
    environment = {**os.environ, "DATABASE_URL": database_url(), "PODIUM_HOME": str(home), "SECRET_KEY": "test"}
    return subprocess.Popen([sys.executable, "manage.py", "import_job", str(job.pk)], cwd=ROOT, env=environment)


@pytest.mark.parametrize("stage", ["Reading", "Adding", "Writing"])
def test_killed_import_leaves_nothing_and_is_begun_anew(job, tmp_path, stage):
    with a_process(job, tmp_path) as process:
        wait_until(lambda: job_signs.told(job.pk).get("stage", "").startswith(stage))
        assert job_signs.is_held(job.pk)
        process.kill()
    assert not Cluster.objects.exists()
    assert not Event.objects.exists()
    import_jobs.sweep()
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("waiting", 1)

    with a_process(job, tmp_path), a_process(job, tmp_path):
        pass
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("done", 2)
    assert (Cluster.objects.count(), Pod.objects.count()) == (1, PODS)
    assert not job_signs.directory_of(job.pk).exists()
