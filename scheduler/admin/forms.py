"""Forms over a manifest: the fields that one edits often, and below them the whole object as YAML."""

import copy
import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from django import forms
from django.core.exceptions import ValidationError

from scheduler import store
from scheduler.admin.fields import YamlField
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import key_of
from scheduler.models import Cluster
from scheduler.services.admit import Admission, kind_of

if TYPE_CHECKING:  # Django's own class takes no type argument when it runs
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm

STALE = "Somebody changed this object meanwhile. Open it again and repeat your change."


class ManifestForm(ModelForm):
    """`parts` maps a field to its place in the manifest. Only parts that were edited are written over the YAML."""

    manifest = YamlField(
        required=False,
        label="Manifest",
        help_text="The whole object. What you change in the fields above is written into it on saving.",
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    kind = ""
    api_version = "v1"
    parts: dict[str, tuple[str, ...]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored = self.instance.manifest if self.instance.pk else None
        self.stored: dict[str, Any] = stored or {}
        for name, path in self.parts.items():
            if name in self.fields:
                self.initial[name] = self.fields[name].to_python("") if stored is None else found(stored, path)
                if self.initial[name] is None:
                    self.initial[name] = self.fields[name].to_python("")
        self.initial["manifest"] = self.stored
        self.initial["seen"] = fingerprint(self.stored)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cluster = self.instance.cluster if self.instance.pk else cleaned.get("cluster")
        if self.errors or not isinstance(cluster, Cluster):
            return cleaned
        if self.instance.pk and cleaned.get("seen") not in ("", fingerprint(self.stored)):
            raise ValidationError(STALE)
        self.result = self.assembled(cleaned)
        self._check_identity()
        self._check(cluster)
        return cleaned

    def assembled(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The manifest as edited, with the edited fields written into it."""
        manifest = copy.deepcopy(cleaned["manifest"] or self.stored)
        manifest.setdefault("apiVersion", self.api_version)
        if self.kind:
            manifest.setdefault("kind", self.kind)
        for name, path in self.parts.items():
            if name in self.changed_data:
                put(manifest, path, cleaned[name])
        return manifest

    def _check_identity(self) -> None:
        try:
            kind = kind_of(self.result)
        except Invalid as fault:
            raise ValidationError({"manifest": str(fault)}) from fault
        if self.kind and kind != self.kind:
            raise ValidationError({"manifest": f"kind must be {self.kind}, not {kind}."})
        if self.instance.pk and key_of(kind, self.result) != key_of(kind_of(self.stored), self.stored):
            raise ValidationError({"manifest": "Kind, namespace and name cannot be changed; add a new object instead."})

    def _check(self, cluster: Cluster) -> None:
        """The API server's own checks, each told at the field that it is about."""
        try:
            with store.reading(cluster.pk) as simulation:
                admission = Admission(simulation)
                admission.apply(self.result) if self.instance.pk else admission.create(self.result)
        except Invalid as fault:
            for one in getattr(fault, "faults", (fault,)):
                self.add_error(self.field_of(one.path), ValidationError(str(one)))

    def field_of(self, path: str) -> str:
        """The form field nearest to a path of the manifest."""
        for name, place in self.parts.items():
            if name in self.fields and place and path.startswith(".".join(place)):
                return name
        return "manifest"

    def _post_clean(self) -> None:
        """The row is written by the event that follows, not by this form; its own checks do not apply."""


def found(manifest: dict[str, Any], path: Iterable[str]) -> Any:
    """The value at a path, None where there is none."""
    value: Any = manifest
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def put(manifest: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set the value at a path; something empty is taken out instead."""
    place = manifest
    for step in path[:-1]:
        if not isinstance(place.get(step), dict):
            place[step] = {}
        place = place[step]
    if value is None or value is False or value in ("", [], {}):  # 0 is a value
        place.pop(path[-1], None)
    else:
        place[path[-1]] = value


def fingerprint(manifest: dict[str, Any]) -> str:
    """Tells two versions of an object apart."""
    return hashlib.blake2b(msgspec.json.encode(manifest), digest_size=8).hexdigest() if manifest else ""
