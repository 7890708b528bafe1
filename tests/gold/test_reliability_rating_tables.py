"""Tables of ratings that figures of agreement are computed from."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation import make_gold
from similitude.gold.reliability import value_counts
from similitude.gold.reliability.disjoint_groups import gapless, observed_errors
from similitude.gold.reliability.named_raters import number_of_raters, why_unnamed
from similitude.gold.reliability.pairable_ratings import Pairable, checked, without_noise
from similitude.gold.reliability.rater_rest_correlation import own_and_rest_scores

NAN = np.nan


def rated(rows, **settings) -> Judgements:
    frame = pl.DataFrame(rows, schema={"annotator": pl.String, "item": pl.String, "value": pl.Float64}, orient="row")
    return Judgements(name="made", frame=frame, **({"scale": Scale(low=0, high=5)} | settings))


# Pairable ratings

TABLE = np.array([[1.0, 2.0, NAN, 4.0], [1.0, NAN, NAN, 2.0], [3.0, NAN, 5.0, 2.0 + 1e-13]])


def test_only_items_with_two_ratings_are_kept():
    found = Pairable(TABLE)
    assert found.kept.tolist() == [True, False, False, True]
    assert found.number.tolist() == [3, 3]
    np.testing.assert_array_equal(found.domain, [1, 2, 3, 4])
    assert found.is_complete
    assert found.reason is None
    assert found.tally.number.tolist() == [3, 3]
    assert found.tally.squares.tolist() == [5, 5]
    assert found.tally.most.tolist() == [2, 2]
    assert found.tally.shape == (2, 4)


def test_ratings_are_centred_and_packed():
    found = Pairable(np.array([[1.0, 2.0], [3.0, NAN], [5.0, 4.0]]))
    assert not found.is_complete
    np.testing.assert_allclose(found.centred(), [[-2, -1], [0, 0], [2, 1]])
    np.testing.assert_allclose(Pairable(np.array([[1.0, 2.0], [3.0, 6.0]])).centred(), [[-2, -1], [0, 3]])
    np.testing.assert_array_equal(found.packed(np.array([1, 0])), [[2, 1], [4, 3], [NAN, 5]])
    np.testing.assert_array_equal(found.packed(np.array([1])), [[2], [4], [NAN]])


def test_many_values_are_counted_like_few(monkeypatch):
    table = np.random.default_rng(0).integers(0, 7, (5, 20)) + 1e-13
    table[2, 3:9] = NAN
    few = Pairable(table).tally
    monkeypatch.setattr("similitude.gold.reliability.pairable_ratings.FEW_VALUES", 3)
    many = Pairable(table).tally
    np.testing.assert_array_equal(many.number, few.number)
    np.testing.assert_array_equal(many.squares, few.squares)
    np.testing.assert_array_equal(many.by_value(np.eye(20)), few.by_value(np.eye(20)))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[NAN, NAN]], "there are no ratings"),
        ([[1.0, 2.0], [NAN, NAN]], "only one rater: there is nothing to compare"),
        ([[1.0, NAN], [NAN, 2.0]], "no item was rated by two raters: there is nothing to compare"),
        ([[1.0, NAN], [3.0, 2.0]], "only one item was rated by two raters: there is nothing to compare it with"),
        ([[2.0, 2.0], [2.0, 2.0]], "all ratings are the same: agreement cannot be distinguished from chance"),
        (
            [[2.0, 2.0], [2.0, 2.0 + 1e-14]],
            "all ratings are the same in their first 13 digits: agreement cannot be distinguished from chance",
        ),
        ([[2.0, 2.0], [2.0, 2.1]], None),
    ],
)
def test_why_there_is_no_agreement(values, reason):
    assert Pairable(np.array(values)).reason == reason


def test_what_is_no_table_is_refused():
    with pytest.raises(ArgumentError, match="ratings of 1 dimensions; give an array of raters x items"):
        checked(np.array([1.0]))
    with pytest.raises(ArgumentError, match="a rating is infinite; mark a missing rating with nan"):
        checked(np.array([[1.0, np.inf]]))
    assert checked([[1, 2]]).dtype == np.float64


def test_noise_is_what_lies_beyond_13_digits():
    assert without_noise(np.array([123456.78901234, 123456.78901238])).tolist() == [123456.7890123, 123456.7890124]
    assert without_noise(np.array([1.0000000000004, 1.000000000001])).tolist() == [1.0, 1.000000000001]
    assert without_noise(np.array([-0.1234567891234567])).tolist() == [-0.1234567891235]
    assert without_noise(np.array([1e12 + 1, 1e12 + 2])).tolist() == [1e12 + 1, 1e12 + 2]
    for nothing in (np.empty(0), np.array([NAN]), np.array([0.0, 0.0])):
        np.testing.assert_array_equal(without_noise(nothing), nothing)


def test_more_than_255_raters_are_counted():
    values = np.ones((300, 2))
    values[0] = 2
    assert Pairable(values).number.tolist() == [300, 300]
    assert Pairable(values).tally.most.tolist() == [299, 299]


# Counts of values


@pytest.mark.parametrize("cells", [0, 10**6])
def test_counts_of_values_dense_or_sparse(monkeypatch, cells: int):
    """Unit 0 has the values 0 0 2, unit 1 has 1 1, unit 2 has 2."""
    monkeypatch.setattr(value_counts, "DENSE_CELLS", cells)
    found = value_counts.count_values(np.array([0, 0, 0, 1, 1, 2]), np.array([0, 2, 0, 1, 1, 2]), 3, 3)
    assert found.number.tolist() == [3, 2, 1]
    assert found.squares.tolist() == [5, 4, 1]
    assert found.most.tolist() == [2, 2, 1]
    assert found.shape == (3, 3)
    # a third of all values each: two draws differ with probability 2/3
    assert found.differing_by_chance == pytest.approx(2 / 3)
    # ordered pairs that differ: 4 of unit 0, over 2; none of unit 1; unit 2 has no pair
    assert found.pairs_that_differ.tolist() == [2, 0, 0]
    np.testing.assert_array_equal(found.by_value(np.array([[1.0, 2.0, 3.0]])), [[2], [4], [4]])
    np.testing.assert_array_equal(found.by_unit(np.array([[1.0], [10.0], [100.0]])), [[102], [20], [100]])


def test_distances_over_pairs():
    found = value_counts.count_values(np.array([0, 0, 0]), np.array([0, 0, 2]), 1, 3)
    squared = np.subtract.outer(np.arange(3.0), np.arange(3.0)) ** 2
    assert found.pairs_by(squared).tolist() == [2 * 2 * 4]


# Disjoint groups


def test_gaps_move_to_the_bottom():
    np.testing.assert_array_equal(gapless(np.array([[NAN, 1.0], [2.0, NAN], [3.0, 4.0]])), [[2, 1], [3, 4], [NAN, NAN]])
    whole = np.ones((2, 2))
    assert gapless(whole) is whole


@pytest.mark.parametrize("design", ["crossed", "nested"])
def test_errors_between_groups_are_those_of_their_means(design):
    """Noise of variance 1 on items of variance 4: means of two raters have the error sqrt(1/2) and r^2 = 4 / 4.5."""
    rng = np.random.default_rng(0)
    values = rng.normal(0, 2, 3000) + rng.normal(0, 1, (4, 3000))
    table = observed_errors(values, design, [1, 2, 3], rng)
    assert table["observed_mean_error"].to_list() == [
        pytest.approx(1, rel=0.05),
        pytest.approx(np.sqrt(0.5), rel=0.05),
        None,
    ]
    expected = [pytest.approx(np.sqrt(4 / 5), rel=0.02), pytest.approx(np.sqrt(4 / 4.5), rel=0.02), None]
    assert table["observed_correlation"].to_list() == expected
    assert observed_errors(values[:, :10], design, [1], rng)["observed_mean_error"].null_count() == 0
    assert observed_errors(values[:, :9], design, [1], rng).row(0) == (None, None)


# Names


def test_why_people_are_not_counted():
    assert why_unnamed(rated([("x", "a", 1.0)])) is None
    assert why_unnamed(rated([(None, "a", 1.0), (None, "b", 1.0)])).startswith("annotators are not named: positions in")
    some = rated([(None, "a", 1.0), (None, "b", 1.0), ("x", "a", 1.0)])
    assert why_unnamed(some).startswith("the annotators of 2 answers are not named: positions in a list")
    frame = pl.DataFrame(
        {"annotator": [None], "items": [["a", "b"]], "best": ["a"], "worst": ["b"]},
        schema_overrides={"annotator": pl.String},
    )
    told = why_unnamed(Judgements(name="made", frame=frame))
    assert told == "annotators are not named: figures about people need the column 'annotator'"
    assert number_of_raters(some) is None
    assert number_of_raters(rated([("x", "a", 1.0), ("y", "a", 1.0)])) == 2


def test_own_ratings_and_the_rest():
    made = rated(
        [("y", "a", 1.0), ("x", "a", 2.0), (None, "a", 6.0), ("x", "b", 3.0), ("y", "b", 5.0), ("x", "c", 0.0)]
    )
    assert own_and_rest_scores(made).rows() == [
        ("y", "a", 1.0, 4.0), ("y", "b", 5.0, 3.0), ("x", "a", 2.0, 3.5), ("x", "b", 3.0, 5.0),
    ]  # fmt: skip


def test_own_choices_and_the_rest():
    """x: a best of one; of a the others say best once and worst once in two appearances."""
    rows = [
        ("1", "x", ["a", "b", "c"], "a", "c"),
        ("1", "y", ["a", "b", "c"], "a", "b"),
        ("2", None, ["a", "b"], "b", "a"),
    ]
    frame = pl.DataFrame(rows, schema=["question", "annotator", "items", "best", "worst"], orient="row")
    table = {(row[0], row[1]): row[2:] for row in own_and_rest_scores(Judgements(name="made", frame=frame)).rows()}
    assert table["x", "a"] == (1.0, 0.0)
    assert table["x", "b"] == (0.0, 0.0)
    assert table["x", "c"] == (-1.0, 0.0)
    assert table["y", "b"] == (-1.0, 0.5)
    assert table["y", "c"] == (0.0, -1.0)
    assert {name for name, _ in table} == {"x", "y"}


# Benchmarks of judgements

TEXTS = pl.DataFrame({"id": ["a", "b"], "left": ["l", "m"], "right": ["r", "s"]})


def test_texts_that_are_missing_are_said():
    with pytest.raises(InputError, match=r"^made: the texts of the items are unknown; a benchmark needs them"):
        make_gold(rated([("x", "a", 1.0)]))
    with pytest.raises(InputError, match=r"^made: some items have no text; a benchmark needs them"):
        make_gold(rated([("x", "a", 1.0)], items=TEXTS.with_columns(right=pl.lit(None, dtype=pl.String))))
    with pytest.raises(
        InputError, match=r"^made: no judged id is among the items: judged ids are z, item ids are a, b; use the same"
    ):
        make_gold(rated([("x", "z", 1.0)], items=TEXTS))
    with pytest.raises(
        InputError, match=r"^made: categories without an order have labels, but no scores, .*; give them an order"
    ):
        make_gold(rated([("x", "a", 1.0)], items=TEXTS, scale=None, categories=("no", "yes")))


def test_items_and_judgements_that_do_not_meet_are_noted():
    made = make_gold(rated([("x", "a", 1.0), ("y", "a", 2.0), ("x", "z", 1.0)], items=TEXTS), name="gold")
    assert made.name == "gold"
    assert made.provenance.judged_by == "2 annotators"
    assert made.provenance.aggregation.startswith("gaussian: mean and population standard deviation")
    assert made.provenance.notes[-2:] == (
        "1 item without a judgement, and so without a score: b",
        "1 judged id without an item, left out of the benchmark: z",
    )
    assert made.frame["score"].to_list() == [1.5, None]
    assert made.frame["ratings"].to_list() == [[1.0, 2.0], None]
    assert made.frame["raters"].to_list() == [["x", "y"], None]
    assert made.judgements is None
    unnamed = make_gold(rated([(None, "a", 1.0), ("y", "b", 2.0)], items=TEXTS))
    assert unnamed.provenance.judged_by is None
    assert unnamed.name == "made"
