"""Forms over a manifest: rows and fields for what one edits often, and the whole object as YAML, kept in step.

Three manifests meet in a form: `base`, the stored object when the page was opened; `drawn`, what the fields showed
(the same, until somebody switches between rows and YAML); and what is stored now. A field counts as edited where it
differs from `drawn`; somebody else was faster where `base` differs from what is stored now.
"""

import copy
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from scheduler import store
from scheduler.admin import faults
from scheduler.admin.fields import YamlField, to_yaml
from scheduler.admin.history import MOST_LINES, diff
from scheduler.admin.packing import packed, unpacked
from scheduler.admin.paths import Path, dotted, found, put
from scheduler.admin.rows import Rows, RowsField
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import key_of
from scheduler.manifests.fields import refused_fields
from scheduler.models import Cluster
from scheduler.services import merge
from scheduler.services.admit import Admission, InvalidObject, kind_of

if TYPE_CHECKING:  # Django's own class takes no type argument when it runs
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm

TWICE = "This was changed here and in the YAML, and not to the same. Take one of the changes back."
DAMAGED = "This form did not arrive whole. Reload the page and repeat your change."
OTHER_NAME = "Kind, namespace and name cannot be changed; add a new object instead."


class ManifestForm(ModelForm):
    """`parts` maps a field to its place in the manifest."""

    manifest = YamlField(
        required=False,
        label="Manifest",
        help_text="The whole object. What Kubernetes does not know stays where it was, and is refused where it is new.",
    )
    base = forms.CharField(required=False, widget=forms.HiddenInput)
    drawn = forms.CharField(required=False, widget=forms.HiddenInput)

    kind = ""
    api_version = "v1"
    parts: dict[str, Path] = {}
    checking = False  # only bring rows and YAML in step; nothing is saved
    fault = ""  # why the save that came before this look at the form failed

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored: dict[str, Any] = (self.instance.manifest if self.instance.pk else None) or {}
        self.edited: list[str] = []
        self.theirs: list[tuple[str, str]] = []  # what somebody else saved meanwhile, as a diff
        self.in_yaml: list[str] = []  # what the API server would refuse, with the lines of the YAML
        self.before = self._sent("base", self.stored)
        self.shown = self._sent("drawn", self.before or {})
        for name, path in self.parts.items():
            if name in self.fields and (self.stored or name not in self.initial):
                self.initial[name] = found(self.stored, path)
        self.initial.update(manifest=self.stored, base=packed(self.stored), drawn="")

    def _sent(self, name: str, otherwise: dict[str, Any]) -> dict[str, Any] | None:
        text = self.data.get(name, "") if self.is_bound else ""
        return unpacked(text) if text else otherwise

    # --- what was sent ----------------------------------------------------------------------------------------------

    def is_valid(self) -> bool:
        return super().is_valid() and not self.checking

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cluster = self.instance.cluster if self.instance.pk else cleaned.get("cluster")
        if self.before is None or self.shown is None:
            raise ValidationError(DAMAGED)
        if self.fault:
            self.add_error(None, self.fault)
        written = self._written(cleaned)
        if self.errors or not isinstance(cluster, Cluster):
            return cleaned
        self.result = self.assembled(cleaned, written)
        if not self.errors:
            self._check_identity()
        if not self.errors and self.before != self.stored:
            self._take_turns()
        elif self.checking and not self.errors:
            self.show(self.result)
        if not self.errors:
            self._check(cluster)
        return cleaned

    def _written(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The parts that were edited, as they are to stand in the manifest."""
        made = {}
        for name, path in self.parts.items():
            if name not in cleaned or self.fields[name].widget.value_omitted_from_data(self.data, self.files, name):
                continue
            try:
                value, before = self._value(name, cleaned[name], found(self.shown or {}, path))
            except ValidationError as fault:
                faults.mark(self.fields[name].widget, fault)
                self.add_error(name, fault)
                continue
            if value != before:
                made[name] = value
        self.edited = list(made)
        return made

    def _value(self, name: str, sent: Any, drawn: Any) -> tuple[Any, Any]:
        field = self.fields[name]
        if isinstance(field, RowsField):
            return field.written(sent or Rows(), drawn), drawn
        return sent, field.to_python(drawn)

    def assembled(self, cleaned: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
        """The manifest as it was written, with the edited parts in it."""
        manifest = copy.deepcopy(cleaned["manifest"] or self.shown or {})
        if manifest != self.shown:
            self.edited.append("manifest")
        manifest.setdefault("apiVersion", self.api_version)
        if self.kind:
            manifest.setdefault("kind", self.kind)
        for name, value in written.items():
            path = self.parts[name]
            sides = (found(self.shown or {}, path), value, found(manifest, path))
            empty: Any = {} if isinstance(value, dict) else None
            both, clashes = merge.merged(*(empty if side is None else side for side in sides))
            if clashes:
                self.add_error(name, TWICE)
            put(manifest, path, both)
        return manifest

    # --- what is wrong with it --------------------------------------------------------------------------------------

    def _check_identity(self) -> None:
        try:
            kind = kind_of(self.result)
            key = key_of(kind, self.result)
        except Invalid as fault:
            raise ValidationError({"manifest": str(fault)}) from fault
        except (AttributeError, TypeError):
            return  # its shape is wrong, which is told with all else
        if self.kind and kind != self.kind:
            raise ValidationError({"manifest": f"kind must be {self.kind}, not {kind}."})
        if self.instance.pk and key != key_of(kind_of(self.stored), self.stored):
            raise ValidationError({"manifest": OTHER_NAME})

    def _check(self, cluster: Cluster) -> None:
        """The API server's own checks, each told at the field that it is about."""
        text = self.data.get("manifest") or to_yaml(self.result)
        for one in (*refused_fields(self.result, self.stored), *self.refusals(cluster)):
            name = self.field_of(one.path)
            if name != "manifest":
                faults.mark_path(self.fields[name].widget, self[name].value(), self.parts[name], one)
            self.in_yaml.append(faults.told_at(one, text))
            self.add_error(name, faults.told_at(one, text if name == "manifest" else ""))

    def refusals(self, cluster: Cluster) -> Sequence[Invalid]:
        try:
            with store.reading(cluster.pk) as simulation:
                admission = Admission(simulation)
                admission.apply(self.result) if self.instance.pk else admission.create(self.result)
        except InvalidObject as fault:
            return fault.faults
        except Invalid as fault:
            return (fault,)
        return ()

    def field_of(self, path: str) -> str:
        """The form field nearest to a path of the manifest."""
        near = [
            name for name, place in self.parts.items() if name in self.fields and faults.is_below(path, dotted(place))
        ]
        return max(near, key=lambda name: len(self.parts[name]), default="manifest")

    def _take_turns(self) -> None:
        """Somebody else saved this object meanwhile: show both changes together, and ask."""
        base = self.before or {}
        whole, clashes = merge.merged(base, self.result, self.stored)
        self.result = whole
        self.show(whole)
        self.theirs = list(islice(diff(base, self.stored), MOST_LINES))
        self.add_error(None, faults.overtaken(merge.changed_paths(base, self.stored), clashes))

    # --- what is drawn ----------------------------------------------------------------------------------------------

    def show(self, manifest: dict[str, Any]) -> None:
        """Draw rows and YAML anew from `manifest`; the text of the YAML stays where it says the same."""
        data = QueryDict(mutable=True)
        data.update(self.data)  # a QueryDict is taken with all its lists
        if self.cleaned_data.get("manifest") != manifest:
            data["manifest"] = to_yaml(manifest)
        data["base"], data["drawn"] = packed(self.stored), packed(manifest)
        for name, path in self.parts.items():
            field, value = self.fields.get(name), found(manifest, path)
            if isinstance(field, RowsField):
                field.widget.write(data, name, field.rows(value))
            elif isinstance(field, forms.BooleanField):
                data.pop(name, None)
                if value:
                    data[name] = "on"
            elif field is not None:
                data[name] = "" if value is None else str(value)
        self.data = data

    @property
    def unread(self) -> str:
        """The panel that keeps the other from being brought in step: what is written there cannot be read."""
        if not self.checking or hasattr(self, "result"):
            return ""
        return "yaml" if "manifest" in self.errors else "rows"

    @property
    def changed_data(self) -> list[str]:  # known after cleaning
        return self.edited

    def _post_clean(self) -> None:
        """The row is written by the event that follows, not by this form; its own checks do not apply."""
