"""What the import page writes its numbers with."""

import re
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
_LAST_KEY = re.compile(r"(?:[\w.\[\]/-]*[.\[])?([\w/.-]+?)\]?:\s")


@register.filter
def thousands(number: int) -> str:
    """`12345` → `12,345`."""
    return f"{number:,}"


@register.filter
def marked(line: str, message: str) -> tuple[str, str, str]:
    """What a fault is about, with what stands before and after it: the field that its message begins with, else all."""
    indent = len(line) - len(line.lstrip())
    key = _LAST_KEY.match(message)
    if key:
        found = list(re.finditer(rf"""(["']?){re.escape(key[1])}\1\s*:[^,{{}}\[\]]*""", line))
        if len(found) == 1 and found[0].start() > indent:
            start, end = found[0].span()
            return line[:start], line[start:end], line[end:]
    return line[:indent], line[indent:], ""


@register.filter
def column(fault: Any) -> int:
    """Counted from 1; of a fault with an excerpt."""
    message, excerpt = (
        fault[name] if isinstance(fault, dict) else getattr(fault, name) for name in ("message", "excerpt")
    )
    return len(marked(excerpt[-1][1], message)[0]) + 1


@register.filter
def rows(text: str) -> int:
    """Lines of the field that a text is mended in."""
    return min(26, max(10, text.count("\n") + 2))


@register.filter
def breakable(text: str) -> SafeString:
    """A list without blanks, which may go on in a new line behind each comma."""
    return format_html_join(mark_safe(",<wbr>"), "{}", ((part,) for part in text.split(",")))
