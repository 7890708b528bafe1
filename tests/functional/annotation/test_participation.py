"""The annotator's pages around the answer: skip, comment, undo, break, time left, languages, survey, honest words."""

import json
import re
from datetime import timedelta

import pytest

from similitude.collect.annotation import store
from similitude.collect.annotation.records import Question

SURVEY = {
    "consent": {"en": "We ask this **once**.", "de": "Wir fragen das *einmal*."},
    "before": [
        {"id": "age", "kind": "age", "text": {"en": "How old are you?", "de": "Wie alt sind Sie?"}, "required": True},
        {"id": "tongue", "kind": "language", "text": "Your native language?", "required": True},
        {
            "id": "work",
            "kind": "choice",
            "text": "What do you do?",
            "options": {"en": ["study", "work"], "de": ["studieren", "arbeiten"]},
        },
    ],
    "after": [
        {"id": "tools", "kind": "choices", "text": "Which did you use?", "options": ["a dictionary", "a search"]},
        {"id": "hours", "kind": "number", "text": "How many hours?", "low": 0, "high": 24},
        {"id": "ease", "kind": "likert", "text": "It was easy.", "required": True},
        {"id": "said", "kind": "text", "text": "Anything else?", "longest": 50},
    ],
}


def in_languages(*tags: str | None) -> list[Question]:
    return [
        Question(
            key=f"q{place}",
            items=({"id": f"q{place}", "left": f"left {place}", "right": f"right {place}", "language": tag},),
        )
        for place, tag in enumerate(tags)
    ]


def skip(person, position: int, **fields: str):
    return person.post(f"/batch/{person.batch}/{position}/skip", {"nonce": f"n{position}", **fields})


def test_a_question_is_skipped_with_a_reason_and_can_still_be_answered(site):
    served = site("rating")
    person = served.annotator()
    batch = person.batch
    assert f'href="/batch/{batch}/1/skip"' in person.page.text
    page = person.get(f"/batch/{batch}/1/skip")
    assert all(reason in page.text for reason in ("unreadable", "language", "offensive", "undecided", "other"))
    refused = person.post(f"/batch/{batch}/1/skip", {"note": "no reason"})
    assert (refused.status_code, "Please choose a reason." in refused.text) == (422, True)
    assert "no reason</textarea>" in refused.text, "what was written is kept"
    refused = person.post(f"/batch/{batch}/1/skip", {"reason": "other"})
    assert (refused.status_code, "in a few words" in refused.text) == (422, True)
    page = skip(person, 1, reason="offensive")
    assert str(page.url.path) == f"/batch/{batch}/2", "on to the next question"
    assert "1 of 3 answered" in page.text
    page = person.get(f"/batch/{batch}/1")
    assert "You skipped this question (It is offensive or upsetting)." in page.text
    assert str(person.post(str(page.url.path), person.hidden()).url.path).endswith("/2"), "it stays skipped"
    person.get(f"/batch/{batch}/1")
    person.answer(value="5")
    assert [row["value"] for row in served.rows()] == [5]


def test_the_overview_shows_what_was_skipped_and_the_batch_is_sent(site):
    served = site("rating")
    person = served.annotator()
    skip(person, 1, reason="other", note="the text is cut off")
    person.answer(value="2")
    person.answer(value="3")
    assert "skipped: Something else: the text is cut off" in person.page.text
    assert "Send these answers" in person.page.text
    batch = person.batch
    assert "have arrived" in person.post(f"/batch/{batch}/send").text
    assert person.post(f"/batch/{batch}/1/skip", {"reason": "undecided"}).status_code == 409
    assert [row["value"] for row in served.rows()] == [2, 3]
    leader = served.leader()
    page = leader.get("/leader/remarks")
    assert "33.3 %" in page.text
    assert "the text is cut off" in page.text
    assert "1 skipped</span>" in leader.get("/leader/annotators").text
    assert "1 skipped (33.3 %)" in leader.get("/leader").text
    rows = [json.loads(line) for line in leader.get("/leader/export.jsonl?everything=true").text.splitlines()]
    assert [row["skipped"] for row in rows] == [None, None, "other"]
    assert "skipped" not in leader.get("/leader/export.jsonl").text


def test_a_study_without_skips_comments_and_breaks(site):
    served = site("rating", skip={"allowed": False}, comments=False, breaks={"allowed": False})
    person = served.annotator()
    for absent in ("data-skip", ".comment", 'action="/break"'):
        assert absent not in person.page.text
    assert person.get(f"/batch/{person.batch}/1/skip").status_code == 403
    person.get("/work")
    assert person.post("/break").status_code == 403
    person.get("/work")
    person.answer(value="3", comment="nobody asked")
    assert served.rows()[0]["comment"] is None


def test_on_a_page_of_two_the_other_question_stays(site):
    served = site("rating", batch={"questions": 3, "per_page": 2})
    person = served.annotator()
    page = skip(person, 1, reason="undecided")
    assert page.url.path.endswith("/1"), "the second question of this page waits"
    page = person.post(str(page.url.path), {**person.hidden(), "2.value": "4"})
    assert page.url.path.endswith("/3")
    assert [row["value"] for row in served.rows()] == [4]


def test_a_comment_stays_with_the_answer(site):
    served = site("rating")
    person = served.annotator()
    person.answer(value="3", comment="two senses of <bank>")
    assert served.rows()[0]["comment"] == "two senses of <bank>"
    page = person.get(f"/batch/{person.batch}/1")
    assert "two senses of &lt;bank&gt;</textarea>" in page.text
    assert '<details class="remark" open>' in page.text
    refused = person.answer(value="3", comment="x" * 1001)
    assert (refused.status_code, "This is too long" in refused.text) == (422, True)
    assert "two senses of &lt;bank&gt;" in served.leader().get("/leader/remarks").text


def test_undo_leads_to_the_last_answer_until_the_batch_is_sent(site):
    served = site("rating")
    person = served.annotator()
    assert "data-undo" not in person.page.text, "there is nothing to undo yet"
    batch = person.batch
    person.answer(value="1")
    assert f'href="/batch/{batch}/last"' in person.page.text
    page = person.get(f"/batch/{batch}/last")
    assert page.url.path == f"/batch/{batch}/1"
    assert re.search(r'value="1"[^>]*checked', page.text)
    person.answer(value="4")
    assert [row["value"] for row in served.rows()] == [4]
    person.answer_all(value="2")
    person.post(f"/batch/{batch}/send")
    assert person.get(f"/batch/{batch}/last").status_code == 409


def test_a_break_stops_the_clock_and_hides_the_questions(site):
    served = site("rating", batch={"questions": 3, "minutes": 30}, breaks={"longest": 60})
    person = served.annotator()
    batch = person.batch
    page = person.post("/break")
    assert "You are on a break" in page.text
    assert "up to 60 minutes" in page.text
    served.clock.passed += timedelta(minutes=45)
    assert person.get("/work").url.path == "/break"
    assert person.get(f"/batch/{batch}/1").url.path == "/break", "nobody reads on while the clock stands"
    assert person.post("/break/end").url.path == f"/batch/{batch}/1"
    person.answer(value="3")
    assert served.rows()[0]["seconds"] < 60, "the break is not part of the answer's time"
    assert person.get("/break").url.path == f"/batch/{batch}/2"


def test_a_break_is_suggested_after_a_while(site):
    served = site("rating", batch={"questions": 3, "minutes": 120}, breaks={"suggest": 20})
    person = served.annotator()
    person.answer(value="3")
    assert "data-rest" not in person.page.text
    served.clock.passed += timedelta(minutes=21)
    assert "How about a short break?" in person.get("/work").text
    served.clock.passed += timedelta(minutes=3)
    assert "data-rest" not in person.get("/work").text, "it is not said again and again"
    served.clock.passed += timedelta(minutes=17)
    assert "data-rest" in person.get("/work").text
    person.post("/break")
    person.post("/break/end")
    assert "data-rest" not in person.page.text, "after a break nobody needs one"


def test_the_time_that_is_left_follows_ones_own_speed(site):
    questions = in_languages(*[None] * 20)
    served = site("rating", questions=questions, batch={"questions": 20})
    person = served.annotator()
    assert "left</span>" not in person.page.text, "nothing is known yet"
    for _ in range(10):
        served.clock.passed += timedelta(seconds=36)
        person.answer(value="3")
    assert "about 6 minutes left" in person.page.text
    for _ in range(8):
        served.clock.passed += timedelta(seconds=36)
        person.answer(value="3")
    assert "about one minute left" in person.page.text


def test_people_say_what_they_read_and_get_nothing_else(site):
    served = site("rating", questions=in_languages("de", "en", "de", "en"), batch={"questions": 4}, judgements=2)
    person = served.joined()
    assert "Deutsch" in person.page.text
    assert "English" in person.page.text
    refused = person.post("/consent", {"agree": "yes"})
    assert (refused.status_code, "at least one language" in refused.text) == (422, True)
    assert re.search(r'name="agree"[^>]* checked', refused.text)
    assert person.post("/consent", {"agree": "yes", "reads": "xx"}).status_code == 422
    person.post("/consent", {"agree": "yes", "reads": "de"})
    person.get("/work")
    assert "Question 1 of 2" in person.page.text
    person.answer_all(value="3")
    person.post(f"/batch/{person.batch}/send")
    page = person.get("/work")
    assert "no more questions in the languages that you read. There are some in: English." in page.text
    page = person.get("/languages")
    assert re.search(r'value="de"[^>]* checked', page.text)
    assert person.post("/languages").status_code == 422
    page = person.post("/languages", {"reads": ["de", "en"]})
    assert "Question 1 of 2" in page.text
    assert "left 1" in page.text or "left 3" in page.text


def test_one_language_is_told_and_not_asked(site):
    page = site("rating", questions=in_languages("ur", "ur")).joined().page
    assert "The texts are in this language: اردو." in page.text
    assert 'name="reads"' not in page.text


def test_texts_are_written_in_their_own_direction(site):
    served = site("rating", questions=in_languages("ar-en", "fa", None, "he"), batch={"questions": 4})
    person = served.joined()
    person.post("/consent", {"agree": "yes", "reads": ["ar", "en", "fa", "he"]})
    person.get("/work")
    seen = {}
    while "data-questions" in person.page.text:
        for attributes, text in re.findall(r"<p( [^>]*)>((?:left|right) \d)</p>", person.page.text):
            seen[text] = attributes.strip()
        person.answer(value="3")
    assert seen["left 0"] == 'lang="ar" dir="rtl"'
    assert seen["right 0"] == 'lang="en" dir="ltr"'
    assert seen["left 1"] == seen["right 1"] == 'lang="fa" dir="rtl"'
    assert seen["left 2"] == 'dir="auto"'
    assert seen["right 3"] == 'lang="he" dir="rtl"'


@pytest.mark.parametrize(("language", "told"), [("en", "known answers"), ("de", "Antwort bekannt"), ("zh", "已知答案")])
def test_known_answers_are_announced_and_no_trick_is_promised(site, language, told):
    gold = [Question(key="g", kind="gold", items=in_languages(None)[0].items, expected={"value": 3.0})]
    served = site(
        "rating",
        questions=[*in_languages(None, None), *gold],
        gold={"questions": "g.jsonl"},
        batch={"questions": 3, "gold_share": 0.3, "repeat_share": 0.1},
        access={"open": True},
        languages=[language],
    )
    visitor = served.visitor()
    for address in ("/", "/open"):
        page = visitor.get(address)
        assert told in page.text, address
        assert not re.search("no trick|kein Trick|Fangfrage|陷阱|圈套", page.text), address
    person = served.annotator()
    assert told in person.get("/instructions").text


def test_without_known_answers_nothing_of_the_kind_is_said(site):
    person = site("rating", access={"open": True}).visitor()
    assert "known answers" not in person.get("/open").text


def test_the_last_turn_of_an_example_is_shown_once(site):
    example = {
        "context": ["Hello.", "Outside, please?"],
        "left": "Outside, please?",
        "options": ["In the open air?", "Cake?"],
        "answer": {"best": 1, "worst": 2},
    }
    page = site("best-worst", example=[example]).annotator().get("/instructions")
    assert page.text.count("Outside, please?") == 1


def test_the_shipped_example_says_nothing_twice():
    from pathlib import Path

    from similitude.collect.annotation.plan.reader import read_study

    plan = read_study(Path(__file__).parents[3] / "studies" / "closest-reply" / "study.toml").plan
    assert plan.example
    assert all(example.left not in example.context for example in plan.example)


def test_the_survey_comes_before_the_instructions(site):
    served = site("rating", survey={**SURVEY, "after": []})
    person = served.joined()
    page = person.post("/consent", {"agree": "yes"})
    assert page.url.path == "/survey/before"
    assert "<strong>once</strong>" in page.text
    assert person.get("/work").url.path == "/survey/before"
    page = person.post("/survey/before", {"age": "18-24", "work": "beg"})
    assert page.status_code == 422
    assert "Your native language?: Please answer this question." in page.text
    assert "Please choose one of the options shown here." in page.text
    assert re.search(r'value="18-24"[^>]* checked', page.text), "what was answered is kept"
    page = person.post("/survey/before", {"age": "-", "tongue": "Plattdüütsch", "work": "study"})
    assert page.url.path == "/instructions"
    assert "Question 1 of 3" in person.get("/work").text
    rows = [(row["question"], row["value"]) for row in store.survey_rows(served.database)]
    assert rows == [("age", "-"), ("tongue", "Plattdüütsch"), ("work", "study")]


def test_the_survey_after_the_work_comes_before_the_code(site):
    served = site("rating", survey={**SURVEY, "before": []})
    person = served.annotator()
    person.answer_all(value="3")
    person.post(f"/batch/{person.batch}/send")
    page = person.get("/work")
    assert page.url.path == "/survey/after"
    assert "data-code" not in person.get("/finished").text
    wrong = person.post("/survey/after", {"hours": "25", "ease": "9", "said": "x" * 51, "tools": ["a search", "me"]})
    assert wrong.status_code == 422
    for told in ("from 0 to 24", "At most 50 characters", "one of the options"):
        assert told in wrong.text
    page = person.post("/survey/after", {"hours": "1,5", "ease": "4", "tools": ["a search", "a dictionary"]})
    assert "data-code" in page.text
    kept = {row["question"]: row["value"] for row in store.survey_rows(served.database)}
    assert kept == {"tools": ["a dictionary", "a search"], "hours": 1.5, "ease": 4}
    leader = served.leader()
    page = leader.get("/leader/survey")
    assert "a dictionary: 1, a search: 1" in page.text
    assert "1.5" not in page.text, "of numbers and texts the page only says how many there are"
    assert len(leader.get("/leader/survey.jsonl").text.splitlines()) == 3
    assert leader.get("/leader/survey.csv").text.startswith("annotator,part,question,value,at,current")


def test_there_is_no_survey_that_the_plan_does_not_have(site):
    person = site("rating").annotator()
    assert person.get("/survey/before").status_code == 404
    assert person.get("/survey/elsewhere").status_code == 404
    assert site("rating", survey=SURVEY).joined().get("/survey/before").status_code == 403


@pytest.mark.parametrize("language", ["de", "zh"])
def test_options_in_another_language_are_kept_as_in_the_first(site, language):
    served = site("rating", survey={"before": [SURVEY["before"][2]]})
    person = served.joined()
    person.post("/consent", {"agree": "yes"})
    person.get(f"/language/{language}?to=/survey/before")
    assert ("studieren" if language == "de" else "study") in person.page.text
    person.post("/survey/before", {"work": "study"})
    assert [row["value"] for row in store.survey_rows(served.database)] == ["study"]


@pytest.mark.parametrize(("language", "told"), [("de", "von: offen, nun: pausiert"), ("zh", "原为: ")])
def test_the_leaders_log_is_in_the_leaders_language(site, language, told):
    served = site("rating")
    store.set_state(served.database, "paused", now=served.now, by="anna")
    leader = served.leader()
    page = leader.get(f"/language/{language}?to=/leader/audit")
    assert told in page.text
    assert "from:" not in page.text
