"""Targets that say what another rater would answer."""

import numpy as np
import pytest

from similitude.training.rater_agreement import expected_answers


def test_by_hand():
    # The mean of 0, .25, 1 and .75 is .5; each target lies at .6 of the way from there to the answer.
    found = expected_answers(np.array([0.0, 0.25, 1.0, 0.75], np.float32), 0.6)
    assert found == pytest.approx([0.2, 0.35, 0.8, 0.65])
    assert found.dtype == np.float32


def test_raters_who_agree_leave_gold_as_it_is():
    gold = np.array([0.1, 0.7], np.float32)
    assert expected_answers(gold, 1.0) is gold


def test_it_is_the_best_guess_of_another_answer():
    # Truth and two errors have variances 1, .5 and .5, so two answers correlate at 1 / 1.5.
    rng = np.random.default_rng(0)
    truth = rng.normal(0.5, 0.1, 50_000)
    one, other = (truth + rng.normal(0, 0.1 / np.sqrt(2), truth.size) for _ in range(2))
    errors = {
        agreement: np.square(expected_answers(one.astype(np.float32), agreement) - other).mean()
        for agreement in (0.4, 1 / 1.5, 1.0)
    }
    assert min(errors, key=errors.get) == 1 / 1.5
