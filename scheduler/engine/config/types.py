"""The fields of a KubeSchedulerConfiguration v1: anything else is refused.

Source: k8s.io/kube-scheduler config/v1 v0.34.1.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

Int32: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
Int64: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Manifest: TypeAlias = dict[str, Any]


class Strict(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    """An absent field and a null are both None."""


class PluginReference(Strict, frozen=True):
    name: str | None = None
    weight: Int32 | None = None


class PluginSet(Strict, frozen=True):
    enabled: list[PluginReference] | None = None
    disabled: list[PluginReference] | None = None


class Plugins(Strict, frozen=True):
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


class PluginConfig(Strict, frozen=True):
    name: str | None = None
    args: dict[str, Any] | None = None


class Profile(Strict, frozen=True):
    scheduler_name: str | None = None
    percentage_of_nodes_to_score: Int32 | None = None
    plugins: Plugins | None = None
    plugin_config: list[PluginConfig] | None = None


class LeaderElection(Strict, frozen=True):
    leader_elect: bool | None = None
    lease_duration: str | None = None
    renew_deadline: str | None = None
    retry_period: str | None = None
    resource_lock: str | None = None
    resource_name: str | None = None
    resource_namespace: str | None = None


class ClientConnection(Strict, frozen=True):
    kubeconfig: str | None = None
    accept_content_types: str | None = None
    content_type: str | None = None
    qps: float | None = None
    burst: Int32 | None = None


class ManagedResource(Strict, frozen=True):
    name: str | None = None
    ignored_by_scheduler: bool | None = None


class Extender(Strict, frozen=True):
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


class Configuration(Strict, frozen=True):
    api_version: str | None = None
    kind: str | None = None
    parallelism: Int32 | None = None
    leader_election: LeaderElection | None = None
    client_connection: ClientConnection | None = None
    enable_profiling: bool | None = None
    enable_contention_profiling: bool | None = None
    percentage_of_nodes_to_score: Int32 | None = None
    pod_initial_backoff_seconds: Int64 | None = None
    pod_max_backoff_seconds: Int64 | None = None
    profiles: list[Profile] | None = None
    extenders: list[Extender] | None = None
    delay_cache_until_active: bool | None = None
