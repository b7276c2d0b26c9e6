"""Selector and template: they must fit together, and nothing in the template may be set that each subset overrides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from scheduler.engine import labels, objects
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import LabelSelector
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind
from scheduler.engine.validation import affinity, metadata, pods, wrong_type
from scheduler.engine.validation.rules import fault, required
from scheduler.engine.values import syntax

_STATEFUL = (WorkloadKind.STATEFUL_SET, WorkloadKind.ADVANCED_STATEFUL_SET)
_CHECKED = (*_STATEFUL, WorkloadKind.DEPLOYMENT)
_SPEC = f"spec.template.{WorkloadKind.STATEFUL_SET.field}.spec"
_UNFIT = "`selector` does not match template `labels`"


def faults(ud: UnitedDeployment) -> Iterator[Invalid]:
    """What is wrong with the selector, or with the template that must fit it."""
    selector, complaints = _selector(ud)
    yield from complaints
    given = [kind for kind in WorkloadKind if (ud.spec.template or {}).get(kind.field) is not None]
    if ud.reserves and any(kind in _STATEFUL for kind in given):
        detail = "only stateless workloads (Deployment and CloneSet) are supported"
        yield fault("spec.topology.scheduleStrategy", "Adaptive", detail)
    if selector is None:
        return
    names = ", ".join(kind.field for kind in WorkloadKind)
    if not given:
        yield required("spec.template", f"should provide one of {names}")
    elif len(given) > 1:
        yield fault("spec.template", [kind.field for kind in given], f"should provide only one of {names}")
    checked = next((kind for kind in _CHECKED if kind in given), None)
    if checked is not None:
        yield from _workload(checked, (ud.spec.template or {})[checked.field], selector)
    if checked is WorkloadKind.STATEFUL_SET:
        yield from _stateful(ud.template.get("spec") or {}, complaints)


def stateful_spec(ud: UnitedDeployment) -> Iterator[Invalid]:
    """What is wrong with the spec of a StatefulSet template, be it new or changed."""
    selector, complaints = _selector(ud)
    spec = ud.template.get("spec") or {}
    template = spec.get("template") or {}
    if selector is not None:
        yield from _unfit(f"{_SPEC}.template.metadata.labels", template, selector)
    yield from _pod_template(WorkloadKind.STATEFUL_SET, f"{_SPEC}.template", template)
    yield from _stateful(spec, complaints)


def _stateful(spec: dict[str, Any], complaints: list[Invalid]) -> Iterator[Invalid]:
    """A StatefulSet has the selector for its own; and no rolling update goes with OnDelete."""
    strategy = spec.get("updateStrategy") or {}
    if strategy.get("type") == "OnDelete" and strategy.get("rollingUpdate") is not None:
        detail = "only allowed for updateStrategy 'RollingUpdate'"
        yield fault(f"{_SPEC}.updateStrategy.rollingUpdate", strategy["rollingUpdate"], detail)
    for one in complaints:
        yield Invalid(one.message, f"spec.template.{WorkloadKind.STATEFUL_SET.field}.{one.path}")


def _selector(ud: UnitedDeployment) -> tuple[labels.Selector | None, list[Invalid]]:
    """None where the selector cannot be read: then no rule of the template is looked at."""
    if ud.spec.selector is None:
        return labels.NOTHING, [required("spec.selector")]
    given = msgspec.convert(ud.spec.selector, LabelSelector)
    complaints = list(affinity.label_selector("spec.selector", given))
    if not given.match_labels and not given.match_expressions:
        complaints.append(fault("spec.selector", {}, "empty selector is not valid for UnitedDeployment"))
    try:
        return labels.label_selector(given), complaints
    except Invalid as error:
        return None, [*complaints, fault("spec.selector", "", error.message)]


def _workload(kind: WorkloadKind, template: dict[str, Any], selector: labels.Selector) -> Iterator[Invalid]:
    path = f"spec.template.{kind.field}"
    labelled = WorkloadKind.STATEFUL_SET.field if kind is WorkloadKind.ADVANCED_STATEFUL_SET else kind.field
    spec = template.get("spec") or {}
    yield from _unfit(f"spec.template.{labelled}.metadata.labels", template, selector)
    yield from _unfit(f"{path}.spec.template.metadata.labels", spec.get("template") or {}, selector)
    yield from _overridden(kind, path, spec)
    yield from _pod_template(kind, f"{path}.spec.template", spec.get("template") or {})


def _unfit(path: str, owner: dict[str, Any], selector: labels.Selector) -> Iterator[Invalid]:
    found = (owner.get("metadata") or {}).get("labels") or {}
    if not selector.matches(found):
        yield fault(path, found, _UNFIT)


def _overridden(kind: WorkloadKind, path: str, spec: dict[str, Any]) -> Iterator[Invalid]:
    if spec.get("replicas") is not None:
        yield fault(f"{path}.spec.replicas", spec["replicas"], f"replicas in {kind.field} will not be used")
    strategy = spec.get("updateStrategy") or {}
    partition = (strategy.get("rollingUpdate") or {}).get("partition")
    if kind in _STATEFUL and strategy.get("type") == "RollingUpdate" and partition is not None:
        where = f"{path}.spec.updateStrategy.rollingUpdate.partition"
        yield fault(where, partition, f"partition in {kind.field} will not be used")


def _pod_template(kind: WorkloadKind, path: str, given: dict[str, Any]) -> Iterator[Invalid]:
    """A Deployment's in full, after its defaults; of the others only what the webhook looks at."""
    try:
        pod = objects.decode("Pod", objects.null_free(given))
    except msgspec.ValidationError as error:
        yield wrong_type(error).under(path)
        return
    assert isinstance(pod, objects.Pod)
    yield from metadata.labels(f"{path}.metadata.labels", pod.metadata.labels)
    restart = pod.spec.restart_policy
    if kind is WorkloadKind.DEPLOYMENT:
        yield from (error.under(path) for error in pods.pod(pod))
    if restart != "Always" and (restart or kind is WorkloadKind.STATEFUL_SET) and kind not in (_STATEFUL[1],):
        yield Invalid(syntax.unsupported(restart or "", ("Always",)), f"{path}.spec.restartPolicy")
