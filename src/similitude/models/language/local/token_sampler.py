"""Chooses the next token: the likeliest, or a sample.

A sample is one uniform number looked up in the cumulative probabilities, in the order of the vocabulary, or from the
likeliest down if `top_p` applies. The numbers are derived from the question's content and its draw, so an answer does
not depend on the other questions or on its maximum length.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from similitude.models.language.protocol import GenerationSettings, ModelQuestion

__all__ = ["question_rng", "sample_tokens"]


def question_rng(question: ModelQuestion) -> np.random.Generator:
    """The random generator of a question: the same whenever it is asked."""
    settings = question.settings
    content = [question.messages, question.allowed, settings.temperature, settings.top_p, question.draw]
    record = json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return np.random.default_rng(int.from_bytes(hashlib.sha256(record).digest()))


def sample_tokens(logits: Tensor, settings: Sequence[GenerationSettings], numbers: Sequence[float]) -> list[int]:
    """One token per row.

    Args:
        logits: one row per text.
        settings: the settings of each text; temperature 0 takes the likeliest token.
        numbers: a uniform random number in [0, 1) for each text; unused at temperature 0.
    """
    picked: list[int] = logits.argmax(-1).tolist()
    for cut in (False, True):
        rows = [i for i, how in enumerate(settings) if how.temperature > 0 and (how.top_p < 1) is cut]
        if rows:
            drawn = _draw(logits[rows].float(), [settings[i] for i in rows], [numbers[i] for i in rows], cut)
            for row, token in zip(rows, drawn, strict=True):
                picked[row] = token
    return picked


def _draw(logits: Tensor, settings: Sequence[GenerationSettings], numbers: Sequence[float], cut: bool) -> list[int]:
    shares = torch.softmax(logits / _column([how.temperature for how in settings], logits), -1)
    order = None
    if cut:
        shares, order = shares.sort(dim=-1, descending=True, stable=True)
        shares = shares.masked_fill(shares.cumsum(-1) - shares >= _column([how.top_p for how in settings], logits), 0.0)
    heaps = shares.cumsum(-1)
    places = torch.searchsorted(heaps, _column(numbers, logits) * heaps[:, -1:], right=True)
    places = places.clamp(max=shares.shape[-1] - 1)
    drawn: list[int] = (places if order is None else order.gather(-1, places))[:, 0].tolist()
    return drawn


def _column(values: Sequence[float], like: Tensor) -> Tensor:
    return torch.tensor(list(values), dtype=like.dtype, device=like.device)[:, None]
