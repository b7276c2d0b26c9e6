"""Laws of quantities, selectors, taints and requests, on whatever Hypothesis finds."""

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from scheduler.engine import labels
from scheduler.engine.objects import Taint, Toleration
from scheduler.engine.values import quantity, requests, taints

DIGITS = st.integers(0, 10**17).map(str)
SUFFIX = st.sampled_from(["", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "E-2"])
SIGN = st.sampled_from(["", "+", "-"])
QUANTITY = st.builds(lambda sign, whole, part, suffix: f"{sign}{whole}.{part}{suffix}", SIGN, DIGITS, DIGITS, SUFFIX)
NAME = st.from_regex(r"[a-z]([a-z0-9]{0,5})", fullmatch=True)
VALUE = st.one_of(NAME, st.integers(-3, 30).filter(lambda number: number >= 0).map(str))


@given(QUANTITY)
@example("1023.0000000001Ki")
def test_the_canonical_form_is_the_same_number_and_its_own_canonical_form(text):
    canonical = quantity.canonical(text)
    assert quantity.parse(canonical) == quantity.parse(text)
    assert quantity.canonical(canonical) == canonical


@given(QUANTITY)
def test_rounding_goes_away_from_zero_by_less_than_one(text):
    exact = quantity.parse(text)
    if exact >= 0:
        assert 0 <= quantity.value(text) - exact < 1 or exact > quantity.MAX_INT64
        rounded = quantity.parse(quantity.round_up_to_milli(text))
        assert 0 <= rounded - exact < Fraction(1, 1000)


@given(QUANTITY, QUANTITY)
def test_adding_and_subtracting_undo_each_other(a, b):
    total = quantity.add(a, b)
    if abs(quantity.parse(a)) + abs(quantity.parse(b)) < quantity.MAX_INT64:
        assert quantity.compare(quantity.subtract(total, b), a) == 0


SELECTOR = st.lists(
    st.one_of(
        st.builds(lambda key: labels.requirement(key, "exists", []), NAME),
        st.builds(lambda key: labels.requirement(key, "!", []), NAME),
        st.builds(lambda key, value: labels.requirement(key, "=", [value]), NAME, VALUE),
        st.builds(lambda key, values: labels.requirement(key, "in", values), NAME, st.lists(VALUE, min_size=1)),
        st.builds(lambda key, values: labels.requirement(key, "notin", values), NAME, st.lists(VALUE, min_size=1)),
        st.builds(lambda key, bound: labels.requirement(key, "gt", [str(bound)]), NAME, st.integers(0, 20)),
    ),
    max_size=4,
).map(lambda found: labels.EVERYTHING.adding(*found))


@given(SELECTOR, st.dictionaries(NAME, VALUE, max_size=4))
def test_a_selector_read_back_from_its_text_matches_the_same(selector, given_labels):
    assert labels.parse(str(selector)).matches(given_labels) is selector.matches(given_labels)


@given(SELECTOR, SELECTOR, st.dictionaries(NAME, VALUE, max_size=4))
def test_requirements_are_anded(one, other, given_labels):
    both = one.adding(*other.requirements)
    assert both.matches(given_labels) is (one.matches(given_labels) and other.matches(given_labels))


EFFECTS = st.sampled_from(["NoSchedule", "PreferNoSchedule", "NoExecute"])
TAINTS = st.lists(st.builds(Taint, st.sampled_from("ab"), st.sampled_from(["", "v"]), EFFECTS), max_size=4)
TOLERATION = st.builds(
    Toleration,
    st.sampled_from([None, "a", "b"]),
    st.sampled_from([None, "Equal", "Exists"]),
    st.sampled_from([None, "v"]),
    st.one_of(st.none(), EFFECTS),
)


@given(TAINTS, st.lists(TOLERATION, max_size=3), TOLERATION)
def test_one_more_toleration_never_makes_a_node_worse(tainted, tolerations, more):
    before, after = (taints.first_untolerated(tainted, some) for some in (tolerations, [*tolerations, more]))
    assert before is not None or after is None
    counts = [taints.prefer_no_schedule_untolerated(tainted, some) for some in (tolerations, [*tolerations, more])]
    assert counts[1] <= counts[0]


@given(TAINTS)
def test_tolerating_everything_tolerates_everything(tainted):
    assert taints.first_untolerated(tainted, [Toleration(operator="Exists")]) is None


REQUESTS = st.dictionaries(st.sampled_from(["cpu", "memory"]), st.integers(0, 50).map(lambda units: f"{units * 100}m"))


@given(st.lists(REQUESTS, max_size=3), st.lists(st.tuples(st.booleans(), REQUESTS), max_size=4))
def test_a_pod_needs_at_least_what_runs_and_at_most_everything(containers, init):
    total = requests.scheduler_units(requests.aggregate_requests(containers, init))
    running = requests.scheduler_units(requests.add_requests(*containers, *(own for always, own in init if always)))
    everything = requests.scheduler_units(requests.add_requests(*containers, *(own for _, own in init)))
    for name, amount in total.items():
        assert running.get(name, 0) <= amount <= everything[name]
