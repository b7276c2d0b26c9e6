"""`manage.py explain --fixes`: changes that were tried, as a table and as JSON."""

import json
import re

from tests.scheduler.commands import run, written
from tests.scheduler.test_explain_command import NODES, a_pod


def explained(capsys, tmp_path, *objects, json_of=""):
    more = ["-o", "json", "--pod", json_of] if json_of else []
    return run(capsys, "explain", *written(tmp_path, [*NODES, *objects]), "--fixes", *more)


def test_the_table_tells_each_change_with_what_came_of_it(capsys, tmp_path):
    ran = explained(capsys, tmp_path, a_pod("big", cpu="5"), a_pod("fine"))
    big, fine = ran.out.split("─" * 80)
    told = big.split("What would make it fit")[1].splitlines()
    assert told[0] == " (2 changes tried by simulated runs, 2 help)"
    assert told[1] == "  fits  Ask for 4 cpu instead of 5"
    assert re.fullmatch("        Lands on [abc], one of 3 nodes that fit", told[2])
    assert told[3:5] == ["  fits  Add one node like a, but with 5 cpu", "        Lands on a-copy"]
    assert fine.endswith("What would make it fit\n  It fits as it is.\n")


def test_none_found_is_said(capsys, tmp_path):
    ran = run(capsys, "explain", *written(tmp_path, [a_pod("big")]), "--fixes")
    assert ran.out.endswith("  None found: there is no change that would be worth a try.\n")


def test_json_has_the_change_itself(capsys, tmp_path):
    report = json.loads(explained(capsys, tmp_path, a_pod("big", cpu="5"), json_of="shop/big").out)
    fix = report["fixes"][0]
    assert (fix["kind"], fix["outcome"], fix["feasible"]) == ("request", "fits", 3)
    assert fix["node"] in "abc"
    assert fix["edits"] == [
        {
            "type": "patch",
            "key": ["Pod", "shop", "big"],
            "puts": [{"path": ["spec", "containers", 0, "resources", "requests", "cpu"], "value": "4"}],
        }
    ]
