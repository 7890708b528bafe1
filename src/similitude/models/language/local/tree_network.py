"""Causal networks that read a whole tree of tokens in one row: the usual case.

The attention mask states which tokens each token attends to, and the position of a token may differ from its index in
the row. A network whose layers attend only to a window of recent tokens gets a mask for that, by position.
`tree_attention_check` tests whether a network obeys the mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache

from similitude.models.language.local.network import TransformersNetwork, log_probabilities
from similitude.models.language.local.token_inputs import TokenChoice, Tokens
from similitude.models.language.local.token_trie import TokenTrie

__all__ = ["KINDS", "TreeNetwork"]

KINDS = frozenset({"full_attention", "sliding_attention"})
"""Layer types, as transformers names them, whose masks are supported here."""


class TreeNetwork(TransformersNetwork):
    """A causal network that reads a tree of tokens."""

    def likelihoods(self, choices: Sequence[TokenChoice]) -> list[list[float]]:
        """Log-likelihoods of the options; all prompts and options form one row of tokens."""
        tree = TokenTrie()
        rows: list[int] = []
        tokens: list[int] = []
        for prompt, options in choices:
            last = tree.add(prompt)[-1]
            for option in options:
                rows += [last, *tree.add(option[:-1], after=last)]
                tokens += option
        asked, rows_of_asked = np.unique(rows, return_inverse=True)
        logits = self.forward(*self._inputs(tree), DynamicCache(), asked.tolist())
        each = log_probabilities(logits, rows_of_asked.tolist(), tokens)
        ends = list(accumulate((len(option) for choice in choices for option in choice.options), initial=0))
        sums = iter(sum(each[start:end]) for start, end in pairwise(ends))
        return [[next(sums) for _ in choice.options] for choice in choices]

    def read(self, prompts: Sequence[Tokens]) -> TreeState:
        """Read all prompts in one row."""
        tree = TokenTrie()
        ends = [tree.add(prompt)[-1] for prompt in prompts]
        cache = DynamicCache()
        tokens, positions, visible, _ = inputs = self._inputs(tree)
        asked, rows_of_asked = np.unique(ends, return_inverse=True)
        logits = self.forward(*inputs, cache, asked.tolist())
        own = torch.tensor(ends, device=tokens.device)
        rows = torch.from_numpy(rows_of_asked).to(tokens.device)
        return TreeState(self, cache, logits[rows], visible[own], positions, positions[own] + 1)

    def _inputs(self, tree: TokenTrie) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        device = self.network.device
        positions = torch.from_numpy(tree.positions()).to(device)
        return (
            torch.tensor(tree.tokens, device=device),
            positions,
            torch.from_numpy(tree.visible()).to(device),
            positions,
        )

    def forward(
        self,
        tokens: Tensor,
        positions: Tensor,
        visible: Tensor,
        all_positions: Tensor,
        cache: DynamicCache,
        asked: list[int],
    ) -> Tensor:
        """Logits of the requested tokens.

        Args:
            tokens: the tokens to read.
            positions: the position of each.
            visible: for each token (row), which of all tokens (columns) it attends to; those read before come first.
            all_positions: the positions of all tokens.
            cache: the key-value cache of earlier tokens; these tokens are added.
            asked: which of the tokens get logits.
        """
        logits: Tensor = self.network(
            input_ids=tokens[None],
            position_ids=positions[None],
            attention_mask=self._masks(visible, positions[:, None] - all_positions[None, :]),
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=torch.tensor(asked, device=tokens.device),
        ).logits[0]
        return logits if len(logits) == len(asked) else logits[asked]

    def _masks(self, visible: Tensor, back: Tensor) -> Tensor | dict[str, Tensor]:
        """The attention mask, or one per layer type if the network has several."""
        config = self.network.config.get_text_config(decoder=True)
        window = getattr(config, "sliding_window", None)
        kinds = set(getattr(config, "layer_types", None) or ())
        if window is None or kinds == {"full_attention"}:
            return self._mask(visible)
        near = self._mask(visible & (back < window))
        if kinds <= {"sliding_attention"}:
            return near
        return {"full_attention": self._mask(visible), "sliding_attention": near}

    def _mask(self, visible: Tensor) -> Tensor:
        """The additive attention mask: 0 for visible tokens, the lowest number for the others."""
        dtype = self.network.dtype
        hidden = torch.full_like(visible, torch.finfo(dtype).min, dtype=dtype)
        return hidden.masked_fill(visible, 0.0)[None, None]


class TreeState:
    """Prompts that were read in one row, and are extended by one token at a time.

    Attributes:
        logits: the logits of the token after each prompt.
    """

    def __init__(
        self,
        network: TreeNetwork,
        cache: DynamicCache,
        logits: Tensor,
        visible: Tensor,
        positions: Tensor,
        next_positions: Tensor,
    ) -> None:
        self.logits = logits
        self._network, self._cache = network, cache
        self._visible, self._positions, self._next = visible, positions, next_positions

    def extend(self, alive: Sequence[int], tokens: Sequence[int]) -> Tensor:
        """Append one token to some of the prompts."""
        device = self._positions.device
        rows = torch.tensor(list(alive), device=device)
        positions = self._next[rows]
        itself = torch.zeros(len(self._visible), len(alive), dtype=torch.bool, device=device)
        itself[rows, torch.arange(len(alive), device=device)] = True
        self._visible = torch.cat([self._visible, itself], 1)
        self._positions = torch.cat([self._positions, positions])
        self._next[rows] += 1
        written = torch.tensor(list(tokens), device=device)
        return self._network.forward(
            written, positions, self._visible[rows], self._positions, self._cache, list(range(len(alive)))
        )
