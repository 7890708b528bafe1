import numpy as np
import pytest

from similitude.stats.mixture import fit_mixtures
from similitude.stats.mixture_choice import bic, components_by_bic, components_by_held_out, split_values

FLOOR = 0.1


def camps(number: int, items: int = 100, raters: int = 60, seed: int = 1) -> np.ndarray:
    """Camps five sigma apart, of about equal size."""
    rng = np.random.default_rng(seed)
    centres = np.linspace(0.5, 4.5, 3)[:number]
    return centres[rng.integers(0, number, (items, raters))] + rng.normal(0, 0.4, (items, raters))


def fits_of(samples: np.ndarray) -> list:
    return [fit_mixtures(samples, number, floor=FLOOR) for number in (1, 2, 3)]


def test_bic_by_hand():
    # 1, 2, 3 under one Gaussian: ln L = -3/2 (ln 2 pi + ln 2/3 + 1), two parameters
    fit = fit_mixtures(np.array([[1.0, 2.0, 3.0]]), 1, floor=FLOOR)
    assert bic(fit, 3)[0] == pytest.approx(3 * (np.log(2 * np.pi) + np.log(2 / 3) + 1) + 2 * np.log(3))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_bic_finds_the_camps_that_were_simulated(number: int):
    samples = camps(number)
    assert (components_by_bic(samples, fits_of(samples)) == number).mean() > 0.9


@pytest.mark.parametrize("number", [1, 2, 3])
def test_held_out_ratings_find_the_camps_that_were_simulated(number: int):
    samples = camps(number)
    found = components_by_held_out(samples, 3, np.random.default_rng(0), floor=FLOOR)
    assert (found == number).mean() > 0.8


def test_every_value_is_held_out_once():
    samples = np.arange(14.0).reshape(2, 7)
    folds = list(split_values(samples, 5, np.random.default_rng(0)))
    assert len(folds) == 5
    held = np.concatenate([fold.held_out for fold in folds], axis=1)
    np.testing.assert_array_equal(np.sort(held, axis=1), samples)
    for fold in folds:
        both = np.concatenate([fold.fitted, fold.held_out], axis=1)
        np.testing.assert_array_equal(np.sort(both, axis=1), samples)


def test_few_values_are_held_out_one_at_a_time():
    assert [fold.held_out.shape for fold in split_values(np.zeros((4, 3)), 5, np.random.default_rng(0))] == [(4, 1)] * 3
    assert list(split_values(np.zeros((4, 1)), 5, np.random.default_rng(0))) == []
    assert components_by_held_out(np.zeros((4, 1)), 3, np.random.default_rng(0), floor=FLOOR).tolist() == [1] * 4


def test_each_sample_is_judged_by_its_own_values():
    samples = np.concatenate([camps(1, items=30), camps(2, items=30)])
    found = components_by_held_out(samples, 3, np.random.default_rng(0), floor=FLOOR)
    assert (found[:30] == 1).mean() > 0.9
    assert (found[30:] == 2).mean() > 0.8


def test_five_folds_without_a_word():
    samples = np.random.default_rng(5).normal(size=(300, 12))
    found = components_by_held_out(samples, 3, np.random.default_rng(0), floor=FLOOR)
    five, six = (
        components_by_held_out(samples, 3, np.random.default_rng(0), floor=FLOOR, folds=folds) for folds in (5, 6)
    )
    np.testing.assert_array_equal(found, five)
    assert (five != six).any()


def test_few_values_support_one_component():
    samples = np.array([[0.0, 0.0, 5.0, 5.0], [0.0, 1.0, 2.0, 3.0]])
    assert components_by_held_out(samples, 3, np.random.default_rng(0), floor=FLOOR).tolist() == [1, 1]
    assert components_by_held_out(samples[:, :1], 3, np.random.default_rng(0), floor=FLOOR).tolist() == [1, 1]


def test_two_values_are_held_out_in_turn():
    folds = list(split_values(np.array([[1.0, 2.0]]), 5, np.random.default_rng(0)))
    assert sorted((fold.fitted.tolist(), fold.held_out.tolist()) for fold in folds) == [
        ([[1.0]], [[2.0]]),
        ([[2.0]], [[1.0]]),
    ]
    assert list(split_values(np.array([[1.0]]), 5, np.random.default_rng(0))) == []
