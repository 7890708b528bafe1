"""What each part of a grid is worth: which cells are compared, and what the test says of them."""

import numpy as np
import pytest

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.stats import pearson
from similitude.study.prompt_grid.contrasts import contrasts_of, pairs_apart

GRID = [{"instruction": one, "shots": two} for one in ("none", "short") for two in (0, 2)]
OPTIONS = {"groups": None, "resamples": 1000, "level": 0.95, "seed": 0}


def test_cells_are_paired_where_nothing_else_differs():
    # Places: none-0, none-2, short-0, short-2.
    assert list(pairs_apart(GRID)) == [
        ("instruction", "short", "none", ((2, 0), (3, 1))),
        ("shots", 2, 0, ((1, 0), (3, 2))),
    ]


def test_with_is_held_against_without_however_the_plan_orders_them():
    for order in ([True, False], [False, True]):
        ((part, one, other, _),) = pairs_apart([{"dialogue": value} for value in order])
        assert (part, one, other) == ("dialogue", True, False)


def test_a_part_with_one_level_says_nothing():
    assert [one[0] for one in pairs_apart([{"model": "a", "shots": 0}, {"model": "a", "shots": 2}])] == ["shots"]
    assert list(pairs_apart([{"model": "a"}])) == []


def test_the_difference_is_the_mean_over_pairs():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=60)
    rows = np.stack([gold + rng.normal(0, sigma, 60) for sigma in (3, 2, 1, 0.5)])
    figures = [pearson(row, gold) for row in rows]
    found = contrasts_of(Comparison.of_scores(gold, rows), GRID, make_measure("pearson"), **OPTIONS)
    assert found[0].difference == pytest.approx((figures[2] - figures[0] + figures[3] - figures[1]) / 2)
    assert found[1].difference == pytest.approx((figures[1] - figures[0] + figures[3] - figures[2]) / 2)
    assert found[0].pairs == 2
    assert found[0].interval.low < found[0].difference < found[0].interval.high


def test_what_is_the_same_has_no_difference_and_p_1():
    rng = np.random.default_rng(2)
    gold = rng.normal(size=50)
    row = gold + rng.normal(size=50)
    (found,) = contrasts_of(
        Comparison.of_scores(gold, np.stack([row, row])),
        [{"shots": 0}, {"shots": 2}],
        make_measure("pearson"),
        **OPTIONS,
    )
    assert (found.difference, found.p_value) == (0.0, 1.0)


def test_p_values_are_corrected_over_all_contrasts():
    # Three models, three contrasts. The two that differ clearly have the smallest p that 1,000 resamples give, 1/1001;
    # Holm multiplies the first by 3 and holds the others at no less.
    rng = np.random.default_rng(3)
    gold = rng.normal(size=200)
    rows = np.stack([gold + rng.normal(0, sigma, 200) for sigma in (0.1, 5.0, 0.1)])
    settings = [{"model": name} for name in "abc"]
    found = contrasts_of(Comparison.of_scores(gold, rows), settings, make_measure("pearson"), **OPTIONS)
    by_name = {(one.one, one.other): one.p_value for one in found}
    assert by_name["b", "a"] == pytest.approx(3 / 1001)
    assert by_name["c", "b"] == pytest.approx(3 / 1001)
    assert by_name["c", "a"] > 0.05
    assert [one.is_floor for one in found] == [(one.one, one.other) != ("c", "a") for one in found]


def test_a_cell_without_a_figure_leaves_its_pair_out():
    rng = np.random.default_rng(4)
    gold = rng.normal(size=40)
    rows = np.stack([gold, np.zeros(40), gold + rng.normal(size=40), gold + rng.normal(size=40)])
    found = contrasts_of(Comparison.of_scores(gold, rows), GRID, make_measure("pearson"), **OPTIONS)
    assert [(one.part, one.pairs) for one in found] == [("instruction", 1), ("shots", 1)]
    assert found[0].difference == pytest.approx(pearson(rows[2], gold) - 1)
    alone = contrasts_of(Comparison.of_scores(gold, rows[:2]), GRID[:2], make_measure("pearson"), **OPTIONS)
    assert alone[0].pairs == 0
    assert alone[0].record()["difference"] is None


def test_a_resample_in_which_nothing_is_defined_is_left_out():
    # Of 4 items, 1 in 64 resamples draws one of them four times: no correlation is defined there.
    gold = np.array([1.0, 2.0, 3.0, 4.0])
    rows = np.array([[1.0, 2.0, 4.0, 3.0], [1.0, 3.0, 2.0, 4.0]])
    settings = [{"shots": 0}, {"shots": 2}]
    (found,) = contrasts_of(Comparison.of_scores(gold, rows), settings, make_measure("pearson"), **OPTIONS)
    assert found.pairs == 1
    assert np.isfinite([found.p_value, found.interval.low, found.interval.high]).all()


@pytest.mark.slow
def test_true_and_null_effects_are_found_at_the_stated_rates():
    # 200 studies of 60 items: instruction does nothing, shots add signal. Holm keeps false findings of the null effect
    # below 5 % (binomial(200, .05): 19 or more has probability 0.004); the true one is found nearly always.
    rng = np.random.default_rng(5)
    false, true = 0, 0
    for study in range(200):
        gold = rng.normal(size=60)
        rows = np.stack([gold + rng.normal(0, sigma, 60) for sigma in (2.0, 0.7, 2.0, 0.7)])
        options = {**OPTIONS, "resamples": 300, "seed": study}
        found = contrasts_of(Comparison.of_scores(gold, rows), GRID, make_measure("pearson"), **options)
        false += found[0].p_value <= 0.05
        true += found[1].p_value <= 0.05
    assert false <= 18
    assert true >= 190
