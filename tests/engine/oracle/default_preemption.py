"""DefaultPreemption node by node: every trial looks at a world of its own, copied for it."""

from collections.abc import Callable
from dataclasses import dataclass

from scheduler.engine.labels import label_selector
from scheduler.engine.objects import Node, Pod, PodDisruptionBudget
from tests.engine.oracle.world import Refusal, World

FirstRefusal = Callable[[World, Pod, Node], Refusal | None]


@dataclass
class Attempt:
    """`refused`: node → how the search refused it. `nominated`: pods that wait for a node, by its name."""

    world: World
    pod: Pod
    refused: dict[str, Refusal]
    nominated: dict[str, list[Pod]]
    budgets: list[PodDisruptionBudget]
    first_refusal: FirstRefusal


@dataclass
class Victims:
    pods: list[Pod]
    violations: int


def insertion_sort(pods: list[Pod]) -> list[Pod]:
    """Of at most twelve, as Go does it."""
    done = list(pods)
    for i in range(1, len(done)):
        for j in range(i, 0, -1):
            if not more_important(done[j], done[j - 1]):
                break
            done[j], done[j - 1] = done[j - 1], done[j]
    return done


def more_important(one: Pod, other: Pod) -> bool:
    if one.priority != other.priority:
        return one.priority > other.priority
    mine, theirs = start(one), start(other)
    return True if mine is None is theirs else (mine or "9") < (theirs or "9")


def start(pod: Pod) -> str | None:
    return pod.status.start_time if pod.status else None


def refusal(attempt: Attempt, node: Node, pods: list[Pod]) -> Refusal | None:
    """With these pods on the node: first together with those that wait for it, then without."""
    waiting = [one for one in attempt.nominated.get(node.name, []) if one.priority >= attempt.pod.priority]
    for there in [pods + waiting, pods] if waiting else [pods]:
        world = World(attempt.world.nodes, {**attempt.world.pods, node.name: there}, attempt.world.namespaces)
        if (refused := attempt.first_refusal(world, attempt.pod, node)) is not None:
            return refused
    return None


def breaking(attempt: Attempt, pods: list[Pod]) -> list[Pod]:
    allowed = [one.status.disruptions_allowed for one in attempt.budgets]
    found = []
    for pod in pods:
        breaks = False
        for number, budget in enumerate(attempt.budgets):
            same = budget.namespace == pod.namespace
            if same and budget.spec.selector.match_labels and label_selector(budget.spec.selector).matches(pod.labels):
                allowed[number] -= 1
                breaks = breaks or allowed[number] < 0
        if breaks:
            found.append(pod)
    return found


def select_victims(attempt: Attempt, node: Node) -> Victims | Refusal:
    there = attempt.world.pods_on(node)
    lower = [pod for pod in there if pod.priority < attempt.pod.priority]
    kept = [pod for pod in there if pod not in lower]
    if not lower:
        return Refusal(("No preemption victims found for incoming pod",))
    if (refused := refusal(attempt, node, kept)) is not None:
        return refused
    ordered = insertion_sort(lower)
    violating = breaking(attempt, ordered)
    others = [pod for pod in ordered if pod not in violating]
    victims = []
    for pod in violating + others:
        if refusal(attempt, node, [*kept, pod]) is None:
            kept.append(pod)
        else:
            victims.append(pod)
    violations = sum(pod in violating for pod in victims)
    return Victims(insertion_sort(victims) if violating and others else victims, violations)


def candidates(attempt: Attempt) -> tuple[dict[str, Victims], dict[str, Refusal]]:
    """(node → victims, node → why preemption would not help)"""
    tried = [node for node in attempt.world.nodes if not attempt.refused[node.name].hopeless]
    said = {node.name: select_victims(attempt, node) for node in tried}
    return (
        {name: one for name, one in said.items() if isinstance(one, Victims)},
        {name: one for name, one in said.items() if isinstance(one, Refusal)},
    )


def acceptable(found: dict[str, Victims]) -> list[str]:
    """The nodes that no rule tells apart from the best, by name."""

    def cost(name: str) -> tuple[int, int, int, int, list[int]]:
        one = found[name]
        top = max(pod.priority for pod in one.pods)
        earliest = min(start(pod) or "9" for pod in one.pods if pod.priority == top)
        later_is_better = [-ord(letter) for letter in earliest]
        shifted = sum(pod.priority + 2**31 for pod in one.pods)
        return one.violations, one.pods[0].priority, shifted, len(one.pods), later_is_better

    best = min(map(cost, found), default=None)
    return sorted(name for name in found if cost(name) == best)
