"""The annotator's pages, without a browser: from invitation to completion code, and every other way out."""

import re
from datetime import timedelta

import pytest
import sqlalchemy as sa

from similitude.collect.annotation import store
from similitude.collect.annotation.records import Question

ANSWERS = {
    "best-worst": {"best": "1", "worst": "3"},
    "rating": {"value": "4"},
    "conditions": {"alike": "the kind of place", "differ": "the number of people"},
    "verification": {"applies": "yes", "value": "2"},
}
CODE = re.compile(r"data-code>([A-Z0-9]{8,})<")


def known(kind: str, count: int) -> list[Question]:
    """Ratings whose right answer is 4."""
    items = [{"id": f"{kind}{place}", "left": "One.", "right": f"Other {place}."} for place in range(count)]
    return [Question(key=item["id"], kind=kind, items=(item,), expected={"value": 4.0}) for item in items]


def ratings(count: int = 3) -> list[Question]:
    items = [{"id": f"w{place}", "left": "One.", "right": f"Other {place}."} for place in range(count)]
    return [Question(key=item["id"], items=(item,)) for item in items]


@pytest.mark.parametrize("task", ANSWERS)
def test_from_invitation_to_completion_code(site, task):
    served = site(task)
    person = served.annotator()
    assert "Overview of your answers" in person.answer_all(**ANSWERS[task]).text
    assert "Your answers have arrived" in person.post(f"/batch/{person.batch}/send").text
    assert CODE.search(person.get("/work").text), "three questions are the most for one person"
    assert [row["purpose"] for row in served.rows()] == ["work"] * 3


def test_options_are_numbers_on_the_page_and_items_in_the_answer(site):
    served = site()
    person = served.annotator()
    shown = re.findall(r'<p lang="en" dir="ltr">([^<]+)</p></div>\s*<label class="choice most">', person.page.text)
    assert "work0-0" not in person.page.text, "ids may say where a text comes from"
    person.answer(best="2", worst="1")
    row = served.rows()[0]
    texts = {item["id"]: item["right"] for question in tuple_items(served) for item in question}
    assert (texts[row["best"]], texts[row["worst"]]) == (shown[1], shown[0])


def tuple_items(served) -> list[list[dict]]:
    from similitude.collect.annotation.store.database import reading
    from similitude.collect.annotation.store.tables import wording

    with reading(served.database) as connection:
        return [row.texts for row in connection.execute(wording.select()).all()]


def test_a_wrong_answer_is_told_and_the_form_is_kept(site):
    served = site()
    person = served.annotator()
    page = person.answer(best="2", worst="2")
    assert page.status_code == 422
    assert "cannot be both" in page.text
    assert re.search(r'name="1.best" value="2"[^>]*checked', page.text)
    page = person.answer(best="", worst="1")
    assert "Please choose the most similar text." in page.text
    assert not served.rows()


def test_written_conditions_are_kept_when_refused(site):
    person = site("conditions").annotator()
    page = person.answer(alike="The activity", differ='<b>"x"</b> in the sentence')
    assert page.status_code == 422
    assert "too vague" in page.text
    assert "avoid the word “sentence”" in page.text
    assert 'value="The activity"' in page.text
    assert 'value="&lt;b&gt;&#34;x&#34;&lt;/b&gt; in the sentence"' in page.text


def test_back_and_change_until_it_is_sent(site):
    served = site("rating")
    person = served.annotator()
    person.answer_all(value="1")
    batch = person.batch
    page = person.get(f"/batch/{batch}/2")
    assert re.search(r'value="1"[^>]*checked', page.text)
    person.answer(value="5")
    assert sorted(row["value"] for row in served.rows()) == [1, 1, 5]
    assert [row["value"] for row in store.export_rows(served.database, everything=True)].count(1) == 3
    person.post(f"/batch/{batch}/send")
    refused = person.post(f"/batch/{batch}/2", {"2.value": "0", "2.nonce": "other"})
    assert refused.status_code == 409
    assert "already sent" in refused.text
    assert person.get(f"/batch/{batch}/2").status_code == 409
    assert sorted(row["value"] for row in served.rows()) == [1, 1, 5]


def test_a_form_that_comes_twice_is_one_answer(site):
    served = site("rating")
    person = served.annotator()
    form = {**person.hidden(), "1.value": "3"}
    address = str(person.page.url.path)
    assert person.post(address, form).status_code == person.post(address, form).status_code == 200
    assert len(list(store.export_rows(served.database, everything=True))) == 1
    person.answer_all(value="3")
    first = person.post(f"/batch/{person.batch}/send")
    again = person.post(str(first.url.path))
    assert first.status_code == again.status_code == 200
    assert "have arrived" in again.text


def test_a_batch_is_not_sent_with_questions_open(site):
    person = site("rating").annotator()
    batch = person.batch
    page = person.post(f"/batch/{batch}/send")
    assert page.status_code == 409
    assert "3 questions have no answer yet" in page.text
    assert f'href="/batch/{batch}/1"' in page.text


def test_two_questions_on_a_page(site):
    served = site(batch={"questions": 3, "per_page": 2})
    person = served.annotator()
    assert "Questions 1 and 2 of 3" in person.page.text
    form = {**person.hidden(), "1.best": "1", "1.worst": "2", "2.best": "1"}
    page = person.post(str(person.page.url.path), form)
    assert page.status_code == 422
    assert "Question 2: Please choose the least similar text." in page.text
    assert not served.rows(), "a page is saved as a whole or not at all"
    person.post(str(page.url.path), {**person.hidden(), **form, **person.hidden(), "2.worst": "3"})
    assert "Question 3 of 3" in person.page.text
    assert len(served.rows()) == 2


def test_the_reply_to_a_save_brings_the_next_question(site):
    served = site("rating")
    person = served.annotator()
    batch = person.batch
    told = person.post(f"/batch/{batch}/save", {**person.hidden(), "1.value": "2"}).json()
    page = person.get(f"/batch/{batch}/2")
    assert told["next"]["address"] == f"/batch/{batch}/2"
    assert told["next"]["title"] in page.text
    without_nonces = [re.sub(r'(nonce" value=)"[^"]*"', r"\1", text) for text in (told["next"]["html"], page.text)]
    assert without_nonces[0].strip() in without_nonces[1]
    last = person.post(f"/batch/{batch}/save", {"3.nonce": "n", "3.value": "2"}).json()
    assert (last["saved"], last["next"]) == ([3], None), "the overview follows the last question"


def test_a_question_in_the_middle_of_a_page_brings_no_next_page(site):
    served = site("rating", batch={"questions": 3, "per_page": 2})
    person = served.annotator()
    address = f"/batch/{person.batch}/save"
    assert person.post(address, {"1.nonce": "a", "1.value": "2"}).json()["next"] is None
    assert person.post(address, {"2.nonce": "b", "2.value": "2"}).json()["next"]["address"].endswith("/3")


def test_a_save_is_one_transaction_of_a_few_statements(site):
    served = site("rating")
    person = served.annotator()
    said = []
    begun = []
    sa.event.listen(served.database.engine, "begin", lambda connection: begun.append(connection))
    sa.event.listen(served.database.engine, "before_cursor_execute", lambda *given: said.append(given[2]))
    assert person.post(f"/batch/{person.batch}/save", {**person.hidden(), "1.value": "2"}).status_code == 200
    assert len(begun) == 1
    assert len([each for each in said if not each.startswith("BEGIN")]) <= 8, said


@pytest.mark.parametrize("fields", [{}, {"x.nonce": "n"}, {"9.nonce": "n", "9.value": "1"}, {"999999.nonce": "n"}])
def test_a_save_without_a_question_is_refused(site, fields):
    person = site("rating").annotator()
    told = person.post(f"/batch/{person.batch}/save", fields, headers={"Accept": "application/json"})
    assert (told.status_code, told.json()["error"]) == (404, "no_question")


@pytest.mark.parametrize("batch", ["0", "x", "99999999999", "2147483648", "\u0661"])
def test_a_save_into_no_batch_is_refused(site, batch):
    person = site("rating").annotator()
    assert person.post(f"/batch/{batch}/save", {"1.nonce": "n", "1.value": "1"}).status_code == 404


def test_saving_by_script_is_acknowledged_with_what_is_on_disk(site):
    served = site("rating")
    person = served.annotator()
    batch, hidden = person.batch, person.hidden()
    told = person.post(f"/batch/{batch}/save", {**hidden, "1.value": "2", "1.seconds": "3.4"})
    assert {name: told.json()[name] for name in ("saved", "answered")} == {"saved": [1], "answered": 1}
    assert served.rows()[0]["seconds"] == 3.4
    wrong = person.post(f"/batch/{batch}/save", {"1.nonce": "n2", "1.value": "9"})
    assert (wrong.status_code, wrong.json()["problems"]) == (422, {"1.value": "Please choose a number from 0 to 5."})
    checked = person.post(f"/batch/{batch}/check", {"1.nonce": "n3", "1.value": "x"})
    assert checked.json() == {"problems": {"1.value": "Please write a number."}}
    assert len(served.rows()) == 1


def test_without_consent_no_question(site):
    person = site().joined()
    assert str(person.page.url.path) == "/consent"
    assert "Please tick the box" in person.post("/consent").text
    assert str(person.get("/work").url.path) == "/consent"
    assert "no answers of yours are kept" in person.post("/consent", {"answer": "decline"}).text


def test_training_tells_the_right_answer_and_ends_in_work(site):
    training = {"questions": "t.jsonl", "rounds": 2, "limit": 4}
    served = site("rating", questions=[*ratings(), *known("training", 4)], training=training)
    person = served.annotator()
    assert "Training: question 1 of 2" in person.page.text
    assert "data-save" not in person.page.text, "an answer that is shown to be wrong cannot be changed"
    assert "Not correct." in person.answer(value="1").text
    assert "Expected: 4" in person.page.text
    batch = person.batch
    assert person.post(f"/batch/{batch}/1", {"1.value": "4", "1.nonce": "again"}).status_code == 409
    person.get(f"/batch/{batch}/2")
    assert "Correct." in person.answer(value="4").text
    page = person.post(f"/batch/{batch}/send")
    assert "On to the next round" in page.text
    assert "You answered 1 of 2 as expected. You need 75 % by the end." in page.text
    person.get("/work")
    batch = person.batch
    for _ in range(2):
        person.answer(value="4")
        person.get(f"/batch/{batch}/2")
    assert "Training passed" in person.post(f"/batch/{batch}/send").text, "3 of 4 are 75 %"
    assert "Question 1 of 3" in person.get("/work").text


@pytest.mark.parametrize(
    ("part", "questions"),
    [
        ({"training": {"questions": "t.jsonl", "rounds": 1, "limit": 2}}, known("training", 2)),
        ({"qualification": {"questions": "q.jsonl"}}, known("qualification", 2)),
        (
            {"gold": {"questions": "g.jsonl", "after": 1}, "batch": {"questions": 4, "gold_share": 0.5}},
            known("gold", 4),
        ),
    ],
    ids=["training", "qualification", "gold"],
)
def test_who_is_stopped_is_told_why_and_gets_a_code(site, part, questions):
    served = site("rating", questions=[*ratings(), *questions], **part)
    person = served.annotator()
    batch = person.batch
    for position in range(1, 5):
        if person.get(f"/batch/{batch}/{position}").status_code == 200 and "data-questions" in person.page.text:
            person.answer(value="0")
    page = person.post(f"/batch/{batch}/send")
    assert "You cannot continue in this study" in page.text
    needed = {"training": "75", "qualification": "80", "gold": "70"}[next(iter(part))]
    assert f"Fewer than {needed} % of your answers" in page.text
    assert CODE.search(page.text)
    assert "You cannot continue" in person.get("/work").text
    assert person.post(f"/batch/{batch}/save", {"1.nonce": "x", "1.value": "4"}).status_code in (403, 409)


def test_a_test_that_a_leader_reads(site):
    review = {"questions": "q.jsonl", "review": True}
    questions = [*ratings(), *known("qualification", 2)]
    served = site("rating", questions=questions, qualification=review)
    person = served.annotator()
    person.answer_all(value="1")
    assert "reading your answers" in person.post(f"/batch/{person.batch}/send").text
    assert "Your test is being read" in person.get("/work").text
    name = store.annotator_rows(served.database, now=served.now)[0].annotator.pseudonym
    leader = served.leader()
    assert "Read the test" in leader.get("/leader/annotators").text
    assert leader.get(f"/leader/annotators/{name}/qualification").text.count('class="answer"') == 2
    leader.post(f"/leader/annotators/{name}/qualification", {"passed": "yes"})
    assert "Question 1 of 3" in person.get("/work").text


def test_time_runs_out_and_a_late_answer_is_refused_only_when_somebody_else_has_the_question(site):
    served = site("rating", questions=ratings(2), judgements=1, batch={"questions": 2, "minutes": 10})
    slow = served.annotator()
    slow.answer(value="1")
    batch, late = slow.batch, slow.hidden()
    served.clock.passed += timedelta(minutes=30)
    quick = served.annotator()
    assert "Question 1 of 1" in quick.page.text, "the unanswered question went back"
    page = slow.post(f"/batch/{batch}/2", {**late, "2.value": "5"})
    assert page.status_code == 409
    assert "somebody else has it now" in page.text
    assert "The time ran out" in slow.get(f"/batch/{batch}/2").text
    quick.answer_all(value="3")
    assert sorted(row["value"] for row in served.rows()) == [1, 3]


def test_nothing_left_paused_closed(site):
    served = site("rating", questions=ratings(1), judgements=1)
    first, second = served.annotator(), served.annotator()
    assert "Nothing to do right now" in second.page.text
    store.set_state(served.database, "paused", now=served.now, by="test")
    assert "The study is paused" in second.get("/work").text
    assert "Question 1 of 1" in first.get("/work").text, "who holds questions may finish them"
    store.set_state(served.database, "closed", now=served.now, by="test")
    assert "The study has ended" in second.get("/work").text
    assert first.answer(value="1").status_code == 403


def test_finishing_of_ones_own_accord(site):
    served = site("rating", questions=ratings(6), batch={"questions": 3})
    person = served.annotator()
    person.answer_all(value="2")
    assert "More questions" in person.post(f"/batch/{person.batch}/send").text
    page = person.post("/finish")
    assert str(page.url.path) == "/finished"
    assert CODE.search(page.text)


def test_leaving_and_deletion(site):
    served = site("rating")
    person = served.annotator()
    person.answer(value="1")
    assert "random name" in person.get("/data").text
    assert "You have stopped" in person.post("/data/leave").text
    assert len(served.rows()) == 1
    assert person.post("/data/delete").status_code == 422, "the box is not ticked"
    assert "have been deleted" in person.post("/data/delete", {"sure": "yes"}).text
    assert not served.rows()
    assert person.get("/work").status_code == 403, "nobody is known by that cookie any more"


@pytest.mark.parametrize(
    ("accepted", "language", "word"),
    [("de-AT,de;q=0.9", "de", "Einladung"), ("zh-CN", "zh", "邀请"), ("fr", "en", "invited")],
)
def test_the_browser_chooses_the_language_and_a_link_changes_it(site, accepted, language, word):
    served = site()
    person = served.visitor(headers={"Accept-Language": accepted})
    page = person.get(served.invitation())
    assert f'<html lang="{language}">' in page.text
    assert word.casefold() in page.text.casefold() or language == "de"
    again = re.search(r'href="(/language/zh[^"]*)"', person.get("/?a=1&b=2").text)[1]
    assert str(person.get(again).url).endswith("/?a=1&b=2"), "what a platform added to the link stays"
    page = person.get("/language/zh?to=/open")
    assert str(page.url.path) == "/open"
    assert '<html lang="zh">' in page.text
    assert str(person.get("/language/de?to=https://example.org/").url).startswith("http://testserver/")
    assert str(person.get("/language/de?to=//example.org/").url).startswith("http://testserver/")


def test_texts_carry_their_own_language(site):
    person = site(languages=["zh"]).annotator()
    assert '<html lang="zh">' in person.page.text
    assert '<p lang="en" dir="ltr">By train, please.</p>' in person.page.text or "By train" not in person.page.text
    assert person.page.text.count('lang="en" dir="ltr"') >= 4


def test_a_worked_example_comes_with_the_instructions(site):
    example = {
        "left": "I am hungry.",
        "context": ["Shall we go?"],
        "options": ["I want to eat.", "I am tired.", "Where is the station?"],
        "answer": {"best": 1, "worst": 3},
        "why": "Hunger & eating",
    }
    person = site(example=[example]).joined()
    page = person.post("/consent", {"agree": "yes"})
    assert str(page.url.path) == "/instructions"
    assert re.search(r"is-best.*?I want to eat.*?is-worst.*?Where is the station", page.text, re.DOTALL)
    assert "Hunger &amp; eating" in page.text
    assert "<strong>meaning</strong>" in page.text
    assert 'href="/instructions"' in person.get("/work").text


def test_prolific_comes_back_as_the_same_person_and_is_sent_home(site):
    url = "https://app.example.org/submissions/complete?cc=ABC"
    served = site("rating", access={"prolific": {"completion_url": url}})
    person = served.visitor()
    assert person.get("/prolific?STUDY_ID=x").status_code == 400
    link = "/prolific?PROLIFIC_PID=abc123&STUDY_ID=s&SESSION_ID=t"
    assert 'name="PROLIFIC_PID" value="abc123"' in person.get(link).text
    person.post("/prolific", person.hidden())
    person.cookie = "annotator"
    person.post("/consent", {"agree": "yes"})
    person.get("/work")
    person.answer(value="1")
    person.cookie = "visitor"
    person.get(link)  # the same browser comes again
    person.post("/prolific", person.hidden())
    person.cookie = "annotator"
    assert "Question 2 of 3" in person.page.text
    person.answer_all(value="2")
    person.post(f"/batch/{person.batch}/send")
    assert f'href="{url}"' in person.get("/work").text
    assert len(store.annotator_rows(served.database, now=served.now)) == 1


def test_mturk_previews_accepts_and_submits(site):
    served = site("rating", access={"mturk": {"sandbox": True}})
    person = served.visitor()
    preview = person.get("/mturk?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h")
    assert "accept the task first" in preview.text
    assert "<form" not in preview.text
    to = "https%3A%2F%2Fworkersandbox.mturk.com"
    person.get(f"/mturk?assignmentId=a1&hitId=h&workerId=w1&turkSubmitTo={to}")
    person.post("/mturk", person.hidden())
    person.cookie = "annotator"
    person.post("/consent", {"agree": "yes"})
    person.get("/work")
    person.answer_all(value="2")
    person.post(f"/batch/{person.batch}/send")
    page = person.get("/work")
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in page.text
    assert 'name="assignmentId" value="a1"' in page.text
    stranger = served.visitor()
    foreign = {"assignmentId": "a2", "workerId": "w2", "turkSubmitTo": "https://evil.example.org"}
    assert stranger.post("/mturk", foreign).status_code == 400


def test_platforms_and_open_entry_only_where_the_plan_has_them(site):
    person = site().visitor()
    assert person.get("/open").status_code == 403
    assert person.post("/open").status_code == 403
    assert person.post("/prolific", {"PROLIFIC_PID": "x"}).status_code == 403
    served = site(access={"open": True, "limit": 1})
    assert str(served.visitor().post("/open").url.path) == "/consent"
    assert "enough people" in served.visitor().post("/open").text


def test_opening_a_link_uses_nothing_up(site):
    served = site()
    link = served.invitation()
    for _ in range(3):
        assert served.visitor().get(link).status_code == 200
    assert str(served.visitor().post(link).url.path) == "/consent"
    assert "already been used" in served.visitor().post(link).text
    assert "do not know this invitation" in served.visitor().post("/join/made-up").text


def test_a_preview_counts_nothing(site):
    served = site("rating")
    leader = served.leader()
    page = leader.post("/leader/preview")
    assert "these answers do not count" in page.text
    leader.cookie = "annotator"
    leader.post("/consent", {"agree": "yes"})
    leader.get("/work")
    leader.answer_all(value="5")
    leader.post(f"/batch/{leader.batch}/send")
    assert store.progress(served.database, now=served.now).done == 0
    assert not [row for row in served.rows() if row["purpose"] == "work"]
