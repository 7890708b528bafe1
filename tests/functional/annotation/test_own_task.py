"""The task of the example package, a fifth one, from its plan to the exported row."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the annotation server")

from similitude_example.task import SameOrDifferent

from similitude.collect.annotation import store
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.tasks import ANNOTATION_TASKS, AnnotationTask, PairTask, Read
from similitude.collect.annotation.tasks.contract import lacks_of_task
from similitude.collect.annotation.web.language import study_texts
from similitude.errors import InputError

from .conftest import pairs


@pytest.fixture
def own_task(monkeypatch) -> Any:
    """The task, registered as long as a test runs."""
    monkeypatch.setattr(ANNOTATION_TASKS, "_makers", dict(ANNOTATION_TASKS._makers))
    return ANNOTATION_TASKS.register("same-or-different")(SameOrDifferent)


STUDY = """
name = "twins"
task = "same-or-different"
items = "items.jsonl"
judgements = 1
languages = ["en", "de"]

[batch]
questions = 2
gold_share = 0.5

[gold]
questions = "gold.jsonl"

[[example]]
left = "A cat sleeps."
right = "A cat is asleep."
answer = {value = 1}
"""
ITEMS = [
    {"id": "a", "left": "It rains.", "right": "Rain falls."},
    {"id": "b", "left": "It rains.", "right": "It is dry."},
]


def write(folder, text: str = STUDY) -> Any:
    folder.joinpath("study.toml").write_text(text, encoding="utf-8")
    for name, rows in (("items", ITEMS), ("gold", [{"item": "a", "value": 1}])):
        folder.joinpath(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder / "study.toml"


def test_it_keeps_the_contract():
    assert isinstance(SameOrDifferent(), AnnotationTask)
    assert list(lacks_of_task("same-or-different", SameOrDifferent)) == []


def test_a_plan_may_name_it(own_task, tmp_path):
    study = read_study(write(tmp_path))
    assert [(each.key, each.kind, each.expected) for each in study.questions] == [
        ("a", "work", None),
        ("b", "work", None),
        ("gold:a", "gold", {"value": 1}),
    ]


def test_without_its_package_the_plan_says_which_tasks_there_are(tmp_path):
    with pytest.raises(InputError, match=r"study.toml, line 3: no annotation task named 'same-or-different'; .*rating"):
        read_study(write(tmp_path))


def test_its_scale_is_its_own(own_task, tmp_path):
    with pytest.raises(InputError, match=r"a same-or-different study has a scale of its own; leave \[scale\] out"):
        read_study(write(tmp_path, f"{STUDY}\n[scale]\nhigh = 7\n"))


def test_from_the_page_to_the_exported_row(own_task, site):
    example = {"left": "A cat sleeps.", "right": "A cat is asleep.", "answer": {"value": 1}}
    there = site("same-or-different", questions=pairs(2), example=[example])
    person = there.annotator()
    assert "Do the two texts mean the same?" in person.page.text
    assert 'data-fields="value"' in person.page.text

    assert person.answer(value="perhaps").status_code == 422
    assert "Please say whether they mean the same." in person.page.text
    assert person.answer(value="same").status_code == 200
    assert person.answer(value="different").status_code == 200
    assert person.page.url.path.endswith("/review")
    assert [word in person.page.text for word in ("Same", "Different")] == [True, True]
    assert "The answer: Same" in person.get("/instructions").text

    person.get("/work")
    person.post(f"/batch/{person.batch}/send")
    rows = there.rows()
    assert [(row["item"], row["value"], row["scale"]) for row in rows] == [
        (row["question"], value, "0..1") for row, value in zip(rows, (1.0, 0.0), strict=True)
    ]
    found = store.judgements(there.database)
    assert (found.kind, len(found), found.scale.high) == ("rating", 2, 1)


def test_an_export_comes_back(own_task, site):
    there, empty = site("same-or-different", questions=pairs(2)), site("same-or-different", questions=pairs(2))
    there.annotator().answer_all(value="same")
    rows = there.rows()
    assert len(rows) == 2
    assert store.import_rows(empty.database, rows, now=datetime.now(UTC), by="test") == 2
    assert [row["value"] for row in empty.rows()] == [1.0, 1.0]
    blank, another = [{**rows[0], "value": None}], site("same-or-different", questions=pairs(2)).database
    with pytest.raises(InputError, match="the answer is not complete"):
        store.import_rows(another, blank, now=datetime.now(UTC), by="test")


GERMAN = {"same_or_different": {"ask": "Bedeuten die Texte dasselbe?", "same": "Gleich", "different": "Verschieden"}}


class InOneFile(SameOrDifferent):
    """Brings template and texts as values instead of files."""

    template = "<p>{{ t('same_or_different.ask') }}</p>"
    texts: Any = {"en": {"same_or_different": {"same": "Alike"}}, "de": GERMAN}  # noqa: RUF012


def test_template_and_texts_may_stand_in_the_class():
    assert list(lacks_of_task("same-or-different", InOneFile)) == []
    assert study_texts("en", InOneFile())("same_or_different.same") == "Alike"


def test_its_texts_are_shown_in_the_readers_language_or_in_english():
    assert study_texts("de", InOneFile())("same_or_different.same") == "Gleich"
    assert study_texts("de", InOneFile())("save.saved") == "Gespeichert"
    assert study_texts("zh", InOneFile())("same_or_different.same") == "Alike"
    assert study_texts("zh", SameOrDifferent())("same_or_different.same") == "Same"


def test_what_a_task_lacks_is_said():
    class Nameless(PairTask):
        fields = ()

        def read(self, items: Any, form: Mapping[str, str]) -> Read:
            return Read({})

    assert list(lacks_of_task("own", Nameless)) == [
        "has no name: as it is registered",
        "has no template: NAME.html beside its module, or a class attribute",
        "has no method in_words",
        "has no field to fill in",
    ]
    assert list(lacks_of_task("other", SameOrDifferent)) == ["calls itself 'same-or-different': set name = 'other'"]
    assert list(lacks_of_task("own", lambda scale: None)) == ["cannot be made without arguments: give scale a default"]


@pytest.mark.slow
def test_keys_choose_and_answers_are_saved_at_once_in_a_browser(own_task, serve, visit):
    served = serve("same-or-different", questions=pairs(2), batch={"questions": 2, "most": 2})
    page = visit(served.url + "/work", session=served.session())
    for number, key in ((1, "1"), (2, "2")):
        page.wait_for_url(f"**/{number}")
        page.locator(".js .question").wait_for()
        page.keyboard.press(key)
        page.locator('[data-state="saved"]').wait_for()
        page.keyboard.press("Enter")
    page.wait_for_url("**/review")
    assert [row["value"] for row in served.rows()] == [1.0, 0.0]
