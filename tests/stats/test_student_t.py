import numpy as np
import pytest

from similitude.stats import t_converted, t_point, t_tail, units_for_power
from similitude.stats.roots import root_between


def test_points_and_tails_agree_with_tables():
    assert t_point(np.array([0.025, 0.05]), np.array([10, np.inf])) == pytest.approx([2.228, 1.645], abs=5e-4)
    assert t_tail(np.array([2.228, -2.228]), 10) == pytest.approx([0.025, 0.975], abs=1e-4)
    assert t_point(0.5, 7) == pytest.approx(0, abs=1e-12)


def test_tails_of_0_are_infinitely_far():
    assert t_point(np.array([0.0, 1e-60, 1e-40]), 5).tolist()[:2] == [np.inf, np.inf]
    assert np.isfinite(t_point(1e-40, 5))
    assert np.isfinite(t_point(1e-50, 5)), "only below 1e-50"


def test_conversion_keeps_sign_and_p_value():
    there = t_converted(np.array([-2.228, 0.0, 2.228, np.inf]), 10, np.inf)
    assert there == pytest.approx([-1.96, 0, 1.96, np.inf], abs=1e-3)
    assert t_converted(there[2], np.inf, 10) == pytest.approx(2.228, abs=1e-3)


def test_units_for_power():
    # (1.96 + 0.8416)^2 = 7.849 times as many for one standard error; a quarter of that for two
    assert units_for_power(1.0, 1.96, 100) == pytest.approx(784.9, abs=0.1)
    assert units_for_power(-2.0, 1.96, 100) == pytest.approx(196.2, abs=0.1)
    assert units_for_power(1.0, 1.96, 100, power=0.5) == pytest.approx(384.2, abs=0.1)
    assert units_for_power(0.0, 1.96, 100) == np.inf
    assert units_for_power(np.inf, 1.96, 100) == 0


@pytest.mark.parametrize(
    ("function", "low", "high", "root"),
    [
        (lambda x: 2 - x * x, 0, 1e3, 2**0.5),
        (lambda x: np.exp(-x) - 0.01, 0, 1e3, np.log(100)),
        (lambda x: x - 3, 3, 10, 3),
        (lambda x: x - 3, 0, 3, 3),
        (lambda x: np.tanh(x - 5), 0, 1e3, 5),
    ],
)
def test_roots(function, low, high, root):
    assert root_between(function, float(low), float(high)) == pytest.approx(root, abs=1e-8)
