"""What the webhook refuses. Source: kruise pkg/webhook/uniteddeployment/validating. All faults are told at once."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine import objects
from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, decode
from scheduler.engine.uniteddeployment.validation import numbers, subsets, template, update
from scheduler.engine.validation import metadata, wrong_type
from scheduler.engine.validation.rules import fault


def validate(manifest: dict[str, Any]) -> list[Invalid]:
    """The faults of a manifest, [] if there is none. It is taken as it stands: defaulting comes before."""
    try:
        return _faults(decode(objects.null_free(manifest)))
    except msgspec.ValidationError as error:
        return [wrong_type(error)]
    except (AttributeError, TypeError, ValueError):  # fields that the API server's schema would have refused before
        return [Invalid("has fields of another type than the API has", "spec")]


def validate_update(old: dict[str, Any], new: dict[str, Any]) -> list[Invalid]:
    """What may not change from a valid manifest to the next. Whether `new` is valid is another question."""
    return list(update.changes(decode(objects.null_free(old)), decode(objects.null_free(new))))


def _faults(ud: UnitedDeployment) -> list[Invalid]:
    found = list(metadata.metadata("UnitedDeployment", ud.metadata))
    if ud.spec.replicas is not None and ud.spec.replicas < 0:
        found.append(fault("spec.replicas", ud.spec.replicas, "must be greater than or equal to 0"))
    return [*found, *template.faults(ud), *subsets.faults(ud), *numbers.faults(ud), *subsets.strategy(ud)]
