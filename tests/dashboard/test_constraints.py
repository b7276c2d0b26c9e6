"""What a pod's page says of its constraints."""

import pytest

from dashboard.build.constraints import constraints
from scheduler.engine.objects import decode


def told(**spec):
    pod = decode("Pod", {"metadata": {"name": "p", "namespace": "n"}, "spec": {"containers": [{"name": "c"}], **spec}})
    return [(one.plugin, one.must, one.text) for one in constraints(pod)]


def term(*requirements):
    return {
        "matchExpressions": [{"key": key, "operator": sign, "values": values} for key, sign, values in requirements]
    }


SPREAD = {"maxSkew": 2, "topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}}}
NEAR = {"topologyKey": "host", "labelSelector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]}}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param(
            {"nodeSelector": {"disk": "ssd"}},
            [("NodeAffinity", True, "The node's label disk is ssd.")],
            id="node selector",
        ),
        pytest.param(
            {"tolerations": [{"key": "a", "value": "b", "effect": "NoSchedule"}, {"operator": "Exists"}]},
            [
                ("TaintToleration", False, "Tolerates taint a=b:NoSchedule."),
                ("TaintToleration", False, "Tolerates every taint."),
            ],
            id="tolerations",
        ),
        pytest.param(
            {
                "affinity": {
                    "nodeAffinity": {
                        "requiredDuringSchedulingIgnoredDuringExecution": {
                            "nodeSelectorTerms": [
                                term(("disk", "In", ["ssd", "nvme"]), ("gpu", "Exists", None)),
                                term(("cores", "Gt", ["8"])),
                            ]
                        }
                    }
                }
            },
            [("NodeAffinity", True, "On the node, disk is ssd or nvme and gpu is set or cores > 8.")],
            id="node affinity",
        ),
        pytest.param(
            {"topologySpreadConstraints": [{**SPREAD, "whenUnsatisfiable": "DoNotSchedule"}]},
            [("PodTopologySpread", True, "Spreads pods where app is web over zone, at most 2 apart.")],
            id="spread",
        ),
        pytest.param(
            {
                "affinity": {
                    "podAntiAffinity": {
                        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 7, "podAffinityTerm": NEAR}]
                    }
                }
            },
            [("InterPodAffinity", False, "Prefers, with weight 7, a host without pods where app is set.")],
            id="anti-affinity",
        ),
        pytest.param(
            {"containers": [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 8080}]}]},
            [("NodePorts", True, "Port 0.0.0.0:8080/TCP of the node is free.")],
            id="host port",
        ),
    ],
)
def test_constraints_are_told_in_plain_words(spec, expected):
    assert told(**spec) == expected
