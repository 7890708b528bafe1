import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.gold.reliability import shared_leniency as module
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.intraclass import intraclass_correlations
from similitude.gold.reliability.score_reliability import score_reliability
from similitude.gold.reliability.shared_leniency import shared_leniency


def rated(values: np.ndarray) -> pl.DataFrame:
    """Raters x items, nan where a rating is missing."""
    rater, item = np.nonzero(np.isfinite(values))
    columns = {"item": item, "annotator": rater, "value": values[rater, item]}
    return pl.DataFrame(columns).with_columns(pl.col("item", "annotator").cast(pl.String))


def some(values: np.ndarray, number: int, rng: np.random.Generator) -> np.ndarray:
    """So many ratings of each item, by raters at random."""
    dropped = rng.permuted(np.tile(np.arange(len(values))[:, None] >= number, (1, values.shape[1])), axis=0)
    return np.where(dropped, np.nan, values)


@pytest.mark.parametrize("raters", [2, 3, 7])
def test_with_the_same_raters_for_all_items_what_remains_is_icc_3_k(raters):
    rng = np.random.default_rng(raters)
    values = rng.normal(size=25) + rng.normal(size=(raters, 25)) + 2 * rng.normal(size=(raters, 1))
    noise = values.var(axis=0, ddof=1).mean() / raters - shared_leniency(rated(values))
    expected = intraclass_correlations(values, resampling=NO_INTERVALS)["ICC(3,k)"].value
    assert 1 - noise / values.mean(axis=0).var(ddof=1) == pytest.approx(expected)


def test_items_with_raters_of_their_own_share_nothing():
    frame = rated(np.random.default_rng(0).normal(size=(3, 10)))
    nested = frame.with_columns(annotator=pl.col("item") + "-" + pl.col("annotator"))
    assert shared_leniency(nested) == 0


def test_many_items_with_raters_of_their_own_share_no_more_than_rounding():
    """What three raters of 3,000 items each share is 0, but for an error in the last digit of 6,000."""
    item, rng = np.repeat(np.arange(3000), 3), np.random.default_rng(0)
    for _ in range(10):
        ratings = module._Ratings(item, np.arange(item.size), rng.normal(size=item.size), np.full(3000, 3.0))
        assert module._variance(ratings) == 0


def test_without_names_nothing_is_known():
    frame = rated(np.array([[1.0, 2, 3], [3, 4, 5]]))
    assert shared_leniency(frame) == 1
    unnamed = frame.with_columns(annotator=pl.when(pl.int_range(pl.len()) > 0).then("annotator"))
    assert shared_leniency(unnamed) == 0
    assert shared_leniency(frame.clear()) == 0


def test_raters_who_are_alike_have_no_leniency():
    assert shared_leniency(rated(np.array([[1.0, 2, 3], [2, 1, 3], [1, 3, 2]]))) == 0


def test_one_rating_each_says_nothing():
    assert shared_leniency(rated(np.array([[1.0, 2, 3]]))) == 0


@pytest.mark.parametrize(("raters", "number"), [(20, 5), (12, 10), (40, 3)])
def test_recovers_what_the_means_share(raters, number):
    # leniency of variance 1, and every rater has about the same weight in the scores, 1 / raters
    rng = np.random.default_rng(1)
    worlds = (rng.normal(size=150) + rng.normal(size=(raters, 150)) + rng.normal(size=(raters, 1)) for _ in range(60))
    found = [shared_leniency(rated(some(values, number, rng))) for values in worlds]
    assert np.mean(found) == pytest.approx(1 / raters, rel=0.12)


def test_with_too_many_pairs_the_first_items_tell(monkeypatch):
    rng = np.random.default_rng(2)
    values = rng.normal(size=400) + 0.1 * rng.normal(size=(4, 400)) + np.array([[-1.5], [-0.5], [0.5], [1.5]])
    whole, first = shared_leniency(rated(values)), shared_leniency(rated(values[:, :100]))
    monkeypatch.setattr(module, "PAIRS", 16 * 100)
    part = shared_leniency(rated(values))
    assert part == pytest.approx(whole, rel=0.05)
    assert part == pytest.approx(first, rel=1e-9)
    monkeypatch.setattr(module, "PAIRS", 15)
    assert shared_leniency(rated(values)) == 0


# The estimate of the variance of leniency, by its definition


def dense_variance(rows) -> float:
    """Two quadratic forms of the deviations from the items' means, equated with their expectations.

    Of each rater, the squared sum of deviations / their number; and of all, the squares within items. With deviations
    M (Z leniency + noise), the expectation of a form A is var(leniency) tr(A M Z Z' M) + var(noise) tr(A M).
    """
    items, raters = ([row[place] for row in rows] for place in (0, 1))
    of_item, of_rater = (np.array([[name == each for each in dict.fromkeys(names)] for name in names], float)
                         for names in (items, raters))  # fmt: skip
    within = np.eye(len(rows)) - of_item @ np.diag(1 / of_item.sum(axis=0)) @ of_item.T
    form = of_rater @ np.diag(1 / of_rater.sum(axis=0)) @ of_rater.T
    apart = within @ np.array([row[2] for row in rows])
    noise = apart @ apart / np.trace(within)
    own, all_leniency = np.trace(form @ within), np.trace(form @ within @ of_rater @ of_rater.T @ within)
    return max(0.0, (apart @ form @ apart - noise * own) / (all_leniency - own))


def listed(rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["item", "annotator", "value"], orient="row")


def arrays(rows) -> module._Ratings:
    return module._Ratings.of(listed(rows))


@pytest.mark.parametrize("seed", range(4))
def test_the_variance_of_leniency_is_that_of_its_definition(seed: int):
    """Some raters rate one item only."""
    rng = np.random.default_rng(seed)
    strict = rng.normal(0, 2, 9)
    rows = [
        (f"i{item}", f"r{rater}", float(strict[rater] + rng.normal()))
        for item in range(6)
        for rater in {item % 3, 3 + item % 2, 4 + (item + 1) % 5}
    ]
    expected = dense_variance(rows)
    assert expected > 0
    assert module._variance(arrays(rows)) == pytest.approx(expected)


@pytest.mark.parametrize(("own", "other"), [(0, 0), (2, 2), (2, 4), (6, 10), (1, 10)])
def test_leniency_and_noise_cannot_be_told_apart_where_each_rater_shares_one_item(own: int, other: int):
    """x and y rate a together, and so many items alone: whether they differ by leniency or by noise, nothing tells."""
    alone = [(f"x{n}", "x", 2.0) for n in range(own)] + [(f"y{n}", "y", 4.0) for n in range(other)]
    assert shared_leniency(listed([("a", "x", 1.0), ("a", "y", 5.3), *alone])) == 0.0


def test_a_reliability_without_known_leniency_counts_all_noise():
    """a and b have two ratings each, with variances 2 and 1/2 of one rating, and raters of their own."""
    twice = [("a", "x", 1.0), ("a", "y", 3.0), ("b", "w", 4.0), ("b", "z", 5.0)]
    once = [(f"{who}{n}", who, 2.0 + n) for who in "xywz" for n in range(2)]
    frame = listed(twice + once)
    means = np.array([2, 4.5] + [2, 3] * 4)
    noise = np.array([2 / 2, 0.5 / 2] + [1.25] * 8).mean()
    found = score_reliability(Judgements(name="made", frame=frame)).pearson
    assert found.value == pytest.approx(1 - noise / means.var(ddof=1))


def test_no_leniency_is_seen_where_raters_share_no_item_or_no_item_has_two():
    assert shared_leniency(listed([("a", "x", 1.0), ("b", "x", 3.0), ("c", "x", 2.0)])) == 0.0
    assert module._variance(arrays([("a", "w", 1.0), ("a", "x", 5.0), ("b", "y", 2.0), ("b", "z", 7.0)])) == 0.0


def test_two_items_with_the_same_two_raters_share_half_the_variance_of_leniency():
    """-1 and 1 have variance 2: var / k is 1."""
    assert shared_leniency(listed([("a", "x", 1.0), ("a", "y", 3.0), ("b", "x", 2.0), ("b", "y", 4.0)])) == 1.0


def test_raters_of_later_items_do_not_count_where_pairs_are_too_many(monkeypatch: pytest.MonkeyPatch):
    """x rates a and b, then y rates c, then z rates a, b and c: only a and b have no more than eight pairs."""
    monkeypatch.setattr(module, "PAIRS", 8)
    first = [("a", "x", 1.0), ("b", "x", 3.0)], [("a", "z", 4.0), ("b", "z", 5.0)]
    rows = [*first[0], ("c", "y", 1.0), *first[1], ("c", "z", 5.0)]
    limited = arrays(rows).limited()
    assert limited.sizes.tolist() == [2, 2]
    assert module._variance(limited) == pytest.approx(dense_variance([*first[0], *first[1]]))
