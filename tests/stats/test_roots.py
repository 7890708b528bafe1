import math

import pytest

from similitude.stats.roots import root_between


@pytest.mark.parametrize("sign", [1, -1])
def test_roots_of_functions_that_rise_or_fall(sign):
    assert root_between(lambda x: sign * (math.exp(x) - 2), 0.0, 5.0) == pytest.approx(math.log(2), abs=1e-9)
    assert root_between(lambda x: sign * (x**3 - 27), 0.0, 100.0) == pytest.approx(3, abs=1e-8)


def test_a_root_that_is_met_ends_the_search_and_few_steps_do():
    asked = []

    def line(x: float) -> float:
        asked.append(x)
        return x - 4.0

    assert root_between(line, 0.0, 10.0) == 4.0
    assert asked == [0.0, 10.0, 4.0]
    asked.clear()
    root_between(lambda x: asked.append(x) or x**5 - 1, 0.0, 4.0)
    assert len(asked) < 40, "plain regula falsi takes hundreds"


def test_a_function_without_a_slope_gives_the_middle():
    assert root_between(lambda x: 1.0, 2.0, 4.0) == 3.0


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_the_steps_of_the_illinois_method_by_hand(is_mirrored: bool):
    """x^2 - 1 from 0 to 3: -1 and 8 meet 0 at 1/3, -8/9 and 8 at 3/5. The upper end was kept twice, so its 8 counts
    as 4: (4 * 3/5 + 3 * .64) / 4.64. From the other side the same."""
    asked = []

    def parabola(x: float) -> float:
        asked.append(3 - x if is_mirrored else x)
        return asked[-1] ** 2 - 1

    root = root_between(parabola, 0.0, 3.0)
    assert (3 - root if is_mirrored else root) == pytest.approx(1, abs=1e-9)
    assert sorted(asked[:2]) == [0, 3]
    assert asked[2:5] == pytest.approx([1 / 3, 3 / 5, 4.32 / 4.64])


def test_a_step_of_the_tolerance_is_short_enough():
    assert root_between(lambda x: x * x - 1, 0.0, 3.0, tolerance=1 / 3) == pytest.approx(1 / 3)


@pytest.mark.parametrize("sign", [1, -1])
def test_roots_below_0(sign):
    assert root_between(lambda x: sign * (x * x - 4), -10.0, -1.0) == pytest.approx(-2, abs=1e-9)
    assert root_between(lambda x: sign * (math.exp(x) - 0.01), -20.0, -1.0) == pytest.approx(math.log(0.01), abs=1e-9)
