"""The fields of a KubeSchedulerConfiguration v1 and of the plugins' arguments: anything else is refused.

Source: k8s.io/kube-scheduler config/v1 v0.34.1.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

from scheduler.engine import objects

Int32: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
Int64: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Manifest: TypeAlias = dict[str, Any]


class _Strict(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    """An absent field and a null are both None."""


class PluginReference(_Strict, frozen=True):
    name: str | None = None
    weight: Int32 | None = None


class PluginSet(_Strict, frozen=True):
    enabled: list[PluginReference] | None = None
    disabled: list[PluginReference] | None = None


class Plugins(_Strict, frozen=True):
    pre_enqueue: PluginSet | None = None
    queue_sort: PluginSet | None = None
    pre_filter: PluginSet | None = None
    filter: PluginSet | None = None
    post_filter: PluginSet | None = None
    pre_score: PluginSet | None = None
    score: PluginSet | None = None
    reserve: PluginSet | None = None
    permit: PluginSet | None = None
    pre_bind: PluginSet | None = None
    bind: PluginSet | None = None
    post_bind: PluginSet | None = None
    multi_point: PluginSet | None = None


class PluginConfig(_Strict, frozen=True):
    name: str | None = None
    args: dict[str, Any] | None = None


class Profile(_Strict, frozen=True):
    scheduler_name: str | None = None
    percentage_of_nodes_to_score: Int32 | None = None
    plugins: Plugins | None = None
    plugin_config: list[PluginConfig] | None = None


class LeaderElection(_Strict, frozen=True):
    leader_elect: bool | None = None
    lease_duration: str | None = None
    renew_deadline: str | None = None
    retry_period: str | None = None
    resource_lock: str | None = None
    resource_name: str | None = None
    resource_namespace: str | None = None


class ClientConnection(_Strict, frozen=True):
    kubeconfig: str | None = None
    accept_content_types: str | None = None
    content_type: str | None = None
    qps: float | None = None
    burst: Int32 | None = None


class ManagedResource(_Strict, frozen=True):
    name: str | None = None
    ignored_by_scheduler: bool | None = None


class Extender(_Strict, frozen=True):
    url_prefix: str | None = None
    filter_verb: str | None = None
    preempt_verb: str | None = None
    prioritize_verb: str | None = None
    weight: Int64 | None = None
    bind_verb: str | None = None
    enable_https: bool | None = msgspec.field(default=None, name="enableHTTPS")
    tls_config: dict[str, Any] | None = None
    http_timeout: str | None = None
    node_cache_capable: bool | None = None
    managed_resources: list[ManagedResource] | None = None
    ignorable: bool | None = None


class Configuration(_Strict, frozen=True):
    api_version: str | None = None
    kind: str | None = None
    parallelism: Int32 | None = None
    leader_election: LeaderElection | None = None
    client_connection: ClientConnection | None = None
    health_probe_bind_address: str | None = None
    metrics_bind_address: str | None = None
    enable_profiling: bool | None = None
    enable_contention_profiling: bool | None = None
    percentage_of_nodes_to_score: Int32 | None = None
    pod_initial_backoff_seconds: Int64 | None = None
    pod_max_backoff_seconds: Int64 | None = None
    profiles: list[Profile] | None = None
    extenders: list[Extender] | None = None
    delay_cache_until_active: bool | None = None


# --- arguments of plugins ---------------------------------------------------------------------------------------------


class _Args(_Strict, frozen=True):
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


class NodeAffinityArgs(_Args, frozen=True):
    added_affinity: objects.NodeAffinity | None = None


class ResourceSpec(_Strict, frozen=True):
    name: str | None = None
    weight: Int64 | None = None


class NodeResourcesBalancedAllocationArgs(_Args, frozen=True):
    resources: list[ResourceSpec] | None = None


class UtilizationShapePoint(_Strict, frozen=True):
    utilization: Int32 | None = None
    score: Int32 | None = None


class RequestedToCapacityRatio(_Strict, frozen=True):
    shape: list[UtilizationShapePoint] | None = None


class ScoringStrategy(_Strict, frozen=True):
    type: str | None = None
    resources: list[ResourceSpec] | None = None
    requested_to_capacity_ratio: RequestedToCapacityRatio | None = None


class NodeResourcesFitArgs(_Args, frozen=True):
    ignored_resources: list[str] | None = None
    ignored_resource_groups: list[str] | None = None
    scoring_strategy: ScoringStrategy | None = None


class PodTopologySpreadArgs(_Args, frozen=True):
    default_constraints: list[objects.TopologySpreadConstraint] | None = None
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
