"""What a quantity stands for is told alike by the server and the browser (amount.test.mjs)."""

import json
from pathlib import Path

import pytest

from scheduler.admin.amounts import amount_told

CASES = json.loads((Path(__file__).parent / "fixtures" / "amounts.json").read_text())


@pytest.mark.parametrize(("resource", "text", "told"), CASES)
def test_an_amount_is_told(resource, text, told):
    assert amount_told(resource, text) == told
