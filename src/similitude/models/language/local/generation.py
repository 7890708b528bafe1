"""Generates answers token by token: several questions are read together, and each answer is written to its end.

At temperature 0 the likeliest token is always taken. Other questions in the batch change logits only by rounding (some
millionths in float32), so an answer can differ only where two tokens are almost equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from torch import Tensor

from similitude.models.language.local.chat_template import ChatTemplate
from similitude.models.language.local.network import LanguageNetwork, PromptState, normalisers
from similitude.models.language.local.token_inputs import TokenQuestion, Tokens
from similitude.models.language.local.token_sampler import question_rng, sample_tokens
from similitude.models.language.protocol import ModelAnswer

__all__ = ["generate", "likeliest_tokens"]


@dataclass(slots=True)
class _Text:
    """An answer being written."""

    asked: TokenQuestion
    numbers: np.random.Generator
    tokens: Tokens = field(default_factory=list)
    text: str = ""
    finish: str = ""

    def write(self, token: int, template: ChatTemplate) -> None:
        if token in template.ends:
            self.finish = "stop"
            return
        self.tokens.append(token)
        self.text = template.text(self.tokens)
        ends = [place for stop in self.asked.question.settings.stop if (place := self.text.find(stop)) >= 0]
        if ends:
            self.text, self.finish = self.text[: min(ends)], "stop"
        elif len(self.tokens) >= self.asked.room:
            self.finish = "length"

    def answer(self, first: tuple[tuple[str, float], ...]) -> ModelAnswer:
        return ModelAnswer(self.text, len(self.asked.prompt), len(self.tokens), self.finish or "length", first)


def generate(network: LanguageNetwork, template: ChatTemplate, questions: Sequence[TokenQuestion]) -> list[ModelAnswer]:
    """Answers to these questions, which are read together.

    Args:
        network: computes the logits.
        template: decodes tokens.
        questions: questions without allowed answers.
    """
    texts = [_Text(asked, question_rng(asked.question)) for asked in questions]
    state = network.read([asked.prompt for asked in questions])
    _write(texts, state, template)
    wanted = [asked.question.alternatives for asked in questions]
    first = [likeliest_tokens(row, count, template) for row, count in zip(state.logits, wanted, strict=True)]
    return [text.answer(own) for text, own in zip(texts, first, strict=True)]


def _write(texts: Sequence[_Text], state: PromptState, template: ChatTemplate) -> None:
    """Write each text to its end; finished texts are left out of the next step."""
    alive = [i for i, text in enumerate(texts) if text.asked.room > 0]
    logits = state.logits[alive]
    while alive:
        settings = [texts[i].asked.question.settings for i in alive]
        tokens = sample_tokens(logits, settings, [texts[i].numbers.random() for i in alive])
        for i, token in zip(alive, tokens, strict=True):
            texts[i].write(token, template)
        going = [(i, token) for i, token in zip(alive, tokens, strict=True) if not texts[i].finish]
        alive = [i for i, _ in going]
        if alive:
            logits = state.extend(alive, [token for _, token in going])


def likeliest_tokens(logits: Tensor, count: int, template: ChatTemplate) -> tuple[tuple[str, float], ...]:
    """The likeliest tokens, each with its log-probability at temperature 1."""
    if count < 1:
        return ()
    best = (logits.float() - normalisers(logits[None])).topk(min(count, len(logits)))
    shares: list[float] = best.values.tolist()
    tokens: Tokens = best.indices.tolist()
    return tuple((template.token_text(token), share) for token, share in zip(tokens, shares, strict=True))
