"""What a loaded network does: read prompts and go on from them, and say how likely texts are after a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from similitude.models.language.local.token_inputs import TokenChoice, Tokens

__all__ = ["LanguageNetwork", "PromptState", "TransformersNetwork", "log_probabilities", "normalisers"]

_ROWS_AT_A_TIME = 256
"""Rows of the vocabulary's width that are turned to float32 at a time."""


class PromptState(Protocol):
    """Prompts that were read, and what was written after each since."""

    logits: Tensor
    """Of the token after each prompt, one row a prompt."""

    def extend(self, alive: Sequence[int], tokens: Sequence[int]) -> Tensor:
        """Write one token more after some of the prompts; the logits of the next, one row for each of those.

        Args:
            alive: which of the prompts, ascending.
            tokens: one for each of those.
        """
        ...


class LanguageNetwork(Protocol):
    """A network on its device."""

    def likelihoods(self, choices: Sequence[TokenChoice]) -> list[list[float]]:
        """The sum of the logarithms of its tokens' probabilities, for each option of each choice."""
        ...

    def read(self, prompts: Sequence[Tokens]) -> PromptState:
        """Read prompts; one that comes several times is read once."""
        ...


@dataclass(frozen=True, slots=True)
class TransformersNetwork:
    """A network as transformers loads it."""

    network: Any


def normalisers(logits: Tensor) -> Tensor:
    """The logarithm of the sum of exponentials of each row, in float32 whatever the network computes in."""
    return torch.cat([torch.logsumexp(part.float(), -1) for part in logits.split(_ROWS_AT_A_TIME)])


def log_probabilities(logits: Tensor, rows: Sequence[int], tokens: Sequence[int]) -> list[float]:
    """The logarithm of the probability that a row gives to a token, for each pair of row and token."""
    where = torch.tensor(list(rows), device=logits.device)
    which = torch.tensor(list(tokens), device=logits.device)
    picked: list[float] = (logits[where, which].float() - normalisers(logits)[where]).tolist()
    return picked
