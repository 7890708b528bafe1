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


def test_of_a_benchmark_places_stand_for_raters_who_are_not_named():
    benchmark = Benchmark.from_columns(
        "b", left=["l", "m"], right=["r", "s"], ratings=[[1.0, 2.0], [3.0]], scale="0..5"
    )
    frame = Judgements.of_benchmark(benchmark).frame
    assert frame["annotator"].to_list() == ["1", "2", "1"]
    assert frame["value"].to_list() == [1.0, 2.0, 3.0]
    with pytest.raises(InputError, match=r"this benchmark keeps no judgements, only scores"):
        Judgements.of_benchmark(Benchmark.from_columns("b", left=["l"], right=["r"], score=[1.0]))
