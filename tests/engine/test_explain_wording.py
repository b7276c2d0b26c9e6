"""Steps in words: no operation without a wording, figures exact, units as people write them."""

import pytest

from scheduler.engine.explain.operations import OPERATIONS
from scheduler.engine.explain.saying import SAID
from scheduler.engine.explain.wording import SUMS, figure, lines
from scheduler.engine.framework import Step

GIB = 2**30


@pytest.mark.parametrize(
    ("step", "note"),
    [
        (Step("cpu", "least_allocated", (1300, 4000), 67), "rounded down"),
        (Step("cpu", "least_allocated", (1000, 4000), 75), ""),
        (Step("cpu", "least_allocated", (5000, 4000), 0), ""),
        (Step("cpu", "least_allocated", (0, 0), 0), ""),
        (Step("score", "ratio_mean", (75, 1, 50, 1), 63), "rounded"),
        (Step("score", "weighted_mean", (75, 1, 50, 3), 56), "rounded down"),
        (Step("cpu", "fraction", (1, 3), 1 / 3), "rounded to six digits"),
        (Step("cpu", "fraction", (325, 1000), 0.325), ""),
        (Step("score", "evenness", (0.125,), 87), "rounded down"),
        (Step("score", "evenness", (0.18,), 82), ""),
        (Step("score", "subtract", (1.25, 3.5), -2.25), ""),
        (Step("cpu", "most_allocated", (1, 3), 33, "as asked"), "as asked, rounded down"),
    ],
    ids=lambda one: one.op if isinstance(one, Step) else "",
)
def test_a_result_that_is_rounded_says_so_and_no_other(step, note):
    assert lines([step])[0].note == note


def test_every_operation_has_its_words():
    assert set(OPERATIONS) == set(SAID) | set(SUMS)


@pytest.mark.parametrize(
    ("step", "text", "answer"),
    [
        (Step("cpu", "fits", (500, 4000, 3900), False), "500m ≤ 4000m − 3900m", "no"),
        (Step("memory", "fits", (GIB, 2 * GIB, 0), True), "1024Mi ≤ 2048Mi − 0Mi", "yes"),
        (Step("memory", "fits", (GIB, 2 * GIB, 1), True), f"{GIB} ≤ {2 * GIB} − 1", "yes"),
        (Step("memory", "least_allocated", (GIB, 4 * GIB), 75), "(4096Mi − 1024Mi) × 100 / 4096Mi", "75"),
        (Step("score", "weighted_mean", (75, 1), 75), "75", "75"),
        (Step("score", "weighted_mean", (75, 1, 50, 3), 56), "(75 × 1 + 50 × 3) / (1 + 3)", "56"),
        (Step("x", "broken_line", (1, 2, ((0, 100), (50, 20))), 20), "1 of 2 on the line 0→100, 50→20", "20"),
        (Step("zone", "selects", (("b",), "in", ("a", "c")), False), "b in a, c", "no"),
        (Step("zone", "selects", (("b",), "=", ("a",)), False), "b = a", "no"),
        (Step("zone", "selects", (("b",), "notin", ("a",)), True), "b ≠ a", "yes"),
        (Step("zone", "selects", ((None,), "exists", ()), False), "no such label, must be there", "no"),
        (Step("t", "tolerated", (("k", "v", "NoSchedule"), ()), False), "the pod tolerates nothing", "no"),
        (Step("t", "tolerated", (("k", "", "E"), (("", "Exists", "", ""),)), True), "by any key", "yes"),
        (Step("p", "port_free", (("0.0.0.0", "TCP", 80), (("10.1", "TCP", 80),)), False), "in use: 10.1:80/TCP", "no"),
        (Step("v", "volume_for", ((), (("pv", True, False),)), None), "pv (taken)", "none"),
        (Step("r", "room_for", (GIB, (-1,)), False), "1Gi: no storage told of there", "no"),
        (Step("verdict", "first_reason", ("a", "A", "b", "B"), ("B",)), "a, b", "B"),
        (Step("verdict", "every_reason", ("a", "A"), ()), "a", "passes"),
        (Step("mine", "my_own", (1, 2.5), 3), "my_own(1, 2.5)", "3"),
    ],
    ids=lambda one: one.op if isinstance(one, Step) else "",
)  # fmt: skip
def test_a_step_in_words(step, text, answer):
    (line,) = lines([step])
    assert (line.text, line.answer) == (text, answer)


def test_names_in_sums_stand_for_results_and_in_conditions_for_themselves():
    steps = [Step("a", "value", (2,), 2), Step("b", "multiply", ("a", 3), 6), Step("c", "all", ("a",), True)]
    assert [line.text for line in lines(steps)] == ["2", "2 × 3", "a"]


@pytest.mark.parametrize(("value", "text"), [(-3, "(−3)"), (0.123456789, "0.123457"), (True, "yes"), (None, "none")])
def test_figures(value, text):
    assert figure(value) == text
