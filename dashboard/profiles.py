"""The profile editor's form: one line an algorithm, and the KubeSchedulerConfiguration that the lines stand for."""

import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from dashboard.build.about import about, scores_whole_lists
from dashboard.build.algorithms import Algorithm, algorithms_of
from scheduler.engine import plugins
from scheduler.engine.config.catalogue import known_plugins
from scheduler.engine.config.decode import API_VERSION
from scheduler.engine.config.recorded import without
from scheduler.engine.errors import Invalid
from scheduler.engine.profile import Profile

MOST = 100  # the highest weight that the form takes: beyond it one algorithm drowns all others
POINTS = ("filter", "score")
BEFORE = {"filter": "preFilter", "score": "preScore"}
KIND = "KubeSchedulerConfiguration"


@dataclass(slots=True)
class Line:
    """An algorithm at one extension point of one profile. `field`: the name of its inputs; `weight` as it was typed.

    `changed`: whether what was typed is not what runs.
    """

    name: str
    point: str
    field: str
    enabled: bool
    weight: str = ""
    position: int = 0
    error: str = ""
    about: str = ""
    changed: bool = False

    @property
    def default(self) -> int:
        """The weight that it has unless another one is typed."""
        return default_weight(self.name)

    @property
    def whole_list(self) -> bool:
        """Whether it scores all nodes at once."""
        return self.point == "score" and scores_whole_lists(self.name)


@dataclass(slots=True)
class Form:
    """A profile as it is edited. `algorithms`: all of it as it runs now. `error`: what is wrong with it as a whole.

    `faults`: algorithms that it enables and that cannot be had, with the reason; `dropped`: whether they are taken out.
    """

    scheduler_name: str
    index: int
    lines: list[Line]
    algorithms: list[Algorithm]
    percentage: int
    error: str = ""
    faults: dict[str, str] = field(default_factory=dict)
    dropped: bool = False

    def at(self, point: str) -> list[Line]:
        return [line for line in self.lines if line.point == point]

    @property
    def filters(self) -> list[Line]:
        return self.at("filter")

    @property
    def scores(self) -> list[Line]:
        return self.at("score")

    @property
    def wrong(self) -> int:
        """How many things are."""
        return bool(self.error) + sum(bool(line.error) for line in self.lines)


def form_of(profile: Profile, index: int) -> Form:
    """What the profile runs now, in its order, then the algorithms that it leaves out."""
    lines: list[Line] = []
    for point in POINTS:
        enabled = profile.enabled(point)
        others = [name for name, one in plugins.registry().items() if one.implements(point) and name not in enabled]
        for position, name in enumerate([*enabled, *others], 1):
            weight = str(profile.weight(name)) if point == "score" and name in enabled else ""
            inputs = f"{index}-{point}-{name}"
            lines.append(Line(name, point, inputs, name in enabled, weight, position, about=about(name)))
    share, faults = profile.percentage_of_nodes_to_score, plugins.line_up(profile).faults
    return Form(profile.scheduler_name, index, lines, algorithms_of(profile), share, faults=faults)


def default_weight(name: str) -> int:
    known = plugins.registry().get(name)
    return (known.weight if known else 0) or 1


def fill(form: Form, posted: Mapping[str, str]) -> None:
    """Take over what was typed, and say at each line what is wrong with it."""
    if form.faults:
        form.error = "Switch off what is missing first, or put it right."
    for line in form.lines:
        before = (line.enabled, line.position, line.weight)
        was_off, line.enabled = not line.enabled, f"{line.field}-on" in posted
        line.position = _position(line, posted.get(f"{line.field}-position", ""))
        if line.point == "score":
            _weigh(line, posted.get(f"{line.field}-weight", "").strip(), was_off)
        line.changed = before != (line.enabled, line.position, line.weight)
    form.lines.sort(key=lambda line: (POINTS.index(line.point), line.position))


def _weigh(line: Line, typed: str, was_off: bool) -> None:
    line.weight = typed
    if was_off and not typed:
        line.weight = str(line.default) if line.enabled else ""
    elif not re.fullmatch(r"[0-9]{1,6}", typed) or not 0 <= int(typed) <= MOST:
        line.error = f"A weight is a whole number from 1 to {MOST}; 0 switches the algorithm off."
    elif int(typed) == 0:
        line.enabled = False


def _position(line: Line, typed: str) -> int:
    return int(typed) if re.fullmatch(r"[0-9]{1,3}", typed.strip()) else line.position


def changes(wished: list[Form], now: list[Form]) -> list[str]:
    """What saving would change in what runs now, in words."""
    found = []
    for form, runs in zip(wished, now, strict=True):
        lines = {(line.point, line.name): line for line in runs.lines}
        for line in form.lines:
            before = lines[line.point, line.name]
            if line.enabled != before.enabled:
                found.append(f"{line.name} {'on' if line.enabled else 'off'} as a {line.point}")
            elif line.enabled and line.weight != before.weight:
                found.append(f"{line.name} weight {before.weight} → {line.weight}")
        found += [
            f"the order of the {point}s" for point in POINTS if _kept(form, runs, point) != _kept(runs, form, point)
        ]
    return found


def _kept(form: Form, other: Form, point: str) -> list[str]:
    """What is on in both, in the order of the first."""
    on = {line.name for line in other.at(point) if line.enabled}
    return [line.name for line in form.at(point) if line.enabled and line.name in on]


def configuration_of(configuration: Mapping[str, Any], forms: list[Form], profiles: list[Profile]) -> dict[str, Any]:
    """The configuration with the lines' order, switches and weights in it; everything else of it stays."""
    made: dict[str, Any] = {"apiVersion": API_VERSION, "kind": KIND, **deepcopy(dict(configuration))}
    listed = made.setdefault("profiles", [{"schedulerName": profile.scheduler_name} for profile in profiles])
    for form in forms:
        if form.dropped:
            listed[form.index] = without(listed[form.index], set(form.faults))
        points = listed[form.index].setdefault("plugins", {})
        for point in POINTS:
            enabled = [_enabled(line) for line in form.at(point) if line.enabled]
            points[point] = {"disabled": [{"name": "*"}], "enabled": enabled}
            _prepare(points, form.at(point), profiles[form.index], point)
    return made


def _prepare(points: dict[str, Any], lines: list[Line], profile: Profile, point: str) -> None:
    """What an algorithm prepares for this point goes on with it, and off again."""
    before = BEFORE[point]
    on = {line.name for line in lines if line.enabled}
    off = set(profile.enabled(point)) - on
    wanted = [name for name in on if before in known_plugins().get(name, ()) and name not in profile.enabled(before)]
    given = points.get(before, {}).get("enabled", [])
    listed = [one for one in given if one["name"] not in off] + [{"name": name} for name in sorted(wanted)]
    if listed != given:
        points[before] = {**points.get(before, {}), "enabled": listed}


def _enabled(line: Line) -> dict[str, Any]:
    return {"name": line.name, "weight": int(line.weight)} if line.point == "score" else {"name": line.name}


def tell(forms: list[Form], fault: Invalid) -> None:
    """Show a fault of the engine at the line that its path names, else at the profile."""
    found = re.match(r"profiles\[(\d+)\](?:\.plugins\.(\w+)\.enabled\[(\d+)\])?", fault.path)
    form = forms[int(found[1])] if found and int(found[1]) < len(forms) else forms[0]
    lines = [line for line in form.at(found[2]) if line.enabled] if found and found[2] else []
    if found and found[3] and int(found[3]) < len(lines):
        lines[int(found[3])].error = fault.message
    else:
        form.error = str(fault)
