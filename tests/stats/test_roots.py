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
