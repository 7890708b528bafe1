import numpy as np
import pytest

from similitude.gold.reliability import ICC_FORMS, intraclass_correlations
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.stats import bootstrap_weights, percentile_interval

NAN = np.nan
# Shrout and Fleiss (1979), table 2: four judges, six targets.
SHROUT_FLEISS = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]], dtype=float)


def by_definition(x):
    """Mean squares by the textbook, then the six formulas."""
    k, n = x.shape
    middle = x.mean()
    b = k * ((x.mean(axis=0) - middle) ** 2).sum() / (n - 1)
    w = ((x - x.mean(axis=0)) ** 2).sum() / (n * (k - 1))
    r = n * ((x.mean(axis=1) - middle) ** 2).sum() / (k - 1)
    e = ((x - x.mean(axis=0) - x.mean(axis=1)[:, None] + middle) ** 2).sum() / ((n - 1) * (k - 1))
    return [
        (b - w) / (b + (k - 1) * w),
        (b - w) / b,
        (b - e) / (b + (k - 1) * e + k * (r - e) / n),
        (b - e) / (b + (r - e) / n),
        (b - e) / (b + (k - 1) * e),
        (b - e) / b,
    ]


def values_of(ratings) -> list[float]:
    found = intraclass_correlations(np.asarray(ratings, dtype=float), resampling=NO_INTERVALS)
    assert list(found) == list(ICC_FORMS)
    return [icc.value for icc in found.values()]


def test_published_example():
    # Published to two digits: .17 and .44, .29 and .62, .71 and .91.
    assert np.round(values_of(SHROUT_FLEISS), 2).tolist() == [0.17, 0.44, 0.29, 0.62, 0.71, 0.91]
    assert values_of(SHROUT_FLEISS) == pytest.approx(by_definition(SHROUT_FLEISS), abs=1e-12)


def test_unequal_numbers_of_ratings():
    # Items {1, 3}, {5}, {6, 6, 9}: N = 6, mean 5. Between: 2 * 9 + 0 + 3 * 4 = 30 over 2; within: 2 + 6 = 8 over 3.
    # n0 = (6 - (4 + 1 + 9) / 6) / 2 = 11/6. (15 - 8/3) / (15 + 5/6 * 8/3) and (15 - 8/3) / 15.
    one, mean, *others = values_of([[1, 5, 6], [3, NAN, 6], [NAN, NAN, 9]])
    assert one == pytest.approx((15 - 8 / 3) / (15 + 40 / 18), abs=1e-14)
    assert mean == pytest.approx((15 - 8 / 3) / 15, abs=1e-14)
    assert np.isnan(others).all()


def test_forms_that_need_all_ratings_say_what_is_missing():
    ratings = SHROUT_FLEISS.copy()
    ratings[0, 0] = NAN
    found = intraclass_correlations(ratings)
    assert found["ICC(1,1)"].is_defined
    assert "1 of 24 ratings are missing" in found["ICC(2,1)"].reason


def test_raters_and_items_without_any_rating_do_not_count_as_missing():
    padded = np.pad(SHROUT_FLEISS, ((1, 0), (0, 2)), constant_values=NAN)
    assert values_of(padded) == pytest.approx(values_of(SHROUT_FLEISS), abs=1e-12)


def test_what_each_form_ignores():
    rng = np.random.default_rng(0)
    lenient = SHROUT_FLEISS + np.array([[0], [5], [-3], [1]])
    assert values_of(lenient)[4:] == pytest.approx(values_of(SHROUT_FLEISS)[4:], abs=1e-12)
    shuffled = SHROUT_FLEISS[rng.permutation(4)][:, rng.permutation(6)]
    assert values_of(1000 - 2 * shuffled) == pytest.approx(values_of(SHROUT_FLEISS), abs=1e-11)


def test_intervals_are_those_of_resamples_written_out():
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=12) + rng.normal(size=(3, 12)) + np.array([[0], [1], [2]])
    found = intraclass_correlations(
        ratings, resampling=Resampling(resamples=60, level=0.9, rng=np.random.default_rng(2))
    )
    drawn = bootstrap_weights(12, 60, np.random.default_rng(2)).astype(int)
    figures = np.array([by_definition(np.repeat(ratings, row, axis=1)) for row in drawn]).T
    for icc, row in zip(found.values(), figures, strict=True):
        assert (icc.low, icc.high) == pytest.approx(percentile_interval(row, 0.9)[:2], abs=1e-9)


def test_simulated_truth_is_recovered():
    # Variance of items 1, of raters 0.5 (60 raters: their own variance is known to a fifth), of error 1.
    rng = np.random.default_rng(0)
    leniency = rng.normal(0, np.sqrt(0.5), (60, 1))
    leniency *= np.sqrt(0.5) / leniency.std(ddof=1)
    ratings = rng.normal(size=4000) + leniency + rng.normal(size=(60, 4000))
    one, _, absolute, _, consistent, mean = values_of(ratings)
    assert one == pytest.approx(1 / 2.5, abs=0.02)
    assert absolute == pytest.approx(1 / 2.5, abs=0.02)
    assert consistent == pytest.approx(1 / 2, abs=0.02)
    assert mean == pytest.approx(60 / 61, abs=0.002)


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ([[1, 2, 3]], "only one rater"),
        ([[1], [2]], "only one item was rated"),
        ([[1, NAN], [NAN, 2]], "no item was rated by two raters"),
        ([[NAN]], "there are no ratings"),
        ([[2, 2], [2, 2]], "all ratings are the same"),
        ([[1, 1], [2, 2]], "the items' means do not differ"),
    ],
)
def test_undefined_says_why(ratings, why):
    found = intraclass_correlations(np.array(ratings, dtype=float))["ICC(1,k)"]
    assert np.isnan(found.value)
    assert why in found.reason
