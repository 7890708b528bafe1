"""Which token comes next."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'prompted' is not installed")

from similitude.models.language.local.token_sampler import (  # noqa: E402
    question_rng,
    sample_tokens,
)
from similitude.models.language.protocol import (  # noqa: E402
    GenerationSettings,
    Message,
    ModelQuestion,
)

LOGITS = torch.log(torch.tensor([0.1, 0.4, 0.2, 0.3]))
NUMBERS = (np.arange(2000) + 0.5) / 2000


def drawn(settings: GenerationSettings) -> list[float]:
    rows = LOGITS.expand(len(NUMBERS), -1)
    tokens = sample_tokens(rows, [settings] * len(NUMBERS), NUMBERS.tolist())
    return (np.bincount(tokens, minlength=4) / len(NUMBERS)).tolist()


def test_the_likeliest_at_temperature_0():
    assert drawn(GenerationSettings(temperature=0.0)) == [0, 1, 0, 0]


def test_draws_have_the_probabilities_of_the_model():
    np.testing.assert_allclose(drawn(GenerationSettings(temperature=1.0)), [0.1, 0.4, 0.2, 0.3], atol=1e-3)


def test_a_lower_temperature_sharpens():
    # At 1/2 the squares count: 0.01, 0.16, 0.04, 0.09, of 0.30.
    np.testing.assert_allclose(drawn(GenerationSettings(temperature=0.5)), [1 / 30, 16 / 30, 4 / 30, 9 / 30], atol=1e-3)


def test_top_p_keeps_the_fewest_that_reach_it():
    # 0.4 and 0.3 reach 0.65: of 0.7 they are 4/7 and 3/7. The likeliest always stays.
    np.testing.assert_allclose(drawn(GenerationSettings(temperature=1.0, top_p=0.65)), [0, 4 / 7, 0, 3 / 7], atol=1e-3)
    assert drawn(GenerationSettings(temperature=1.0, top_p=0.01)) == [0, 1, 0, 0]


def test_a_row_does_not_depend_on_the_others():
    settings = [
        GenerationSettings(),
        GenerationSettings(temperature=1.0),
        GenerationSettings(temperature=0.7, top_p=0.9),
        GenerationSettings(temperature=2.0),
    ]
    torch.manual_seed(0)
    logits = torch.randn(4, 500)
    numbers = [0.1, 0.35, 0.6, 0.85]
    together = sample_tokens(logits, settings, numbers)
    assert together == [sample_tokens(logits[i : i + 1], [settings[i]], [numbers[i]])[0] for i in range(4)]


def question(**changes) -> ModelQuestion:
    return ModelQuestion(messages=(Message("user", changes.pop("text", "How?")),), **changes)


def test_numbers_are_the_questions_own():
    base = question(settings=GenerationSettings(temperature=1.0))
    first = question_rng(base).random(3).tolist()
    assert question_rng(question(settings=GenerationSettings(temperature=1.0))).random(3).tolist() == first
    others = [
        replace(base, draw=1),
        replace(base, settings=GenerationSettings(temperature=0.5)),
        question(text="How!", settings=GenerationSettings(temperature=1.0)),
    ]
    assert all(question_rng(other).random(3).tolist() != first for other in others)


def test_a_longer_answer_begins_as_the_shorter_one():
    short, long = (question(settings=GenerationSettings(temperature=1.0, longest=n)) for n in (4, 40))
    assert question_rng(short).random() == question_rng(long).random()
