"""A figure with its interval: what it is beside a float."""

import copy
import json
import math
import pickle

import numpy as np
import pytest

from similitude.evaluate.measured_figure import MeasuredFigure
from similitude.evaluate.measures import Figure
from similitude.stats.intervals import Interval

NAN = math.nan

FIGURE = MeasuredFigure(0.6914, low=0.4871, high=0.8249, level=0.9)


def test_repr_rounds_the_figure_to_three_and_the_ends_to_two_decimals() -> None:
    assert repr(FIGURE) == str(FIGURE) == "0.691 [0.49, 0.82]"
    assert repr(MeasuredFigure(0.5)) == "0.500"
    assert repr(MeasuredFigure(-0.0001, low=-0.001, high=0.001)) == "0.000 [0.00, 0.00]"


def test_an_undefined_figure_says_why() -> None:
    figure = MeasuredFigure(math.nan, low=math.nan, high=math.nan, reason="all predictions are equal")
    assert repr(figure) == "undefined (all predictions are equal)"
    assert (figure.low, figure.high) == (None, None)
    assert math.isnan(figure.value)
    assert repr(MeasuredFigure(math.nan)) == "undefined"


@pytest.mark.parametrize(("low", "high"), [(0.1, math.nan), (math.nan, 0.9), (0.1, None), (None, 0.9), (0.1, math.inf)])
def test_an_interval_has_both_ends_or_neither(low: float | None, high: float | None) -> None:
    figure = MeasuredFigure(0.5, low=low, high=high)
    assert (figure.low, figure.high) == (None, None)


def test_it_is_a_float_and_arithmetic_gives_plain_floats() -> None:
    assert FIGURE == 0.6914
    assert type(FIGURE + 1) is float
    assert type(FIGURE.value) is float
    assert type(-FIGURE) is float
    assert f"{FIGURE:.2f}" == "0.69"
    assert json.dumps(FIGURE) == "0.6914"
    assert np.asarray([FIGURE]).dtype == np.float64
    assert max(FIGURE, 0.2) is FIGURE


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_keep_everything(again) -> None:
    made = again(FIGURE)
    assert (
        made.record()
        == FIGURE.record()
        == {
            "value": 0.6914,
            "low": 0.4871,
            "high": 0.8249,
            "level": 0.9,
            "reason": None,
        }
    )


def test_the_usual_level_and_a_reason_that_is_kept() -> None:
    figure = MeasuredFigure(0.5, reason="no interval: one item")
    assert (figure.level, figure.reason) == (0.95, "no interval: one item")
    assert pickle.loads(pickle.dumps(figure)).record() == figure.record()


@pytest.mark.parametrize(
    ("figure", "interval", "shown"),
    [
        (Figure(0.5), None, (0.5, None, None, None)),
        (Figure(NAN, "constant"), None, (NAN, None, None, "constant")),
        (Figure(0.5), Interval(0.4, 0.6, "rough"), (0.5, 0.4, 0.6, "rough")),
        (Figure(0.5), Interval(NAN, NAN, "too few"), (0.5, None, None, "too few")),
        (Figure(0.5), Interval(0.4, NAN, "one end"), (0.5, None, None, "one end")),
        (Figure(NAN, "constant"), Interval(NAN, NAN, "too few"), (NAN, None, None, "constant")),
    ],
)
def test_a_figure_takes_its_interval_and_the_reason_that_counts(figure, interval, shown):
    found = MeasuredFigure.of(figure, interval, 0.9)
    assert found.level == 0.9
    assert MeasuredFigure.of(figure, interval).level == 0.95
    assert found.value == pytest.approx(shown[0], nan_ok=True)
    assert (found.low, found.high, found.reason) == shown[1:]
