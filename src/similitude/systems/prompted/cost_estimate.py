"""Estimates the requests and cost of a run before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from similitude.data.protocols import AnswerCache, ModelKey
from similitude.models.language.protocol import (
    LanguageModel,
    Message,
    ModelChoice,
    ModelQuestion,
    choice_key,
    question_key,
)

__all__ = ["CostEstimate", "Prices", "estimate_cost"]


class Prices(NamedTuple):
    """Prices per million tokens read and written; None if unknown."""

    read: float | None = None
    written: float | None = None


class CostEstimate(NamedTuple):
    """The estimate of a run.

    Attributes:
        prompts: the number of distinct prompts.
        cached: how many of them are answered in the cache.
        tokens_in: tokens of the other prompts.
        tokens_out_at_most: maximum tokens of their answers.
        cost: maximum cost of the other prompts; None if prices are unknown.
        window: the model's context window in tokens; None if unknown.
        longest: tokens of the longest remaining prompt, with its answer.
    """

    prompts: int
    cached: int
    tokens_in: int
    tokens_out_at_most: int
    cost: float | None
    window: int | None = None
    longest: int = 0

    def __str__(self) -> str:
        cost = "" if self.cost is None else f", at most {self.cost:{',.2f' if self.cost >= 1 else '.3g'}} to pay"
        return (
            f"{self.prompts:,} prompts, {self.cached:,} of them cached; about {self.tokens_in:,} tokens to "
            f"read and at most {self.tokens_out_at_most:,} to write{cost}"
        )


def estimate_cost(
    model: LanguageModel,
    asked: Sequence[ModelQuestion | ModelChoice],
    cache: AnswerCache | None = None,
    prices: Prices | None = None,
) -> CostEstimate:
    """Count prompts and tokens without asking.

    The options of a choice count as tokens to read, and its prompt counts once: this is what a model with a shared
    prefix reads. An endpoint without one reads the prompt again for each option.

    Args:
        model: the language model; it counts or estimates tokens.
        asked: the questions and choices.
        cache: the cache of answers.
        prices: the prices of tokens, if known.
    """
    model_key = model.key
    keys = {_key(model_key, one): one for one in asked}
    kept = [None] * len(keys) if cache is None else cache.get(list(keys))
    left = [one for one, answer in zip(keys.values(), kept, strict=True) if answer is None]
    read = model.count_tokens([_whole(one) for one in left]) if left else []
    written = [one.settings.longest if isinstance(one, ModelQuestion) else 0 for one in left]
    return CostEstimate(
        prompts=len(keys),
        cached=len(keys) - len(left),
        tokens_in=sum(read),
        tokens_out_at_most=sum(written),
        cost=_cost(sum(read), sum(written), prices),
        window=model.window,
        longest=max((a + b for a, b in zip(read, written, strict=True)), default=0),
    )


def _key(model: ModelKey, one: ModelQuestion | ModelChoice) -> str:
    return question_key(model, one) if isinstance(one, ModelQuestion) else choice_key(model, one)


def _whole(one: ModelQuestion | ModelChoice) -> tuple[Message, ...]:
    return (
        one.messages if isinstance(one, ModelQuestion) else (*one.messages, Message("assistant", "".join(one.options)))
    )


def _cost(read: int, written: int, prices: Prices | None) -> float | None:
    if prices is None or prices == Prices():
        return None
    return (read * (prices.read or 0.0) + written * (prices.written or 0.0)) / 1e6
