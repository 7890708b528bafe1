"""Agreement of every pair of annotators, by hand."""

import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.gold.reliability.agreement_figures import agreement_figures, headline_figure
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.pair_table import pair_measure, pair_table


def ratings(**by_person: dict[str, float]) -> Judgements:
    rows = [
        {"annotator": who, "item": item, "value": float(value)}
        for who, given in by_person.items()
        for item, value in given.items()
    ]
    return Judgements(name="made", frame=pl.DataFrame(rows))


def test_ratings_are_correlated_on_what_both_rated():
    judgements = ratings(x={"a": 1, "b": 2, "c": 3, "d": 9}, y={"a": 3, "b": 2, "c": 1}, z={"a": 5, "b": 5, "c": 5})
    assert pair_measure(judgements) == "pearson"
    # x and y are opposite on a, b, c. z gives one value only, so there is no correlation with anybody.
    assert pair_table(judgements).rows() == [
        ("x", "y", 3, pytest.approx(-1.0)),
        ("x", "z", 3, None),
        ("y", "z", 3, None),
    ]


def test_too_few_shared_items_have_no_value():
    judgements = ratings(x={"a": 1, "b": 2}, y={"a": 2, "b": 4}, z={"q": 1})
    assert pair_table(judgements).rows() == [("x", "y", 2, None)]
    assert pair_table(judgements, least_shared=2).rows() == [("x", "y", 2, pytest.approx(1.0))]


def test_choices_are_compared_best_and_worst_alike():
    def tuples(who: str, *pairs: str) -> list[dict[str, object]]:
        return [
            {"question": f"q{place}", "annotator": who, "items": ["a", "b", "c"], "best": best, "worst": worst}
            for place, (best, worst) in enumerate(pairs)
        ]

    # The same best in three of three, the same worst in one of three: 4 of 6 choices are equal.
    rows = [*tuples("x", "ab", "ab", "ac"), *tuples("y", "ac", "ac", "ac")]
    judgements = Judgements(name="made", frame=pl.DataFrame(rows))
    assert pair_measure(judgements) == "same"
    assert pair_table(judgements).rows() == [("x", "y", 3, pytest.approx(4 / 6))]


def test_the_last_answer_of_a_person_counts():
    rows = {"annotator": list("xxxxyyy"), "item": list("abcaabc"), "value": [9.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0]}
    assert pair_table(Judgements(name="made", frame=pl.DataFrame(rows))).rows() == [("x", "y", 3, pytest.approx(1.0))]


def test_unnamed_annotators_make_no_pair_and_the_empty_table_has_its_columns():
    frame = pl.DataFrame({"item": ["a", "a", "b", "b"], "value": [1.0, 2.0, 3.0, 4.0]})
    table = pair_table(Judgements(name="made", frame=frame), least_shared=2)
    assert table.is_empty()
    assert table.schema == {"one": pl.String, "other": pl.String, "shared": pl.Int64, "value": pl.Float64}


def test_the_headline_is_the_first_figure():
    judgements = ratings(x={"a": 1, "b": 2, "c": 3}, y={"a": 1, "b": 3, "c": 3})
    first = agreement_figures(judgements, resampling=NO_INTERVALS)[0]
    headline = headline_figure(judgements, resampling=NO_INTERVALS)
    assert headline is not None
    assert (headline.name, headline.estimate.value) == (first.name, first.estimate.value)
    nothing = pl.DataFrame({"annotator": ["x"], "item": ["a"], "value": [None], "applies": [False]})
    assert headline_figure(Judgements(name="made", frame=nothing)) is None
