"""A manifest as YAML in a form."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scheduler.manifests.export import yaml_text
from scheduler.manifests.faults import FileError
from scheduler.manifests.limits import MIB, Limits
from scheduler.manifests.yaml_reader import read_yaml

LIMITS = Limits(total_bytes=MIB, yaml_bytes=MIB, objects=2)


def to_yaml(value: Any) -> str:
    return yaml_text(value)


class YamlField(forms.Field):
    """One YAML (or JSON) document that is a mapping; its Python value is that mapping."""

    widget = forms.Textarea(attrs={"rows": 24, "class": "lines", "spellcheck": "false", "wrap": "off"})

    def prepare_value(self, value: Any) -> Any:
        return (to_yaml(value) if value else "") if isinstance(value, dict) else value

    def to_python(self, value: Any) -> dict[str, Any]:
        text = "" if value is None else str(value).replace("\r\n", "\n").strip()
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

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or {}))
        except ValidationError:
            return True
