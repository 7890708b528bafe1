"""Whether a causal network reads a tree of tokens as it should: tried on a small one when the network is opened.

Documentation does not say it of each of some hundred architectures, and a network that quietly ignores the mask would
give wrong figures. The trial costs two rows of a dozen tokens.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from similitude.models.batch_executor import is_out_of_memory
from similitude.models.language.local.sequential_network import SequentialNetwork
from similitude.models.language.local.tree_network import KINDS, TreeNetwork

__all__ = ["reads_trees"]

_MOST = 0.1
"""How far off a log-probability may be on average, in units of what another branch would change. In float32 it is some
millionths, in bfloat16 a hundredth; a network that sees the other branch is off by about 1."""


def reads_trees(network: Any) -> bool:
    """Whether the network gives each branch the probabilities that it has alone."""
    kinds = getattr(network.config.get_text_config(decoder=True), "layer_types", None) or ()
    if not set(kinds) <= KINDS:
        return False
    try:
        return _reads_trees(TreeNetwork(network), SequentialNetwork(network))
    except Exception as error:
        if is_out_of_memory(error):
            raise
        return False  # It does not take the mask, the places or the cache: that is an answer, too.


def _reads_trees(tree: TreeNetwork, plain: SequentialNetwork) -> bool:
    vocabulary = tree.network.config.get_text_config(decoder=True).vocab_size
    word = iter(range(7, 10_000, 13))
    stem, left, right, more = ([next(word) % vocabulary for _ in range(count)] for count in (6, 2, 3, 2))
    prompts = [stem + left, stem + right]
    state = tree.read(prompts)
    found = [state.logits, state.extend([0, 1], more)]
    after = [[*prompt, token] for prompt, token in zip(prompts, more, strict=True)]
    alone = [torch.stack([plain.logits(text)[-1] for text in texts]) for texts in (prompts, after)]
    pairs = [(_shares(ours), _shares(theirs)) for ours, theirs in zip(found, alone, strict=True)]
    return all(_apart(ours, theirs) <= _MOST * _apart(theirs[0], theirs[1]) + 1e-6 for ours, theirs in pairs)


def _shares(logits: Tensor) -> Tensor:
    return torch.log_softmax(logits.float(), -1)


def _apart(left: Tensor, right: Tensor) -> float:
    return float((left - right).abs().mean())
