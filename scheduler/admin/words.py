"""What Django says of a save or a deletion, in the words of all other pages."""

import re

from django.utils.safestring import SafeString, mark_safe

_DONE = re.compile(r"The (?P<noun>[^“]+) “(?P<name>.+)” was (?P<done>added|changed|deleted) successfully\.", re.DOTALL)


def ours(message: str) -> str:
    """`Changed node a.`, and what follows as it was; any other message is left as it is. HTML stays what it was."""
    told = _DONE.sub(lambda found: f"{found['done'].capitalize()} {found['noun']} {found['name']}.", str(message))
    told = told.replace("Successfully deleted ", "Deleted ")
    return mark_safe(told) if isinstance(message, SafeString) else told
