import numpy as np
import pytest

from similitude import stats
from similitude.data import Benchmark, Predictions, Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.rescaling import mapping_from_range

FIVE = Scale(low=0, high=5)


def compare(y, mean, sd, *, human=None, ratings=None) -> Comparison:
    """One system's Gaussians against gold, all on 0..5."""
    columns = {"left": ["a"] * len(y), "right": ["b"] * len(y), "score": y}
    if human is not None:
        columns["sigma"] = human
    if ratings is not None:
        columns["ratings"] = ratings
    gold = Benchmark.from_columns("made", scale=FIVE, **columns).gold
    predictions = Predictions(np.array(mean, dtype=float), None if sd is None else np.array(sd, dtype=float))
    return Comparison.of(gold, [predictions], [mapping_from_range(FIVE, FIVE)])


def figure(written: str, *arguments, **keywords):
    return make_measure(written)(compare(*arguments, **keywords))[0]


@pytest.mark.parametrize(
    ("mu1", "sigma1", "mu2", "sigma2", "expected"),
    [
        (0, 1, 0, 1, 0.0),
        (0, 1, 1, 1, 0.5),
        (0, 1, 0, 2, 0.3181471805599453),
        (0, 2, 0, 1, 0.8068528194400546),
        (1, 0, 1, 1, np.nan),
    ],
)
def test_kl_of_two_gaussians(mu1, sigma1, mu2, sigma2, expected):
    assert stats.kl_divergence(mu1, sigma1, mu2, sigma2) == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_kl_takes_the_human_gaussian_first_and_drops_items_without_spread():
    # first item: human N(0, 1) against predicted N(0, 2); the second has no human spread and is dropped
    found = figure("kl", [0, 3], [0, 3], [2, 1], human=[1, 0])
    assert found.value == pytest.approx(0.3181471805599453, abs=1e-9)
    # with a floor of 0.02 * 5 = 0.1 the second counts: ln(1/0.1) + 0.01/2 - 1/2
    floored = figure("kl(zero_variance=floor)", [0, 3], [0, 3], [2, 1], human=[1, 0])
    assert floored.value == pytest.approx((0.3181471805599453 + np.log(10) + 0.005 - 0.5) / 2, abs=1e-9)


def test_kl_without_any_human_spread_is_undefined():
    found = figure("kl", [0, 3], [0, 3], [2, 1], human=[0, 0])
    assert found.reason == "no human standard deviation is above 0, or a predicted one is 0"


@pytest.mark.parametrize(("y", "constant", "bare"), [(0.0, 0.9189385332046727, 0.0), (1.0, 1.4189385332046727, 0.5)])
def test_nlpd_with_and_without_its_constant(y: float, constant: float, bare: float):
    assert figure("nlpd", [y], [0], [1]).value == pytest.approx(constant, abs=1e-9)
    assert figure("nlpd_wang2022", [y], [0], [1]).value == pytest.approx(bare, abs=1e-9)


@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_ece_wang2022_is_at_its_worst_when_all_fall_on_one_side(y: float):
    values = stats.ece_wang2022(np.full(4, y), np.zeros(4), np.full(4, 0.001))
    assert values == pytest.approx(1.78, abs=1e-9)


def test_ece_by_hand():
    # all gold on the mean: every interval holds 100 %, the gap at level p is 1 - p, and its mean over 5..95 % is 0.5
    assert figure("ece", [1, 2, 3], [1, 2, 3], [1, 1, 1]).value == pytest.approx(0.5, abs=1e-9)
    # below the quantile: observed 0 under 50 %, 1 from 50 % on (y <= mean), gaps p or 1 - p: (2*(.05+...+.45)+.5)/19
    expected = (2 * sum(np.arange(1, 10) / 20) + 0.5) / 19
    assert figure("ece(coverage=below)", [1, 2, 3], [1, 2, 3], [1, 1, 1]).value == pytest.approx(expected, abs=1e-9)


def test_a_perfect_forecaster_is_calibrated():
    rng = np.random.default_rng(3)
    mean, sd = rng.uniform(0, 5, 20_000), rng.uniform(0.2, 1, 20_000)
    y = rng.normal(mean, sd)
    for coverage in ("central", "below"):
        assert stats.ece(y, mean, sd, coverage) < 0.01
    assert stats.ece_wang2022(y, mean, sd) < 0.001
    # stretching every sigma makes it worse
    assert stats.ece(y, mean, 2 * sd) > 0.1


def test_crps_agrees_with_its_integral():
    from scipy.stats import norm

    y, mean, sd = 1.3, 0.4, 0.7
    grid = np.linspace(-10, 10, 400_001)
    integral = np.trapezoid((norm.cdf(grid, mean, sd) - (grid >= y)) ** 2, grid)
    assert stats.crps(np.array(y), np.array(mean), np.array(sd)) == pytest.approx(integral, abs=1e-4)


def test_crps_without_spread_is_the_absolute_error():
    assert figure("crps", [1, 4], [2, 2], [0, 0]).value == pytest.approx(1.5, abs=1e-12)


def test_against_ratings_every_item_counts_once():
    # item 1 has ratings 0 and 2, item 2 has one rating 5; sigma 0, so CRPS is the absolute error:
    # item 1: (1 + 1) / 2 = 1, item 2: 1; pooled over ratings it would be the same only by accident, so shift item 2
    found = figure("crps(against=ratings)", [1, 4], [1, 2], [0, 0], ratings=[[0.0, 2.0], [5.0]])
    assert found.value == pytest.approx((1 + 3) / 2, abs=1e-12)


def test_sigma_correlation():
    found = figure("sigma_pearson", [1, 2, 3], [1, 2, 3], [0.1, 0.2, 0.3], human=[1, 2, 3])
    assert found.value == pytest.approx(1.0)
    constant = figure("sigma_spearman", [1, 2, 3], [1, 2, 3], [0.1, 0.1, 0.1], human=[1, 2, 3])
    assert constant.reason == "all predicted sigmas are the same"


@pytest.mark.parametrize("written", ["kl", "nlpd", "ece", "ece_wang2022", "crps", "sigma_pearson"])
def test_systems_without_sigma_have_no_figure_and_a_reason(written: str):
    found = figure(written, [1, 2], [1, 2], None, human=[1, 1])
    assert np.isnan(found.value)
    assert found.reason == "the system gives no standard deviation"


def test_predicted_sigma_of_zero_has_no_density():
    assert figure("nlpd", [1, 2], [1, 2], [0, 1]).reason == "1 items have a predicted standard deviation of 0 or none"


def test_sigma_is_stretched_with_the_scale():
    unit = Scale(low=0, high=1)
    gold = Benchmark.from_columns(left=["a"], right=["b"], score=[2.0], sigma=[1.0], scale=FIVE).gold
    predictions = Predictions(np.array([0.4]), np.array([0.2]))
    comparison = Comparison.of(gold, [predictions], [mapping_from_range(unit, FIVE)])
    # 0.4 -> 2 and 0.2 -> 1: the predicted Gaussian is the human one
    assert make_measure("kl")(comparison)[0].value == pytest.approx(0, abs=1e-12)
