"""NodeUnschedulable by examples."""

import pytest

from tests.engine.builders import a_cycle, a_node, a_pod, verdicts

KEY = "node.kubernetes.io/unschedulable"


@pytest.mark.parametrize(
    ("unschedulable", "tolerations", "said"),
    [
        pytest.param(None, [], "", id="in service"),
        pytest.param(True, [], "node(s) were unschedulable", id="cordoned"),
        pytest.param(True, [{"key": KEY, "operator": "Exists"}], "", id="tolerated"),
        pytest.param(True, [{"operator": "Exists"}], "", id="everything tolerated"),
        pytest.param(True, [{"key": KEY, "effect": "NoExecute"}], "node(s) were unschedulable", id="another effect"),
    ],
)
def test_a_cordoned_node_takes_only_pods_that_tolerate_it(unschedulable, tolerations, said):
    cycle = a_cycle(a_pod(tolerations=tolerations), a_node(unschedulable=unschedulable))
    assert verdicts(cycle, "NodeUnschedulable") == {"n1": said}
