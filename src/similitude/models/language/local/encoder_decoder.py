"""Networks that read the prompt with an encoder and write with a decoder, such as Flan-T5.

The encoder reads a prompt once; its options, or several answers to it, are rows of the decoder. Prompts of different
lengths are padded at the end and masked; the decoder's rows grow in step and need no padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_outputs import BaseModelOutput

from similitude.models.language.local.network import TransformersNetwork, log_probabilities
from similitude.models.language.local.token_inputs import TokenChoice, Tokens

__all__ = ["EncoderDecoder"]


class EncoderDecoder(TransformersNetwork):
    """An encoder and a decoder."""

    def likelihoods(self, choices: Sequence[TokenChoice]) -> list[list[float]]:
        """Log-likelihoods of the options, prompt by prompt; the options of a prompt form one batch."""
        return [self._likelihoods(prompt, options) for prompt, options in choices]

    def _likelihoods(self, prompt: Tokens, options: list[Tokens]) -> list[float]:
        states, mask = self.encode([prompt])
        start = self.start
        # Padding is at the end, where no real token attends to it.
        rows, _ = self._padded([start + option[:-1] for option in options])
        count = len(options)
        logits = self.network(
            encoder_outputs=_encoded(states.expand(count, -1, -1)),
            attention_mask=mask.expand(count, -1),
            decoder_input_ids=rows,
            use_cache=False,
        ).logits[:, len(start) - 1 :]
        return [
            sum(log_probabilities(own[: len(option)], range(len(option)), option))
            for own, option in zip(logits, options, strict=True)
        ]

    @property
    def start(self) -> Tokens:
        """The tokens that the decoder starts with."""
        config = self.network.generation_config
        begin = config.decoder_start_token_id
        begin = self.network.config.decoder_start_token_id if begin is None else begin
        forced = config.forced_bos_token_id
        return [begin] if forced is None else [begin, forced]

    def encode(self, prompts: Sequence[Tokens]) -> tuple[Tensor, Tensor]:
        """The encoder's hidden states of each prompt, and their mask."""
        tokens, mask = self._padded(prompts)
        states: Tensor = self.network.get_encoder()(input_ids=tokens, attention_mask=mask).last_hidden_state
        return states, mask

    def _padded(self, rows: Sequence[Tokens]) -> tuple[Tensor, Tensor]:
        longest = max(map(len, rows))
        filler = self.network.config.pad_token_id or 0
        tokens = [row + [filler] * (longest - len(row)) for row in rows]
        counts = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
        device = self.network.device
        return torch.tensor(tokens, device=device), torch.tensor(counts, device=device)

    def read(self, prompts: Sequence[Tokens]) -> EncoderDecoderState:
        """Encode each distinct prompt once."""
        return EncoderDecoderState(self, prompts)


def _encoded(states: Any) -> BaseModelOutput:
    return BaseModelOutput(last_hidden_state=states)


class EncoderDecoderState:
    """Encoded prompts, and the decoder's state after each.

    Attributes:
        logits: the logits of the first token of each answer.
    """

    def __init__(self, network: EncoderDecoder, prompts: Sequence[Tokens]) -> None:
        self._network = network.network
        distinct = {tuple(prompt): row for row, prompt in enumerate(dict.fromkeys(map(tuple, prompts)))}
        states, mask = network.encode([list(prompt) for prompt in distinct])
        rows = torch.tensor([distinct[tuple(prompt)] for prompt in prompts], device=states.device)
        self._states, self._mask = _encoded(states[rows]), mask[rows]
        self._cache: Any = None
        self.logits = self._forward(torch.tensor([network.start] * len(prompts), device=states.device))

    def extend(self, alive: Sequence[int], tokens: Sequence[int]) -> Tensor:
        """Append one token to some answers; finished rows are computed too and ignored."""
        written = torch.zeros(len(self.logits), 1, dtype=torch.long, device=self.logits.device)
        rows = torch.tensor(list(alive), device=self.logits.device)
        written[rows, 0] = torch.tensor(list(tokens), device=self.logits.device)
        return self._forward(written)[rows]

    def _forward(self, written: Tensor) -> Tensor:
        outputs = self._network(
            encoder_outputs=self._states,
            attention_mask=self._mask,
            decoder_input_ids=written,
            past_key_values=self._cache,
            use_cache=True,
        )
        self._cache = outputs.past_key_values
        last: Tensor = outputs.logits[:, -1]
        return last
