"""The leader's pages of questions, people and charts: what they show, decide, download, and give to programs."""

import csv
import io
import json
import math
import time

import pytest

from similitude.cli.annotation_server import analyse, comparisons
from similitude.collect.annotation import store
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.web.agreement_track import Comparisons, PairFigure, Pairs
from similitude.collect.annotation.web.background import Background
from similitude.collect.annotation.web.views.charts import heat_table
from similitude.collect.annotation.web.views.question_search import search_form

PLAIN = {"batch": {"questions": 3, "most": 30}}


def worked(served, *values: str) -> list[str]:
    """People who give one value each to everything; their pseudonyms."""
    for value in values:
        person = served.annotator()
        person.answer_all(value=value)
        person.post(f"/batch/{person.batch}/send")
    return [row.annotator.pseudonym for row in store.annotator_rows(served.database, now=served.now)]


def number_of(served, key: str) -> int:
    return store.question_number(served.database, key)


@pytest.fixture
def rated(site):
    """Three questions, answered with 2 and 5."""
    served = site("rating", judgements=2, analyse=analyse, comparisons=comparisons(), **PLAIN)
    served.names = worked(served, "2", "5")
    return served


def test_the_list_shows_texts_answers_and_disagreement(rated):
    page = rated.leader().get("/leader/answers").text
    assert "A large green ball was bouncing" in page
    assert "2 × 1, 5 × 1" in page
    assert page.count("Disagreement 1.50") == 3  # of 2 and 5: a standard deviation of 1.5
    assert "2 answers" in page


def test_the_list_is_searched_and_says_what_it_cannot_read(rated):
    leader = rated.leader()
    assert "guitar" not in leader.get("/leader/answers?words=green").text
    assert "No question fits" in leader.get("/leader/answers?words=zebra").text
    assert "No question fits" in leader.get("/leader/answers?apart=1,6").text
    page = leader.get("/leader/answers?least=many&apart=inf&sort=up&words=guitar")
    assert page.status_code == 422
    for field in ("At least this many answers", "Disagreement at least", "Order"):
        assert f"“{field}” cannot be read" in page.text
    assert "guitar" in page.text
    assert leader.get("/leader/answers?after=nonsense").status_code == 409


def test_pages_follow_each_other_with_the_same_filters(site):
    questions = [
        Question(key=f"q{place:03}", items=({"id": f"q{place:03}", "left": f"left {place}", "right": "same"},))
        for place in range(60)
    ]
    leader = site("rating", questions=questions, **PLAIN).leader()
    seen, address = [], "/leader/answers?words=same&sort=disagreement"
    while address:
        page = leader.get(address).text
        seen += [part.partition("<")[0] for part in page.split('">q')[1:]]
        address = page.partition('" rel="next"')[0].rpartition('href="')[2].replace("&amp;", "&")
        address = address if 'rel="next"' in page else ""
    assert len(seen) == len(set(seen)) == 60
    lines = list(csv.DictReader(io.StringIO(leader.get("/leader/answers.csv?words=same").text)))
    assert [line["question"] for line in lines] == [f"q{place:03}" for place in range(60)]


def test_a_question_shows_answers_people_and_a_drawing(rated):
    number = number_of(rated, "work0")
    page = rated.leader().get(f"/leader/answers/{number}").text
    for name in rated.names:
        assert f"/leader/people/{name}" in page
    assert "Most frequent: 50 %" in page
    assert "Standard deviation 1.50" in page
    assert '<svg role="img" aria-label="Distribution of the answers: Rating"' in page
    assert "style=" not in page
    assert rated.leader().get("/leader/answers/999").status_code == 404


def test_a_leader_decides_and_takes_back(rated):
    leader, number = rated.leader(), number_of(rated, "work0")
    address = f"/leader/answers/{number}"
    leader.get(address)
    refused = leader.post(f"{address}/decide", {"1.value": "9", "reason": ""})
    assert refused.status_code == 422
    assert "Please choose a number from 0 to 5." in refused.text
    assert "Please give a reason." in refused.text
    page = leader.post(f"{address}/decide", {"1.value": "4", "reason": "<b>both</b> are round"}).text
    assert "&lt;b&gt;both&lt;/b&gt; are round" in page
    assert "holds" in page
    assert [row["value"] for row in rated.rows()] == [2.0, 2.0, 2.0, 5.0, 5.0, 5.0, 4.0]
    assert "decided" in leader.get("/leader/answers?decided=yes").text
    assert "question decided" in leader.get("/leader/audit").text
    assert leader.post(f"{address}/take-back", {"reason": " "}).status_code == 422
    page = leader.post(f"{address}/take-back", {"reason": "too early"}).text
    assert "taken back" in page
    assert len(rated.rows()) == 6
    assert leader.post(f"{address}/take-back", {"reason": "again"}).status_code == 409


def test_a_tuple_is_decided_by_the_numbers_of_its_options(site):
    served = site("best-worst")
    leader, number = served.leader(), number_of(served, "work0")
    leader.post(f"/leader/answers/{number}/decide", {"1.best": "2", "1.worst": "3", "reason": "plain"})
    (row,) = served.rows()
    assert (row["best"], row["worst"], row["round"]) == ("work0-1", "work0-2", "adjudication")
    assert "work0-1" not in leader.get(f"/leader/answers/{number}").text.partition("decide")[0]


@pytest.mark.parametrize("task", ["best-worst", "rating", "conditions", "verification"])
def test_pages_of_every_task_in_every_language(site, task):
    forms = {
        "best-worst": {"best": "1", "worst": "2"},
        "rating": {"value": "3"},
        "conditions": {"alike": "the colour of the thing", "differ": "the number of people"},
        "verification": {"applies": "yes", "value": "4"},
    }
    served = site(task, judgements=2, comparisons=comparisons(), **PLAIN)
    person = served.annotator()
    person.answer_all(**forms[task])
    person.post(f"/batch/{person.batch}/send")
    (name,) = [row.annotator.pseudonym for row in store.annotator_rows(served.database, now=served.now)]
    leader = served.leader()
    number = number_of(served, "work0")
    for language in ("en", "de", "zh"):
        leader.get(f"/language/{language}?to=/leader")
        for address in ("answers", f"answers/{number}", f"people/{name}", "charts"):
            page = leader.get(f"/leader/{address}")
            assert page.status_code == 200, page.text
            assert f'<html lang="{language}">' in page.text
            assert "style=" not in page.text


def test_a_person_over_time(rated):
    leader = rated.leader()
    page = leader.get(f"/leader/people/{rated.names[0]}").text
    assert "Median seconds" in page
    assert "3 (expected 1.5)" in page  # three times 2, and half of all answers to these questions are 2
    lines = list(csv.DictReader(io.StringIO(leader.get(f"/leader/people/{rated.names[0]}.csv").text)))
    assert [json.loads(line["value"]) for line in lines] == [{"value": 2.0}] * 3
    assert leader.get("/leader/people/nobody").status_code == 404
    assert f"/leader/people/{rated.names[0]}" in leader.get(f"/leader/annotators/{rated.names[0]}").text


def ready(leader, address: str = "/leader/charts") -> str:
    """The page, once nothing on it is being computed."""
    end = time.monotonic() + 60
    while "Being computed" in (page := leader.get(address).text) and time.monotonic() < end:
        time.sleep(0.05)
    return page


def test_charts_are_drawn_and_have_tables(rated):
    page = ready(rated.leader())
    assert "6 of 6 answers" in page
    assert page.count("<svg") == 4
    assert "Krippendorff&#39;s alpha, interval" in page
    for name in rated.names:
        assert name in page
    assert "style=" not in page


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("progress", {"answers": "6", "total": "6"}),
        ("seconds", {"seconds": "0–1"}),
        ("agreement", {"answers": "6", "figure": "Krippendorff's alpha, interval"}),
        ("pairs", {"shared": "3", "value": "", "measure": "pearson"}),
    ],
)
def test_charts_are_downloaded(rated, name, first):
    leader = rated.leader()
    ready(leader)
    line = next(csv.DictReader(io.StringIO(leader.get(f"/leader/charts/{name}.csv").text)))
    assert {key: line[key] for key in first} == first
    assert leader.get("/leader/charts/other.csv").status_code == 404


def test_without_answers_and_without_comparisons_pages_say_so(site):
    leader = site("rating").leader()
    page = leader.get("/leader/charts").text
    assert "too few answers" in page
    assert "started without an analysis" in page


def test_agreement_of_the_past_is_computed_once(site):
    asked = []

    def headline(judgements):
        asked.append(len(judgements))
        return analyse(judgements)[0]

    counted = Comparisons(headline, lambda judgements: Pairs("same", ()))
    served = site("rating", judgements=4, comparisons=counted, **PLAIN, settings={"analysis_seconds": 0})
    worked(served, "2", "5")
    leader = served.leader()
    ready(leader)
    assert asked == [6]
    leader.get("/leader/charts")
    assert asked == [6]


def test_what_fails_in_the_background_is_told(caplog):
    failing: Background[int] = Background(lambda: 1 // 0, name="nothing", patience=30)
    known = failing.look()
    assert (known.state, known.why) == ("failed", "integer division or modulo by zero")


def test_pairs_are_shaded_by_their_value():
    pairs = [PairFigure("a", "b", 5, 0.9), PairFigure("a", "c", 4, math.nan), PairFigure("b", "c", 3, -0.5)]
    heat = heat_table(Pairs("pearson", tuple(pairs)))
    assert heat.names == ("a", "b", "c")
    assert [[cell.shade if cell else None for cell in row] for row in heat.rows] == [
        [None, 5, 0],
        [5, None, 1],
        [0, 1, None],
    ]


def test_an_address_is_written_as_it_was_read():
    form = search_form({"words": "a b", "least": "2", "kind": "gold", "other": "x", "sort": ""})
    assert (form.search.words, form.search.least, form.search.kind) == ("a b", 2, "gold")
    assert form.address("/x", after="y") == "/x?words=a+b&kind=gold&least=2&after=y"
    assert form.is_narrowed
    assert not search_form({"sort": "time"}).is_narrowed


@pytest.fixture
def api(rated):
    client = rated.visitor().client
    client.headers["Authorization"] = f"Bearer {rated.token()}"
    return client


def test_programs_read_questions_decide_and_read_people(rated, api):
    listed = api.get("/api/v1/questions?limit=2").json()
    assert [each["disagreement"] for each in listed["questions"]] == [1.5, 1.5]
    more = api.get("/api/v1/questions", params={"limit": 2, "after": listed["next"]}).json()
    assert [each["key"] for each in more["questions"]] == ["work2"]
    assert more["next"] == ""
    number = listed["questions"][0]["number"]
    address = f"/api/v1/questions/{number}"
    assert api.post(f"{address}/decisions", json={"fields": {"value": "9"}, "reason": "x"}).status_code == 422
    assert api.post(f"{address}/decisions", json={"fields": {"value": "4"}, "reason": "x"}).status_code == 201
    found = api.get(address).json()
    assert [each["value"] for each in found["answers"]] == [{"value": 2.0}, {"value": 5.0}]
    assert found["spreads"][0]["counts"] == [0, 0, 1, 0, 0, 1]
    assert found["decisions"][0]["by"] == "anna"
    assert api.post(f"{address}/decisions/take-back", json={"reason": "y"}).json()["value"] is None
    person = api.get(f"/api/v1/people/{rated.names[0]}/answers?limit=2").json()
    assert (person["given"], len(person["answers"])) == (3, 2)
    assert person["habits"][0]["expected"] == [0, 0, 1.5, 0, 0, 1.5]
    assert api.get("/api/v1/people/nobody/answers").status_code == 404
    assert api.get("/api/v1/charts/progress").json()["rows"][0]["answers"] == 6
    assert api.get("/api/v1/charts/none").status_code == 422


def test_only_leaders_see_answers(rated):
    stranger = rated.visitor()
    for address in ("answers", "answers/1", "answers.csv", "charts", "charts/pairs.csv", f"people/{rated.names[0]}"):
        assert "/leader/login" in str(stranger.get(f"/leader/{address}").url)
