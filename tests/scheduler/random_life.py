"""A cluster's life for property tests: many commands, drawn from a seed, through the services."""

import random
from contextlib import suppress

import msgspec

from scheduler import services, store
from scheduler.engine.commands import (
    AddObject,
    CancelScenario,
    ChangeProfile,
    DeleteObject,
    LoadScenario,
    PopPod,
    Schedule,
)
from scheduler.engine.config.decode import API_VERSION, KIND
from scheduler.engine.errors import PodiumError
from scheduler.engine.scenario import ScenarioStep
from scheduler.services.admit import Admission
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.builders import a_claim, a_node, a_pod, a_storage_class, a_volume

SECOND = 1_000_000


class Life:
    def __init__(self, cluster_id: int, seed: int) -> None:
        self.cluster_id, self.chance, self.count = cluster_id, random.Random(seed), 0
        self.deeds = [
            (4, self.add_pod),
            (1, self.add_pod_with_claims),
            (2, self.delete_pod),
            (2, self.relabel_pod),
            (1, self.add_node),
            (1, self.change_node),
            (1, self.delete_node),
            (6, self.schedule),
            (2, self.step_phase),
            (1, self.pop),
            (3, self.advance),
            (1, self.activate),
            (1, self.replace_pod_at_once),
            (1, self.change_profile),
            (1, self.switch_controllers),
            (1, self.add_united_deployment),
            (1, self.load_scenario),
            (1, self.cancel_scenario),
            (1, self.reset),
        ]

    def live(self, times: int) -> None:
        weights = [weight for weight, _ in self.deeds]
        for _ in range(times):
            deed = self.chance.choices(self.deeds, weights)[0][1]
            with suppress(PodiumError):
                deed()

    def pick(self, kind: str):
        with store.reading(self.cluster_id) as simulation:
            found = sorted((one.namespace, one.name) for one in simulation.objects(kind))
        return self.chance.choice(found) if found else ("default", "none")

    def new_name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}-{self.count}"

    def add_pod(self) -> None:
        spec = self.chance.choice(
            [{}, {"priority": 1000}, {"schedulingGates": [{"name": "wait"}]}, {"nodeName": self.pick("Node")[1]}]
        )
        size = self.chance.choice(["100m", "2", "30"])
        services.objects_apply(self.cluster_id, [a_pod(self.new_name("new"), cpu=size, **spec)])

    def add_pod_with_claims(self) -> None:
        """One claim may find a volume, the other gets one made."""
        volume, *claims = (self.new_name(prefix) for prefix in ("pv", "static", "made"))
        mounts = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in claims]
        objects = [a_storage_class("made"), a_storage_class("static", provisioner="kubernetes.io/no-provisioner")]
        objects += [a_volume(volume, "static"), *(a_claim(name, name.split("-")[0]) for name in claims)]
        services.objects_apply(self.cluster_id, [*objects, a_pod(self.new_name("claiming"), volumes=mounts)])

    def delete_pod(self) -> None:
        services.object_delete(self.cluster_id, "Pod", *self.pick("Pod"))

    def relabel_pod(self) -> None:
        key = ("Pod", *self.pick("Pod"))
        label = self.new_name("label")

        def edit(manifest):
            return {**manifest, "metadata": {**manifest["metadata"], "labels": {"app": label}}}

        services.objects_change(self.cluster_id, [key], edit)

    def add_node(self) -> None:
        services.objects_apply(self.cluster_id, [a_node(self.new_name("node"), cpu=self.chance.choice(["1", "8"]))])

    def change_node(self) -> None:
        cpu = self.chance.choice(["1", "2", "16"])
        services.objects_apply(self.cluster_id, [a_node(self.pick("Node")[1], cpu=cpu, zone=self.new_name("zone"))])

    def delete_node(self) -> None:
        services.object_delete(self.cluster_id, "Node", *self.pick("Node"))

    def schedule(self) -> None:
        services.execute(self.cluster_id, *[Schedule()] * self.chance.randint(1, 4))

    def step_phase(self) -> None:
        services.cycle_step_phase(self.cluster_id)

    def pop(self) -> None:
        services.execute(self.cluster_id, PopPod())

    def advance(self) -> None:
        with store.reading(self.cluster_id) as simulation:
            to_us = simulation.now_us + self.chance.randint(1, 400) * SECOND
        services.clock_advance(self.cluster_id, self.chance.choice([None, to_us]))

    def activate(self) -> None:
        services.pods_activate(self.cluster_id, ["/".join(self.pick("Pod"))])

    def replace_pod_at_once(self) -> None:
        """Delete and create under one name in one batch."""
        namespace, name = self.pick("Pod")

        def decide(simulation):
            deleted = simulation.handle(DeleteObject("Pod", namespace, name))
            kind, manifest = Admission(simulation).create(a_pod(name, namespace=namespace))
            return [*deleted, *simulation.handle(AddObject(kind, manifest))]

        services.write(self.cluster_id, decide)

    def change_profile(self) -> None:
        names = self.chance.sample(["default-scheduler", "batch", "web"], self.chance.randint(1, 3))
        profiles = [{"schedulerName": name} for name in names]
        services.profile_change(self.cluster_id, {"apiVersion": API_VERSION, "kind": KIND, "profiles": profiles})

    def switch_controllers(self) -> None:
        with store.reading(self.cluster_id) as simulation:
            configuration, settings = simulation.configuration, msgspec.to_builtins(simulation.settings)
        settings["controllers"] = self.chance.random() < 0.8
        services.execute(self.cluster_id, ChangeProfile(configuration, settings))

    def add_united_deployment(self) -> None:
        kind = self.chance.choice(["cloneSet", "deployment", "statefulSet"])
        annotations = self.chance.choice([{}, {"podium.dev/fail-create": "a"}])
        manifest = a_united_deployment(self.chance.randint(0, 5), kind=kind, annotations=annotations)
        services.objects_apply(self.cluster_id, [manifest])

    def load_scenario(self) -> None:
        with store.reading(self.cluster_id) as simulation:
            at_us = simulation.now_us + self.chance.randint(1, 60) * SECOND
        step = ScenarioStep(at_us, "delete", "Pod", *self.pick("Pod"))
        services.execute(self.cluster_id, LoadScenario("life", (step,)))

    def cancel_scenario(self) -> None:
        services.execute(self.cluster_id, CancelScenario())

    def reset(self) -> None:
        with store.reading(self.cluster_id) as simulation:
            to_seq = self.chance.randint(max(1, simulation.seq - 40), simulation.seq - 1)
        services.cluster_reset(self.cluster_id, to_seq)
