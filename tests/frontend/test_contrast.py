"""Colours of marks against the sheets that they lie on: 3:1 in both themes (WCAG 1.4.11)."""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css"
USUAL = TOKENS.read_text()


def pair(name: str) -> tuple[str, str]:
    """Its colour in light and in dark, where it is first defined."""
    found = re.search(rf"--{name}:\s*light-dark\((#\w{{6}}), (#\w{{6}})\)", USUAL)
    assert found, name
    return found[1], found[2]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("sheet", ["canvas", "surface"])
@pytest.mark.parametrize("mark", ["bar", "control", "ok-mark", "no-mark", "wait-mark", "accent"])
def test_marks_stand_out_from_what_they_lie_on(mark, sheet):
    for colour, behind in zip(pair(mark), pair(sheet), strict=True):
        assert contrast(colour, behind) >= 3, (mark, colour, sheet, behind)
