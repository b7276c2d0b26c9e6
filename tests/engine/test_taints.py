"""Taints and tolerations against the real functions' own answers."""

import msgspec
import pytest

from scheduler.engine.objects import Taint, Toleration
from scheduler.engine.values import taints
from tests.engine.vectors import rows


@pytest.mark.parametrize("row", rows("tables", "tolerations"), ids=str)
def test_tolerations(row):
    tolerations = msgspec.convert(row["tolerations"] or [], list[Toleration])
    tainted = msgspec.convert(row["taints"] or [], list[Taint])
    first = taints.first_untolerated(tainted, tolerations)
    assert [taints.is_tolerated(taint, tolerations) for taint in tainted] == row["tolerated"]
    assert (first is None) is row["schedulable"]
    assert first == msgspec.convert(row.get("first_untolerated"), Taint | None)
    assert taints.prefer_no_schedule_untolerated(tainted, tolerations) == row["prefer_no_schedule_untolerated"]


@pytest.mark.parametrize("operator", ["Gt", "Lt", "exists", "equal", "Foo"])
def test_an_unknown_operator_tolerates_nothing(operator):
    taint = Taint(key="k", value="v", effect="NoSchedule")
    assert not taints.tolerates(Toleration(key="k", operator=operator, value="v"), taint)


def test_the_first_untolerated_taint_is_the_first_of_the_node():
    tainted = [Taint("a", "1", "PreferNoSchedule"), Taint("b", "2", "NoExecute"), Taint("c", "3", "NoSchedule")]
    assert taints.first_untolerated(tainted, [Toleration(key="x", operator="Exists")]) is tainted[1]
    assert taints.first_untolerated(tainted, [], {"NoSchedule"}) is tainted[2]


def test_a_toleration_of_another_effect_does_not_count_for_the_score():
    tainted = [Taint("a", None, "PreferNoSchedule")]
    assert taints.prefer_no_schedule_untolerated(tainted, [Toleration("a", "Exists", None, "NoSchedule")]) == 1
    assert taints.prefer_no_schedule_untolerated(tainted, [Toleration("a", "Exists")]) == 0
