"""What the import page writes its numbers with."""

from django import template

register = template.Library()


@register.filter
def thousands(number: int) -> str:
    """`12345` → `12,345`."""
    return f"{number:,}"
