"""Ages that go on with the clock in the head of the page: see static/js/ages.js."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard.text import SECOND_US, age


def aged(now_us: int, since_us: int) -> SafeString:
    """How long ago virtual time `since_us` was, as an element."""
    return format_html('<time data-since="{}">{}</time>', since_us, age(now_us - since_us))


def before_start(start_us: int, since_us: int) -> str:
    """How long before the cluster's clock began virtual time `since_us` was; "" if it was not, by a second at least."""
    return age(start_us - since_us) if start_us - since_us >= SECOND_US else ""


def ahead(now_us: int, at_us: int) -> SafeString:
    """How long it is until virtual time `at_us`, as an element."""
    return format_html('<time data-until="{}">{}</time>', at_us, age(at_us - now_us))
