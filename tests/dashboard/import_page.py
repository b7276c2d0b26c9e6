"""The import page as tests use it: a browser that may, files, and jobs that do not begin by themselves."""

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scheduler.models import Job
from scheduler.services import import_jobs

GOOD = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\nstatus:\n  allocatable:\n    cpu: 4\n"
BAD = GOOD + "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers: []\n  <b>: 1\n"


@pytest.fixture(autouse=True)
def home(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture(autouse=True)
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """Jobs that were sent; none begins by itself."""
    sent = []
    monkeypatch.setattr(import_jobs, "send", sent.append)
    return sent


@pytest.fixture
def user():
    user = User.objects.create_user("mira", password="long enough 1")
    user.user_permissions.add(Permission.objects.get(codename="add_cluster"))
    return user


@pytest.fixture
def browser(user):
    browser = Client(SERVER_NAME="localhost")
    browser.force_login(user)
    return browser


def a_file(text=GOOD, name="My cluster.v2.yaml"):
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def post(browser, **fields):
    """The job that the form led to, or None, and the response."""
    response = browser.post("/import/", fields)
    return Job.objects.order_by("-pk").first(), response
