"""How long failed pods wait: durations, whole seconds, and what the clock makes of them."""

import pytest

from scheduler.engine.queue.backoff import Backoff
from scheduler.engine.simulation.clock import duration_us, first_tick_from, from_rfc3339, to_rfc3339

S = 1_000_000
MS = 1_000


@pytest.mark.parametrize(
    ("initial", "longest", "seconds"),
    [
        pytest.param(1, 10, [0, 1, 2, 4, 8, 10, 10], id="defaults"),
        pytest.param(3, 10, [0, 3, 6, 10, 10], id="three to ten"),
        pytest.param(1, 60, [0, 1, 2, 4, 8, 16, 32, 60, 60], id="the articles' cap"),
        pytest.param(10, 10, [0, 10, 10], id="nothing to double"),
        pytest.param(1, 0, [0, 0, 0], id="switched off"),
    ],
)
def test_the_wait_doubles_up_to_its_cap(initial, longest, seconds):
    backoff = Backoff(initial * S, longest * S)
    assert [backoff.duration_us(count) / S for count in range(len(seconds))] == seconds


def test_a_count_of_thousands_does_not_overflow():
    assert Backoff().duration_us(5_000) == 10 * S


@pytest.mark.parametrize(
    ("failed_ms", "expiry_ms", "over_ms"),
    [
        pytest.param(100_300, 101_000, 102_000, id="between seconds: waits 1.7 s"),
        pytest.param(100_000, 101_000, 102_000, id="on the second: waits 2 s"),
        pytest.param(606, 1_000, 2_000, id="just after the start"),
        pytest.param(999, 1_000, 2_000, id="just before the second"),
    ],
)
def test_expiry_is_cut_to_the_second_and_that_second_still_counts(failed_ms, expiry_ms, over_ms):
    backoff = Backoff()
    expiry = backoff.expiry_us(failed_ms * MS, 1)
    assert expiry == expiry_ms * MS
    assert backoff.over_us(expiry) == over_ms * MS
    assert backoff.is_backing_off(expiry, over_ms * MS - 1)
    assert not backoff.is_backing_off(expiry, over_ms * MS)


def test_without_alignment_the_wait_ends_right_after_its_expiry():
    backoff = Backoff(aligned=False)
    expiry = backoff.expiry_us(100_300 * MS, 1)
    assert expiry == 101_300 * MS
    assert backoff.is_backing_off(expiry, expiry)
    assert not backoff.is_backing_off(expiry, expiry + 1)
    assert backoff.over_us(expiry) == expiry + 1


def test_a_pod_that_never_failed_does_not_wait():
    assert Backoff().expiry_us(5 * S, 0) == 0
    assert not Backoff().is_backing_off(0, 5 * S)


@pytest.mark.parametrize(
    ("at", "period", "origin", "tick"),
    [
        pytest.param(7, 10, 0, 10, id="between ticks"),
        pytest.param(10, 10, 0, 10, id="on a tick"),
        pytest.param(11, 10, 3, 13, id="ticks counted from an origin"),
        pytest.param(0, 10, 3, 3, id="before the origin"),
    ],
)
def test_ticks(at, period, origin, tick):
    assert first_tick_from(at, period, origin) == tick


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("90s", 90 * S),
        ("1h30m", 5_400 * S),
        ("250ms", 250_000),
        ("1.5s", 1_500_000),
        ("2m3s", 123 * S),
        ("0s", None),
        ("", None),
        ("5", None),
        ("5 s", None),
        ("-5s", None),
        ("5d", None),
        ("2562047h", 2_562_047 * 3_600 * S),
        ("2562048h", None),
        ("9" * 400 + "h", None),
    ],
)
def test_durations_are_read_as_go_writes_them(text, microseconds):
    assert duration_us(text) == microseconds


@pytest.mark.parametrize("text", ["soon", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"])
def test_times_that_the_api_cannot_write_are_none(text):
    with pytest.raises(ValueError, match=r"lies outside|Invalid isoformat"):
        from_rfc3339(text)


@pytest.mark.parametrize("text", ["2025-01-01T00:00:04Z", "2025-01-01T00:00:04.040000Z"])
def test_api_times_go_there_and_back(text):
    assert to_rfc3339(from_rfc3339(text)) == text
