"""The fields of plugins' arguments; any other is refused. Source: k8s.io/kube-scheduler config/v1 v0.34.1."""

from __future__ import annotations

from scheduler.engine.config.types import Int32, Int64, Strict


class _Args(Strict, frozen=True):
    api_version: str | None = None
    kind: str | None = None


class DefaultPreemptionArgs(_Args, frozen=True):
    min_candidate_nodes_percentage: Int32 | None = None
    min_candidate_nodes_absolute: Int32 | None = None


class DynamicResourcesArgs(_Args, frozen=True):
    filter_timeout: str | None = None


class InterPodAffinityArgs(_Args, frozen=True):
    hard_pod_affinity_weight: Int32 | None = None
    ignore_preferred_terms_of_existing_pods: bool | None = None


class Requirement(Strict, frozen=True):
    key: str | None = None
    operator: str | None = None
    values: list[str] | None = None


class NodeSelectorTerm(Strict, frozen=True):
    match_expressions: list[Requirement] | None = None
    match_fields: list[Requirement] | None = None


class NodeSelector(Strict, frozen=True):
    node_selector_terms: list[NodeSelectorTerm] | None = None


class PreferredSchedulingTerm(Strict, frozen=True):
    weight: Int32 | None = None
    preference: NodeSelectorTerm | None = None


class NodeAffinity(Strict, frozen=True):
    required_during_scheduling_ignored_during_execution: NodeSelector | None = None
    preferred_during_scheduling_ignored_during_execution: list[PreferredSchedulingTerm] | None = None


class NodeAffinityArgs(_Args, frozen=True):
    added_affinity: NodeAffinity | None = None


class ResourceSpec(Strict, frozen=True):
    name: str | None = None
    weight: Int64 | None = None


class NodeResourcesBalancedAllocationArgs(_Args, frozen=True):
    resources: list[ResourceSpec] | None = None


class UtilizationShapePoint(Strict, frozen=True):
    utilization: Int32 | None = None
    score: Int32 | None = None


class RequestedToCapacityRatio(Strict, frozen=True):
    shape: list[UtilizationShapePoint] | None = None


class ScoringStrategy(Strict, frozen=True):
    type: str | None = None
    resources: list[ResourceSpec] | None = None
    requested_to_capacity_ratio: RequestedToCapacityRatio | None = None


class NodeResourcesFitArgs(_Args, frozen=True):
    ignored_resources: list[str] | None = None
    ignored_resource_groups: list[str] | None = None
    scoring_strategy: ScoringStrategy | None = None


class LabelSelector(Strict, frozen=True):
    match_labels: dict[str, str] | None = None
    match_expressions: list[Requirement] | None = None


class TopologySpreadConstraint(Strict, frozen=True):
    max_skew: Int32 | None = None
    topology_key: str | None = None
    when_unsatisfiable: str | None = None
    label_selector: LabelSelector | None = None
    min_domains: Int32 | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: list[str] | None = None


class PodTopologySpreadArgs(_Args, frozen=True):
    default_constraints: list[TopologySpreadConstraint] | None = None
    defaulting_type: str | None = None


class VolumeBindingArgs(_Args, frozen=True):
    bind_timeout_seconds: Int64 | None = None
    shape: list[UtilizationShapePoint] | None = None


ARGS: dict[str, type[_Args]] = {
    one.__name__.removesuffix("Args"): one
    for one in (
        DefaultPreemptionArgs,
        DynamicResourcesArgs,
        InterPodAffinityArgs,
        NodeAffinityArgs,
        NodeResourcesBalancedAllocationArgs,
        NodeResourcesFitArgs,
        PodTopologySpreadArgs,
        VolumeBindingArgs,
    )
}
"""Plugins that take arguments, in order of their names."""
