"""Background jobs as Celery tasks: one more way in to the services."""

import subprocess
import sys
import threading

from celery import shared_task
from django.conf import settings

from scheduler.services.import_jobs import TASK, is_small, job_run


@shared_task(name=TASK, ignore_result=True)  # type: ignore[untyped-decorator]
def import_cluster(job_id: int) -> None:
    """In a process of its own: the worker stays free for steps, and the memory is given back at the end.

    A small one is done sooner than such a process has started, so the worker does it itself.
    """
    if is_small(job_id):
        job_run(job_id)
        return
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "import_job", str(job_id)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    threading.Thread(target=process.wait, daemon=True).start()
