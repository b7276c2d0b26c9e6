"""What Django says of a save or a deletion, in the words of all other pages."""

import re

from django.utils.safestring import SafeString, mark_safe

_DONE = re.compile(r"The (?P<noun>[^“]+) “(?P<name>.+)” was (?P<done>added|changed|deleted) successfully\.", re.DOTALL)


_OURS = {
    "Successfully deleted ": "Deleted ",
    "Items must be selected in order to perform actions on them. No items have been changed.": (
        "Tick some rows first, then choose what to do with them."
    ),
    "No action selected.": "Choose first what to do with the rows.",
}


def ours(message: str, noun: str = "") -> str:
    """`Changed node a.`, and what follows as it was; any other message is left as it is. HTML stays what it was.

    `noun`: what such an object is called, where Django's word is another.
    """
    words = "{done} {noun} {name}."
    told = _DONE.sub(
        lambda found: words.format(done=found["done"].capitalize(), noun=noun or found["noun"], name=found["name"]),
        str(message),
    )
    for theirs, own in _OURS.items():
        told = told.replace(theirs, own)
    return mark_safe(told) if isinstance(message, SafeString) else told
