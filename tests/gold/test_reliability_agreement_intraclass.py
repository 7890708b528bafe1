import numpy as np
import pytest
from scipy import stats as scipy_stats

from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.intraclass import ICC_FORMS, intraclass_correlations
from similitude.stats import Bounds, jackknife_interval

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


@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_the_unit_of_ratings_does_not_matter(unit):
    assert values_of(unit * SHROUT_FLEISS) == pytest.approx(by_definition(SHROUT_FLEISS), abs=1e-12)
    found, usual = intraclass_correlations(unit * SHROUT_FLEISS), intraclass_correlations(SHROUT_FLEISS)
    for form in ICC_FORMS:
        assert (found[form].low, found[form].high) == pytest.approx((usual[form].low, usual[form].high), abs=1e-9)


def test_unequal_numbers_of_ratings():
    # Items {1, 3}, {5}, {6, 6, 9}: N = 6, mean 5. Between: 2 * 9 + 0 + 3 * 4 = 30 over 2; within: 2 + 6 = 8 over 3.
    # n0 = (6 - (4 + 1 + 9) / 6) / 2 = 11/6. (15 - 8/3) / (15 + 5/6 * 8/3) and (15 - 8/3) / 15.
    one, mean, *others = values_of([[1, 5, 6], [3, NAN, 6], [NAN, NAN, 9]])
    assert one == pytest.approx((15 - 8 / 3) / (15 + 40 / 18), abs=1e-14)
    assert mean == pytest.approx((15 - 8 / 3) / 15, abs=1e-14)
    far = np.array([[1, 5, 6], [3, NAN, 6], [NAN, NAN, 9]]) + 1e8
    assert values_of(far)[:2] == pytest.approx([one, mean], abs=1e-9)
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


def test_published_intervals():
    # R's psych::ICC(sf) on the same table, to three digits; those of ICC(2) are of another kind.
    found = intraclass_correlations(SHROUT_FLEISS)
    ends = {form: (round(icc.low, 3), round(icc.high, 3)) for form, icc in found.items() if "(2" not in form}
    assert ends == {
        "ICC(1,1)": (-0.133, 0.723),
        "ICC(1,k)": (-0.884, 0.912),
        "ICC(3,1)": (0.342, 0.946),
        "ICC(3,k)": (0.676, 0.986),
    }


def test_intervals_by_the_formulas_of_mcgraw_and_wong():
    rng = np.random.default_rng(1)
    x = rng.normal(size=12) + rng.normal(size=(3, 12)) + np.array([[0], [1], [2]])
    k, n = x.shape
    b = k * x.mean(axis=0).var(ddof=1)
    w = x.var(axis=0, ddof=1).mean()
    e = ((x - x.mean(axis=0) - x.mean(axis=1)[:, None] + x.mean()) ** 2).sum() / ((n - 1) * (k - 1))
    quantile = scipy_stats.f.ppf
    found = intraclass_correlations(x, resampling=Resampling(level=0.9))
    low = (b / w) / quantile(0.95, n - 1, n * (k - 1))
    high = (b / w) * quantile(0.95, n * (k - 1), n - 1)
    assert found["ICC(1,1)"][1:3] == pytest.approx([(f - 1) / (f + k - 1) for f in (low, high)], abs=1e-9)
    assert found["ICC(1,k)"][1:3] == pytest.approx([1 - 1 / low, 1 - 1 / high], abs=1e-9)
    low = (b / e) / quantile(0.95, n - 1, (n - 1) * (k - 1))
    high = (b / e) * quantile(0.95, (n - 1) * (k - 1), n - 1)
    assert found["ICC(3,1)"][1:3] == pytest.approx([(f - 1) / (f + k - 1) for f in (low, high)], abs=1e-9)
    assert found["ICC(3,k)"][1:3] == pytest.approx([1 - 1 / low, 1 - 1 / high], abs=1e-9)


def test_generalised_interval_of_icc_2_from_draws_of_the_variances():
    rng = np.random.default_rng(5)
    x = rng.normal(size=40) + 0.7 * rng.normal(size=(4, 40)) + np.array([[0.0], [0.4], [1.0], [-0.3]])
    k, n = x.shape
    b = k * x.mean(axis=0).var(ddof=1)
    r = n * x.mean(axis=1).var(ddof=1)
    e = ((x - x.mean(axis=0) - x.mean(axis=1)[:, None] + x.mean()) ** 2).sum() / ((n - 1) * (k - 1))
    squares, freedoms = (b, r, e), (n - 1, k - 1, (n - 1) * (k - 1))
    b, r, e = (m * free / rng.chisquare(free, 400_000) for m, free in zip(squares, freedoms, strict=True))
    drawn = (b - e) / k / ((b - e) / k + np.maximum((r - e) / n, 0) + e)
    found = intraclass_correlations(x, resampling=Resampling(level=0.9))
    assert found["ICC(2,1)"][1:3] == pytest.approx(np.quantile(drawn, [0.05, 0.95]), abs=0.006)
    assert intraclass_correlations(x, resampling=Resampling(level=0.9)) == found
    again = np.random.default_rng(0)  # its own draws: 20,000 of each
    b, r, e = (m * free / again.chisquare(free, 20_000) for m, free in zip(squares, freedoms, strict=True))
    drawn = (b - e) / k / ((b - e) / k + np.maximum((r - e) / n, 0) + e)
    assert found["ICC(2,1)"][1:3] == pytest.approx(np.quantile(drawn, [0.05, 0.95]), abs=1e-9)
    low, high = found["ICC(2,1)"][1:3]
    assert found["ICC(2,k)"][1:3] == pytest.approx([4 * end / (1 + 3 * end) for end in (low, high)], abs=1e-12)


def test_two_raters_say_little_about_all_raters():
    # Items .8, raters .1, error .1 of the variance. McGraw and Wong's interval holds the truth in 68 % of samples.
    rng, held, samples = np.random.default_rng(0), 0, 200
    for _ in range(samples):
        values = (
            0.8**0.5 * rng.normal(size=200) + 0.1**0.5 * rng.normal(size=(2, 1)) + 0.1**0.5 * rng.normal(size=(2, 200))
        )
        _, low, high, _ = intraclass_correlations(values)["ICC(2,1)"]
        held += low <= 0.8 <= high
    assert 0.91 <= held / samples <= 0.99


def test_missing_ratings_have_the_interval_of_items_left_out():
    rng = np.random.default_rng(0)
    x = rng.normal(size=15) + rng.normal(size=(3, 15))
    x[0, :4] = NAN
    found = intraclass_correlations(x)
    left_out = np.array([values_of(np.delete(x, item, axis=1))[0] for item in range(15)])
    sizes = np.array([2] * 4 + [3] * 11)
    per_item = (41 - (sizes**2).sum() / 41) / 14
    expected = jackknife_interval(values_of(x)[0], left_out, 0.95, Bounds(-1 / (per_item - 1), 1.0))
    assert found["ICC(1,1)"][1:3] == pytest.approx(expected[:2], abs=1e-12)
    of_mean = [per_item * end / (1 + (per_item - 1) * end) for end in expected[:2]]
    assert found["ICC(1,k)"][1:3] == pytest.approx(of_mean, abs=1e-12)


def test_without_error_the_f_interval_has_no_width():
    x = np.array([[1.0, 2, 3], [2, 3, 4]])  # the second rater is more lenient by 1
    found = intraclass_correlations(x)
    assert found["ICC(3,1)"][:3] == found["ICC(3,k)"][:3] == (1.0, 1.0, 1.0)
    assert found["ICC(2,1)"].low < found["ICC(2,1)"].value < found["ICC(2,1)"].high


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
