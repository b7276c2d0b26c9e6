"""The line of a field, found again in the text of its object. Only faults ask, so reading need not remember lines."""

import re

import yaml

_STEP = re.compile(r"\[([^\]]*)\]|\.?([^.\[\]]+)")
_SEARCHED_CHARS = 4 << 20


def field_line(text: str, path: str) -> int:
    """Lines from the beginning of `text` (0-based) to the field at `path`, or to what is there of it."""
    if not path or len(text) > _SEARCHED_CHARS:
        return 0
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return 0
    line = node.start_mark.line if node is not None else 0
    for step in steps(path):
        found = _child(node, step)
        if found is None:
            break
        line, node = found
    return line


def repeated_key(text: str) -> tuple[int, int, str] | None:
    """The first key that a mapping has twice: its line, the line where it was before (both 0-based), and the key."""
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return _repeated(node) if node is not None else None


def _repeated(node: yaml.Node) -> tuple[int, int, str] | None:
    if isinstance(node, yaml.SequenceNode):
        return next(filter(None, map(_repeated, node.value)), None)
    if not isinstance(node, yaml.MappingNode):
        return None
    seen: dict[str, int] = {}
    for key, value in node.value:
        line = key.start_mark.line
        if key.value in seen:
            return line, seen[key.value], key.value
        seen[key.value] = line
        if found := _repeated(value):
            return found
    return None


def steps(path: str) -> list[str]:
    """`spec.containers[0].requests[cpu]` → spec, containers, 0, requests, cpu."""
    return [match[1] if match[1] is not None else match[2] for match in _STEP.finditer(path.removeprefix("$"))]


def _child(node: yaml.Node | None, step: str) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                return key.start_mark.line, value
    if isinstance(node, yaml.SequenceNode) and step.isdecimal() and int(step) < len(node.value):
        child = node.value[int(step)]
        return child.start_mark.line, child
    return None
