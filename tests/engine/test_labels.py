"""Selectors against the real parsers' own answers, and their boundaries."""

import msgspec
import pytest

from scheduler.engine import labels, objects
from scheduler.engine.errors import Invalid
from tests.engine.vectors import rows


def selector_of(row):
    if "text" in row:
        return labels.parse(row["text"])
    return labels.label_selector(msgspec.convert(row["selector"], objects.LabelSelector | None))


@pytest.mark.parametrize("row", rows("tables", "label_selectors"), ids=lambda row: str(row.get("text", "selector")))
def test_label_selectors(row):
    if not row["valid"]:
        with pytest.raises(Invalid) as caught:
            selector_of(row)
        assert str(caught.value) == row["error"]
        return
    selector = selector_of(row)
    assert str(selector) == row["canonical"]
    assert selector.is_empty is row["empty"]
    assert [selector.matches(one) for one in row["labels"]] == row["matches"]
    assert hash(selector) == hash(selector_of(row))
    assert selector == selector_of(row)


@pytest.mark.parametrize("row", rows("tables", "node_selectors"), ids=str)
def test_node_selectors(row):
    affinity = msgspec.convert(row.get("node_affinity"), objects.NodeAffinity | None)
    spec = objects.PodSpec(
        node_selector=row.get("node_selector"), affinity=objects.Affinity(node_affinity=affinity) if affinity else None
    )
    required = labels.RequiredNodeAffinity.of(objects.Pod(spec=spec))
    nodes = [(node["name"], node.get("labels", {})) for node in row["nodes"]]
    if "matches" in row:
        assert [required.matches(*node) for node in nodes] == row["matches"]
        assert [required.error(*node) for node in nodes] == row.get("match_errors", [""] * len(nodes))
    preferred = affinity.preferred if affinity else None
    if "preferred_error" in row:
        with pytest.raises(Invalid) as caught:
            labels.preferred_terms(preferred)
        assert str(caught.value) == row["preferred_error"]
    elif "preferred_scores" in row:
        terms = labels.preferred_terms(preferred)
        assert [terms.score(*node) for node in nodes] == row["preferred_scores"]


def test_a_missing_selector_selects_nothing_and_an_empty_one_everything():
    missing = labels.label_selector(None)
    empty = labels.label_selector(objects.LabelSelector())
    assert (missing.matches({}), missing.is_empty) == (False, False)
    assert (empty.matches({"a": "b"}), empty.is_empty) == (True, True)
    assert not missing.adding(labels.Requirement("a", "exists")).matches({"a": ""})


@pytest.mark.parametrize(
    ("value", "is_greater", "is_less"),
    [
        ("4", False, True),
        ("5", False, False),  # neither bound is included
        ("6", True, False),
        ("007", True, False),
        ("+6", True, False),
        ("9223372036854775807", True, False),
        ("9223372036854775808", False, False),  # one over int64: no number
        ("-9223372036854775808", False, True),
        ("5.5", False, False),
        ("", False, False),
        ("6 ", False, False),
        ("1_000", False, False),
        ("٦", False, False),  # digits of other scripts are no digits
    ],
)
def test_gt_and_lt_compare_int64(value, is_greater, is_less):
    assert labels.parse("n>5").matches({"n": value}) is is_greater
    assert labels.parse("n<5").matches({"n": value}) is is_less


@pytest.mark.parametrize("operator", ["Gt", "Lt"])
def test_gt_and_lt_need_the_label(operator):
    term = objects.NodeSelectorTerm(match_expressions=[objects.LabelSelectorRequirement("n", operator, ["5"])])
    assert not labels.node_term(term).matches("a", {})


def test_an_unparsable_term_leaves_the_others_alone():
    terms = [
        objects.NodeSelectorTerm(match_expressions=[objects.LabelSelectorRequirement("n", "Gt", ["x"])]),
        objects.NodeSelectorTerm(match_fields=[objects.LabelSelectorRequirement("metadata.name", "In", ["a"])]),
    ]
    selector = labels.node_selector(objects.NodeSelector(node_selector_terms=terms))
    assert selector.matches("a", {})
    assert selector.error("a", {}) == ""
    assert not selector.matches("b", {})
    assert "must be an integer" in selector.error("b", {})


def test_the_complaints_of_several_requirements_are_one_flat_list():
    odd = objects.LabelSelectorRequirement("-k", "In", ["-v"])
    terms = [objects.NodeSelectorTerm(match_expressions=[odd, odd])]
    error = labels.node_selector(objects.NodeSelector(node_selector_terms=terms)).error("a", {})
    first, second = (f"nodeSelectorTerms[0].matchExpressions[{number}]." for number in (0, 1))
    parts = [f"{path}{field}: Invalid value" for path in (first, second) for field in ("key", "values[0][-k]")]
    assert [error.count(one) for one in parts] == [1, 1, 1, 1]
    assert error.startswith(f"[{parts[0]}")
    assert "[[" not in error


def test_no_value_and_no_values_are_the_same_to_a_label_selector():
    for values in (None, []):
        wrong = objects.LabelSelector(match_expressions=[objects.LabelSelectorRequirement("k", "In", values)])
        with pytest.raises(Invalid, match=r"^values: Invalid value: null: "):
            labels.label_selector(wrong)


@pytest.mark.parametrize(
    ("length", "is_valid"),
    [(63, True), (64, False)],
)
def test_the_longest_value_has_63_characters(length, is_valid):
    text = f"a={'x' * length}"
    if is_valid:
        assert labels.parse(text).matches({"a": "x" * length})
    else:
        with pytest.raises(Invalid, match="no more than 63 characters"):
            labels.parse(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("app in (,)", "app in ()"), ("app in (a,,b)", "app in (,a,b)"), ("!in", "!in"), ("  a  ", "a"), ("b,a", "a,b")],
)
def test_odd_texts_that_are_valid(text, canonical):
    assert str(labels.parse(text)) == canonical


def test_selectors_with_equal_content_share_a_key():
    one = labels.map_selector({"a": "1", "b": "2"})
    other = labels.label_selector(objects.LabelSelector(match_labels={"b": "2", "a": "1"}))
    assert {one: "shared"}[other] == "shared"
