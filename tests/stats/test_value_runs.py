from itertools import combinations, pairwise

import numpy as np
import pytest

from similitude.stats.value_runs import best_runs, least_squares, most_likely_runs, run_table


def cost_of(values: np.ndarray, ends: tuple[int, ...], divide) -> float:
    runs = [values[first:last] for first, last in pairwise(ends)]
    sizes, variances = np.array([float(len(run)) for run in runs]), np.array([run.var() for run in runs])
    return float(divide(sizes, variances, len(values), 0.1).sum())


@pytest.mark.parametrize("divide", [least_squares, most_likely_runs])
@pytest.mark.parametrize("runs", [1, 2, 3, 4])
def test_no_other_division_is_cheaper(divide, runs: int):
    ordered = np.sort(np.random.default_rng(runs).uniform(0, 5, (9, 12)), axis=0)
    found = best_runs(run_table(ordered), runs, divide, 0.1)
    for sample, ends in zip(ordered.T, found.T, strict=True):
        every = [(0, *cuts, 9) for cuts in combinations(range(1, 9), runs - 1)]
        assert cost_of(sample, tuple(ends), divide) == pytest.approx(min(cost_of(sample, e, divide) for e in every))


def test_least_squares_by_hand():
    # 0 0 0 9 9: after the third value nothing is left to square
    assert best_runs(run_table(np.array([[0.0], [0], [0], [9], [9]])), 2, least_squares, 0.1).ravel().tolist() == [
        0,
        3,
        5,
    ]


def test_a_narrow_camp_is_likelier_than_two_halves():
    # least squares cuts the wide run in two; likelihood finds the four equal values in its middle
    values = np.sort(np.array([0.0, 1, 2, 3, 4.9, 5, 5, 5, 5, 5.1, 7, 8, 9, 10]))[:, None]
    narrow = best_runs(run_table(values), 3, most_likely_runs, 0.05).ravel().tolist()
    assert narrow == [0, 4, 10, 14]


def test_the_cost_of_a_likely_run_by_hand():
    # Two of four values with variance 1/4: 2 (ln(1/4) / 2 + 1/2 - ln(1/2)) = 1. At sigma 2: 2 (ln 2 + 1/32 + ln 2).
    sizes, variances = np.array([2.0]), np.array([0.25])
    assert most_likely_runs(sizes, variances, 4, 0.1) == pytest.approx([1.0])
    assert most_likely_runs(sizes, variances, 4, 2.0) == pytest.approx([1 / 16 + 4 * np.log(2)])
    assert least_squares(sizes, variances, 4, 1.0).tolist() == [0.5]


def test_runs_end_at_32_places_at_most():
    assert run_table(np.arange(32.0)[:, None]).ends.tolist() == list(range(33))
    ends = run_table(np.arange(33.0)[:, None]).ends
    assert (len(ends), ends[0], ends[-1]) == (33, 0, 33)
