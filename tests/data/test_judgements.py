"""The noun: what every table of judgements has, whoever made it."""

from __future__ import annotations

import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements, question_of_items
from similitude.errors import InputError


def test_a_question_that_is_not_named_is_the_set_of_items():
    frame = pl.DataFrame(
        {"items": [["b", "a"], ["a", "b"], ["a", "c"]], "best": ["a", "a", "c"], "worst": ["b", "b", "a"]}
    )
    judgements = Judgements(name="x", frame=frame)
    assert judgements.frame["question"].to_list() == ["a|b", "a|b", "a|c"]
    assert judgements.frame["round"].to_list() == ["first"] * 3
    assert judgements.kind == "best-worst"


def test_a_rating_that_names_no_question_is_about_its_item():
    frame = pl.DataFrame(
        {"item": ["i", "j"], "value": [1.0, 2.0], "question": [None, "again"], "round": [None, "second"]}
    )
    judgements = Judgements(name="x", frame=frame)
    assert judgements.frame["question"].to_list() == ["i", "again"]
    assert judgements.frame["round"].to_list() == ["first", "second"]
    assert (judgements.kind, judgements.annotators, judgements.judged) == ("rating", [], ["i", "j"])


def test_names_of_tuples_differ_where_ids_hold_bars():
    shown = pl.DataFrame({"items": [["a|b", "c"], ["a", "b|c"], ["a", "b", "c"], ["a\\", "b"], ["a", "\\b"]]})
    assert shown.select(question_of_items(pl.col("items"))).to_series().n_unique() == 5


def test_no_answers_is_an_error():
    with pytest.raises(InputError, match=r"x: no judgements; at least one answer is needed"):
        Judgements(name="x", frame=pl.DataFrame({"item": [], "value": []}))


def _benchmark_of_lists() -> Benchmark:
    return Benchmark.from_columns("b", left=["l", "m"], right=["r", "s"], ratings=[[1.0, 2.0], [3.0]], scale="0..5")


def test_of_a_benchmark_raters_without_names_stay_unnamed():
    judgements = Judgements.of_benchmark(_benchmark_of_lists())
    assert judgements.frame["annotator"].to_list() == [None, None, None]
    assert judgements.frame["value"].to_list() == [1.0, 2.0, 3.0]
    assert judgements.annotators == []
    with pytest.raises(InputError, match=r"annotators are not named; .*--positions-are-people"):
        judgements.matrix()


def test_of_a_benchmark_places_are_people_if_the_user_says_so():
    frame = Judgements.of_benchmark(_benchmark_of_lists(), positions_are_people=True).frame
    assert frame["annotator"].to_list() == ["1", "2", "1"]
    assert frame["value"].to_list() == [1.0, 2.0, 3.0]


def test_a_benchmark_of_scores_keeps_no_judgements():
    with pytest.raises(InputError, match=r"this benchmark keeps no judgements, only scores"):
        Judgements.of_benchmark(Benchmark.from_columns("b", left=["l"], right=["r"], score=[1.0]))


def test_the_last_rating_of_an_item_counts():
    rows = {"annotator": ["x", "y", "x"], "item": ["a", "a", "a"], "value": [1.0, 2.0, 5.0]}
    matrix = Judgements(name="x", frame=pl.DataFrame(rows)).matrix()
    assert (matrix.raters, matrix.values.tolist()) == (["x", "y"], [[5.0], [2.0]])


def test_categories_are_a_kind_of_their_own():
    rows = {"annotator": ["x", "y"], "item": ["a", "a"], "value": [0.0, 1.0]}
    judgements = Judgements(name="x", frame=pl.DataFrame(rows), categories=("agree", "differ"))
    assert (judgements.kind, judgements.scale) == ("category", None)


def test_superseded_answers_have_the_columns_of_answers():
    rows = {"annotator": ["x"], "item": ["a"], "value": [2.0]}
    judgements = Judgements(name="x", frame=pl.DataFrame(rows), superseded=pl.DataFrame({**rows, "value": [1.0]}))
    assert judgements.superseded is not None
    assert judgements.superseded.columns == judgements.frame.columns
    assert judgements.superseded["question"].to_list() == ["a"]
