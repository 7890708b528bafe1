import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as scipy_stats

import similitude as sim
from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability import alpha as alpha_module
from similitude.gold.reliability import value_counts
from similitude.gold.reliability.alpha import krippendorff_alpha
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.pairable_ratings import without_noise

REFERENCE = Path(__file__).parents[1] / "reference" / "agreement.json"
LEVELS = ("nominal", "ordinal", "interval", "ratio")
NAN = np.nan


@pytest.fixture(scope="module")
def reference():
    return json.loads(REFERENCE.read_text(encoding="utf-8"))


def value_of(values, level) -> float:
    return krippendorff_alpha(np.asarray(values, dtype=float), level, resampling=NO_INTERVALS).value


def by_definition(values, level) -> float:
    """The textbook, pair by pair: observed over expected disagreement of pairable values."""
    units = [column[~np.isnan(column)] for column in values.T]
    units = [unit for unit in units if unit.size > 1]
    pooled = np.concatenate(units)
    domain, counts = np.unique(pooled, return_counts=True)

    def distance(a, b):
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        if level == "ratio":
            return ((a - b) / (a + b)) ** 2 if a + b else 0.0
        low, high = np.searchsorted(domain, sorted((a, b)))
        return (counts[low : high + 1].sum() - (counts[low] + counts[high]) / 2) ** 2

    observed = sum(2 * sum(distance(a, b) for a, b in combinations(unit, 2)) / (unit.size - 1) for unit in units)
    expected = 2 * sum(distance(a, b) for a, b in combinations(pooled, 2)) / (pooled.size - 1)
    return 1 - observed / expected


def made(seed, step=1.0, raters=5, items=14, missing=0.3):
    rng = np.random.default_rng(seed)
    values = np.round(np.abs(rng.uniform(0, 5, items) + rng.normal(0, 1, (raters, items))) / step) * step
    values[rng.random(values.shape) < missing] = NAN
    return values


def test_worked_examples(reference):
    for case in reference["krippendorff"]:
        for level, expected in case["alpha"].items():
            assert value_of(case["raters_x_units"], level) == pytest.approx(expected, abs=1e-12), (case["name"], level)


def test_edge_cases_of_the_reference(reference):
    for case in reference["edge_cases"]:
        found = krippendorff_alpha(np.array(case["raters_x_units"], dtype=float), "nominal", resampling=NO_INTERVALS)
        if "alpha_nominal" in case:
            assert found.value == pytest.approx(case["alpha_nominal"], abs=1e-12), case["case"]
        else:
            assert np.isnan(found.value)
            assert "all ratings are the same" in found.reason


def test_hand_derived_value():
    # Items rated {1, 1}, {2, 2, 3}, {3, 3, 3}, {3, 3, 3}, {2, 2, 2}: n = 14. Only the second holds pairs that differ:
    # 4 ordered ones, over m - 1 = 2. All pairs that differ: 14^2 - 2^2 - 5^2 - 7^2 = 118. alpha = 1 - 13 * 2 / 118.
    values = [[1, 2, 3, 3, 2], [1, 2, 3, 3, 2], [NAN, 3, 3, 3, 2]]
    assert value_of(values, "nominal") == pytest.approx(1 - 26 / 118, abs=1e-15)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("step", [1.0, 0.5, 1e-6])
def test_equals_the_definition(level, step):
    for seed in range(5):
        values = made(seed, step)
        assert value_of(values, level) == pytest.approx(by_definition(values, level), abs=1e-11)


@pytest.mark.parametrize("level", LEVELS)
def test_many_values_give_the_same_without_a_table_of_them(level, monkeypatch):
    values = made(3, 0.25, raters=6, items=60)
    values[0, 0] = 0.0
    expected = value_of(values, level)
    monkeypatch.setattr(alpha_module, "FEW_VALUES", 0)
    monkeypatch.setattr("similitude.gold.reliability.pairable_ratings.FEW_VALUES", 0)
    monkeypatch.setattr(value_counts, "DENSE_CELLS", 0)
    assert value_of(values, level) == pytest.approx(expected, abs=1e-12)


def test_ratio_of_values_far_apart(monkeypatch):
    monkeypatch.setattr(alpha_module, "FEW_VALUES", 0)
    values = np.array([[0, 1e-4, 3, 500.0, 1e4, 0], [0, 2e-4, 4, 400.0, 1e4, 1]])
    assert value_of(values, "ratio") == pytest.approx(by_definition(values, "ratio"), abs=1e-11)


@pytest.mark.parametrize(("spread", "values"), [(10.0, 20), (10.0, 400), (1000.0, 400)])
def test_ratio_of_nearly_equal_values(spread, values):
    """The quadrature over many values erred by 2e-12 of all pairs: .998 instead of .03 for 1e6 to 1e6 + 10."""
    ratings = 1e6 + np.random.default_rng(0).integers(0, values, (3, 300)) * (spread / values)
    assert value_of(ratings, "ratio") == pytest.approx(by_definition(ratings, "ratio"), abs=2e-4)


def test_ratio_of_few_values_is_exact():
    ratings = np.array([[1e8, 1e8 + 1, 1e8 + 2], [1e8, 1e8 + 1, 1e8 + 1]])
    assert value_of(ratings, "ratio") == pytest.approx(by_definition(ratings, "ratio"), abs=1e-9)


def test_ratio_of_values_too_close_for_the_quadrature_says_so():
    ratings = 1.7e9 + np.random.default_rng(0).integers(0, 1000, (3, 300))
    found = krippendorff_alpha(ratings, "ratio")
    assert not found.is_defined
    assert "in proportion" in found.reason


@pytest.mark.parametrize("level", LEVELS)
def test_float_noise_makes_no_value(level):
    clean = np.array([[0.5, 1.0, 4.9, 0.5], [0.5, 1.5, 4.9, 1.0]])
    noisy = clean.copy()
    noisy[0, 0], noisy[1, 2] = 0.49999999999999994, 4.900000000000001
    assert value_of(noisy, level) == pytest.approx(value_of(clean, level), abs=1e-14)


def test_rounding_keeps_ten_digits_of_the_largest():
    assert without_noise(np.array([1e-12, 1e-12 * (1 + 1e-15), NAN]))[:2].tolist() == [1e-12, 1e-12]
    assert without_noise(np.array([1.0, 1.0 + 1e-8])).tolist() == [1.0, 1.0 + 1e-8]
    assert without_noise(np.zeros(2)).tolist() == [0.0, 0.0]
    # 300 decimals at most: the powers of ten end soon after
    assert without_noise(np.array([4e-301, 2e-300])).tolist() == [0.0, pytest.approx(2e-300, rel=1e-9, abs=0)]


@pytest.mark.parametrize("level", LEVELS)
def test_order_of_raters_and_items_and_single_ratings_do_not_matter(level):
    values, rng = made(1), np.random.default_rng(0)
    alone = np.full((5, 3), NAN)
    alone[rng.integers(0, 5, 3), np.arange(3)] = [1.0, 4.0, 9.0]
    mixed = np.concatenate([values, alone], axis=1)[rng.permutation(5)][:, rng.permutation(17)]
    within = np.array([rng.permutation(column) for column in mixed.T]).T  # who gave a rating does not matter either
    assert value_of(within, level) == pytest.approx(value_of(values, level), abs=1e-12)


@pytest.mark.parametrize(
    ("level", "change"),
    [
        ("nominal", lambda v: (v * 7) % 11),
        ("ordinal", lambda v: v**3),
        ("interval", lambda v: 100 - 3 * v),
        ("ratio", lambda v: 0.01 * v),
    ],
)
def test_each_level_ignores_what_it_should(level, change):
    values = made(2)
    assert value_of(change(values), level) == pytest.approx(value_of(values, level), abs=1e-12)


def t_interval(value, left_out, level, low):
    """The textbook's jackknife, the log of (value - low) / (1 - value), and Student's t, written out."""
    number = left_out.size
    error = np.sqrt((number - 1) * left_out.var())
    apart = left_out - left_out.mean()
    kurtosis = (apart**4).mean() / (apart**2).mean() ** 2
    freedom = min(number - 1, 2 * number / (kurtosis - 1 + 2 / (number - 1)))
    middle = np.log((value - low) / (1 - value))
    slope = 1 / (value - low) + 1 / (1 - value)
    ends = middle + scipy_stats.t.ppf([(1 - level) / 2, (1 + level) / 2], freedom) * error * slope
    return (low + np.exp(ends)) / (1 + np.exp(ends))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("step", [1.0, 1e-6])
def test_interval_is_that_of_items_left_out(level, step):
    values = made(4, step, missing=0.1)
    values = values[:, np.count_nonzero(~np.isnan(values), axis=0) >= 2]
    found = krippendorff_alpha(values, level, resampling=Resampling(level=0.8))
    left_out = np.array([by_definition(np.delete(values, item, axis=1), level) for item in range(values.shape[1])])
    per_item = np.count_nonzero(~np.isnan(values)) / values.shape[1]
    if not left_out.any():  # no two ratings are the same, with or without any item
        assert found[:3] == (0.0, 0.0, 0.0)
        assert found.reason == "the figure is the same whichever unit is left out"
        return
    expected = t_interval(by_definition(values, level), left_out, 0.8, -1 / (per_item - 1))
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)


def test_groups_are_left_out_together():
    values = made(6, items=12, missing=0.0)
    values[1:, 4] = NAN  # an item that does not count must not shift the groups
    groups = np.repeat(np.arange(6), 2)
    found = krippendorff_alpha(values, groups=groups)
    kept = np.arange(12) != 4
    left_out = np.array([by_definition(values[:, kept & (groups != group)], "interval") for group in range(6)])
    expected = t_interval(by_definition(values[:, kept], "interval"), left_out, 0.95, -1 / 4)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-12)


def test_ranks_of_many_items_are_left_out_in_blocks():
    rng = np.random.default_rng(0)
    values = np.round(rng.normal(size=1001) + rng.normal(size=(3, 1001)))
    blocks = krippendorff_alpha(values, "ordinal")
    single = krippendorff_alpha(values[:, :1000], "ordinal")
    assert blocks.high - blocks.low == pytest.approx(single.high - single.low, rel=0.15)
    assert krippendorff_alpha(values, "ordinal") == blocks
    assert krippendorff_alpha(values, "ordinal", resampling=Resampling(rng=np.random.default_rng(1))) != blocks


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_leaving_out_with_sums_and_with_weights_is_the_same(level):
    values = made(5, 0.5, missing=0.2)
    values = values[:, np.count_nonzero(~np.isnan(values), axis=0) >= 2]
    quick = krippendorff_alpha(values, level)
    weighted = krippendorff_alpha(values, level, groups=np.arange(values.shape[1]))
    assert quick[:3] == pytest.approx(weighted[:3], abs=1e-12)


def test_full_agreement_has_a_lower_end():
    values = np.tile(np.repeat([1.0, 2.0], 10), (3, 1))
    # At most 1 - .025^(1/20) of the items hold a disagreement, of half of three raters: 3/4 of pairs. Chance: one half.
    for level in LEVELS:
        _, low, high, _ = krippendorff_alpha(values, level)
        assert (low, high) == (pytest.approx(1 - (1 - 0.025 ** (1 / 20)) * 3 / 4 / 0.5, abs=1e-12), 1.0)
    assert np.isnan(krippendorff_alpha(values, resampling=NO_INTERVALS).low)


SIMULATED = [("norm", 20, 3, 0.5), ("norm", 20, 2, 0.8), ("norm", 50, 5, 0.2), ("two", 20, 3, 1 / 3)]


@pytest.mark.parametrize(("kind", "items", "raters", "truth"), SIMULATED)
def test_simulated_truth_is_covered(kind, items, raters, truth):
    # Ratings = item + noise, alpha = share of the items' variance; cut at 0: alpha = 2 / pi * arcsin of it, 1/3 of .5.
    share = 0.5 if kind == "two" else truth
    rng, held, samples = np.random.default_rng(1), 0, 500
    for _ in range(samples):
        values = rng.normal(size=items) * share**0.5 + rng.normal(size=(raters, items)) * (1 - share) ** 0.5
        _, low, high, _ = krippendorff_alpha((values > 0) * 1.0 if kind == "two" else values)
        held += low <= truth <= high
    assert 0.93 <= held / samples <= 0.985  # the percentile bootstrap: .85 to .92


def test_simulated_truth_is_recovered():
    rng = np.random.default_rng(0)
    many = rng.normal(size=20_000) + rng.normal(size=(4, 20_000))
    assert value_of(many, "interval") == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([[1, 2, 3]], "only one rater"),
        ([[1, 2, 3], [NAN, NAN, NAN]], "only one rater"),
        ([[NAN, NAN]], "there are no ratings"),
        (np.empty((0, 0)), "there are no ratings"),
        ([[1, NAN], [NAN, 2]], "no item was rated by two raters"),
        ([[1, NAN], [2, 2]], "only one item was rated by two raters"),
        ([[3, 3], [3, 3]], "all ratings are the same"),
    ],
)
@pytest.mark.parametrize("level", LEVELS)
def test_undefined_says_why(values, why, level):
    found = krippendorff_alpha(np.asarray(values, dtype=float), level)
    assert np.isnan([found.value, found.low, found.high]).all()
    assert why in found.reason


def test_ratio_needs_values_from_zero():
    found = krippendorff_alpha(np.array([[-1.0, 2], [1, 2]]), "ratio")
    assert np.isnan(found.value)
    assert "below 0" in found.reason


def test_words_and_ragged_rows_are_refused():
    for values in ([["yes", "no"], ["yes", "yes"]], [[1, 2], [1]]):
        for compute in (sim.agreement.krippendorff_alpha, sim.agreement.fleiss, sim.agreement.gwet):
            with pytest.raises(ArgumentError, match="ratings are no array of numbers; give as many numbers"):
                compute(values)
    with pytest.raises(ArgumentError, match="1 dimensions"):
        sim.agreement.conger([1, 2, 3])


def test_bad_arguments_are_refused():
    good = np.array([[1.0, 2], [1, 3]])
    with pytest.raises(UnknownNameError, match="did you mean 'ordinal'"):
        krippendorff_alpha(good, "ordinl")
    with pytest.raises(ArgumentError, match="1 dimensions; give an array of raters x items"):
        krippendorff_alpha(np.array([1.0, 2.0]))
    with pytest.raises(ArgumentError, match="infinite"):
        krippendorff_alpha(np.array([[1.0, np.inf], [1, 3]]))
    with pytest.raises(ArgumentError, match=r"1\.5 is not a confidence level"):
        krippendorff_alpha(good, resampling=Resampling(level=1.5))
    with pytest.raises(ArgumentError, match="-1 resamples"):
        krippendorff_alpha(good, resampling=Resampling(resamples=-1))
