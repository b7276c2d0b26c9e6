"""What bulk actions ask for."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scheduler.admin import faults
from scheduler.admin.columns import TaintRows
from scheduler.admin.rows import Rows

MOST_COPIES = 500


class TaintForm(forms.Form):
    taints = TaintRows(help_text="A taint of the same key and effect is replaced.", initial=Rows())

    def clean_taints(self) -> list[dict[str, Any]]:
        field = self.fields["taints"]
        assert isinstance(field, TaintRows)
        try:
            made: list[dict[str, Any]] = field.written(self.cleaned_data["taints"] or Rows(), [])
        except ValidationError as fault:
            faults.mark(field.widget, fault)
            raise
        if not made:
            raise ValidationError("Required value: write one taint at least.")
        return made


class CopiesForm(forms.Form):
    copies = forms.IntegerField(min_value=1, max_value=MOST_COPIES, initial=1, help_text="New ones of each.")


class ReplicasForm(forms.Form):
    replicas = forms.IntegerField(min_value=0, max_value=1_000_000)


class DrainForm(forms.Form):
    ignore_budgets = forms.BooleanField(
        required=False,
        label="Ignore disruption budgets",
        help_text="Delete also pods that a PodDisruptionBudget protects, as kubectl drain --disable-eviction does.",
    )
