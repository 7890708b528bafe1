"""In Chromium, by keys and on a phone: skip, comment, undo, break, the active question, scales, sliders, surveys."""

import pytest

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 375, "height": 720}, "is_mobile": True, "has_touch": True}
LABELS = {"0": "nothing", "1": "a topic", "2": "some", "3": "much", "4": "nearly all", "5": "all"}
LONG = {str(number): "They share a good number of details, but not " + "a" * 60 for number in range(6)}


def at_question(visit, served, **options):
    page = visit(f"{served.url}/work", session=served.session(), **options)
    page.locator(".js .question").first.wait_for()
    return page


def saved(page) -> None:
    page.locator('[data-state="saved"]').wait_for()


def test_by_keys_alone_skip_undo_and_a_break(serve, visit):
    served = serve("rating", batch={"questions": 3, "most": 3})
    page = at_question(visit, served)
    press = page.keyboard.press
    press("s")
    page.wait_for_url("**/1/skip")
    page.locator("html.js").wait_for()
    press("4")
    assert page.locator("[name=reason]:checked").get_attribute("value") == "undecided"
    press("Enter")
    page.wait_for_url("**/2")
    page.locator(".js .question").wait_for()
    press("3")
    saved(page)
    press("Enter")
    page.wait_for_url("**/3")
    page.get_by_text("2 of 3 answered").wait_for()
    press("u")
    page.wait_for_url("**/2#question-2")
    page.locator(".js .question").wait_for()
    press("5")
    saved(page)
    assert [row["value"] for row in served.rows()] == [5]
    page.get_by_role("button", name="Take a break").focus()
    press("Enter")
    page.get_by_role("heading", name="You are on a break").wait_for()
    page.locator("html.js").wait_for()
    press("Enter")
    page.wait_for_url("**/3")
    page.locator(".js .question").wait_for()
    press("1")
    saved(page)
    press("Enter")
    page.wait_for_url("**/review")
    page.get_by_text("skipped: I cannot decide").wait_for()
    press("Enter")
    page.get_by_text("Your answers have arrived").wait_for()
    assert [row["value"] for row in served.rows()] == [5, 1]


def test_a_comment_is_saved_with_the_answer(serve, visit):
    served = serve("rating")
    page = at_question(visit, served)
    page.keyboard.press("4")
    saved(page)
    page.get_by_text("Comment on this question").click()
    page.get_by_label("Your comment").fill("two senses")
    page.get_by_label("Your comment").press("Tab")
    saved(page)
    assert [(row["value"], row["comment"]) for row in served.rows()] == [(4, "two senses")]
    page.reload()
    assert page.get_by_label("Your comment").input_value() == "two senses"


def test_those_who_use_keys_see_which_question_is_active(serve, visit):
    served = serve("rating", batch={"questions": 2, "per_page": 2})
    page = at_question(visit, served)
    first, second = page.locator(".question").nth(0), page.locator(".question").nth(1)
    bar = "one => getComputedStyle(one).boxShadow"
    assert first.evaluate(bar) == second.evaluate(bar) == "none", "nobody has touched a key yet"
    page.keyboard.press("3")
    page.locator(".question.active").nth(0).wait_for()
    assert page.locator(".question.active").get_attribute("data-position") == "2"
    assert second.evaluate(bar) != "none"
    assert first.evaluate(bar) == "none"
    assert second.get_attribute("aria-current") == "true"
    assert first.get_attribute("aria-current") is None
    page.mouse.click(5, 5)
    assert second.evaluate(bar) == "none", "with the mouse the mark is not needed"


@pytest.mark.parametrize("width", [320, 375, 1000])
@pytest.mark.parametrize(
    "scale",
    [
        {"low": 0, "high": 5},
        {"low": 1, "high": 7},
        {"low": 0, "high": 10},
        {"low": 0, "high": 5, "labels": LABELS},
        {"low": 0, "high": 5, "labels": LONG},
    ],
    ids=["six", "seven", "eleven", "labels", "long labels"],
)
def test_a_scale_is_one_row_or_one_column(serve, visit, scale, width):
    page = at_question(visit, serve("rating", scale=scale), viewport={"width": width, "height": 800})
    boxes = [each.bounding_box() for each in page.locator(".scale .choice").all()]
    rows, columns = {round(box["y"]) for box in boxes}, {round(box["x"]) for box in boxes}
    assert len(rows) == 1 or len(columns) == 1, "no number stands apart from the others"
    assert max(box["x"] + box["width"] for box in boxes) <= width
    assert min(min(box["width"], box["height"]) for box in boxes) >= 24, "large enough for a thumb"
    assert len({round(box["width"]) for box in boxes}) <= 2, "all as wide as each other"


def test_a_slider_has_no_answer_until_one_is_given_and_shows_its_number(serve, visit):
    served = serve("rating", scale={"low": 0, "high": 5, "step": 0.1})
    for options in ({}, PHONE):
        before = len(served.rows())
        page = at_question(visit, served, **options)
        slider, shown = page.locator("input[type=range]"), page.locator(".slider output")
        assert (shown.inner_text(), slider.get_attribute("aria-valuetext")) == ("–", "no number yet")
        assert page.locator(".slider.untouched").count() == 1
        page.locator("[data-go]").click()
        page.locator(".field-error", has_text="Please choose how similar").wait_for()
        assert len(served.rows()) == before, "the middle is not an answer"
        box = slider.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        saved(page)
        assert shown.inner_text() == slider.input_value() == "2.5"
        assert served.rows()[-1]["value"] == 2.5
        assert slider.get_attribute("aria-valuetext") == "2.5"


def test_time_spent_before_leaving_the_page_is_counted_and_a_break_is_not(serve, visit):
    served = serve("rating")
    page = at_question(visit, served)
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="Take a break").click()
    page.get_by_role("heading", name="You are on a break").wait_for()
    page.wait_for_timeout(3000)
    page.get_by_role("button", name="Continue").click()
    page.locator(".js .question").wait_for()
    page.wait_for_timeout(1000)
    page.keyboard.press("3")
    saved(page)
    seconds = served.rows()[-1]["seconds"]
    assert seconds >= 2.0, "what was spent before the break counts"
    if seconds > 5.4:
        pytest.skip("this machine stood still")


@pytest.mark.parametrize("how", ["keys", "without script", "phone"])
def test_a_survey(serve, visit, how):
    questions = [
        {"id": "age", "kind": "age", "text": "How old are you?", "required": True},
        {"id": "tongue", "kind": "language", "text": "Your native language?"},
        {"id": "said", "kind": "text", "text": "Anything else?"},
    ]
    served = serve("rating", survey={"before": questions})
    options = {"phone": PHONE, "without script": {"java_script_enabled": False}}.get(how, {})
    page = visit(served.invitation(), **options)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continue to the instructions").click()
    page.get_by_role("heading", name="A few questions about you").wait_for()
    page.get_by_role("button", name="Continue").click()
    page.locator(".notice", has_text="How old are you?: Please answer this question.").wait_for()
    if how == "keys":
        page.locator("[name=age]").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.type("Deutsch")
    else:
        page.get_by_text("25-34").click()
        page.get_by_label("Your native language?").fill("Deutsch")
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start the questions").wait_for()
    from similitude.collect.annotation.store import survey_rows

    assert {row["value"] for row in survey_rows(served.database)} == {"25-34", "Deutsch"}


def test_people_choose_languages_by_keys(serve, visit):
    from similitude.collect.annotation.records import Question

    questions = [
        Question(key=f"q{tag}", items=({"id": tag, "left": "l", "right": "r", "language": tag},))
        for tag in ("de", "ar")
    ]
    served = serve("rating", questions=questions)
    page = visit(served.invitation())
    page.keyboard.press("Enter")
    page.get_by_role("checkbox", name="العربية").focus()
    page.keyboard.press("Space")
    page.get_by_role("checkbox", name="I have read this").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/instructions")
    page.keyboard.press("Enter")
    page.wait_for_url("**/1")
    assert page.locator(".text p").first.evaluate("one => getComputedStyle(one).direction") == "rtl"
    page.get_by_text("Question 1 of 1").wait_for()
