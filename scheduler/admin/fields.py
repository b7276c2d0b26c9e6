"""Form fields that speak Kubernetes: a manifest as YAML, labels and taints as lines, quantities checked."""

import re
from typing import Any

import yaml
from django import forms
from django.core.exceptions import ValidationError

from scheduler.engine.errors import Invalid
from scheduler.engine.values import quantity
from scheduler.manifests.faults import FileError
from scheduler.manifests.limits import MIB, Limits
from scheduler.manifests.yaml_reader import read_yaml

LIMITS = Limits(total_bytes=MIB, yaml_bytes=MIB, objects=2)
EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


class _Dumper(yaml.CSafeDumper):
    """Writes every value out instead of pointing back to an equal one."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(value: Any) -> str:
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    return text


def _area(rows: int, **attrs: str) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "class": "lines", "spellcheck": "false", **attrs})


class TextField(forms.Field):
    """Text of several lines that means something else in Python."""

    widget = _area(4)

    def text(self, value: Any) -> str:
        return "" if value is None else str(value).replace("\r\n", "\n").strip()

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or self.to_python("")))
        except ValidationError:
            return True


class YamlField(TextField):
    """One YAML (or JSON) document that is a mapping; its Python value is that mapping."""

    widget = _area(24)

    def prepare_value(self, value: Any) -> Any:
        return to_yaml(value) if isinstance(value, dict) else value

    def to_python(self, value: Any) -> dict[str, Any]:
        text = self.text(value)
        if not text:
            return {}
        if len(text) > LIMITS.yaml_bytes:
            raise ValidationError("This is longer than 1 MiB.")
        try:
            items = list(read_yaml("manifest", text, LIMITS))
        except FileError as fault:
            raise ValidationError(f"Line {fault.fault.line}: {fault.fault.message}") from None
        if len(items) != 1 or not isinstance(items[0].value, dict):
            raise ValidationError("Write exactly one object here.")
        for line, message in items[0].faults:
            raise ValidationError(f"Line {line}: {message}")
        return dict(items[0].value)


class PairsField(TextField):
    """Lines of `key=value`; its Python value is a dict."""

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(f"{key}={one}" for key, one in value.items()) if isinstance(value, dict) else value

    def to_python(self, value: Any) -> dict[str, str]:
        pairs: dict[str, str] = {}
        for number, line in lines_of(self.text(value)):
            key, equals, one = line.partition("=")
            if not equals or not key.strip():
                raise ValidationError(f"Line {number}: write key=value, not “{line}”.")
            if key.strip() in pairs:
                raise ValidationError(f"Line {number}: “{key.strip()}” is there twice.")
            pairs[key.strip()] = one.strip()
        return pairs


class QuantitiesField(PairsField):
    """Lines of `resource=quantity`, each a quantity that Kubernetes reads."""

    def to_python(self, value: Any) -> dict[str, str]:
        pairs = super().to_python(value)
        for name, amount in pairs.items():
            try:
                if quantity.sign(amount) < 0:
                    raise ValidationError(f"{name}: {amount} is negative.")
            except Invalid:
                raise ValidationError(f"{name}: “{amount}” is not a quantity; write 500m, 4, 1536Mi or 16Gi.") from None
        return pairs


class TaintsField(TextField):
    """Lines of `key=value:Effect` or `key:Effect`, as kubectl taint takes them; its Python value is a list."""

    widget = _area(3)
    pattern = re.compile(r"(?P<key>[^=:\s]+)(=(?P<value>[^=:\s]*))?:(?P<effect>\w+)")

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return "\n".join(f"{t['key']}{'=' + t['value'] if t.get('value') else ''}:{t.get('effect', '')}" for t in value)

    def to_python(self, value: Any) -> list[dict[str, str]]:
        taints = []
        for number, line in lines_of(self.text(value)):
            match = self.pattern.fullmatch(line)
            if match is None or match["effect"] not in EFFECTS:
                raise ValidationError(
                    f"Line {number}: write key=value:Effect, not “{line}”; effects are {', '.join(EFFECTS)}."
                )
            taints.append({name: text for name, text in match.groupdict().items() if text})
        return taints


def lines_of(text: str) -> list[tuple[int, str]]:
    """Non-empty lines with their number."""
    return [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
