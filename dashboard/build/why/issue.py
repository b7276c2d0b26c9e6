"""The page of a pod as Markdown for an issue: versions, message, nodes and a minimal manifest, all names replaced."""

from collections.abc import Iterator

import yaml

from dashboard.build.why.columns import Columns
from dashboard.build.why.learnt import stand_ins
from dashboard.build.why.minimal import minimal
from dashboard.build.why.page import Seen
from dashboard.build.why.stand_ins import StandIns
from dashboard.build.why.table import VERDICTS
from dashboard.payloads.why import Form
from scheduler import store
from scheduler.engine.explain.why.room import Room
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.words import count
from scheduler.models import Cluster

LISTED_NODES = 40
MODELLED = "kube-scheduler v1.34.1"


def issue(cluster: Cluster, one: Seen, form: Form) -> str:
    """`form`: whose message. Names of algorithms stay, and of keys and resources that everybody knows."""
    seq = one.chosen.popped_seq if one.chosen is not None else cluster.seq
    with store.reading(cluster.pk, seq) as simulation:
        names = stand_ins(simulation, one.row.manifest)
    key = f"{names.name('namespace', one.row.namespace)}/{names.name('pod', one.row.name)}"
    return "\n".join(
        [*_head(one, names, key), *_message(one, names, form), *_nodes(one, names), *_manifest(one, names)]
    )


def _head(one: Seen, names: StandIns, key: str) -> Iterator[str]:
    chosen, found = one.chosen, one.found
    yield f"### Pod `{key}`: {one.row.status}\n"
    yield f"{names.sentence(one.sentence)} {names.sentence(one.detail)}".strip() + "\n"
    size = len(found.columns.names) if found is not None and found.columns is not None else 0
    nodes = f", {count(size, 'node')}" if size else ""
    tried = f", attempt {chosen.attempt}, cycle {chosen.number}" if chosen is not None else ", not tried yet"
    yield f"Algorithm of {MODELLED}{tried}{nodes}. Names are replaced.\n"


def _message(one: Seen, names: StandIns, form: Form) -> Iterator[str]:
    if text := one.messages.get(form):
        yield f"```\n{names.message(text)}\n```\n"


def _nodes(one: Seen, names: StandIns) -> Iterator[str]:
    table = one.found.columns if one.found is not None else None
    if table is None:
        return
    amounts = (f"{names.resource(room.resource)} free / allocatable" for room in table.rooms)
    yield _row("node", "zone", "verdict", *amounts, "reasons")
    yield _row(*["---"] * (4 + len(table.rooms)))
    for row in table.order[:LISTED_NODES]:
        yield _node(table, row, names)
    if (more := len(table.order) - LISTED_NODES) > 0:
        yield f"\nand {count(more, 'more node')}, further from fitting."
    yield ""


def _node(table: Columns, row: int, names: StandIns) -> str:
    amounts = [_amount(room, row) for room in table.rooms]
    said = "; ".join(names.message(table.reasons[number][1]) for number in table.of[row])
    verdict = VERDICTS.get(int(table.verdicts[row]), "not looked at")
    return _row(names.name("node", table.names[row]), names.value(table.zones[row]), verdict, *amounts, said)


def _amount(room: Room, row: int) -> str:
    return " / ".join(format_compared(room.resource, int(room.free[row]), int(room.allocatable[row])))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _manifest(one: Seen, names: StandIns) -> Iterator[str]:
    text = yaml.safe_dump(minimal(one.row.manifest, names), sort_keys=False)
    yield f"<details><summary>Minimal manifest</summary>\n\n```yaml\n{text}```\n\n</details>\n"
