"""The parts of the pages that need no server: texts, languages, limits, colours, scales, templates."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the annotation server")

from similitude.collect.annotation import records
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.store import refusals
from similitude.collect.annotation.tasks import ANNOTATION_TASKS, condition_checks
from similitude.collect.annotation.web.language import LANGUAGES, choose_language, flat_texts, study_texts, texts_in
from similitude.collect.annotation.web.markdown import rendered
from similitude.collect.annotation.web.security.csrf import form_token, is_form_token
from similitude.collect.annotation.web.security.throttle import Throttle
from similitude.collect.annotation.web.views.pages import batch_page
from similitude.collect.annotation.web.views.scales import scale_view

WEB = files("similitude.collect.annotation.web")
TASK_FOLDER = files("similitude.collect.annotation.tasks")
STYLE = WEB.joinpath("static", "annotation.css").read_text(encoding="utf-8")
TEXTS = {
    language: flat_texts(tomllib.loads(WEB.joinpath("texts", f"{language}.toml").read_text(encoding="utf-8")))
    for language in LANGUAGES
}
TASKS = [ANNOTATION_TASKS.make(name) for name in ("best-worst", "rating", "conditions", "verification")]


def own_texts(task, language: str) -> dict[str, str]:
    return flat_texts(task.texts[language])


def templates() -> dict[str, str]:
    found = [*Path(str(WEB)).joinpath("templates").rglob("*.html"), *Path(str(TASK_FOLDER)).glob("*.html")]
    return {str(each): each.read_text(encoding="utf-8") for each in found}


def named_in(template: str) -> set[str]:
    return set(re.findall(r"\bt\('([\w.]+\w)'[,)]", template))


def check_same_texts(texts: dict[str, str], english: dict[str, str]) -> None:
    assert set(texts) == set(english)
    for key, text in texts.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", english[key])), key
        assert text.strip() == text != "", key


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_keys_and_braces(language):
    check_same_texts(TEXTS[language], TEXTS["en"])
    for task in TASKS:
        check_same_texts(own_texts(task, language), own_texts(task, "en"))


def test_every_text_that_a_template_names_is_there():
    of_tasks = {task.template for task in TASKS}
    named = set().union(*(named_in(text) for text in templates().values() if text not in of_tasks))
    assert len(named) > 150
    assert not named - set(TEXTS["en"])
    for task in TASKS:
        assert not named_in(task.template) - set(TEXTS["en"]) - set(own_texts(task, "en")), task.name


def test_every_text_is_used():
    modules = [*Path(str(WEB)).rglob("*.py"), *Path(str(TASK_FOLDER)).glob("*.py")]
    sources = "".join(templates().values()) + "".join(each.read_text(encoding="utf-8") for each in modules)
    built = (
        r"^(phase|problem|error|event|annotators\.(state|source|flag)_|dashboard\.(state|reliability)_|leader|result"
    )
    built += r"|stopped|conditions|choice|waiting|paused|nothing|pools\.state_|stages\.(takes|when|next)_"
    built += r"|account\.(done|scope)_"
    built += r"|stopped|conditions|choice|waiting|paused|nothing|coming|pools\.state_|stages\.(takes|when|next)_"
    built += r"|detail|skip\.reason_|survey\.(before|after)_title"
    built += r"|console\.(state|role|sure|to|is)_"
    built += r"|answers\.(sort|kind|state|hint|round|field)_|charts\.(unit|pairs)_|answers\.(least|most|apart|yes|no)$"
    built += r"|wizard\.((template|task|role|step|detail|problem|header)_|\w+_lead$)"
    built += r"|console\.(changed|waiting|quiet|complete|problem)$|wizard\.(guidelines|consent)$|elsewhere"
    built += r"|payment\.(is|kind|you|outcome|filter|sort|list)_)"
    there = set(TEXTS["en"]).union(*(own_texts(task, "en") for task in TASKS))
    unused = {key for key in there if key not in sources and not re.match(built, key)}
    assert not unused


def test_everything_that_the_store_refuses_has_a_text():
    named = {
        key
        for kind in vars(refusals).values()
        if isinstance(kind, type) and issubclass(kind, refusals.Refused)
        for key in re.findall(r"``(\w+)``", (kind.__doc__ or "").partition("Keys:")[2])
    }
    named |= {"invalid_answer", "unavailable", "storage_full"}
    assert len(named) > 20
    assert not {key for key in named if f"error.{key}" not in TEXTS["en"]}


@pytest.mark.parametrize(
    ("place", "keys"),
    [
        (0, {"missing", "same_item", "not_in_tuple"}),
        (1, {"missing", "off_scale", "off_step", "not_a_number"}),
        (2, {*condition_checks.CHECKS, "not_different"}),
        (3, {"missing", "contradiction", "off_scale", "off_step", "not_a_number"}),
    ],
)
def test_every_problem_of_a_form_has_a_text(place, keys):
    there = study_texts("en", TASKS[place])
    assert not {key for key in keys if f"problem.{key}" not in there}


def test_every_state_and_source_has_a_text():
    for state in records.AnnotatorState.__args__:
        assert f"annotators.state_{state}" in TEXTS["en"]
    for source in records.Source.__args__:
        assert f"annotators.source_{source}" in TEXTS["en"]
    for state in records.StudyState.__args__:
        assert f"console.state_{state}" in TEXTS["en"]


def test_a_text_that_nobody_wrote_shows_as_its_words_and_missing_values_stay():
    texts = texts_in("en")
    assert texts("event.never_heard_of") == "never heard of"
    assert texts("phase.work", number=3) == "Question 3 of {total}"
    best_worst = study_texts("en", TASKS[0])
    assert best_worst.first_of("problem.best.missing", "problem.missing") == "Please choose the most similar text."
    assert texts.first_of("problem.x.missing", "problem.missing") == "Please answer this."


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("", "de"),
        ("en", "en"),
        ("EN-us;q=0.5, zh;q=0.4", "en"),
        ("zh;q=0, en;q=0.1", "en"),
        ("fr, *;q=0.5", "de"),
        ("en;q=abc", "de"),
        (",;=,;;q", "de"),
        ("x" * 100_000, "de"),
    ],
)
def test_the_language_that_a_browser_prefers(accepted, chosen):
    assert choose_language(accepted, ("de", "en", "zh")) == chosen


def test_markdown_lets_no_markup_through():
    html = rendered('<img src=x onerror="a()"> [a](javascript:b) [c](data:text/html,x) ![d](http://e/f.png) `<b>`')
    assert "<img" not in html
    assert "<b>" not in html
    assert not re.search(r'href="(javascript|data)', html)
    assert rendered("[a](https://example.org)") == '<p><a href="https://example.org">a</a></p>\n'


def test_a_form_token_belongs_to_its_session():
    assert is_form_token("a session", form_token("a session"))
    for wrong in ("", form_token("another"), form_token("a session")[:-1], "ü"):
        assert not is_form_token("a session", wrong)


def test_attempts_are_counted_in_a_window_and_memory_is_bounded():
    now = [0.0]
    throttle = Throttle(2, 60, most_keys=100, clock=lambda: now[0])
    assert [throttle.wait("a") for _ in range(3)] == [0, 0, 60]
    assert throttle.wait("b") == 0, "each key for itself"
    now[0] = 59
    assert throttle.wait("a", count=False) == 1
    now[0] = 61
    assert throttle.wait("a") == 0
    for number in range(10_000):
        throttle.wait(f"made up {number}")
    assert len(throttle) == 100
    assert throttle.wait("nobody", count=False) == 0
    assert len(throttle) == 100, "asking leaves no trace"


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_contrast_is_aa(scheme):
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[scheme]))
    grounds = ("ground", "panel", "raised", "accent-ground", "most-ground", "least-ground", "bad-ground")
    text = [("text", ground, 4.5) for ground in grounds]
    text += [("muted", ground, 4.5) for ground in ("ground", "panel", "raised")]
    text += [("accent", ground, 4.5) for ground in ("ground", "panel", "raised", "accent-ground")]
    text += [("on-accent", "accent", 4.5), ("warn", "warn-ground", 4.5), ("bad", "ground", 4.5)]
    text += [("most", "most-ground", 4.5), ("least", "least-ground", 4.5), ("good", "ground", 4.5)]
    text += [("edge", ground, 3) for ground in ("ground", "panel", "raised")]  # borders of controls
    for ink, ground, least in text:
        darker, lighter = sorted((luminance(colours[ink]), luminance(colours[ground])))
        assert (lighter + 0.05) / (darker + 0.05) >= least, (ink, ground)


def test_templates_hold_nothing_inline():
    for name, text in templates().items():
        assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=|\|\s*safe\b", text), name


def test_the_style_respects_those_who_want_little_motion():
    rest = re.sub(r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", "", STYLE, flags=re.DOTALL)
    assert "transition" not in rest
    assert "animation" not in STYLE


def plan(**changes) -> StudyPlan:
    return StudyPlan.model_validate({"name": "x", "task": "rating", **changes})


def scale_of(**changes):
    return plan(**changes).annotation_task().scale


def test_a_button_for_each_number_or_a_slider():
    buttons = scale_view(scale_of(scale={"low": 0, "high": 10, "labels": {"0": "none"}}), "en")
    assert [point.value for point in buttons.points] == [str(number) for number in range(11)]
    assert [point.key for point in buttons.points][-2:] == ["9", ""], "10 is no key"
    assert buttons.labelled
    assert buttons.layout == "column", "eleven buttons with labels"
    slider = scale_view(scale_of(scale={"low": 0, "high": 5, "step": 0.1}), "en")
    assert (slider.points, slider.low, slider.high, slider.step) == ((), "0", "5", "0.1")
    assert scale_view(scale_of(scale={"low": 0, "high": 100}), "en").points == ()
    assert scale_view(scale_of(task="best-worst"), "en") is None
    assert [point.value for point in scale_view(scale_of(task="verification"), "en").points] == list("12345")


@pytest.mark.parametrize(
    ("scale", "layout"),
    [
        ({"low": 0, "high": 5}, "row"),
        ({"low": 1, "high": 7}, "row"),
        ({"low": 0, "high": 10}, "cells"),
        ({"low": 1, "high": 3, "labels": {"1": "no", "2": "partly", "3": "yes"}}, "cells"),
        ({"low": 0, "high": 5, "labels": {"0": "nothing", "5": "the same"}}, "cells"),
        ({"low": 1, "high": 3, "labels": {"2": "they share a few details but not many"}}, "column"),
    ],
)
def test_a_scale_stands_in_one_row_or_in_one_column(scale, layout):
    assert scale_view(scale_of(scale=scale), "en").layout == layout


def test_numbers_with_their_meaning_in_the_readers_language():
    labelled = plan(languages=["de", "en"], scale={"labels": {"de": {"4": "fast gleich"}, "en": {"4": "nearly"}}}).scale
    assert labelled.in_words(4.0, "de") == "4 (fast gleich)"
    assert labelled.in_words(4.0, "en") == "4 (nearly)"
    assert labelled.in_words(3.0, "en") == "3"


def batch(count: int, purpose: str = "work"):
    from datetime import UTC, datetime

    questions = tuple(
        records.BatchQuestion(position=place, key=str(place), version=1, shown=records.Shown())
        for place in range(1, count + 1)
    )
    now = datetime.now(UTC)
    facts = {"created": now, "expires": now, "size": count, "answered": 0}
    return records.Batch(id=7, purpose=purpose, state="open", questions=questions, **facts)


@pytest.mark.parametrize(
    ("position", "per_page", "shown", "next_one", "back", "phase"),
    [
        (1, 1, [1], "/batch/7/2", "", "phase.work"),
        (5, 1, [5], "/batch/7/review", "/batch/7/4", "phase.work"),
        (2, 2, [1, 2], "/batch/7/3", "", "phase.work_pair"),
        (5, 2, [5], "/batch/7/review", "/batch/7/3", "phase.work"),
        (4, 3, [4, 5], "/batch/7/review", "/batch/7/1", "phase.work_pair"),
        (1, 9, [1, 2, 3, 4, 5], "/batch/7/review", "", "phase.work_range"),
        (99, 2, [5], "/batch/7/review", "/batch/7/3", "phase.work"),
    ],
)
def test_pages_of_a_batch(position, per_page, shown, next_one, back, phase):
    page = batch_page(batch(5), position, per_page)
    assert [question.position for question in page.questions] == shown
    assert (page.next, page.back, page.phase) == (next_one, back, phase)


def test_training_shows_one_question_at_a_time():
    assert len(batch_page(batch(5, "training"), 2, 3).questions) == 1
