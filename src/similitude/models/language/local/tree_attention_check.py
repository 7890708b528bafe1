"""Tests whether a causal network reads a tree of tokens correctly, on a small tree when the network is opened.

The documentation of some hundred architectures does not say, and a network that ignores the mask would give wrong
results. The test costs two rows of a dozen tokens.
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
"""Maximum mean error of a log-probability, relative to the difference that another branch makes. In float32 it is some
millionths, in bfloat16 a hundredth; a network that sees the other branch has an error of about 1.
"""


def reads_trees(network: Any) -> bool:
    """Whether each branch gets the same probabilities as when it is read alone."""
    kinds = getattr(network.config.get_text_config(decoder=True), "layer_types", None) or ()
    if not set(kinds) <= KINDS:
        return False
    try:
        return _reads_trees(TreeNetwork(network), SequentialNetwork(network))
    except Exception as error:
        if is_out_of_memory(error):
            raise
        return False  # It does not accept the mask, the positions or the cache.


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
