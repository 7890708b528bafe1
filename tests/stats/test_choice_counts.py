"""Choices against chance: counts, expectations and p-values derived by hand; entropy and the commonest share."""

import math
from itertools import product

import numpy as np
import pytest

from similitude.stats.choice_counts import choice_test, commonest_share, normalised_entropy


def against_chance(chosen, pools, categories, **options):
    pool = np.concatenate([np.array(each) for each in pools])
    sizes = np.array([len(each) for each in pools])
    return choice_test(np.array(chosen), pool, sizes, categories, rng=np.random.default_rng(1), **options)


def test_expectation_adds_up_the_shares_of_each_trial():
    # Trial 1: 0 or 1; trial 2: 0, 0 or 2. Chance takes 0 with 1/2 + 2/3, 1 with 1/2, 2 with 1/3.
    found = against_chance([0, 2], [[0, 1], [0, 0, 2]], 4)
    assert found.counts.tolist() == [1, 0, 1, 0]
    assert found.expected == pytest.approx([7 / 6, 1 / 2, 1 / 3, 0])


def test_the_p_value_is_that_of_all_outcomes():
    # Four trials of three places, all first: of the 81 outcomes only three are as far from 4/3 each (all in one place).
    exact = 3 / 81
    found = against_chance([0] * 4, [[0, 1, 2]] * 4, 3, draws=20_000)
    assert found.p_value == pytest.approx(exact, abs=0.006)


def test_the_p_value_with_candidates_of_its_own_for_each_trial():
    chosen, pools = [0, 0, 1], [[0, 1], [0, 1, 1], [1, 0]]
    expected = np.array([1 / 2 + 1 / 3 + 1 / 2, 1 / 2 + 2 / 3 + 1 / 2])

    def distance(outcome):
        counts = np.bincount(outcome, minlength=2)
        return ((counts - expected) ** 2 / expected).sum()

    outcomes = list(product(*pools))
    exact = np.mean([distance(each) >= distance(chosen) - 1e-9 for each in outcomes])
    assert against_chance(chosen, pools, 2, draws=20_000).p_value == pytest.approx(exact, abs=0.015)


def test_rare_categories_count_by_their_own_expectation():
    # Four trials with 0, 0, 1, 2: 2, 1 and 1 are expected, and 2, 2, 0 are 0/2 + 1/1 + 1/1 = 2 away. As far are
    # 4, 0, 0 (4; probability 1/16), 2, 2, 0 and 2, 0, 2 (2; 6/64 each), 1, 3, 0 and 1, 0, 3 (5.5; 2/64 each), and all
    # without a 0 (4 and more; 1/16): 3/8. The others are 1.5 away or less.
    found = against_chance([0, 0, 1, 1], [[0, 0, 1, 2]] * 4, 3, draws=20_000)
    assert found.expected.tolist() == [2.0, 1.0, 1.0]
    assert found.p_value == pytest.approx(3 / 8, abs=0.02)


def test_chance_is_never_nearer_than_its_expectation():
    assert against_chance([0, 1, 2], [[0, 1, 2]] * 3, 3).p_value == 1.0


def test_trials_without_a_choice_do_not_keep_others_from_being_tested():
    # Of eight choices of 0 or 1, all are 0: 2 of 2^8 outcomes are as far. The first trial could not be otherwise.
    found = against_chance([0] * 9, [[0], *[[0, 1]] * 8], 2, draws=20_000)
    assert found.counts.tolist() == [9, 0]
    assert found.expected.tolist() == [5.0, 4.0]
    assert found.p_value == pytest.approx(2 / 2**8, abs=0.003)


def test_small_p_values_are_rare_where_chance_chooses():
    rng = np.random.default_rng(5)
    pools = [[0, 1, 2, 3]] * 30
    found = [against_chance(rng.integers(0, 4, 30), pools, 4, draws=199).p_value for _ in range(300)]
    assert sum(each < 0.05 for each in found) / 300 < 0.1


def test_what_could_not_be_otherwise_is_not_tested():
    assert math.isnan(against_chance([0, 1], [[0], [1, 1]], 2).p_value)
    empty = choice_test(np.zeros(0, int), np.zeros(0, int), np.zeros(0, int), 2, rng=np.random.default_rng(1))
    assert math.isnan(empty.p_value)


@pytest.mark.parametrize("block", [1, 4, 40])
def test_draws_in_blocks_are_the_draws_at_once(monkeypatch, block):
    # One, one and ten rows of four choices at a time, the last block with five.
    from similitude.stats import choice_counts

    whole = against_chance([0, 0, 0, 1], [[0, 1, 2]] * 4, 3, draws=2995).p_value
    monkeypatch.setattr(choice_counts, "BLOCK", block)
    assert against_chance([0, 0, 0, 1], [[0, 1, 2]] * 4, 3, draws=2995).p_value == whole


def test_by_default_chance_is_drawn_1999_times():
    # Of 3^20 outcomes, three are as far as twenty times the first place: no draw is one, and p is 1 / (1 + 1999).
    assert against_chance([0] * 20, [[0, 1, 2]] * 20, 3).p_value == 1 / 2000


@pytest.mark.parametrize(
    ("counts", "share", "entropy"),
    [
        ([4, 0], 1.0, 0.0),
        ([2, 2], 0.5, 1.0),
        # Shares 3/4 and 1/4: (3/4 log 4/3 + 1/4 log 4) / log 2 = 0.8113.
        ([3, 1], 0.75, 0.811278),
        # The same over four labels: half of it.
        ([3, 1, 0, 0], 0.75, 0.405639),
        ([0, 0], math.nan, math.nan),
        ([3], 1.0, math.nan),
    ],
)
def test_share_and_entropy(counts, share, entropy):
    assert commonest_share(np.array(counts)) == pytest.approx(share, nan_ok=True)
    assert normalised_entropy(np.array(counts)) == pytest.approx(entropy, abs=1e-6, nan_ok=True)
