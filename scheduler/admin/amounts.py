"""What a quantity that somebody writes stands for: `250m` of cpu is 0.25 CPU, `1Gi` of memory so many bytes."""

from scheduler.engine.errors import Invalid
from scheduler.engine.values import quantity

NOT_ONE = "not a quantity"
NEGATIVE = "less than 0"


def amount_told(resource: str, text: str) -> str:
    """As the scheduler counts it: cpu in thousandths, all else in whole units, rounded up."""
    try:
        if quantity.sign(text) < 0:
            return NEGATIVE
        if resource == "cpu":
            return f"{_decimal(quantity.milli_value(text))} CPU"
        units = f"{quantity.value(text):,}"
    except Invalid:
        return NOT_ONE
    name = resource.removeprefix("requests.").removeprefix("limits.")
    return f"{units} bytes" if name == "storage" or quantity.is_bytes(name) else units


def _decimal(milli: int) -> str:
    """Thousandths as a decimal number without zeros at its end."""
    whole, rest = divmod(milli, 1000)
    return f"{whole:,}.{rest:03}".rstrip("0").rstrip(".")
