"""Background jobs as Celery tasks: one more way in to the services."""

from celery import shared_task

from scheduler.services.import_jobs import TASK, job_run


@shared_task(name=TASK, ignore_result=True)  # type: ignore[untyped-decorator]
def import_cluster(job_id: int) -> None:
    job_run(job_id)
