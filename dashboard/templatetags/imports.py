"""What the import page writes its numbers with."""

from django import template

register = template.Library()


@register.filter
def thousands(number: int) -> str:
    """`12345` → `12,345`."""
    return f"{number:,}"


@register.filter
def indent(line: str) -> str:
    """The white space that a line begins with."""
    return line[: len(line) - len(line.lstrip())]


@register.filter
def unindented(line: str) -> str:
    return line.lstrip()
