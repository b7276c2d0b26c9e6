"""What the first page of a new branch says: where it comes from, what was changed, and the way back."""

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from scheduler.models import Cluster


def tell_of_branch(request: HttpRequest, origin: str, branch: Cluster) -> None:
    said = '{}: {}. Its clock stands until you step or run. {} is as it was: <a href="{}">back to it</a>.'
    what, way_back = branch.description.rstrip("."), reverse("board", args=(origin,))
    messages.success(request, format_html(said, branch.name, what, origin, way_back))
