"""Leaders' decisions in gold: kept apart from answers, counted, and used only where that is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import similitude as sim
from similitude.data.reading.judgements import read_judgements
from similitude.data.writing.judgements import write_judgements
from similitude.errors import InputError, UnknownNameError
from similitude.gold.aggregation.adjudication import decided_acceptance, with_decided_scores
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.bootstrap import NO_INTERVALS


def rating(item: str, who: str, value: float | str | None, **more: Any) -> dict[str, Any]:
    return {"item": item, "question": item, "annotator": who, "round": "first", "value": value, **more}


def decided(item: str, value: float | str | None, **more: Any) -> dict[str, Any]:
    return rating(item, "leader:anna", value, **more) | {"round": "adjudication"}


PEOPLE = [rating("a", "x", 1), rating("a", "y", 3), rating("b", "x", 4), rating("b", "y", 5), rating("c", "x", 0)]


def read(folder: Path, rows: list[dict[str, Any]], scale: str | None = "0..5") -> Any:
    path = folder / "answers.jsonl"
    more = {"scale": scale} if scale else {}
    path.write_text("".join(json.dumps({**more, **row}) + "\n" for row in rows), encoding="utf-8")
    return read_judgements(path)


def scores(made: Any) -> dict[str, float]:
    return dict(zip(made.frame["id"], made.frame["score"], strict=True))


def test_decisions_are_told_apart_and_no_figure_of_agreement_sees_them(tmp_path):
    plain, with_decision = read(tmp_path, PEOPLE), read(tmp_path, [*PEOPLE, decided("a", 5)])
    assert with_decision.frame.equals(plain.frame)
    assert with_decision.annotators == ["x", "y"]
    assert with_decision.adjudicated["value"].to_list() == [5.0]
    assert plain.adjudicated is None
    assert "1 decision is kept apart" in " ".join(with_decision.provenance.notes)
    figures = [agreement_figures(each, resampling=NO_INTERVALS) for each in (plain, with_decision)]
    assert [str(each) for each in figures[0]] == [str(each) for each in figures[1]]


def test_gold_ignores_decisions_and_says_so_unless_it_is_asked_to_prefer_them(tmp_path):
    judgements = read(tmp_path, [*PEOPLE, decided("a", 4), decided("a", 5)])
    ignored, preferred = (sim.aggregate(judgements, adjudicated=each) for each in ("ignore", "prefer"))
    assert scores(ignored) == {"a": 2.0, "b": 4.5, "c": 0.0}
    assert ignored.notes[0].startswith("1 decision of a leader is not used: --adjudicated prefer")
    # The last decision holds; what people said of the item stays: 1 and 3 have a standard deviation of 1.
    assert scores(preferred) == {"a": 5.0, "b": 4.5, "c": 0.0}
    assert preferred.frame["sigma"].to_list() == [1.0, 0.5, None]
    assert preferred.frame["adjudicated"].to_list() == [True, False, False]
    assert preferred.notes[0] == "1 decision of a leader settles its question in place of people's answers: a"
    with pytest.raises(UnknownNameError, match="prefer"):
        sim.aggregate(judgements, adjudicated="mix")


def test_a_decided_score_has_no_standard_error_and_the_others_keep_theirs(tmp_path):
    # The sample deviation of 1 and 3 is sqrt(2), that of 4 and 5 sqrt(1 / 2); over sqrt(2): 1 and 1 / 2. c has 1.
    judgements = read(tmp_path, [*PEOPLE, decided("a", 5)])
    ignored, preferred = (sim.aggregate(judgements, adjudicated=each) for each in ("ignore", "prefer"))
    assert ignored.frame["standard_error"].to_list() == [pytest.approx(1.0), pytest.approx(0.5), None]
    assert preferred.frame["standard_error"].to_list() == [None, pytest.approx(0.5), None]
    assert preferred.frame.columns == [*ignored.frame.columns, "adjudicated"]


def test_several_decisions_are_counted_in_the_plural_and_the_first_twenty_are_named(tmp_path):
    names = [f"i{place}" for place in range(21)]
    people = [rating(name, who, 3) for name in names for who in "xy"]
    for number in (2, 20, 21):
        judgements = read(tmp_path, [*people, *(decided(name, 4) for name in names[:number])])
        ignored, preferred = (sim.aggregate(judgements, adjudicated=each).notes[0] for each in ("ignore", "prefer"))
        assert ignored.startswith(f"{number} decisions of leaders are not used: ")
        told = f"{number} decisions of leaders settle their questions in place of people's answers: "
        assert preferred == told + ", ".join(names[:20][:number]) + (", ..." if number == 21 else "")


def test_without_decisions_scores_stay_as_they_are(tmp_path):
    judgements = read(tmp_path, PEOPLE)
    made = sim.aggregate(judgements)
    assert with_decided_scores(made, judgements).frame.equals(made.frame)
    assert sim.aggregate(judgements, adjudicated="prefer").frame.equals(made.frame)


def test_a_decided_label_takes_the_place_of_the_majority_and_of_a_tie(tmp_path):
    # a: yes twice, decided no; b: a tie, decided maybe; c: nobody decided. Shares and ties are of people's answers.
    words = {"a": ("yes", "yes"), "b": ("no", "yes"), "c": ("maybe", "maybe")}
    rows = [rating(item, who, given) for item, both in words.items() for who, given in zip("xy", both, strict=True)]
    judgements = read(tmp_path, [*rows, decided("a", "no"), decided("b", "maybe")], scale=None)
    assert judgements.kind == "category"
    ignored, preferred = (sim.aggregate(judgements, adjudicated=each) for each in ("ignore", "prefer"))
    assert ignored.frame["label"].to_list() == ["yes", None, "maybe"]
    assert preferred.frame["label"].to_list() == ["no", "maybe", "maybe"]
    assert preferred.frame["adjudicated"].to_list() == [True, True, False]
    assert preferred.frame.drop("label", "adjudicated").equals(ignored.frame.drop("label"))


def test_a_benchmark_has_the_decided_score_beside_what_people_said(tmp_path):
    rows = [*PEOPLE[:4], decided("a", 5)]
    texts = {"left": "one", "right": "two"}
    judgements = read(tmp_path, [{**row, **texts, "right": f"two {row['item']}"} for row in rows])
    made = sim.gold(judgements, adjudicated="prefer")
    assert made.frame["score"].to_list() == [5.0, 4.5]
    assert made.frame["ratings"].to_list() == [[1.0, 3.0], [4.0, 5.0]]
    assert any("settles its question" in note for note in made.provenance.notes)


def test_how_gold_was_made_says_what_is_decided_and_a_decision_without_answers_is_left_out(tmp_path):
    rows = [*PEOPLE, decided("a", 5), decided("d", 2)]
    judgements = read(tmp_path, [{**row, "left": "one", "right": f"two {row['item']}"} for row in rows])
    made = sim.gold(judgements, adjudicated="prefer")
    how = "gaussian: mean and population standard deviation of the ratings"
    assert made.provenance.aggregation == f"{how}; 1 score is a leader's decision"
    assert scores(made) == {"a": 5.0, "b": 4.5, "c": 0.0}
    assert "1 decision of a leader settles its question in place of people's answers: a" in made.provenance.notes
    assert "1 decision of a leader is left out, because nobody else answered: d" in made.provenance.notes
    assert sim.gold(judgements).provenance.aggregation == how


def test_whether_a_condition_applies_can_be_decided(tmp_path):
    people = [rating("a", who, None, applies=False) for who in "xy"]
    people += [rating(item, who, 4, applies=True) for who in "xy" for item in "bc"]
    rows = [*people, decided("a", 2, applies=True), decided("b", None, applies=False)]
    judgements = read(tmp_path, rows)
    assert scores(sim.aggregate(judgements)) == {"b": 4.0, "c": 4.0}
    preferred = sim.aggregate(judgements, adjudicated="prefer")
    assert preferred.rejected["item"].to_list() == ["b"]
    assert scores(preferred) == {"a": 2.0, "c": 4.0}


def test_a_decided_tuple_counts_once_as_the_leader_decided_it(tmp_path):
    def chosen(who: str, best: str, worst: str, round_: str = "first", question: str = "q") -> dict[str, Any]:
        choice = {"items": ["a", "b", "c"], "best": best, "worst": worst}
        return {"question": question, "annotator": who, "round": round_, **choice}

    rows = [chosen("x", "a", "c"), chosen("y", "a", "c"), chosen("leader:anna", "b", "a", "adjudication")]
    path = tmp_path / "tuples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judgements = read_judgements(path)
    # (best - worst) / appearances: a is best twice of two, c worst twice of two; decided: b best, a worst, once.
    assert scores(sim.aggregate(judgements, "counting")) == {"a": 1.0, "b": 0.0, "c": -1.0}
    preferred = sim.aggregate(judgements, "counting", adjudicated="prefer")
    assert scores(preferred) == {"a": -1.0, "b": 1.0, "c": 0.0}
    assert preferred.how == "counting: (#best - #worst) / #appearances; 1 tuple is answered by a leader's decision"
    assert len(judgements) == 2


def test_the_items_of_a_decided_tuple_are_marked(tmp_path):
    def chosen(question: str, items: str, who: str, round_: str = "first") -> dict[str, Any]:
        choice = {"items": list(items), "best": items[0], "worst": items[-1]}
        return {"question": question, "annotator": who, "round": round_, **choice}

    rows = [chosen("q1", "abc", "x"), chosen("q2", "cde", "x"), chosen("q2", "edc", "leader:anna", "adjudication")]
    path = tmp_path / "tuples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judgements = read_judgements(path)
    made = sim.aggregate(judgements, "counting", adjudicated="prefer").frame
    marks = dict(zip(made["id"], made["adjudicated"], strict=True))
    assert marks == {"a": False, "b": False, "c": True, "d": True, "e": True}
    assert decided_acceptance(judgements) == {}  # nobody is asked whether a tuple applies


def test_decisions_survive_writing_and_reading(tmp_path):
    judgements = read(tmp_path, [*PEOPLE, decided("a", 5)])
    again = read_judgements(write_judgements(judgements, tmp_path / "again.jsonl"))
    assert again.adjudicated.equals(judgements.adjudicated)
    assert again.frame.equals(judgements.frame)


def test_decisions_alone_are_no_judgements(tmp_path):
    with pytest.raises(InputError, match="every row is a leader's decision"):
        read(tmp_path, [decided("a", 5)])


def test_decisions_keep_their_columns(tmp_path):
    judgements = read(tmp_path, [*PEOPLE, decided("a", 5)])
    assert judgements.adjudicated.schema == judgements.frame.schema
    assert isinstance(judgements.adjudicated, pl.DataFrame)
