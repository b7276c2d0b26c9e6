"""Kubernetes quantities, exact: `500m`, `1.5Gi`, `1e3`. Nothing here is ever a float.

Source: apimachinery api/resource v0.34.1. Numbers beyond int64, where the original overflows, are clamped.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import Quantity

DECIMAL_SI, BINARY_SI, DECIMAL_EXPONENT = "DecimalSI", "BinarySI", "DecimalExponent"
MAX_INT64 = 2**63 - 1
_LONGEST = 1000
_DIGITS, _LONG = 4, 10  # what can be read in a sentence: `6500Mi`, `≈1057.92Gi`
_MILLI = 1000
_GIBI, _FEW = 3, 8
NANO = 10**9

BAD_SHAPE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
BAD_SUFFIX = "unable to parse quantity's suffix"
BAD_NUMBER = "unable to parse numeric part of quantity"

_SHAPE = re.compile(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)", re.ASCII)
_DIGIT = re.compile(r"[-+]?\.?[0-9]", re.ASCII)
_EXPONENT = re.compile(r"[eE]([-+]?[0-9]+)", re.ASCII)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY_SUFFIX = ("", *_BINARY)


class Amount(NamedTuple):
    """A parsed quantity. `scale`: decimal exponent of the int64 form, None where the original needs big decimals.

    `spelling`: the text that is echoed instead of the canonical form; "" if there is none.
    """

    value: Fraction
    format: str = DECIMAL_SI
    scale: int | None = None
    spelling: str = ""


ZERO = Amount(Fraction(0), "", 0)


@lru_cache(maxsize=65536, typed=True)
def read(q: Quantity | None) -> Amount:
    """The parsed quantity; null is zero. Numbers count as their shortest spelling. Raises Invalid."""
    if q is None:
        return ZERO
    text = q if isinstance(q, str) else repr(q)
    shape = _SHAPE.fullmatch(text) if text else None
    if shape is None:
        raise Invalid(BAD_SHAPE)
    if len(text) > _LONGEST:
        raise Invalid(f"quantities have at most {_LONGEST} characters")
    sign, digits, decimals, suffix = shape[1], shape[2] or "0", shape[3] or "", shape[4]
    base, exponent, format_ = _interpret(suffix)
    if abs(exponent) > 1000:
        raise Invalid("exponent is out of range")
    exact = Fraction(int(digits + decimals), 10 ** len(decimals)) * Fraction(base) ** exponent
    scale = _int64_scale(len(digits), len(decimals), exponent, format_)
    if scale is None and not _DIGIT.match(text):
        raise Invalid(BAD_NUMBER)
    spelling = text if scale is not None and _is_echoed(digits + decimals, scale, format_) else ""
    value = Fraction(-(-exact * NANO // 1), NANO)
    if format_ == BINARY_SI:
        value = min(value, Fraction(MAX_INT64))
        if scale is None and 0 < value < 1:
            format_ = DECIMAL_SI
    return Amount(-value if sign == "-" else value, format_, scale, spelling)


def _interpret(suffix: str) -> tuple[int, int, str]:
    """Base, exponent and format that a suffix stands for."""
    if suffix in _DECIMAL:
        return 10, _DECIMAL[suffix], DECIMAL_SI
    if suffix in _BINARY:
        return 2, _BINARY[suffix], BINARY_SI
    if power := _EXPONENT.fullmatch(suffix):
        return 10, int(power[1]), DECIMAL_EXPONENT
    raise Invalid(BAD_SUFFIX)


def _int64_scale(digits: int, decimals: int, exponent: int, format_: str) -> int | None:
    """The decimal exponent if the original keeps the number as an int64, else None. Counts are numbers of digits."""
    if format_ == BINARY_SI:
        return 0 if not decimals and 14 - digits - exponent * 3 // 10 >= 0 else None
    scale = exponent - decimals
    return scale if digits + decimals <= 18 and scale >= -9 else None


def _is_echoed(digits: str, scale: int, format_: str) -> bool:
    if format_ == BINARY_SI:
        return int(digits) % 8 != 0
    return scale % 3 == 0 and not digits.endswith("000") and not digits.startswith("0")


def parse(q: Quantity | None) -> Fraction:
    """The exact value, rounded up to nano. Raises Invalid with Kubernetes' texts."""
    return read(q).value


def value(q: Quantity | None) -> int:
    """Whole units (bytes, pods, devices), rounded away from zero."""
    return _scaled(read(q), 1)


def milli_value(q: Quantity | None) -> int:
    """Thousandths (millicores), rounded away from zero."""
    return _scaled(read(q), 1000)


def _scaled(amount: Amount, factor: int) -> int:
    exact = amount.value * factor
    if exact >= 0:
        return min(-(-exact // 1), MAX_INT64)
    if amount.scale is None and exact.denominator != 1:
        return max(-(-exact // 1) + 1, -MAX_INT64)  # the original truncates a big decimal, then adds one
    return max(exact // 1, -MAX_INT64)


def as_int64(q: Quantity | None) -> int | None:
    """The value if the original can give it as an int64 without rounding or big decimals, else None."""
    amount = read(q)
    if amount.scale is None or amount.scale < 0 or abs(amount.value) > MAX_INT64:
        return None
    return int(amount.value)


def sign(q: Quantity | None) -> int:
    exact = parse(q)
    return (exact > 0) - (exact < 0)


def compare(a: Quantity, b: Quantity) -> int:
    """-1, 0 or 1."""
    left, right = parse(a), parse(b)
    return (left > right) - (left < right)


def add(a: Quantity, b: Quantity) -> str:
    """Canonical sum in the format of the first operand that is not zero."""
    return _combine(read(a), read(b), read(a).value + read(b).value)


def subtract(a: Quantity, b: Quantity) -> str:
    """Canonical difference in the format of the first operand that is not zero."""
    return _combine(read(a), read(b), read(a).value - read(b).value)


def _combine(a: Amount, b: Amount, result: Fraction) -> str:
    return canonical_form(result, a.format if a.value else b.format)


def canonical(q: Quantity | None) -> str:
    """The normal form: `0.5` is `500m`, `1.5Gi` is `1536Mi`."""
    amount = read(q)
    return canonical_form(amount.value, amount.format)


def string_form(q: Quantity | None) -> str:
    """What kubectl shows: the spelling if it is nearly canonical (`+1`, `1E3`), else the canonical form."""
    return read(q).spelling or canonical(q)


def canonical_form(exact: Fraction, format_: str) -> str:
    """`exact` (a multiple of nano) written in a format."""
    if not exact:
        return "0"
    if format_ == BINARY_SI and abs(exact) >= 1024 and exact.denominator == 1:
        mantissa, power = _factor_out(int(exact), 1024, len(_BINARY_SUFFIX) - 1)
        return f"{mantissa}{_BINARY_SUFFIX[power]}"
    mantissa, power = _factor_out(int(exact * NANO), 1000, None)
    exponent = power * 3 - 9
    if format_ == DECIMAL_EXPONENT or exponent not in _DECIMAL_SUFFIX:
        return f"{mantissa}e{exponent}" if exponent else str(mantissa)
    return f"{mantissa}{_DECIMAL_SUFFIX[exponent]}"


def _factor_out(number: int, base: int, most: int | None) -> tuple[int, int]:
    """`number` without its factors of `base`, and how many there were (at most `most`)."""
    power = 0
    while number % base == 0 and power != most:
        number //= base
        power += 1
    return number, power


@lru_cache(maxsize=65536, typed=True)
def round_up_to_milli(q: Quantity) -> Quantity:
    """q itself if it has no digits below milli, else the next milli away from zero, as API defaulting does."""
    amount = read(q)
    milli = amount.value * 1000
    if milli.denominator == 1:
        return q
    return canonical_form(Fraction(milli // 1 if milli < 0 else -(-milli // 1), 1000), amount.format)


def format_cpu(milli: int) -> str:
    """Millicores for people: `1500m`, `2`."""
    return str(milli // 1000) if milli % 1000 == 0 else f"{milli}m"


def format_bytes(count: int) -> str:
    """Bytes for people, exact: `1536Mi`, `512`."""
    return canonical_form(Fraction(count), BINARY_SI)


def format_amount(resource: str, amount: int) -> str:
    """An amount as the engine counts it (cpu in milli, all else in units), for people: `500m`, `2Gi`, `4`."""
    return format_together(resource, amount)[0]


def format_compared(resource: str, *amounts: int) -> list[str]:
    """Amounts that people compare, in one unit: of cpu whole ones and parts of them, `48` and `7.86`, thousandths only
    where all are less than one; bytes in the unit of the largest, or in Gi, if two digits are enough, else as whole
    numbers of four digits, else rounded, `96Gi` and `≈14.9Gi`, but different amounts never look alike.
    """
    exact = format_together(resource, *amounts)
    if resource == "cpu" and max(map(abs, amounts), default=0) >= _MILLI:
        return [_cores(amount) for amount in amounts]
    if not is_bytes(resource) or not any(amounts):
        return exact
    least, most = (_power(size) for size in (min(amount for amount in amounts if amount), max(amounts)))
    for power in (most, min(most, _GIBI)):
        told = [_about(amount, power) for amount in amounts]
        if not any(one.startswith("≈") for one in told):
            return told
    if all(len(one.rstrip("KMGTPEi")) <= _DIGITS for one in exact):
        return exact
    for power in (least, most, max(most - 1, 0)):
        told = [_about(amount, power) for amount in amounts]
        if max(map(len, told)) <= _LONG and len({one.strip("≈") for one in told}) == len(set(amounts)):
            return told
    return exact


def _cores(milli: int) -> str:
    whole, parts = divmod(abs(milli), _MILLI)
    return f"{'-' if milli < 0 else ''}{whole}.{parts:03d}".rstrip("0").removesuffix(".")


def _power(size: int) -> int:
    """Of 1024: of the largest unit in which this many bytes are one or more; a few Ti are told in Gi, as nodes are."""
    power = min((size.bit_length() - 1) // 10, len(_BINARY_SUFFIX) - 1)
    return power - 1 if power > _GIBI and size < _FEW << 10 * power else power


def _about(amount: int, power: int) -> str:
    if not amount:
        return "0"
    hundredths, rest = divmod(amount * 100, 1 << 10 * power)
    whole, parts = divmod(hundredths + (rest >> 10 * power - 1 if power else 0), 100)
    text = f"{whole}.{parts:02d}".rstrip("0").removesuffix(".")
    return f"{'≈' if rest else ''}{text}{_BINARY_SUFFIX[power]}"


def is_bytes(resource: str) -> bool:
    """Whether a resource is counted in bytes."""
    return resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-")


def format_together(resource: str, *amounts: int) -> list[str]:
    """Amounts that stand side by side, all in the largest unit that leaves each a whole number: `7860m`, `48000m`."""
    if resource == "cpu":
        whole = not any(amount % 1000 for amount in amounts)
        return [str(amount // 1000) if whole or not amount else f"{amount}m" for amount in amounts]
    if is_bytes(resource):
        common = math.gcd(*amounts)
        _, power = _factor_out(common, 1024, len(_BINARY_SUFFIX) - 1) if common else (0, 0)
        return [f"{amount >> 10 * power}{_BINARY_SUFFIX[power]}" if amount else "0" for amount in amounts]
    return [str(amount) for amount in amounts]
