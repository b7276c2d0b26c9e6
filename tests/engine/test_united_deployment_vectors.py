"""The UnitedDeployment controller and webhook against recordings of the real ones."""

import copy
import json

import pytest

from scheduler.engine.conformance import comparable, run_united_deployment_vector
from scheduler.management.conformance.compare import first_difference
from tests.engine.vectors import ROOT

FILES = sorted((ROOT / "united-deployment").glob("*/*.json"))
READ = [json.loads(file.read_text()) for file in FILES]


@pytest.mark.parametrize("data", READ, ids=[one["name"] for one in READ])
def test_every_recording_is_answered_alike(data):
    before = copy.deepcopy(data)
    assert first_difference(comparable(data), run_united_deployment_vector(data)) == ""
    assert data == before


def test_all_groups_are_there():
    groups = {file.parent.name for file in FILES}
    assert groups == {"adaptive", "allocation", "partition", "provision", "revision", "template", "validation"}
    assert len(FILES) == 259


@pytest.mark.parametrize("group", ["adaptive", "allocation", "partition", "provision", "revision", "template"])
def test_a_recording_that_was_tampered_with_is_found_out(group):
    """Each kind of recording is compared as a whole: a number that is one higher cannot pass."""
    found = 0
    for data in (one for file, one in zip(FILES, READ, strict=True) if file.parent.name == group):
        changed = copy.deepcopy(data)
        if raise_first_number(changed["expected"]):
            found += 1
            assert first_difference(comparable(changed), run_united_deployment_vector(changed)) != ""
    assert found > 5


def raise_first_number(value):
    """Adds one to the first number, in place; False where there is none."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        if isinstance(one, int) and not isinstance(one, bool):
            value[key] += 1
            return True
        if raise_first_number(one):
            return True
    return False
