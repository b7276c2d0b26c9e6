"""The case library: every answer is what the engine says, and a case is a cluster that can be opened."""

import pytest
from django.test import Client

from dashboard.learn.lesson import LANES, THEMES, library
from dashboard.learn.page import outcome
from scheduler.models import Cluster
from scheduler.services import cycle_step

LESSONS = library()
FIRST = "fragments"


@pytest.fixture
def browser(db):
    return Client(SERVER_NAME="localhost")


@pytest.mark.parametrize("slug", LESSONS)
def test_the_answer_is_what_the_scheduler_does_and_can_be_guessed(slug):
    lesson = LESSONS[slug]
    assert outcome(lesson).answer == lesson.head.answer
    assert lesson.head.answer in lesson.choices
    assert len(set(lesson.choices)) == len(lesson.choices) >= 2


@pytest.mark.parametrize("slug", LESSONS)
def test_the_answers_of_its_changes_are_what_the_scheduler_does(slug):
    for number, task in enumerate(LESSONS[slug].head.tasks):
        assert outcome(LESSONS[slug], number).answer == task.answer, task.say


def test_every_theme_has_lessons():
    assert {lesson.head.theme for lesson in LESSONS.values()} == set(THEMES)


def test_lanes_are_named_as_on_the_board():
    assert LANES[:4] == ("ActiveQ", "BackoffQ", "Unschedulable", "Gated")


@pytest.mark.parametrize("slug", LESSONS)
def test_a_page_before_and_after_the_guess(browser, slug):
    lesson = LESSONS[slug]
    before = browser.get(f"/learn/{slug}/").content.decode()
    assert lesson.head.title in before.replace("&#x27;", "'")
    assert "The answer" not in before
    after = browser.get(f"/learn/{slug}/", {"guess": lesson.head.answer}).content.decode()
    assert 'data-right="yes"' in after
    wrong = next(one for one in lesson.choices if one != lesson.head.answer)
    assert 'data-right="no"' in browser.get(f"/learn/{slug}/", {"guess": wrong}).content.decode()


def test_a_number_opens_its_arithmetic(browser):
    page = browser.get("/learn/percent/", {"guess": "large", "cell": "small:NodeResourcesFit"}).content.decode()
    assert "NodeResourcesFit on" in page
    assert 'class="formula"' in page
    assert browser.get("/learn/percent/", {"guess": "large", "cell": "nobody:NodeResourcesFit"}).status_code == 404


def test_a_guess_that_is_no_choice_is_none(browser):
    assert "The answer" not in browser.get(f"/learn/{FIRST}/", {"guess": "moon"}).content.decode()


def test_a_case_that_is_not_there_says_where_the_others_are(browser):
    answer = browser.get("/learn/no-such-case/")
    assert answer.status_code == 404
    assert b"/learn/" in answer.content


def test_only_who_may_create_clusters_can_open_one(browser, admin_client, django_user_model):
    assert browser.post(f"/learn/{FIRST}/open/").headers["Location"].startswith("/login/")
    browser.force_login(django_user_model.objects.create_user("reader"))
    assert browser.post(f"/learn/{FIRST}/open/").status_code == 403
    assert not Cluster.objects.exists()
    for name in (f"case-{FIRST}", f"case-{FIRST}-2"):
        assert admin_client.post(f"/learn/{FIRST}/open/").headers["Location"] == f"/c/{name}/"
        assert Cluster.objects.get(name=name).node_set.count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_case_with_a_scenario_plays_it(admin_client):
    admin_client.post("/learn/hint/open/")
    cluster = Cluster.objects.get(name="case-hint")
    cycle_step(cluster.pk)
    assert cluster.events.filter(kind="ScenarioLoaded").count() == 1
    assert cluster.pod_set.get(name="big").queue == "unschedulable"
