"""The interface of a loaded network: read and extend prompts, and compute likelihoods of texts after a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from similitude.models.language.local.token_inputs import TokenChoice, Tokens

__all__ = ["LanguageNetwork", "PromptState", "TransformersNetwork", "log_probabilities", "normalisers"]

_ROWS_AT_A_TIME = 256
"""Rows of logits converted to float32 at a time."""


class PromptState(Protocol):
    """The state of prompts that have been read and extended."""

    logits: Tensor
    """Logits of the token after each prompt, one row per prompt."""

    def extend(self, alive: Sequence[int], tokens: Sequence[int]) -> Tensor:
        """Append one token to some of the prompts; return the logits of the next one, one row for each.

        Args:
            alive: the indices of these prompts, ascending.
            tokens: one token for each of them.
        """
        ...


class LanguageNetwork(Protocol):
    """A network on its device."""

    def likelihoods(self, choices: Sequence[TokenChoice]) -> list[list[float]]:
        """Sum of the tokens' log-probabilities, for each option of each choice."""
        ...

    def read(self, prompts: Sequence[Tokens]) -> PromptState:
        """Read prompts; a duplicate is read once."""
        ...


@dataclass(frozen=True, slots=True)
class TransformersNetwork:
    """A network as transformers loads it."""

    network: Any


def normalisers(logits: Tensor) -> Tensor:
    """Log-sum-exp of each row, in float32."""
    return torch.cat([torch.logsumexp(part.float(), -1) for part in logits.split(_ROWS_AT_A_TIME)])


def log_probabilities(logits: Tensor, rows: Sequence[int], tokens: Sequence[int]) -> list[float]:
    """Log-probability of a token in a row of logits, for each pair of row and token."""
    where = torch.tensor(list(rows), device=logits.device)
    which = torch.tensor(list(tokens), device=logits.device)
    picked: list[float] = (logits[where, which].float() - normalisers(logits)[where]).tolist()
    return picked
