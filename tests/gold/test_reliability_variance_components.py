"""Variance components by the tables of an analysis of variance, written out."""

import numpy as np
import pytest

from similitude.gold.reliability.variance_components import crossed_components, design_of, nested_components

NAN = np.nan


@pytest.mark.parametrize(
    ("complete", "raters", "design"), [(19, 3, "crossed"), (18, 3, "nested"), (20, 2, "crossed"), (20, 1, "nested")]
)
def test_a_design_is_crossed_where_19_of_20_items_were_rated_by_all(complete: int, raters: int, design: str):
    number = np.array([raters] * complete + [raters - 1] * (20 - complete))
    assert design_of(number, raters) == design


def test_a_crossed_table_by_hand():
    """Item means 2, 2, 5: between items 3. Within items 2 + 0 + 2 = 4, over 2 degrees of freedom: 2.

    The truth has 3 - 2 / 2; one rating about its item 4 / 3.
    """
    found = crossed_components(np.array([[1.0, 2.0, 6.0], [3.0, 2.0, 4.0]]))(np.ones((1, 3)))
    np.testing.assert_allclose(found, [[2.0], [2.0], [4 / 3]])


def test_leniency_is_in_a_single_rating_alone():
    """The second rater gives 3 more: within items 12.5 + 4.5 + 0.5, of which 3 * 2 * 1.5^2 is leniency."""
    found = crossed_components(np.array([[1.0, 2.0, 6.0], [6.0, 5.0, 7.0]]))(np.ones((1, 3)))
    np.testing.assert_allclose(found, [[2.0], [2.0], [17.5 / 3]])


def test_a_crossed_table_of_three_raters_against_its_mean_squares():
    values = np.random.default_rng(0).normal(size=(3, 7)) + np.arange(3)[:, None] + np.arange(7) / 2
    items, raters = values.mean(axis=0), values.mean(axis=1)
    rest = ((values - items - raters[:, None] + values.mean()) ** 2).sum() / (6 * 2)
    expected = [items.var(ddof=1) - rest / 3, rest, values.var(axis=0, ddof=1).mean()]
    np.testing.assert_allclose(crossed_components(values)(np.ones((1, 7))).ravel(), expected)
    doubled = crossed_components(values)(np.array([[2.0, 0, 1, 1, 1, 1, 1], [1.0] * 7]))
    np.testing.assert_allclose(
        doubled[:, 0], crossed_components(values[:, [0, 0, 2, 3, 4, 5, 6]])(np.ones((1, 7)))[:, 0]
    )
    np.testing.assert_allclose(doubled[:, 1], expected)


def test_a_nested_table_by_hand():
    """Items 1 3, 2 2 5 and 6: 6 ratings, sums 4, 9, 6.

    Between: (16/2 + 81/3 + 36 - 19^2/6) / 2 = 65/12. Within: (2 + 6) / 3. The usual number of raters is
    (6 - (4 + 9 + 1) / 6) / 2 = 11/6, so the truth has (65/12 - 8/3) / (11/6) = 3/2.
    """
    values = np.array([[1.0, 2.0, 6.0], [3.0, 2.0, NAN], [NAN, 5.0, NAN]])
    np.testing.assert_allclose(nested_components(values)(np.ones((1, 3))), [[1.5], [8 / 3], [8 / 3]])
    # the first item twice: 8 ratings of 4 items, sums 4, 4, 9, 6; within (2 + 2 + 6) / 4
    twice = nested_components(values)(np.array([[2.0, 1.0, 1.0]])).ravel()
    between = (8 + 8 + 27 + 36 - 23**2 / 8) / 3
    np.testing.assert_allclose(twice, [(between - 2.5) / ((8 - 18 / 8) / 3), 2.5, 2.5])
