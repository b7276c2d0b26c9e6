"""A moment of a cluster made into a case, with the answer that the simulation gives."""

from __future__ import annotations

import msgspec

from dashboard.learn.lesson import Ask, Head, Lesson, Theme
from dashboard.learn.moment import Moment
from dashboard.learn.page import outcome_of
from dashboard.learn.play import Played, play
from scheduler.manifests.export import yaml_text

THEMES: dict[Ask, Theme] = {
    "where": "resources",
    "next": "queues",
    "lane": "queues",
    "victim": "preemption",
    "count": "UnitedDeployments",
}
NOBODY, SOME = "nobody", 8
TITLES: dict[Ask, str] = {
    "where": "Where does {} go?",
    "next": "Which pod is tried first?",
    "lane": "Where does {} wait?",
    "victim": "Who makes room for {}?",
    "count": "How many pods does {} get?",
}
QUESTIONS: dict[Ask, str] = {
    "where": "`{}` waits for a node. Where does it go?",
    "next": "These pods wait for a node. Which one does the scheduler try first?",
    "lane": "`{}` waits for a node. Where is it when nothing more happens?",
    "victim": "`{}` waits for a node. Which pod is evicted to make room for it?",
    "count": "How many pods does the subset `{}` get?",
}


class Wish(msgspec.Struct, frozen=True):
    """What a person says of a case; what is empty is said by the simulation."""

    ask: Ask
    pod: str = ""
    subset: str = ""
    title: str = ""
    question: str = ""
    explanation: str = ""
    choices: list[str] = []

    @property
    def is_about_a_pod(self) -> bool:
        return self.ask in ("where", "lane", "victim")


def case_text(of: Moment, wish: Wish) -> str:
    """The file of the case, with the answer that the simulation gives. Raises what playing raises."""
    head = Head(
        apiVersion="podium.dev/v1",
        kind="Lesson",
        title=wish.title or TITLES[wish.ask].format(_about(wish).rpartition("/")[2])[:100],
        theme=THEMES[wish.ask],
        level=2,
        minutes=3,
        question=wish.question or QUESTIONS[wish.ask].format(_about(wish)),
        ask=wish.ask,
        answer="",
        explanation=wish.explanation,
        pod=wish.pod if wish.is_about_a_pod else "",
        subset=wish.subset if wish.ask == "count" else "",
        choices=wish.choices,
        configuration=of.configuration,
        settings=of.settings,
        seed=of.seed,
    )
    lesson = Lesson("", 0, head, of.objects, "")
    played = play(lesson)
    answer = played.answer(head)
    said = msgspec.to_builtins(head) | {"answer": answer, "choices": wish.choices or _choices(of, wish, answer)}
    said["explanation"] = wish.explanation or _explanation(lesson, played, answer)
    first = {field: value for field, value in said.items() if value not in ("", [], {}, None)}
    return "---\n".join(yaml_text(one) for one in (first, *of.objects))


def _about(wish: Wish) -> str:
    return wish.subset if wish.ask == "count" else wish.pod


def _choices(of: Moment, wish: Wish, answer: str) -> list[str]:
    """Few enough to choose among; empty where a case offers its own: nodes, lanes, waiting pods."""
    if wish.ask == "victim":
        others = [pod for pod in of.placed if pod != answer]
        return [*others[:SOME], answer, NOBODY] if answer != NOBODY else [*others[:SOME], NOBODY]
    if wish.ask == "count":
        right = int(answer)
        return [str(number) for number in sorted({0, right, right + 1, right + 2, 2 * right})]
    return []


def _explanation(lesson: Lesson, played: Played, answer: str) -> str:
    """What the simulation says of it."""
    if lesson.head.ask == "next":
        return f"`{answer}` is at the head of ActiveQ: higher priority first, then whoever came first."
    decisive = outcome_of(lesson, played).decisive
    if decisive is None:
        return f"It comes to {answer}."
    return decisive.sentence or decisive.message
