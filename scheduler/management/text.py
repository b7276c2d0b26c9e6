"""Tables for a terminal: columns as wide as they must be, figures to the right."""

from collections.abc import Iterable, Sequence

INDENT = "  "
GAP = "  "


def aligned(rows: Sequence[Sequence[str]], right: Iterable[int] = (), indent: str = INDENT) -> list[str]:
    """One line a row. `right`: numbers of the columns that are set to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    to_right = set(right)
    return [
        (indent + GAP.join(_cell(text, widths[at], at in to_right) for at, text in enumerate(row))).rstrip()
        for row in rows
    ]


def _cell(text: str, width: int, to_right: bool) -> str:
    return text.rjust(width) if to_right else text.ljust(width)


def section(title: str, lines: Iterable[str]) -> list[str]:
    """A titled block below an empty line; nothing where there is nothing to say."""
    told = list(lines)
    return ["", title, *told] if told else []


def plain(sentence: str) -> str:
    """Without the backticks around names."""
    return sentence.replace("`", "")


def some(names: Sequence[str], count: int) -> str:
    """The first names, and how many more there are of `count`."""
    more = count - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
