"""Everything that a caller can do wrong, as exceptions. Outcomes of scheduling are values (`framework.Status`).

PodiumError
├── Refused     a command that may not be done now; str() is one clear sentence
├── Invalid     input that the API server would refuse; has `path` and `message`
└── PluginError an algorithm that fails or breaks its contract; str() names it, the hook, and what was expected
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain


class PodiumError(Exception):
    """Base of all errors that Podium raises on purpose."""


class Refused(PodiumError):  # noqa: N818 - reads as a sentence: `raise Refused("…")`
    """A command that may not be done. Its text is one clear sentence for people."""


class Invalid(PodiumError):  # noqa: N818 - the API server's word
    """Input that breaks a rule. `path`: field path, e.g. `spec.containers[0].resources.requests[cpu]`, "" if none.

    `parts`: the texts of the errors that it stands for, one where it is a single one.
    """

    def __init__(self, message: str, path: str = "", parts: tuple[str, ...] = ()) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message = message
        self.path = path
        self.parts = parts or (str(self),)

    @classmethod
    def all_of(cls, errors: Sequence[Invalid]) -> Invalid:
        """Several errors as one."""
        return cls(aggregate(errors), parts=tuple(part for error in errors for part in error.parts))

    def under(self, path: str) -> Invalid:
        """The same error, found below `path`."""
        joiner = "" if not self.path or self.path.startswith("[") else "."
        return Invalid(self.message, f"{path}{joiner}{self.path}")


class PluginError(PodiumError):
    """An algorithm's hook raised, or answered what it must not. A cycle takes it down as an internal error.

    `hook`: its name, "" where it is not known.
    """

    hook = ""


def aggregate(errors: Iterable[Invalid | str]) -> str:
    """Kubernetes' text for several errors: `[a, b]`, flat and without repetitions; a single one stands alone."""
    parts = (error.parts if isinstance(error, Invalid) else (error,) for error in errors)
    texts = list(dict.fromkeys(chain.from_iterable(parts)))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
