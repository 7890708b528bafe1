"""Causal networks that read a whole tree of tokens in one row: the usual case.

What decides is the mask of attention, which says for each token which others it sees, and the places of tokens, which
need not be their positions in the row. A network whose layers see only a window of the last tokens gets a mask for
that, by places. Whether a network does as it is told is tried when it is opened (`trial`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache

from similitude.models.language.local.network import log_probabilities
from similitude.models.language.local.token_inputs import TokenChoice, Tokens
from similitude.models.language.local.token_trie import Tree

__all__ = ["KINDS", "Branching"]

KINDS = frozenset({"full_attention", "sliding_attention"})
"""Kinds of layers, as transformers calls them, whose masks are known here."""


@dataclass(frozen=True, slots=True)
class Branching:
    """A causal network.

    Attributes:
        network: as transformers loads it.
    """

    network: Any

    def likelihoods(self, choices: Sequence[TokenChoice]) -> list[list[float]]:
        """All prompts and options in one row. Only tokens that predict one of an option's get logits."""
        tree = Tree()
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

    def read(self, prompts: Sequence[Tokens]) -> BranchingReading:
        """All prompts in one row."""
        tree = Tree()
        ends = [tree.add(prompt)[-1] for prompt in prompts]
        cache = DynamicCache()
        tokens, places, sees, _ = inputs = self._inputs(tree)
        asked, rows_of_asked = np.unique(ends, return_inverse=True)
        logits = self.forward(*inputs, cache, asked.tolist())
        own = torch.tensor(ends, device=tokens.device)
        rows = torch.from_numpy(rows_of_asked).to(tokens.device)
        return BranchingReading(self, cache, logits[rows], sees[own], places, places[own] + 1)

    def _inputs(self, tree: Tree) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        device = self.network.device
        places = torch.from_numpy(tree.places()).to(device)
        return torch.tensor(tree.tokens, device=device), places, torch.from_numpy(tree.sees()).to(device), places

    def forward(
        self, tokens: Tensor, places: Tensor, sees: Tensor, all_places: Tensor, cache: DynamicCache, asked: list[int]
    ) -> Tensor:
        """Logits of the tokens asked for.

        Args:
            tokens: to be read.
            places: of each.
            sees: for each (row), which of all tokens (columns) it sees, those read before in front.
            all_places: of all tokens.
            cache: holds those read before, and then these too.
            asked: which of the tokens get logits.
        """
        logits: Tensor = self.network(
            input_ids=tokens[None],
            position_ids=places[None],
            attention_mask=self._masks(sees, places[:, None] - all_places[None, :]),
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=torch.tensor(asked, device=tokens.device),
        ).logits[0]
        return logits if len(logits) == len(asked) else logits[asked]

    def _masks(self, sees: Tensor, back: Tensor) -> Tensor | dict[str, Tensor]:
        """The mask, or one for each kind of layer where a network has several."""
        config = self.network.config.get_text_config(decoder=True)
        window = getattr(config, "sliding_window", None)
        kinds = set(getattr(config, "layer_types", None) or ())
        if window is None or kinds == {"full_attention"}:
            return self._mask(sees)
        near = self._mask(sees & (back < window))
        if kinds <= {"sliding_attention"}:
            return near
        return {"full_attention": self._mask(sees), "sliding_attention": near}

    def _mask(self, sees: Tensor) -> Tensor:
        """What is added to attention: nothing where a token is seen, else the lowest number."""
        dtype = self.network.dtype
        hidden = torch.full_like(sees, torch.finfo(dtype).min, dtype=dtype)
        return hidden.masked_fill(sees, 0.0)[None, None]


class BranchingReading:
    """Prompts that were read in one row, to which one token each is added at a time.

    Attributes:
        logits: of the token after each prompt.
    """

    def __init__(
        self, network: Branching, cache: DynamicCache, logits: Tensor, sees: Tensor, places: Tensor, next_places: Tensor
    ) -> None:
        self.logits = logits
        self._network, self._cache = network, cache
        self._sees, self._places, self._next = sees, places, next_places

    def go_on(self, alive: Sequence[int], tokens: Sequence[int]) -> Tensor:
        """Add one token after each of some prompts."""
        device = self._places.device
        rows = torch.tensor(list(alive), device=device)
        places = self._next[rows]
        itself = torch.zeros(len(self._sees), len(alive), dtype=torch.bool, device=device)
        itself[rows, torch.arange(len(alive), device=device)] = True
        self._sees = torch.cat([self._sees, itself], 1)
        self._places = torch.cat([self._places, places])
        self._next[rows] += 1
        written = torch.tensor(list(tokens), device=device)
        return self._network.forward(
            written, places, self._sees[rows], self._places, self._cache, list(range(len(alive)))
        )
