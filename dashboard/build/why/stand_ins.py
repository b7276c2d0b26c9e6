"""Names that mean something to somebody, replaced by names that do not: always the same ones for the same cluster."""

import re
from collections import Counter
from collections.abc import Iterable

from scheduler.engine.values.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS

_TOKEN = re.compile(r"\w[\w./-]*")
_TICKED = re.compile(r"`([^`]*)`")
_BRACED = re.compile(r"\{([^{}:]*): ([^{}]*)\}")
_PUBLIC = ("kubernetes.io", "k8s.io", "nvidia.com", "amd.com", "intel.com")
_COMMON = {"app", CPU, MEMORY, EPHEMERAL_STORAGE, PODS}


class StandIns:
    """`names`: of objects, replaced wherever they stand; `values` and `keys`: of labels and taints, only where such
    stand. Keys and resources of Kubernetes itself, and of makers of devices, stay.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self._resources: dict[str, str] = {}
        self._images: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def learn(self, kind: str, names: Iterable[str]) -> None:
        """In the order of the names; a name that is known already keeps its stand-in."""
        fresh = sorted({name for name in names if name} - self.names.keys())
        first = self._counts[kind] + 1
        self._counts[kind] += len(fresh)
        self.names.update({name: f"{kind}-{number}" for number, name in enumerate(fresh, first)})

    def learn_values(self, values: Iterable[str]) -> None:
        fresh = sorted({value for value in values if value} - self.names.keys() - self.values.keys())
        first = len(self.values) + 1
        self.values.update({value: f"value-{number}" for number, value in enumerate(fresh, first)})

    def learn_keys(self, keys: Iterable[str]) -> None:
        for key in sorted(set(keys)):
            self.key(key)

    def name(self, kind: str, name: str) -> str:
        """Of one object, learnt now if it was not before."""
        self.learn(kind, [name])
        return self.names[name] if name else ""

    def value(self, value: str) -> str:
        if value in self.names:
            return self.names[value]
        return self.values.setdefault(value, f"value-{len(self.values) + 1}") if value else ""

    def key(self, key: str) -> str:
        return key if not key or _is_public(key) else self.keys.setdefault(key, f"key-{len(self.keys) + 1}")

    def resource(self, name: str) -> str:
        if _is_public(name) or name.startswith("hugepages-"):
            return name
        return self._resources.setdefault(name, f"example.com/resource-{len(self._resources) + 1}")

    def image(self, image: str) -> str:
        return self._images.setdefault(image, f"image-{len(self._images) + 1}") if image else ""

    def sentence(self, text: str) -> str:
        """Of a sentence whose names stand in backticks; short names of resources stand anywhere."""
        short = {name.rpartition("/")[2]: one.rpartition("/")[2] for name, one in self._resources.items()}
        ticked = _TICKED.sub(lambda found: f"`{self._tokens(found[1], self.names | self.values | self.keys)}`", text)
        return self._tokens(ticked, self._resources | short)

    def message(self, text: str) -> str:
        """Of what the scheduler prints: names and resources anywhere, keys and values in `{key: value}`."""
        braced = _BRACED.sub(lambda found: f"{{{self.key(found[1])}: {self.value(found[2])}}}", text)
        return self._tokens(braced, self.names | self._resources)

    @staticmethod
    def _tokens(text: str, known: dict[str, str]) -> str:
        return _TOKEN.sub(lambda found: _replaced(found[0], known), text)


def _replaced(token: str, known: dict[str, str]) -> str:
    """Whole, else part by part between slashes. A full stop at the end may be the sentence's."""
    bare = token.rstrip("./")
    if found := known.get(token) or known.get(bare):
        return found if token in known else found + token[len(bare) :]
    head, slash, rest = token.partition("/")
    return f"{_replaced(head, known)}/{_replaced(rest, known)}" if slash else token


def _is_public(key: str) -> bool:
    domain, slash, _ = key.rpartition("/")
    return key in _COMMON or bool(slash and any(domain == one or domain.endswith(f".{one}") for one in _PUBLIC))
