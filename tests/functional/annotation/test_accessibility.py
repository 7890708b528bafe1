"""axe finds nothing: on any page of annotators, leaders and the console, light and dark, on a desk and on a phone."""

import re
from datetime import timedelta

import pytest

pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")

from page_reader import Reader, get_routes

from similitude.collect.annotation import store
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.web.roles import Role
from similitude.collect.annotation.web.wizard.steps import STEPS

pytestmark = pytest.mark.slow

ANSWERS = {
    "best-worst": {"best": "1", "worst": "3"},
    "rating": {"value": "4"},
    "conditions": {"alike": "the kind of place", "differ": "the number of people"},
    "verification": {"applies": "yes", "value": "2"},
}
SURVEY = {
    "before": [
        {"id": "age", "kind": "age", "text": "How old are you?", "required": True},
        {"id": "tongue", "kind": "language", "text": "Your native language?", "required": True},
    ],
    "after": [
        {"id": "tools", "kind": "choices", "text": "Which did you use?", "options": ["a dictionary", "a search"]},
        {"id": "hours", "kind": "number", "text": "How many hours?"},
        {"id": "ease", "kind": "likert", "text": "It was easy.", "required": True},
        {"id": "said", "kind": "text", "text": "Anything else?"},
    ],
}
LABELS = {"0": "nothing in common", "3": "roughly the same", "5": "exactly the same meaning, whatever the words"}


def in_languages(*tags: str | None) -> list[Question]:
    items = [
        {"id": f"q{place}", "left": "one text", "right": "another text", "language": tag}
        for place, tag in enumerate(tags)
    ]
    return [Question(key=item["id"], items=(item,)) for item in items]


@pytest.fixture(scope="module")
def reader(browser):
    made = Reader(browser)
    yield made
    made.page.context.close()


class Look:
    """Collects what axe finds on the pages of one person."""

    def __init__(self, reader, person):
        self.reader, self.person, self.found, self.seen = reader, person, [], []

    def at(self, response, status=200):
        assert response.status_code == status, (response.url, response.status_code)
        self.seen.append(str(response.url.path))
        self.found += self.reader.complaints(self.person, response)
        return response


@pytest.mark.parametrize("task", ANSWERS)
def test_the_pages_of_a_task(site, reader, task):
    example = {"answer": {"value": 4}, "left": "One.", "right": "Other.", "why": "because"}
    plan = {"example": [example]} if task == "rating" else {}
    served = site(task, batch={"questions": 2, "per_page": 2 if task == "best-worst" else 1}, **plan)
    look = Look(reader, served.annotator())
    person = look.person
    look.at(person.get("/instructions"))
    look.at(person.get("/work"))
    look.at(person.post(str(person.page.url.path), person.hidden()), status=422)
    person.get("/work")
    while "data-questions" in person.page.text:
        positions = re.findall(r'data-position="(\d+)"', person.page.text)
        sent = {f"{position}.{name}": value for position in positions for name, value in ANSWERS[task].items()}
        person.post(str(person.page.url.path), {**person.hidden(), **sent})
    look.at(person.page)
    assert not look.found


@pytest.mark.parametrize(
    "scale",
    [
        {"low": 0, "high": 5, "labels": LABELS},
        {"low": 0, "high": 10},
        {"low": 0, "high": 5, "step": 0.1, "labels": LABELS},
    ],
    ids=["labels", "eleven", "slider"],
)
def test_scales(site, reader, scale):
    served = site("rating", scale=scale, questions=in_languages("ar-en", "ur", None))
    person = served.joined()
    person.post("/consent", {"agree": "yes", "reads": ["ar", "en", "ur"]})
    look = Look(reader, person)
    look.at(person.get("/work"))
    assert not look.found


def test_the_way_of_an_annotator(site, reader):
    training = [
        Question(key=f"t{place}", kind="training", items=item.items, expected={"value": 3.0})
        for place, item in enumerate(in_languages("de", "en"))
    ]
    served = site(
        "rating",
        questions=[*in_languages("de", "en", "de", "en"), *training],
        training={"questions": "t.jsonl", "rounds": 1, "limit": 2, "pass": 0.0},
        batch={"questions": 4, "minutes": 600},
        breaks={"suggest": 20},
        survey=SURVEY,
        access={"open": True},
    )
    visitor = served.visitor()
    start = Look(reader, visitor)
    start.at(visitor.get("/"))
    start.at(visitor.get("/open"))
    start.at(visitor.get(served.invitation()))
    start.at(visitor.get("/nowhere"), status=404)
    person = served.joined()
    look = Look(reader, person)
    look.at(person.get("/consent"))
    look.at(person.post("/consent"), status=422)
    person.post("/consent", {"agree": "yes", "reads": "de"})
    look.at(person.get("/survey/before"))
    look.at(person.post("/survey/before"), status=422)
    person.post("/survey/before", {"age": "25-34", "tongue": "Deutsch"})
    look.at(person.get("/work"))
    look.at(person.answer(value="1"))  # feedback
    look.at(person.post(f"/batch/{person.batch}/send"))  # the result
    person.get("/work")
    batch = person.batch
    look.at(person.get(f"/batch/{batch}/1/skip"))
    look.at(person.post(f"/batch/{batch}/1/skip", {"reason": "other"}), status=422)
    person.post(f"/batch/{batch}/1/skip", {"reason": "undecided", "nonce": "x"})
    look.at(person.get(f"/batch/{batch}/1"))
    served.clock.passed += timedelta(minutes=21)
    page = look.at(person.get(f"/batch/{batch}/2"))
    assert "data-rest" in page.text
    look.at(person.post("/break"))
    person.post("/break/end")
    look.at(person.get(f"/batch/{batch}/review"))
    person.get(f"/batch/{batch}/2")
    person.answer(value="4", comment="hm")
    look.at(person.page)
    look.at(person.get("/languages"))
    look.at(person.get("/data"))
    look.at(person.post("/data/delete"), status=422)
    look.at(person.post(f"/batch/{batch}/send"))
    look.at(person.get("/work"))  # the survey after
    person.post("/survey/after", {"ease": "4"})
    look.at(person.get("/work"))  # finished
    look.at(person.post("/data/leave"))
    look.at(person.post("/data/delete", {"sure": "yes"}))
    assert not start.found + look.found


FILLED = {"number": "1", "part": "before", "batch": "1", "position": "1", "language": "en", "slug": "one"}
NO_PAGES = re.compile(r"\.(jsonl|csv|json|svg|txt|zip)$|^/language/|/docs/|/payment/lists/|^/static/|^/healthz")
"""Downloads, and what leads elsewhere."""


def filled(address: str, **known: str) -> str:
    """An address with something in place of the names in braces."""
    parts = {**FILLED, **known}
    missing = [name for name in re.findall(r"\{(\w+)", address) if name not in parts]
    assert not missing, f"say in FILLED what {missing} of {address} may be, so that axe can look at the page"
    return re.sub(r"\{(\w+)[^}]*\}", lambda name: parts[name[1]], address)


def test_every_page_of_a_leader(site, reader):
    served = site("rating", survey={"before": SURVEY["after"]}, settings={})
    visitor = served.visitor()
    person = served.joined()
    person.post("/consent", {"agree": "yes"})
    person.post("/survey/before", {"ease": "4"})
    person.get("/work")
    person.answer(value="4", comment="hard to say")
    person.post(f"/batch/{person.batch}/2/skip", {"reason": "other", "note": "cut off", "nonce": "n"})
    person.get(f"/batch/{person.batch}/3")
    person.answer(value="2")
    person.post(f"/batch/{person.batch}/send")
    name = store.annotator_rows(served.database, now=served.now)[0].annotator.pseudonym
    served.invitation()
    leader = served.leader()
    look, before = Look(reader, leader), Look(reader, visitor)
    before.at(visitor.get("/leader/login"))
    before.at(visitor.post("/leader/login", {"name": "anna", "password": "wrong"}), status=403)
    addresses = [each for each in get_routes(served.app, Role.LEADER) if not NO_PAGES.search(each)]
    for address in addresses:
        page = leader.get(filled(address, pseudonym=name))
        if page.headers["content-type"].startswith("text/html"):
            look.at(page, status=page.status_code)
    assert len(look.seen) >= 10
    assert not before.found + look.found


def test_every_page_of_the_console(console, reader):
    served = console("one", "two")
    served.put("draft")
    served.annotator("one").answer_all(value="3")
    name = store.annotator_rows(served.shelf.database("one"), now=served.now)[0].annotator.pseudonym
    leader = served.leader()
    look = Look(reader, leader)
    addresses = [each for each in get_routes(served.app.pages, Role.LEADER) if not NO_PAGES.search(each)]
    addresses += [f"/s/one{each}" for each in ("/leader", "/leader/members", "/leader/stages", "/leader/pools")]
    addresses += [f"/leader/edit/draft/step/{step}" for step in STEPS]
    for address in addresses:
        page = leader.get(filled(address, pseudonym=name, name="design", slug="draft"))
        if page.headers["content-type"].startswith("text/html"):
            look.at(page, status=page.status_code)
    assert len(look.seen) >= 12
    assert not look.found
