import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.rounds import compare_rounds, in_round, rounds_of


def made(rows, **settings) -> Judgements:
    """Rows of (item, annotator, round, value)."""
    frame = pl.DataFrame(rows, schema=["item", "annotator", "round", "value"], orient="row")
    return Judgements(name="made", frame=frame, **({"scale": Scale(low=0, high=5)} | settings))


def two_rounds(first, second) -> Judgements:
    """Every item with its ratings in the first and in the second round; the second stands first, as in USTS."""
    rows = [
        (item, f"{name}{place}", name, value)
        for name, items in (("second", second), ("first", first))
        for item, values in items.items()
        for place, value in enumerate(values)
    ]
    return made(rows)


HAND = two_rounds({"a": [0.0, 2.0], "b": [1.0, 3.0], "c": [1.0]}, {"a": [0.0, 4.0], "b": [1.0, 1.0], "c": [0.0, 1.0]})


def test_the_first_round_stands_first():
    assert rounds_of(HAND) == ["first", "second"]
    assert in_round(HAND, "first").frame["round"].unique().to_list() == ["first"]


def test_an_unknown_round_lists_those_there_are():
    with pytest.raises(ArgumentError, match="rounds there: first, second"):
        in_round(HAND, "third")


def test_two_rounds_by_hand():
    # a: first 1 +- 1, second 2 +- 2; b: first 2 +- 1, second 1 +- 0; c has one rating in the first round: left out
    found = compare_rounds(HAND, above=1.5)
    assert found.items["item"].to_list() == ["a", "b"]
    assert found.left_out == 1
    assert found.sigma_first.value == 1.0
    assert found.sigma_second.value == 1.0
    assert found.sigma_difference.value == 0.0
    assert found.mean_difference.value == 0.0  # -1 and +1
    assert found.share_higher.value == 0.5
    assert found.share_above.value == 0.5
    # b has no spread in the second round; a: KL(N(1, 1) || N(2, 2)) = ln 2 + 2 / 8 - 1/2
    assert found.kl.value == pytest.approx(np.log(2) - 0.25)
    assert found.dropped == 1


def test_a_floor_keeps_items_without_variance():
    # b: KL(N(2, 1) || N(1, 0.1)) = ln 0.1 + (1 + 1) / 0.02 - 1/2
    found = compare_rounds(HAND, zero_variance="floor")
    expected = (np.log(2) - 0.25 + np.log(0.1) + 100 - 0.5) / 2
    assert found.kl.value == pytest.approx(expected)
    assert found.dropped == 0


def test_one_round_cannot_be_compared():
    with pytest.raises(ArgumentError, match="only one round, 'first'"):
        compare_rounds(made([("a", "x", None, 1.0), ("a", "y", None, 2.0)]))


def test_rounds_that_rated_other_items_cannot_be_compared():
    with pytest.raises(ArgumentError, match="no item has two ratings both"):
        compare_rounds(two_rounds({"a": [1.0, 2.0]}, {"b": [1.0, 2.0]}))


def test_intervals_hold_a_simulated_shift():
    # The second round rates 0.5 lower with half the noise: the differences are 0.5 and about 0.4
    rng = np.random.default_rng(2)
    truth = rng.uniform(1, 4, 300)
    first = {str(i): (t + 0.5 + rng.normal(0, 0.8, 12)).tolist() for i, t in enumerate(truth)}
    second = {str(i): (t + rng.normal(0, 0.4, 12)).tolist() for i, t in enumerate(truth)}
    found = compare_rounds(two_rounds(first, second), resampling=Resampling(rng=rng))
    assert found.mean_difference.low < 0.5 < found.mean_difference.high
    shrunk = np.sqrt(11 / 12)  # sigma of 12 draws, ddof 0, is about this part of the truth
    assert found.sigma_difference.low - 0.01 < 0.4 * shrunk < found.sigma_difference.high + 0.01


APART = two_rounds(
    {"a": [0.0, 2.0], "b": [4.0, 5.0], "c": [3.0, 3.0]}, {"a": [0.0, 4.0], "b": [1.0, 2.0], "c": [3.0, 4.0]}
)


def test_what_is_subtracted_from_what():
    """First 1 +- 1, 4.5 +- .5, 3 +- 0; second 2 +- 2, 1.5 +- .5, 3.5 +- .5."""
    found = compare_rounds(APART)
    assert (found.first, found.second, found.left_out, found.dropped) == ("first", "second", 0, 1)
    rows = found.items.select("item", "mean_first", "sigma_first", "mean_second", "sigma_second").rows()
    assert rows == [("a", 1, 1, 2, 2), ("b", 4.5, 0.5, 1.5, 0.5), ("c", 3, 0, 3.5, 0.5)]
    assert found.items["kl"].to_list() == pytest.approx([np.log(2) - 0.25, 3**2 / (2 * 0.5**2), np.nan], nan_ok=True)
    assert found.sigma_first.value == pytest.approx(0.5)
    assert found.sigma_second.value == pytest.approx(1.0)
    assert found.sigma_difference.value == pytest.approx(-0.5)
    assert found.mean_difference.value == pytest.approx((-1 + 3 - 0.5) / 3)
    assert found.share_higher.value == pytest.approx(1 / 3)


def test_a_tenth_of_the_scale_is_no_disagreement_yet():
    found = compare_rounds(APART)
    assert found.above == 0.5
    assert found.share_above.value == pytest.approx(1 / 3)
    assert compare_rounds(APART, above=0.4).share_above.value == 1


def test_rounds_can_be_chosen():
    found = compare_rounds(APART, first="second")
    assert (found.first, found.second) == ("second", "first")
    assert found.sigma_difference.value == pytest.approx(0.5)
    assert compare_rounds(APART, second="first", first="second").mean_difference.value == pytest.approx(-0.5)


def test_equal_means_are_not_higher():
    same = two_rounds({"a": [0.1, 0.3]}, {"a": [0.2, 0.2]})
    assert compare_rounds(same).share_higher.value == 0


def test_a_difference_of_rounding_is_not_higher():
    # Means a billionth apart count as equal; two billionths do not.
    near = two_rounds({"a": [1e-9, 1e-9], "b": [2e-9, 2e-9]}, {"a": [0.0, 0.0], "b": [0.0, 0.0]})
    assert compare_rounds(near, zero_variance="floor").share_higher.value == 0.5
