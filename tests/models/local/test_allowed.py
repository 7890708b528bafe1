"""One of a few texts."""

import numpy as np
import pytest

from similitude.models.language.local.allowed_answers import choose_option, option_log_probabilities
from similitude.models.language.protocol import GenerationSettings, ModelQuestion


def asked(temperature: float = 0.0, top_p: float = 1.0) -> ModelQuestion:
    return ModelQuestion(messages=(), settings=GenerationSettings(temperature=temperature, top_p=top_p))


def test_texts_that_begin_no_other_keep_their_probability():
    totals = [-1.0, -2.0, -0.5]
    np.testing.assert_allclose(option_log_probabilities([[1], [2], [3, 1]], totals), totals)


def test_of_three_nested_texts_each_keeps_what_the_next_leaves():
    # "1" 0.5, "10" 0.3 of it, "100" 0.1 of that: 0.5 - 0.3, 0.3 - 0.1, 0.1.
    shares = np.exp(option_log_probabilities([[1], [1, 0], [1, 0, 0]], np.log([0.5, 0.3, 0.1]).tolist()))
    np.testing.assert_allclose(shares, [0.2, 0.2, 0.1])


def test_two_that_begin_with_the_same():
    # "1" 0.6; "10" 0.25 and "12" 0.15 begin with it: 0.6 - 0.25 - 0.15.
    shares = np.exp(option_log_probabilities([[1, 0], [1], [1, 2]], np.log([0.25, 0.6, 0.15]).tolist()))
    np.testing.assert_allclose(shares, [0.25, 0.2, 0.15])


def test_very_unlikely_texts_do_not_vanish():
    shares = option_log_probabilities([[1], [2], [2, 3]], [-900.0, -901.0, -902.0])
    # ln(e^-901 - e^-902) = -901 + ln(1 - 1/e)
    np.testing.assert_allclose(shares, [-900.0, -901.0 + np.log(1 - np.exp(-1)), -902.0])


def test_a_text_that_always_goes_on_is_never_chosen():
    shares = option_log_probabilities([[1], [1, 0]], [-1.0, -1.0])
    assert shares[0] == -np.inf
    assert choose_option(asked(), shares, 0.0) == 1
    assert {choose_option(asked(1.0), shares, number) for number in (0.0, 0.5, 0.999)} == {1}


def test_the_likeliest_at_temperature_0():
    assert choose_option(asked(), np.log([0.2, 0.5, 0.3]), 0.99) == 1


@pytest.mark.parametrize(("temperature", "expected"), [(1.0, [0.2, 0.5, 0.3]), (0.5, [4 / 38, 25 / 38, 9 / 38])])
def test_draws_have_the_right_shares(temperature, expected):
    # At temperature 1/2 probabilities are squared: 0.04, 0.25, 0.09, of 0.38.
    numbers = (np.arange(10_000) + 0.5) / 10_000
    drawn = [choose_option(asked(temperature), np.log([0.2, 0.5, 0.3]), number) for number in numbers]
    np.testing.assert_allclose(np.bincount(drawn, minlength=3) / 10_000, expected, atol=2e-4)


def test_top_p_keeps_the_fewest_that_reach_it():
    # 0.5 alone is not 0.6; 0.5 and 0.3 are. They share the rest in proportion: 5/8 and 3/8.
    numbers = (np.arange(800) + 0.5) / 800
    drawn = [choose_option(asked(1.0, 0.6), np.log([0.2, 0.5, 0.3]), number) for number in numbers]
    assert np.bincount(drawn, minlength=3).tolist() == [0, 500, 300]
