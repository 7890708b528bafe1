"""How intervals are drawn: settings are checked when they are made, and every part draws for itself."""

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling, bootstrap_estimates

VALUES = np.array([1.0, 2.0, 4.0, 9.0, 12.0])


def mean(weights):
    return (weights @ VALUES / weights.sum(axis=1))[None]


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"resamples": -1}, "cannot draw -1 resamples"),
        ({"level": 0.0}, "0 is not a confidence level"),
        ({"level": 1.0}, "1 is not a confidence level"),
    ],
)
def test_settings_that_cannot_be_drawn_are_refused(settings, what):
    with pytest.raises(ArgumentError, match=what):
        Resampling(**settings)


def test_without_intervals_only_the_figure_is_known():
    (found,) = bootstrap_estimates(mean, 5, resampling=NO_INTERVALS)
    assert found.value == pytest.approx(28 / 5)
    assert np.isnan([found.low, found.high]).all()


def test_the_default_generator_starts_anew_and_a_given_one_goes_on():
    usual = [bootstrap_estimates(mean, 5, resampling=Resampling(resamples=50)) for _ in range(2)]
    assert usual[0] == usual[1]
    given = Resampling(resamples=50, rng=np.random.default_rng(0))
    one, other = (bootstrap_estimates(mean, 5, resampling=given) for _ in range(2))
    assert one == usual[0]
    assert one != other


def test_parts_keep_the_settings_and_draw_for_themselves():
    parts = Resampling(resamples=7, level=0.8, rng=np.random.default_rng(3)).spawn(2)
    assert [(part.resamples, part.level) for part in parts] == [(7, 0.8)] * 2
    drawn = [part.generator.random(4).tolist() for part in parts]
    expected = [rng.random(4).tolist() for rng in np.random.default_rng(3).spawn(2)]
    assert drawn == expected
    assert drawn[0] != drawn[1]


def test_one_generator_for_all_that_follows():
    settings = Resampling(seed=3).with_generator()
    assert settings.generator is settings.generator
    assert [settings.generator.random() for _ in range(2)] == np.random.default_rng(3).random(2).tolist()
