import numpy as np
import polars as pl
import pytest

from similitude.gold.reliability import shared_leniency as module
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.intraclass import intraclass_correlations
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
