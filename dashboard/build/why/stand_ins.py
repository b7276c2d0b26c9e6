"""Names that mean something to somebody, replaced by names that do not: always the same ones for the same cluster."""

import re
from collections.abc import Iterable

from scheduler.engine.objects import Pod
from scheduler.engine.simulation.simulation import Simulation

_TOKEN = re.compile(r"\w[\w.-]*")
_TICKED = re.compile(r"`([^`]*)`")
_BRACED = re.compile(r"\{([^{}:]*): ([^{}]*)\}")
_KINDS = ("PersistentVolumeClaim", "PersistentVolume", "StorageClass", "PriorityClass", "Namespace")
_CALLED = {
    "PersistentVolumeClaim": "claim",
    "PersistentVolume": "volume",
    "StorageClass": "class",
    "PriorityClass": "class",
    "Namespace": "namespace",
}


class StandIns:
    """`names`: of objects, replaced wherever they stand; `values`: of labels and taints, only where such stand."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self._images: dict[str, str] = {}

    def learn(self, kind: str, names: Iterable[str]) -> None:
        """In the order of the names; a name that is known already keeps its stand-in."""
        fresh = sorted({name for name in names if name} - self.names.keys())
        self.names.update({name: f"{kind}-{number}" for number, name in enumerate(fresh, 1)})

    def learn_values(self, values: Iterable[str]) -> None:
        fresh = sorted({value for value in values if value} - self.names.keys() - self.values.keys())
        first = len(self.values) + 1
        self.values.update({value: f"value-{number}" for number, value in enumerate(fresh, first)})

    def name(self, kind: str, name: str) -> str:
        """Of one object; who was never learnt gets a number of its own."""
        return self.names.setdefault(name, f"{kind}-x{len(self.names)}") if name else ""

    def value(self, value: str) -> str:
        if value in self.names:
            return self.names[value]
        return self.values.setdefault(value, f"value-{len(self.values) + 1}") if value else ""

    def image(self, image: str) -> str:
        return self._images.setdefault(image, f"image-{len(self._images) + 1}") if image else ""

    def sentence(self, text: str) -> str:
        """Of a sentence whose names stand in backticks."""
        return _TICKED.sub(lambda found: f"`{self._tokens(found[1], self.names | self.values)}`", text)

    def message(self, text: str) -> str:
        """Of what the scheduler prints: names anywhere, values in `{key: value}`."""
        braced = _BRACED.sub(lambda found: f"{{{found[1]}: {self.value(found[2])}}}", text)
        return self._tokens(braced, self.names)

    @staticmethod
    def _tokens(text: str, known: dict[str, str]) -> str:
        return _TOKEN.sub(lambda found: _replaced(found[0], known), text)


def _replaced(token: str, known: dict[str, str]) -> str:
    """A full stop at the end may be the sentence's."""
    bare = token.rstrip(".")
    return known.get(token) or (known[bare] + token[len(bare) :] if bare in known else token)


def stand_ins(simulation: Simulation) -> StandIns:
    """For everything that the cluster has now."""
    made, nodes = StandIns(), [info.node for info in simulation.cluster if info.node is not None]
    pods: list[Pod] = list(simulation.pods.values())
    made.learn("node", (node.name for node in nodes))
    made.learn("pod", (pod.name for pod in pods))
    made.learn("namespace", (pod.namespace for pod in pods))
    for kind in _KINDS:
        made.learn(_CALLED[kind], (one.name for one in simulation.objects(kind)))
    made.learn_values(value for node in nodes for value in node.labels.values())
    made.learn_values(taint.value or "" for node in nodes for taint in node.taints)
    made.learn_values(value for pod in pods for value in pod.labels.values())
    return made
