"""Principal components of points on two axes."""

import numpy as np
import pytest

from similitude.stats.principal_components import ROWS_AT_A_TIME, principal_components, rows_times

ROWS = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0], [0.0, -3.0]])


def test_variances_descend_and_directions_follow():
    found = principal_components(ROWS, 2)
    np.testing.assert_allclose(found.variances, [18 / 4, 2 / 4])
    np.testing.assert_allclose(np.abs(found.directions), [[0, 1], [1, 0]], atol=1e-12)
    first = principal_components(ROWS, 1)
    np.testing.assert_allclose(first.variances, [4.5])
    assert first.directions.shape == (2, 1)


@pytest.mark.parametrize("number", [0, 1, ROWS_AT_A_TIME, ROWS_AT_A_TIME + 1, 2 * ROWS_AT_A_TIME + 3])
def test_a_row_is_the_same_in_any_company(number: int):
    rng = np.random.default_rng(3)
    rows, matrix = rng.normal(size=(number, 37)), rng.normal(size=(37, 5))
    together = rows_times(rows, matrix)
    assert together.shape == (number, 5)
    np.testing.assert_allclose(together, rows @ matrix)
    for place in range(0, number, 50):
        np.testing.assert_array_equal(rows_times(rows[place : place + 1], matrix)[0], together[place])


class Recorder:
    """A matrix with which products are recorded."""

    __array_ufunc__ = None

    def __init__(self) -> None:
        self.shape, self.rows = (3, 2), []

    def __rmatmul__(self, rows: np.ndarray) -> np.ndarray:
        self.rows.append(len(rows))
        return np.zeros((len(rows), 2))


@pytest.mark.parametrize(("number", "products"), [(0, 0), (1, 1), (40, 1), (64, 1), (65, 2), (130, 3)])
def test_every_product_has_64_rows(number: int, products: int):
    matrix = Recorder()
    assert rows_times(np.ones((number, 3)), matrix).shape == (number, 2)
    assert matrix.rows == [64] * products
