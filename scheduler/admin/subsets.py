"""The subsets of a UnitedDeployment as lines of a form: a name, numbers, and labels that its nodes have."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError

from scheduler.admin.fields import TextField, lines_of

Subset = dict[str, Any]
NUMBERS = {"replicas": "replicas", "min": "minReplicas", "max": "maxReplicas"}


class SubsetsField(TextField):
    """Lines of `name min=0 max=50% zone=a,b`; its Python value is a list of subsets with as much as a line says."""

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(_line(one) for one in value if isinstance(one, dict)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[Subset]:
        if isinstance(value, list):
            return value
        return [_subset(number, line) for number, line in lines_of(self.text(value))]

    def has_changed(self, initial: Any, data: Any) -> bool:
        """What no line says does not count."""
        before = [line for _, line in lines_of(self.text(self.prepare_value(initial or [])))]
        return before != [" ".join(line.split()) for _, line in lines_of(self.text(data))]


def joined(stored: Any, written: Sequence[Subset]) -> list[Subset]:
    """The written subsets; what lines do not tell of (tolerations, patch, other expressions) stays as it is stored."""
    known = {one.get("name"): one for one in stored or () if isinstance(one, dict)}
    return [_joined(known.get(one["name"], {}), one) for one in written]


def _joined(stored: Subset, written: Subset) -> Subset:
    told = {*NUMBERS.values(), "nodeSelectorTerm"}
    made = {key: value for key, value in stored.items() if key not in told} | written
    term = dict(stored.get("nodeSelectorTerm") or {})
    kept = [one for one in term.pop("matchExpressions", None) or () if not _is_told(one)]
    expressions = [*made.pop("nodeSelectorTerm", {}).get("matchExpressions", ()), *kept]
    if expressions:
        term["matchExpressions"] = expressions
    return {**made, "nodeSelectorTerm": term} if term else made


def _is_told(expression: Any) -> bool:
    return isinstance(expression, dict) and expression.get("operator") == "In" and bool(expression.get("values"))


def _line(subset: Subset) -> str:
    words = [str(subset.get("name", ""))]
    words += [f"{short}={subset[long]}" for short, long in NUMBERS.items() if subset.get(long) is not None]
    for one in (subset.get("nodeSelectorTerm") or {}).get("matchExpressions") or ():
        if _is_told(one):
            words.append(f"{one.get('key')}={','.join(map(str, one['values']))}")
    return " ".join(words)


def _subset(number: int, line: str) -> Subset:
    name, *words = line.split()
    made: Subset = {"name": name}
    expressions = []
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key or not value:
            raise ValidationError(f"Line {number}: write min=0, max=50%, replicas=3 or label=value, not “{word}”.")
        if key in NUMBERS:
            made[NUMBERS[key]] = int(value) if value.isascii() and value.isdigit() else value
        else:
            expressions.append({"key": key, "operator": "In", "values": value.split(",")})
    if expressions:
        made["nodeSelectorTerm"] = {"matchExpressions": expressions}
    return made
