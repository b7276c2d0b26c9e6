"""Who may change a cluster: a logged-in user with Django's permission for it."""

from django.contrib.auth.models import AbstractUser, AnonymousUser

WRITE = "scheduler.change_cluster"
IMPORT = "scheduler.add_cluster"
REPLACE = "scheduler.delete_cluster"


def may_write(user: AbstractUser | AnonymousUser) -> bool:
    return bool(user.is_authenticated and user.is_active and user.has_perm(WRITE))


def may_delete(user: AbstractUser | AnonymousUser) -> bool:
    return bool(user.is_authenticated and user.is_active and user.has_perm(REPLACE))


def may_create(user: AbstractUser | AnonymousUser) -> bool:
    return bool(user.is_authenticated and user.is_active and user.has_perm(IMPORT))
