"""Causal networks that read one sequence at a time, each from its start: slow, but always correct.

For networks that do not support custom attention masks and positions, such as those with a recurrent state.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from similitude.models.language.local.network import TransformersNetwork, log_probabilities
from similitude.models.language.local.token_inputs import TokenChoice, Tokens

__all__ = ["SequentialNetwork"]


class SequentialNetwork(TransformersNetwork):
    """A causal network that reads one sequence at a time."""

    def likelihoods(self, choices: Sequence[TokenChoice]) -> list[list[float]]:
        """Log-likelihoods of the options, each read separately after its prompt."""
        return [[self._likelihood(prompt, option) for option in options] for prompt, options in choices]

    def _likelihood(self, prompt: Tokens, option: Tokens) -> float:
        logits = self.logits(prompt + option[:-1])[len(prompt) - 1 :]
        return sum(log_probabilities(logits, range(len(option)), option))

    def logits(self, tokens: Tokens) -> Tensor:
        """Logits of the token after each token."""
        inputs = torch.tensor([tokens], device=self.network.device)
        logits: Tensor = self.network(input_ids=inputs, use_cache=False).logits[0]
        return logits

    def read(self, prompts: Sequence[Tokens]) -> SequentialState:
        """Read each prompt separately."""
        return SequentialState(self, prompts)


class SequentialState:
    """Prompts that are read again with each new token.

    Attributes:
        logits: the logits of the token after each prompt.
    """

    def __init__(self, network: SequentialNetwork, prompts: Sequence[Tokens]) -> None:
        self._network = network
        self._texts = [list(prompt) for prompt in prompts]
        distinct = {tuple(prompt): network.logits(prompt)[-1] for prompt in self._texts}
        self.logits = torch.stack([distinct[tuple(prompt)] for prompt in self._texts])

    def extend(self, alive: Sequence[int], tokens: Sequence[int]) -> Tensor:
        """Append one token to some of the prompts."""
        for row, token in zip(alive, tokens, strict=True):
            self._texts[row].append(token)
        return torch.stack([self._network.logits(self._texts[row])[-1] for row in alive])
