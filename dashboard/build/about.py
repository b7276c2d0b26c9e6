"""What an algorithm does, for people: the beginning of its file's docstring."""

import sys

from scheduler.engine import plugins

NOT_HERE = "Kept in the profile, not computed here."


def about(name: str) -> str:
    """The first paragraph, without where it comes from; a profile may name an algorithm that does not exist here."""
    known = plugins.registry().get(name)
    if known is None:
        return NOT_HERE
    text = sys.modules[known.__module__].__doc__ or ""
    return " ".join(text.partition("\n\n")[0].partition("Source:")[0].split())


def scores_whole_lists(algorithm: str) -> bool:
    """Whether it scores all nodes at once, and so in one map task."""
    known = plugins.registry().get(algorithm)
    return known is not None and known.whole_list
