import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from similitude.evaluate.diagnostics import rank_differences, system_ranks
from similitude.evaluate.measures import Figure, make_measure

PEARSON, SPEARMAN, MAE = (make_measure(name) for name in ("pearson", "spearman", "mae"))
NAN = Figure(np.nan, "for a reason")


def figures(*rows):
    return [[NAN if value is None else Figure(value) for value in row] for row in rows]


def test_ranks_start_at_the_best_whatever_the_direction():
    given_figures = figures((0.9, 0.1), (0.5, 0.3), (0.7, 0.2))
    assert system_ranks(given_figures, [PEARSON, MAE]).tolist() == [[1, 1], [3, 3], [2, 2]]


def test_ties_share_the_average_rank_or_the_lowest():
    # 0.9 is first; the two 0.5 stand on places 2 and 3
    tied = figures((0.5,), (0.9,), (0.5,))
    assert system_ranks(tied, [PEARSON]).ravel().tolist() == [2.5, 1, 2.5]
    assert system_ranks(tied, [PEARSON], ties="lowest").ravel().tolist() == [2, 1, 2]


def test_an_undefined_figure_has_no_rank_and_takes_none_away():
    ranks = system_ranks(figures((0.5, None), (None, None), (0.9, None)), [PEARSON, MAE])
    assert ranks[:, 0].tolist() == pytest.approx([2, np.nan, 1], nan_ok=True)
    assert np.isnan(ranks[:, 1]).all()


def test_mean_and_largest_difference_by_hand():
    # pearson ranks 1 2 3 4; mae (lower is better) ranks 4 2 3 1; gaps 3 0 0 3, mean 6/4
    found = rank_differences(figures((0.9, 0.8), (0.8, 0.2), (0.7, 0.3), (0.6, 0.1)), [PEARSON, MAE])
    assert found.mean[0, 1] == 1.5
    assert found.largest[0, 1] == 3
    assert found.systems.tolist() == [[4, 4], [4, 4]]


def test_ties_count_half_a_place():
    # pearson: 1.5 1.5 3, spearman: 1 2 3; gaps 0.5 0.5 0
    found = rank_differences(figures((0.9, 0.9), (0.9, 0.8), (0.1, 0.1)), [PEARSON, SPEARMAN])
    assert found.mean[0, 1] == pytest.approx(1 / 3)


def test_systems_without_both_figures_take_no_part():
    # without the second system both measures put the first before the third: no difference, although the second
    # would have stood between them on pearson
    found = rank_differences(figures((0.9, 0.1), (0.8, None), (0.7, 0.2)), [PEARSON, MAE])
    assert found.mean[0, 1] == 0
    assert found.systems[0, 1] == 2


def test_too_few_systems_make_no_difference():
    found = rank_differences(figures((0.9, None), (0.8, 0.2)), [PEARSON, MAE])
    assert np.isnan(found.mean[0, 1])
    assert found.systems[0, 1] == 1
    assert np.isnan(rank_differences(figures((0.9,)), [PEARSON]).mean).all()


@given(st.lists(st.tuples(*[st.sampled_from([0.1, 0.2, 0.3, 0.4, None])] * 3), min_size=2, max_size=8))
def test_invariances(rows):
    measures = [PEARSON, SPEARMAN, MAE]
    found = rank_differences(figures(*rows), measures)
    np.testing.assert_array_equal(found.mean, found.mean.T)
    assert all(gap == 0 or np.isnan(gap) for gap in np.diag(found.mean))
    np.testing.assert_allclose(rank_differences(figures(*rows[::-1]), measures).mean, found.mean)
    stretched = [[None if value is None else value**3 - 7 for value in row] for row in rows]
    np.testing.assert_allclose(rank_differences(figures(*stretched), measures).mean, found.mean)


def test_who_moved_farthest():
    # pearson ranks 1 2 3, spearman 1.5 1.5 3 (half a place), mae 2 1 3: systems 0 and 1 move by one place
    given_figures = figures((0.9, 0.7, 0.2), (0.8, 0.7, 0.1), (0.7, 0.1, 0.3))
    found = rank_differences(given_figures, [PEARSON, SPEARMAN, MAE])
    assert found.largest.tolist() == [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]
    assert found.mover.tolist() == [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]
    # the second system has no figure on pearson, and the third moves as far as the first
    fewer = rank_differences(figures((0.1, 0.3), (None, 0.2), (0.3, 0.1), (0.2, 0.2)), [PEARSON, SPEARMAN])
    assert fewer.mover.tolist() == [[-1, 0], [0, -1]]
    last = rank_differences(figures((None, 0.2), (0.2, 0.2), (0.3, 0.2), (0.1, 0.3)), [PEARSON, SPEARMAN])
    assert last.mover[0, 1] == 3
    assert last.systems.dtype == last.mover.dtype == np.intp


def test_nobody_moves_where_fewer_than_two_can_be_compared():
    assert rank_differences(figures((0.9, None), (0.8, 0.2)), [PEARSON, MAE]).mover.tolist() == [[-1, -1], [-1, -1]]
