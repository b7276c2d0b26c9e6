"""Quantities against the real parser's own answers."""

import json
from fractions import Fraction

import pytest

from scheduler.engine.errors import Invalid
from scheduler.engine.values import quantity
from tests.engine.vectors import ROOT, rows

MAX = quantity.MAX_INT64


def source_text(row):
    """The quantity as it was written."""
    if row.get("format") == "DecimalExponent" and row.get("json") == "1000.0":
        return row["string_form"]  # the file's own writer turned `1e3` and `1E3` into 1000.0
    return row["string"] if "string" in row else row["json"]


def quantity_rows():
    # Numbers are kept as their source text: `1e3` and `1000` are different quantities.
    text = (ROOT / "kube-scheduler/quantity/quantities.json").read_text()
    table = json.loads(text, parse_float=str, parse_int=lambda digits: digits)
    return [pytest.param(row, id=repr(row.get("string", row.get("json")))) for row in table]


def is_beyond_int64(text, factor=1):
    # kube-scheduler's Value() and MilliValue() overflow there (0, wrapped): undefined, so we clamp instead. A negative
    # number that it holds as a big decimal overflows already where its nanos do.
    amount = quantity.read(text)
    is_negative_decimal = amount.scale is None and amount.value < 0
    return abs(amount.value) * (quantity.NANO if is_negative_decimal else factor) > MAX


@pytest.mark.parametrize("row", quantity_rows())
def test_reads_what_the_api_server_reads(row):
    text = source_text(row)
    if isinstance(text, list | dict):  # lists and objects
        with pytest.raises(Invalid, match="must match the regular expression"):
            quantity.read(json.dumps(text))
        return
    if not row["valid"]:
        with pytest.raises(Invalid) as caught:
            quantity.parse(text)
        assert str(caught.value) == row["error"]
        return
    assert quantity.read(text).format == row["format"]
    assert quantity.sign(text) == int(row["sign"])
    if not is_beyond_int64(text):
        assert quantity.canonical(text) == row["canonical"]
        assert quantity.string_form(text) == row["string_form"]
        assert str(quantity.as_int64(text)) == row.get("as_int64", "None")
        assert quantity.value(text) == int(row["value"])
    if not is_beyond_int64(text, 1000):
        assert quantity.milli_value(text) == int(row["milli_value"])


@pytest.mark.parametrize("row", rows("quantity", "arithmetic"), ids=lambda row: f"{row['a']},{row['b']}")
def test_adds_and_compares_as_the_api_server_does(row):
    a, b = row["a"], row["b"]
    assert quantity.compare(a, b) == row["cmp"]
    assert (quantity.compare(a, b) == 0) is row["equal"]
    assert quantity.add(a, b) == row["sum"]
    assert quantity.subtract(a, b) == row["difference"]


@pytest.mark.parametrize(
    ("text", "units", "millis"),
    [
        ("999m", 1, 999),  # 0.999 rounds up to 1
        ("1000m", 1, 1000),
        ("1001m", 2, 1001),
        ("100n", 1, 1),  # 0.0001 millis round up to 1
        ("1.1Ki", 1127, 1126400),  # 1.1 * 1024 = 1126.4
        (0.1, 1, 100),
        (3, 3, 3000),
        (1e3, 1000, 1000000),
    ],
)
def test_values_round_up(text, units, millis):
    assert (quantity.value(text), quantity.milli_value(text)) == (units, millis)


@pytest.mark.parametrize("text", ["8E", "7Ei", "8Ei", "1e30", "100000000000000000000"])
def test_numbers_beyond_int64_are_clamped(text):
    assert quantity.milli_value(text) == MAX
    assert quantity.value(text) <= MAX


@pytest.mark.parametrize(
    ("text", "rounded"),
    [("500m", "500m"), ("0.5m", "1m"), ("1.0001", "1001m"), ("-0.5m", "-1m"), ("1", "1"), ("1u", "1m"), (2, 2)],
)
def test_rounds_up_to_milli(text, rounded):
    assert quantity.round_up_to_milli(text) == rounded


@pytest.mark.parametrize("text", ["", " 1", "1 ", "1..2", "1.2.3", "K", "1e3k", "１", "0x1", "nan", "inf", True])
def test_refuses_what_is_no_quantity(text):
    with pytest.raises(Invalid):
        quantity.parse(text)


@pytest.mark.parametrize("text", ["Ei", "+Pi", ".Ei", "e-10", "-.e-10"])
def test_a_number_without_digits_is_zero_only_where_it_is_short(text):
    with pytest.raises(Invalid, match=r"^unable to parse numeric part of quantity$"):
        quantity.read(text)
    assert quantity.value(text.replace("e-10", "m").replace("E", "M").replace("P", "K")) == 0
    assert quantity.value(text.replace(".", "").replace("E", "0E").replace("P", "0P").replace("e", "0e")) == 0


def test_refuses_an_exponent_that_would_exhaust_memory():
    with pytest.raises(Invalid):
        quantity.parse("1e999999999")


@pytest.mark.parametrize("text", ["9" * 5_000, "0." + "1" * 5_000, "1e" + "9" * 5_000])
def test_refuses_more_digits_than_a_number_can_need(text):
    with pytest.raises(Invalid, match="at most 1000 characters"):
        quantity.value(text)


def test_null_is_nothing():
    assert quantity.value(None) == 0


def test_an_integer_and_its_float_are_distinct_spellings():
    assert quantity.string_form(1) == "1"
    assert quantity.parse(1.0) == quantity.parse(1) == Fraction(1)


@pytest.mark.parametrize(("milli", "text"), [(0, "0"), (1, "1m"), (1500, "1500m"), (2000, "2"), (-500, "-500m")])
def test_formats_cpu(milli, text):
    assert quantity.format_cpu(milli) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (512, "512"), (1023, "1023"), (1024, "1Ki"), (1025, "1025"), (1536 * 2**20, "1536Mi"), (2**60, "1Ei")],
)
def test_formats_bytes(count, text):
    assert quantity.format_bytes(count) == text


@pytest.mark.parametrize(
    ("resource", "amounts", "texts"),
    [
        ("cpu", (48000, 7860, 0), ["48000m", "7860m", "0"]),
        ("cpu", (48000, 8000), ["48", "8"]),
        ("memory", (96 << 30, 61952 << 20, 0), ["98304Mi", "61952Mi", "0"]),
        ("memory", (1536, 512), ["1536", "512"]),
        ("memory", (0, 0), ["0", "0"]),
        ("example.com/gpu", (2048, 1), ["2048", "1"]),
    ],
)
def test_amounts_side_by_side_are_in_one_unit(resource, amounts, texts):
    assert quantity.format_together(resource, *amounts) == texts


@pytest.mark.parametrize(
    ("resource", "amounts", "texts"),
    [
        ("cpu", (6500, 4020, 0), ["6.5", "4.02", "0"]),
        ("cpu", (999, 50), ["999m", "50m"]),
        ("cpu", (1000, -50), ["1", "-0.05"]),
        ("cpu", (48000, 7860, 50), ["48", "7.86", "0.05"]),
        ("example.com/slots", (123456, 1), ["123456", "1"]),
        ("memory", (400 << 20, 1 << 30), ["400Mi", "1024Mi"]),
        ("memory", (512 << 20, 3 << 30), ["0.5Gi", "3Gi"]),
        ("memory", (1 << 40,), ["1024Gi"]),
        ("memory", (64 << 30, 110144 << 20, 1631536 << 20), ["64Gi", "≈107.56Gi", "≈1593.3Gi"]),
        ("memory", (256 << 20, 384 << 30, 20000 << 30), ["0.25Gi", "384Gi", "20000Gi"]),
        ("memory", (16 << 40, 1 << 40), ["16Ti", "1Ti"]),
        ("memory", (96 << 30, 61952 << 20, 0), ["96Gi", "60.5Gi", "0"]),
        ("memory", (60 << 30, 15_623_456 << 10), ["60Gi", "≈14.9Gi"]),
        ("memory", (10**12, 16 << 30), ["≈931.32Gi", "16Gi"]),
        ("memory", (10**12, 0), ["≈931.32Gi", "0"]),
        ("memory", (10**12, 10**12 - 1), ["1000000000000", "999999999999"]),
        ("memory", (15 << 30, (15 << 30) - 1), ["16106127360", "16106127359"]),
        ("memory", (2 << 40, 15_623_456 << 10), ["2048Gi", "≈14.9Gi"]),
        ("memory", (10**12, 300 << 20), ["≈931.32Gi", "≈0.29Gi"]),
        ("memory", (1 << 40, (1 << 40) + (256 << 20)), ["1024Gi", "1024.25Gi"]),
    ],
)
def test_amounts_of_a_sentence_are_short_and_look_alike_only_if_they_are(resource, amounts, texts):
    assert quantity.format_compared(resource, *amounts) == texts
