"""Clusters to begin with, shipped with Podium. Where each comes from stands in its file's first lines."""

from dataclasses import dataclass
from pathlib import Path

from scheduler.manifests.sources import Source


@dataclass(frozen=True)
class Sample:
    """`file` is None for what is made by code."""

    slug: str
    title: str
    text: str
    facts: str
    file: str | None = None

    @property
    def source(self) -> Source | None:
        return Source(self.file, Path(__file__).with_name(self.file)) if self.file else None


SAMPLES = (
    Sample(
        "demo",
        "Demo cluster",
        "Six pools in three zones. Eighteen pods wait, each to teach one thing: 17 in ActiveQ, 1 gated. "
        "One more belongs to another scheduler.",
        "60 nodes · 411 pods",
    ),
    Sample(
        "rollout",
        "A rollout to watch",
        "Controllers are on: a UnitedDeployment over three zones makes its pods, moves and rolls them.",
        "6 nodes · 8 pods to come",
    ),
    Sample(
        "gke-5-nodes",
        "Five small nodes, one pod pending",
        "A real cluster with the verdict that its own scheduler wrote. Why does the pod wait?",
        "5 nodes · 42 pods",
        "gke-5-nodes-real-pending.yaml",
    ),
    Sample(
        "gpu-90-nodes",
        "Ninety nodes of a GPU cluster",
        "Every score of v1.34.1 is known; twelve pods wait.",
        "90 nodes · 272 pods",
        "openb-slice-90-nodes.yaml.gz",
    ),
)
BY_SLUG = {sample.slug: sample for sample in SAMPLES}
