"""What changed between two events, computed once and shared by every socket of this process."""

from collections import OrderedDict
from threading import Lock
from typing import Any

import msgspec

from dashboard.build.board import cluster_state, kept, picture
from dashboard.build.marks import marks
from dashboard.payloads.map import ClusterView, Tile
from dashboard.payloads.news import GroupNews, MapNews, StateNews
from scheduler.models import Cluster

KEPT = 16

_sent: OrderedDict[tuple[Any, ...], str] = OrderedDict()
_building: dict[int, Lock] = {}
_mutex = Lock()


def news_text(cluster_id: int, from_seq: int, seq: int) -> str:
    """A `News` message as JSON text. Raises Cluster.DoesNotExist."""
    cluster = Cluster.objects.get(pk=cluster_id)
    key = (
        cluster_id,
        cluster.created,
        from_seq,
        seq,
        cluster.wanted,
        cluster.wanted_reason,
        cluster.speed,
        cluster.until,
    )
    with _lock(cluster_id):  # sockets that hear the same news wait for the first to build it
        if key not in _sent:
            news = {"type": "news", "from_seq": from_seq, "seq": seq, "state": state_news(cluster, from_seq, seq)}
            _sent[key] = msgspec.json.encode(news).decode()
            while len(_sent) > KEPT:
                _sent.popitem(last=False)
        return _sent[key]


def state_news(cluster: Cluster, from_seq: int, seq: int) -> StateNews:
    """The parts that differ. Where the old picture is gone, every part is sent whole."""
    old, new = kept(cluster, from_seq), picture(cluster, seq)
    news: StateNews = {"cluster": cluster_state(cluster, new)}
    if from_seq == seq:
        return news
    if fresh := marks(cluster.pk, seq, after=from_seq):
        news["marks"] = fresh
    if changed := [lane for lane in new.lanes if old is None or lane not in old.lanes]:
        news["lanes"] = changed
    if old is None or old.cycle is not new.cycle:
        news["cycle"] = new.cycle
    if change := map_news(old.map if old else None, new.map):
        news["map"] = change
    return news


def map_news(old: ClusterView | None, new: ClusterView) -> MapNews | None:
    if old is new:
        return None
    differing = _differing(old, new) if old else None
    renewed = differing is None
    tiles, verdicts = changes(differing or [])
    return {
        "node_count": new["node_count"],
        "pods_bound": new["pods_bound"],
        "pods_waiting": new["pods_waiting"],
        "cpu": new["cpu"],
        "memory": new["memory"],
        "extra": new["extra"],
        "extra_name": new["extra_name"],
        "largest_free": new["largest_free"],
        "groups": [_group(group, whole=renewed) for group in new["groups"]],
        "tiles": tiles,
        "verdicts": verdicts,
    }


def _differing(old: ClusterView, new: ClusterView) -> list[tuple[Tile, Tile]] | None:
    """(past, present) of each tile that is another object now; None where nodes came, went or changed their zone."""
    if [(group["name"], group["count"]) for group in old["groups"]] != [
        (group["name"], group["count"]) for group in new["groups"]
    ]:
        return None
    pairs = [
        (past, tile)
        for before, after in zip(old["groups"], new["groups"], strict=True)
        for past, tile in zip(before["tiles"], after["tiles"], strict=True)
        if past is not tile
    ]
    return pairs if all(past["name"] == tile["name"] for past, tile in pairs) else None


def changes(pairs: list[tuple[Tile, Tile]]) -> tuple[list[Tile], list[list[str | None]]]:
    """Tiles of which the node changed, and the cycle's new word on the others."""
    tiles: list[Tile] = []
    verdicts: list[list[str | None]] = []
    for past, tile in pairs:
        if past == tile:
            continue
        if _node(past) != _node(tile):
            tiles.append(tile)
        else:
            mark = "lead" if tile.get("lead") else "tie" if tile.get("tie") else ""
            verdicts.append([tile["name"], tile.get("verdict"), mark])
    return tiles, verdicts


def _node(tile: Tile) -> dict[str, Any]:
    return {key: value for key, value in tile.items() if key not in ("verdict", "lead", "tie")}


def _group(group: Any, *, whole: bool) -> GroupNews:
    news: GroupNews = {key: group[key] for key in ("name", "count", "cpu", "memory")}  # type: ignore[assignment]
    if whole:
        news["tiles"] = group["tiles"]
    return news


def _lock(cluster_id: int) -> Lock:
    with _mutex:
        return _building.setdefault(cluster_id, Lock())
