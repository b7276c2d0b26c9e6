"""Hypothesis strategies for small clusters in which everything collides: few labels, few values, tight resources."""

from typing import Any

from hypothesis import strategies as st

from tests.engine.builders import a_node, a_pod

APPS = ("web", "db")
NAMESPACES = ("default", "team")
TOPOLOGIES = ("zone", "kubernetes.io/hostname", "disk")
TAINTS = [
    {"key": "k", "value": value, "effect": effect}
    for value in ("a", "b")
    for effect in ("NoSchedule", "NoExecute", "PreferNoSchedule")
]


def some(options: Any, most: int = 2) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.sampled_from(options), max_size=most)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


selectors = maybe(
    st.sampled_from(
        [
            {},
            {"matchLabels": {"app": "web"}},
            {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]},
            {"matchExpressions": [{"key": "tier", "operator": "Exists"}]},
        ]
    )
)
tolerations = some(
    [
        {"operator": "Exists"},
        {"key": "k", "operator": "Exists", "effect": "NoSchedule"},
        {"key": "k", "value": "a"},
        {"key": "k", "operator": "Equal", "value": "b", "effect": "PreferNoSchedule"},
        {"key": "node.kubernetes.io/unschedulable", "operator": "Exists"},
    ]
)
requirements = st.sampled_from(
    [
        {"key": "disk", "operator": "In", "values": ["ssd"]},
        {"key": "disk", "operator": "NotIn", "values": ["ssd"]},
        {"key": "zone", "operator": "Exists"},
        {"key": "rank", "operator": "Gt", "values": ["3"]},
        {"key": "rank", "operator": "Lt", "values": ["4"]},
    ]
)
node_terms = st.lists(requirements, max_size=2).map(lambda found: {"matchExpressions": found})
node_affinities = st.fixed_dictionaries(
    {},
    optional={
        "requiredDuringSchedulingIgnoredDuringExecution": st.fixed_dictionaries(
            {"nodeSelectorTerms": st.lists(node_terms, min_size=1, max_size=2)}
        ),
        "preferredDuringSchedulingIgnoredDuringExecution": st.lists(
            st.fixed_dictionaries({"weight": st.sampled_from([1, 7, 100]), "preference": node_terms}), max_size=2
        ),
    },
)
pod_terms = st.fixed_dictionaries(
    {"topologyKey": st.sampled_from(TOPOLOGIES), "labelSelector": selectors},
    optional={
        "namespaces": some(NAMESPACES),
        "namespaceSelector": st.sampled_from(
            [{}, {"matchLabels": {"team": "x"}}, {"matchExpressions": [{"key": "team", "operator": "DoesNotExist"}]}]
        ),
    },
)
pod_affinities = st.fixed_dictionaries(
    {},
    optional={
        "requiredDuringSchedulingIgnoredDuringExecution": st.lists(pod_terms, max_size=2),
        "preferredDuringSchedulingIgnoredDuringExecution": st.lists(
            st.fixed_dictionaries({"weight": st.sampled_from([1, 10, 50]), "podAffinityTerm": pod_terms}), max_size=2
        ),
    },
)
affinities = st.fixed_dictionaries(
    {}, optional={"nodeAffinity": node_affinities, "podAffinity": pod_affinities, "podAntiAffinity": pod_affinities}
)
preferred_terms = st.fixed_dictionaries(
    {
        "preferredDuringSchedulingIgnoredDuringExecution": st.lists(
            st.fixed_dictionaries({"weight": st.sampled_from([1, 10, 50]), "podAffinityTerm": pod_terms}), max_size=2
        )
    }
)
preferences = st.fixed_dictionaries({}, optional={"podAffinity": preferred_terms, "podAntiAffinity": preferred_terms})
spread_rules = st.fixed_dictionaries(
    {
        "topologyKey": st.sampled_from(TOPOLOGIES),
        "maxSkew": st.sampled_from([1, 2]),
        "whenUnsatisfiable": st.sampled_from(["DoNotSchedule", "ScheduleAnyway"]),
        "labelSelector": selectors,
    },
    optional={
        "nodeAffinityPolicy": st.sampled_from(["Honor", "Ignore"]),
        "nodeTaintsPolicy": st.sampled_from(["Honor", "Ignore"]),
        "matchLabelKeys": st.just(["tier"]),
    },
)
requests = st.fixed_dictionaries(
    {},
    optional={
        "cpu": st.sampled_from(["0", "500m", "1", "2"]),
        "memory": st.sampled_from(["0", "1Gi", "2Gi"]),
        "example.com/gpu": st.sampled_from(["1", "2"]),
    },
)
ports = st.lists(
    st.fixed_dictionaries(
        {"hostPort": st.sampled_from([80, 81]), "containerPort": st.just(80)},
        optional={"hostIP": st.sampled_from(["10.0.0.1", "0.0.0.0"]), "protocol": st.sampled_from(["TCP", "UDP"])},
    ),
    max_size=1,
)
labels = st.fixed_dictionaries({"app": st.sampled_from(APPS)}, optional={"tier": st.sampled_from(["a", "b"])})


@st.composite
def nodes(draw: st.DrawFn, name: str) -> dict[str, Any]:
    found = {"zone": draw(st.sampled_from(["", "a", "b", None])), "disk": draw(st.sampled_from(["ssd", "hdd", None]))}
    found |= {"rank": draw(st.sampled_from(["3", "4", "x", None])), "kubernetes.io/hostname": name}
    return a_node(
        name,
        labels={key: value for key, value in found.items() if value is not None},
        taints=rarely(draw, some(TAINTS), []),
        unschedulable=draw(st.sampled_from([None, None, None, True])),
        images={"app:1": draw(st.sampled_from([10, 500, 3000])) * 2**20} if draw(st.booleans()) else {},
        cpu=draw(st.sampled_from(["8", "1", "4", "0"])),
        memory=draw(st.sampled_from(["1Gi", "4Gi", "8Gi"])),
        pods=draw(st.sampled_from(["110", "110", "2", "0"])),
        **({"example.com/gpu": "2"} if draw(st.booleans()) else {}),
    )


def rarely(draw: st.DrawFn, strategy: st.SearchStrategy[Any], otherwise: Any) -> Any:
    """Every rule makes a pod harder to place: most pods have few of them."""
    return draw(strategy) if draw(st.booleans()) else otherwise


@st.composite
def pods(draw: st.DrawFn, name: str, node: str | None) -> dict[str, Any]:
    return a_pod(
        name,
        node=node,
        namespace=draw(st.sampled_from(NAMESPACES)),
        labels=draw(labels),
        requests=draw(requests),
        image=draw(st.sampled_from(["app:1", "app", "other"])),
        ports=rarely(draw, ports, []),
        tolerations=draw(tolerations),
        affinity=rarely(draw, affinities, draw(preferences)),
        nodeSelector=draw(st.sampled_from([None, None, None, {}, {"disk": "ssd"}])),
        topologySpreadConstraints=rarely(draw, st.lists(spread_rules, max_size=2), []),
    )


@st.composite
def clusters(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Namespaces, nodes, placed pods, and last the pod to schedule."""
    names = [f"n{number}" for number in range(draw(st.integers(2, 5)))]
    placed = [draw(st.sampled_from(names)) for _ in range(draw(st.integers(2, 7)))]
    return [
        {"kind": "Namespace", "metadata": {"name": "team", "labels": {"team": "x"}}},
        *(draw(nodes(name)) for name in names),
        *(draw(pods(f"placed-{number}", node)) for number, node in enumerate(placed)),
        draw(pods("incoming", None)),
    ]
