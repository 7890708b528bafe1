"""In Chromium: an annotator from invitation to completion code, by mouse, by keys alone, without script, on a phone."""

import re

import pytest

from similitude.collect.annotation.records import Question

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 360, "height": 720}, "is_mobile": True, "has_touch": True}
TASKS = ["best-worst", "rating", "conditions", "verification"]
COUNT = 2
WRITTEN = ("the kind of place", "the number of people")


@pytest.fixture(scope="module")
def studies(serve):
    return {task: serve(task, batch={"questions": COUNT, "most": COUNT}) for task in TASKS}


def begin(page) -> None:
    """From the invitation to the first question, by mouse."""
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continue to the instructions").click()
    page.get_by_role("link", name="Start the questions").click()
    page.wait_for_url("**/1")  # loaded, with the script


def at_question(visit, served, **options):
    """A window with the first question, for somebody who has agreed before."""
    return visit(f"{served.url}/work", session=served.session(), **options)


def by_mouse(page, task: str) -> None:
    if task == "best-worst":
        page.locator(".option .most").nth(1).click()
        page.locator(".option .least").nth(2).click()
    elif task == "conditions":
        page.get_by_label("They are alike in").fill(WRITTEN[0])
        page.get_by_label("They differ in").fill(WRITTEN[1])
    else:
        page.locator("label.choice", has_text=re.compile("^ ?4")).click()


def finish(page) -> str:
    page.get_by_role("button", name="Send these answers").click()
    page.get_by_text("Your answers have arrived").wait_for()
    page.goto(page.url.partition("/batch")[0] + "/work")
    return page.locator("[data-code]").inner_text()


def expected(task: str, served) -> bool:
    rows = served.rows()[-COUNT:]
    if task == "best-worst":
        return len(rows) == COUNT and all(
            row["best"] == row["shown"][1] and row["worst"] == row["shown"][2] for row in rows
        )
    if task == "conditions":
        return [(row["alike"], row["differ"]) for row in rows] == [WRITTEN] * COUNT
    return [row["value"] for row in rows] == [4] * COUNT


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("how", ["mouse", "without script", "phone"])
def test_from_invitation_to_completion_code(studies, visit, task, how):
    served = studies[task]
    options = {"phone": PHONE, "without script": {"java_script_enabled": False}}.get(how, {})
    page = visit(served.invitation(), **options)
    begin(page)
    for number in range(1, COUNT + 1):
        page.get_by_text(f"Question {number} of {COUNT}").wait_for()
        by_mouse(page, task)
        if task == "verification" and how == "without script":
            page.get_by_text("Yes, to both").click()
        if how == "phone":
            wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wider <= 0, "nothing sticks out of the screen"
        page.locator("[data-go]").click()
    assert re.fullmatch(r"[A-Z0-9]{8,}", finish(page))
    assert expected(task, served)


KEYS = {"best-worst": "23", "rating": "4", "verification": "4"}


@pytest.mark.parametrize("task", TASKS)
def test_by_keys_alone(studies, visit, task):
    served = studies[task]
    page = visit(served.invitation())
    press = page.keyboard.press
    press("Enter")  # Begin
    page.get_by_role("checkbox").wait_for()
    while page.evaluate("document.activeElement.type") != "checkbox":
        press("Tab")
    press("Space")
    press("Tab")
    press("Enter")  # to the instructions
    page.wait_for_url("**/instructions")
    press("Enter")
    for number in range(1, COUNT + 1):
        page.wait_for_url(f"**/{number}")
        page.locator(".js .question").wait_for()
        if task == "conditions":
            page.locator("input[type=text]").first.focus()
            page.keyboard.type(WRITTEN[0])
            press("Tab")
            page.keyboard.type(WRITTEN[1])
        else:
            for key in KEYS[task]:
                press(key)
        press("Enter")
    page.wait_for_url("**/review")
    press("Backspace")
    page.wait_for_url("**/2")
    page.locator('[data-state="saved"]').wait_for()
    press("ArrowLeft")
    page.wait_for_url("**/1")
    press("Shift+?")
    page.locator("dialog[open]").get_by_text("Judge the meaning").wait_for()
    press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    for address in ("2", "review"):
        press("Enter")
        page.wait_for_url(f"**/{address}")
    press("Enter")
    page.get_by_text("Your answers have arrived").wait_for()
    press("Enter")
    page.locator("[data-code]").wait_for()
    assert expected(task, served)


def test_two_dialogues_on_a_page_by_keys(serve, visit):
    served = serve("best-worst", batch={"questions": 3, "per_page": 2, "most": 3})
    page = at_question(visit, served)
    page.get_by_text("Questions 1 and 2 of 3").wait_for()
    for key in "1331":  # the first question, then the second without touching the mouse
        page.keyboard.press(key)
    page.get_by_text("2 of 3 answered").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/3")
    chosen = [(row["shown"].index(row["best"]), row["shown"].index(row["worst"])) for row in served.rows()]
    assert sorted(chosen) == [(0, 2), (2, 0)]


def test_a_number_on_a_fine_scale_says_that_the_condition_applies(serve, visit):
    served = serve("verification", scale={"low": 0, "high": 5, "step": 0.5})
    page = at_question(visit, served)
    page.locator("input[type=number]").fill("3.5")
    page.locator("input[type=number]").press("Tab")
    page.locator('[data-state="saved"]').wait_for()
    page.get_by_text("No, not to both").click()
    assert page.locator("input[type=number]").input_value() == "", "there is nothing to rate then"
    page.locator('[data-state="saved"]').wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/2")
    assert [(row["applies"], row["value"]) for row in served.rows()] == [(False, None)]


def test_an_answer_takes_one_request(serve, visit):
    served = serve("rating")
    page = at_question(visit, served)
    asked = []
    page.on("request", lambda request: "static" in request.url or asked.append((request.method, request.url[-4:])))
    page.keyboard.press("4")
    page.locator('[data-state="saved"]').wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/2")
    page.get_by_text("Question 2 of 3").wait_for()
    assert page.evaluate("document.activeElement.id") == "heading-2", "a screen reader goes on with the question"
    assert page.title().startswith("Question 2 of 3")
    assert asked == [("POST", "save")]
    page.go_back()
    page.wait_for_url("**/1")
    page.locator('[data-state="saved"]').wait_for()
    assert page.locator("input[value='4']").is_checked()


def test_the_same_text_cannot_be_both(studies, visit):
    page = at_question(visit, studies["best-worst"])
    page.keyboard.press("1")
    page.keyboard.press("1")
    page.locator(".field-error", has_text="cannot be both").wait_for()
    page.keyboard.press("2")
    page.locator('[data-state="saved"]').wait_for()
    page.get_by_text("cannot be both").wait_for(state="hidden")


def test_keys_typed_ahead_do_not_change_what_was_answered(studies, visit):
    served = studies["rating"]
    page = at_question(visit, served)
    page.locator(".js .question").wait_for()
    page.evaluate(
        """() => { for (const key of ["4", "Enter", "0", "1"])
             document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })); }"""
    )
    page.wait_for_url("**/2")
    assert [row["value"] for row in served.rows()][-1] == 4


def until(page, condition):
    """Wait for something that the server does; the browser goes on meanwhile."""
    for _ in range(3000):
        if condition():
            return
        page.wait_for_timeout(100)
    pytest.fail("waited 300 s in vain")


def test_saved_is_shown_only_after_the_server_said_so(studies, visit):
    served = studies["rating"]
    page = at_question(visit, served)
    before = len(served.rows())
    page.route("**/save", lambda route: route.abort())
    # The browser may take a moment until requests are stopped; an answer given before would be saved.
    until(page, lambda: page.evaluate("fetch('/nowhere/save').then(() => false, () => true)"))
    page.keyboard.press("3")
    page.locator('[data-state="failed"]').wait_for()
    assert "Not saved" in page.locator("[data-saving]").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert page.url.endswith("/1"), "one does not leave an answer that is not saved"
    assert len(served.rows()) == before
    page.unroute("**/save")
    # By hand; on a slow machine the script's own next try, after two seconds, may be there first and hide the button.
    page.evaluate("document.querySelector('[data-saving] button').click()")
    until(page, lambda: len(served.rows()) == before + 1)


def test_offline_is_told_and_mended_by_itself(studies, visit):
    served = studies["rating"]
    page = at_question(visit, served)
    page.context.set_offline(True)
    page.keyboard.press("2")
    page.locator('[data-state="offline"]').wait_for()
    page.context.set_offline(False)
    page.locator('[data-state="saved"]').wait_for()
    assert served.rows()[-1]["value"] == 2


def test_conditions_are_checked_while_they_are_written(studies, visit):
    page = at_question(visit, studies["conditions"])
    page.get_by_label("They are alike in").fill("The activity")
    page.get_by_text("This is too vague").wait_for()
    page.get_by_label("They are alike in").fill("The sport")
    page.get_by_text("This is too vague").wait_for(state="hidden")
    page.get_by_label("They differ in").fill("The sport")
    page.keyboard.press("Enter")
    page.locator(".field-error", has_text="The two conditions are the same").wait_for()
    assert page.get_by_label("They are alike in").input_value() == "The sport"


def test_a_slider_and_a_number_go_together(serve, visit):
    served = serve("rating", scale={"low": 0, "high": 5, "step": 0.1})
    page = at_question(visit, served)
    slider, number = page.locator("input[type=range]"), page.locator("input[type=number]")
    number.fill("3.4")
    assert slider.input_value() == "3.4"
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert number.input_value() == "3.5"
    page.locator('[data-state="saved"]').wait_for()
    number.fill("7")
    page.keyboard.press("Enter")
    page.locator(".field-error", has_text="Please choose a number from 0 to 5.").wait_for()
    assert served.rows()[-1]["value"] == 3.5


def test_what_does_not_apply_has_no_number(studies, visit):
    served = studies["verification"]
    page = at_question(visit, served)
    page.keyboard.press("4")
    page.keyboard.press("n")
    page.locator('[data-state="saved"]').wait_for()
    assert not page.locator("[name='1.value']:checked").count()
    page.wait_for_function("document.querySelector('[data-saving]').dataset.state === 'saved'")
    assert served.rows()[-1]["applies"] is False


def test_the_last_turn_of_a_long_dialogue_is_in_view(serve, visit):
    turns = [f"This is turn number {number} of a long talk about nothing in particular." for number in range(40)]
    items = tuple(
        {"id": f"i{place}", "left": turns[-1], "right": f"text {place}", "context": turns} for place in range(3)
    )
    served = serve("best-worst", questions=[Question(key="long", items=items)])
    for options in ({}, PHONE, {"java_script_enabled": False}):
        page = at_question(visit, served, **options)
        box, last = page.locator(".dialogue").bounding_box(), page.locator(".turn.last").bounding_box()
        assert box["y"] <= last["y"]
        assert last["y"] + last["height"] <= box["y"] + box["height"] + 1
        assert box["height"] < page.viewport_size["height"] / 2


@pytest.mark.parametrize("task", TASKS)
def test_every_input_has_a_name_and_the_focus_is_seen(studies, visit, task):
    page = at_question(visit, studies[task])
    for control in page.locator("main input:not([type=hidden]):visible, main button:visible, main a:visible").all():
        described = control.aria_snapshot()
        assert re.search(r'"[^"]+"', described), described
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    shown = page.evaluate(
        """() => { const one = document.activeElement.closest("label") || document.activeElement;
                   return getComputedStyle(one).outlineWidth; }"""
    )
    assert shown == "3px"


def test_dark_and_light(studies, visit):
    grounds = set()
    for scheme in ("light", "dark"):
        page = visit(studies["rating"].invitation(), color_scheme=scheme)
        grounds.add(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
    assert grounds == {"rgb(255, 255, 255)", "rgb(21, 23, 27)"}


def test_a_leader_logs_in_invites_watches_excludes_and_exports(serve, visit):
    served = serve("rating")
    page = visit(f"{served.url}/leader")
    page.get_by_label("Name").fill("anna")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Invitations").click()
    page.get_by_label("How many links").fill("1")
    page.get_by_role("button", name="Make").click()
    link = page.locator(".links li").inner_text()
    annotator = visit(link)
    begin(annotator)
    for number in range(1, 4):
        annotator.wait_for_url(f"**/{number}")
        annotator.locator(".js .question").wait_for()
        annotator.keyboard.press("5")
        annotator.keyboard.press("Enter")
    annotator.wait_for_url("**/review")
    annotator.keyboard.press("Enter")
    page.get_by_role("link", name="Overview").click()
    page.get_by_text("3 of 150 answers").wait_for()
    page.get_by_role("link", name="People", exact=True).click()
    page.locator("tbody th a").first.click()
    page.get_by_label(re.compile("Reason, for")).fill("too fast")
    page.get_by_role("button", name="Exclude").click()
    page.locator("tbody th a").first.click()
    page.get_by_role("button", name="Re-admit").wait_for()
    annotator.reload()
    page.get_by_role("link", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("JSONL with everything")).click()
    text = download.value.path().read_text(encoding="utf-8")
    assert text.count('"excluded": true') == 3
    page.get_by_role("link", name="Log", exact=True).click()
    page.get_by_text("too fast").wait_for()
    page.get_by_role("link", name="Preview").click()
    page.get_by_role("button", name="Begin the preview").click()
    page.get_by_text("these answers do not count").wait_for()
