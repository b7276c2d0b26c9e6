"""The search box of the tables: `web`, `po/web-1`, `-n shop`, `-l app=web,tier!=db`, `spec.nodeName=node-a`."""

import re
from typing import Any

from django.db.models import Q

SHORT_NAMES = {"po", "pod", "pods", "no", "node", "nodes"}
FIELDS = {
    "spec.nodename": "node_name",
    "node": "node_name",
    "status.phase": "phase",
    "status": "status",
    "queue": "queue",
    "zone": "zone",
    "metadata.name": "name",
    "metadata.namespace": "namespace",
    "namespace": "namespace",
    "spec.schedulername": "scheduler_name",
}
OPTIONS = {"-n": "-n", "--namespace": "-n", "-l": "-l", "--selector": "-l"}


def search(rows: Any, text: str) -> Any:
    """Narrow `rows` (pods or nodes) by every word of the search text; all of them must hold."""
    names = {field.name for field in rows.model._meta.get_fields()}
    words = re.sub(r"(?<!\S)(-n|-l|--namespace|--selector)[ =]+", r"\1=", text).split()
    for word in words:
        rows = rows.filter(condition(word, names))
    return rows


def condition(word: str, names: set[str]) -> Q:
    option, _, value = word.partition("=")
    if OPTIONS.get(option) == "-n":
        return Q(namespace=value) if "namespace" in names else Q()
    if OPTIONS.get(option) == "-l":
        return selector(value)
    field = FIELDS.get(option.lower().removesuffix("!"), "")
    if value and field in names:
        return ~Q(**{field: value}) if option.endswith("!") else Q(**{field: value})
    kind, slash, rest = word.partition("/")
    if slash and kind.lower() in SHORT_NAMES:
        return Q(name__startswith=rest)
    if slash and "namespace" in names:
        return Q(namespace=kind, name__startswith=rest)
    by_name = Q(name__icontains=word)
    return by_name | Q(status__iexact=word) if "status" in names else by_name


def selector(text: str) -> Q:
    """A label selector with `k=v`, `k==v`, `k!=v`, `k`, `!k`; `labels` holds `,key=value,key=value,`."""
    found = Q()
    for part in filter(None, text.split(",")):
        if "!=" in part:
            key, _, value = part.partition("!=")
            found &= ~Q(labels__contains=f",{key}={value},")
        elif "=" in part:
            key, _, value = part.partition("=")
            found &= Q(labels__contains=f",{key}={value.removeprefix('=')},")
        elif part.startswith("!"):
            found &= ~Q(labels__contains=f",{part[1:]}=")
        else:
            found &= Q(labels__contains=f",{part}=")
    return found
