"""Go's float arithmetic where Python's differs: the natural logarithm, and rounding."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework import Int64Array

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_L1, _L2, _L3 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01
_L4, _L5 = 2.222219843214978396e-01, 1.818357216161805012e-01
_L6, _L7 = 1.531383769920937332e-01, 1.479819860511658591e-01


def log(number: float) -> float:
    """Go's math.Log of a positive number, the FreeBSD algorithm: Python's is one unit off for some integers."""
    fraction, exponent = math.frexp(number)
    if fraction < math.sqrt(2) / 2:
        fraction, exponent = fraction * 2, exponent - 1
    f, k = fraction - 1, float(exponent)
    s = f / (2 + f)
    s2 = s * s
    s4 = s2 * s2
    odd = s2 * (_L1 + s4 * (_L3 + s4 * (_L5 + s4 * _L7)))
    even = s4 * (_L2 + s4 * (_L4 + s4 * _L6))
    half_square = 0.5 * f * f
    return k * _LN2_HIGH - ((half_square - (s * (half_square + (odd + even)) + k * _LN2_LOW)) - f)


def rounded(numbers: NDArray[np.float64]) -> Int64Array:
    """math.Round, then int64: halves away from zero."""
    size = np.abs(numbers)
    whole = np.floor(size)
    signed: Int64Array = np.copysign(whole + (size - whole >= 0.5), numbers).astype(np.int64)
    return signed
