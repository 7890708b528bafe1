"""In Chromium: leaders look at questions, people and charts, at a desk, in the dark, on a phone; axe finds nothing."""

from datetime import UTC, datetime, timedelta
from importlib.resources import files

import pytest

from similitude.cli.annotation_server import comparisons
from similitude.collect.annotation import store
from similitude.collect.annotation.records import Entry

from .conftest import PASSWORD, pairs, tuples

pytestmark = pytest.mark.slow

SHAPES = {
    "desk": {"viewport": {"width": 1200, "height": 900}},
    "dark": {"viewport": {"width": 1200, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 375, "height": 720}, "is_mobile": True, "has_touch": True},
}


def answered(served, forms) -> None:
    """Three people answer everything, each in their own way, on three days."""
    at = datetime.now(UTC) - timedelta(days=3)
    for number, form in enumerate(forms):
        at += timedelta(hours=20)
        token = store.invite(served.database, now=at, by="test").token
        who = store.enter_by_invitation(served.database, token, language=None, now=at).annotator.id
        store.consent(served.database, who, agreed=True, now=at)
        batch = store.next_work(served.database, who, now=at).batch
        for question in batch.questions:
            at += timedelta(seconds=9)
            entry = Entry(question.position, form(question), f"{number}-{question.position}", 9.0)
            store.save_answer(served.database, who, batch.id, entry, now=at)
        store.send_batch(served.database, who, batch.id, now=at)


@pytest.fixture(scope="module")
def rated(serve):
    plan = {"batch": {"questions": 12, "most": 12}, "judgements": 3, "comparisons": comparisons()}
    served = serve("rating", questions=pairs(12), **plan)
    answered(served, [lambda q, n=n: {"value": str((q.position * (n + 1)) % 6)} for n in range(3)])
    return served


@pytest.fixture(scope="module")
def chosen(serve):
    plan = {"batch": {"questions": 12, "most": 12}, "judgements": 3, "comparisons": comparisons()}
    served = serve("best-worst", questions=tuples(12), **plan)

    def form(question):
        return {"best": question.shown.options[0].id, "worst": question.shown.options[-1].id}

    answered(served, [form] * 3)
    return served


def as_leader(visit, served, shape):
    page = visit(f"{served.url}/leader/login", **SHAPES[shape])
    page.fill("#name", "anna")
    page.fill("#password", PASSWORD)
    page.locator("main button").click()
    page.wait_for_url("**/leader")
    return page


def complaints(page) -> list[str]:
    """What axe finds, and whether anything sticks out of the screen."""
    source = files(pytest.importorskip("axe_playwright_python", reason="needs axe")).joinpath("axe.min.js")
    page.evaluate(source.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    told = [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]
    return told + ([f"{wider} pixels too wide"] if wider > 0 else [])


def opened(page, address: str) -> None:
    """The page, once nothing on it is being computed, with all its tables and forms unfolded."""
    for _ in range(200):
        page.goto(address)
        if not page.get_by_text("Being computed").count():
            break
        page.wait_for_timeout(100)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("task", ["rated", "chosen"])
def test_axe_finds_nothing(request, visit, task, shape):
    served = request.getfixturevalue(task)
    page = as_leader(visit, served, shape)
    name = store.annotator_rows(served.database, now=datetime.now(UTC))[0].annotator.pseudonym
    for address in ("answers?sort=disagreement", "answers/1", f"people/{name}", "charts"):
        opened(page, f"{served.url}/leader/{address}")
        assert complaints(page) == [], address


def test_a_leader_finds_the_widest_disagreement_and_decides_it(rated, visit):
    page = as_leader(visit, rated, "desk")
    page.get_by_role("link", name="Answers").click()
    page.get_by_label("Order").select_option("disagreement")
    page.get_by_role("button", name="Search").click()
    page.locator(".question-list h2 a").first.click()
    page.get_by_text("Decide this question").click()
    page.locator(".decide label.choice", has_text="3").click()
    page.get_by_label("Reason").fill("They share the mood.")
    page.get_by_role("button", name="Save the decision").click()
    page.get_by_text("holds").wait_for()
    assert [row["reason"] for row in rated.rows() if row["round"] == "adjudication"] == ["They share the mood."]


def test_drawings_follow_the_colours_of_the_page(rated, visit):
    seen = []
    for shape in ("desk", "dark"):
        page = as_leader(visit, rated, shape)
        opened(page, f"{rated.url}/leader/charts")
        seen.append(page.evaluate("getComputedStyle(document.querySelector('.bars')).fill"))
    assert seen[0] != seen[1]
    assert "rgb(0, 0, 0)" not in seen
