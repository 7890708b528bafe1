"""The transformer inside a sentence-transformers model, for networks that add layers of their own to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.encoders.loader import LoadOptions, open_model, token_model
from similitude.models.encoders.text_model import Text, TokenModel
from similitude.models.files import ModelFiles

__all__ = ["Backbone", "OpenedNetwork", "open_backbone", "token_reader"]


class Backbone(NamedTuple):
    """A model of sentence-transformers and the transformer inside it.

    Attributes:
        model: has the tokeniser, and can save itself.
        transformer: returns ``last_hidden_state``.
        width: the size of its hidden states.
        reads_forward: whether it is causal, as language models are; its texts are then padded on the right.
    """

    model: Any
    transformer: Any
    width: int
    reads_forward: bool = False


class OpenedNetwork(NamedTuple):
    """A network built on a backbone, with the tokeniser that feeds it.

    Attributes:
        network: a torch module with an ``architecture``, in evaluation mode, on its device.
        reader: tokenises texts and computes their rows.
        backbone: the model of sentence-transformers, which can save itself.
    """

    network: Any
    reader: TokenModel
    backbone: Any


def open_backbone(how: LoadOptions, longest: int | None = None) -> Backbone:
    """Load a model and find its transformer.

    Args:
        how: how to load it.
        longest: the maximum number of tokens per text; None leaves it to the model.

    Raises:
        MissingExtraError: torch or sentence-transformers is not installed.
        ArgumentError: the model cannot be loaded, or is not a transformer that reads text.
    """
    model = open_model(how, "SentenceTransformer")
    from similitude.models.encoders.fused_mpnet import fuse_mpnet
    from similitude.models.encoders.language_backbone import is_language_model

    if longest:
        model.max_seq_length = int(longest)
    transformer = getattr(model[0], "model", None)
    if transformer is None or not hasattr(getattr(transformer, "config", None), "hidden_size"):
        raise _no_transformer(how.files)
    fuse_mpnet(transformer)
    reads_forward = is_language_model(transformer)
    if reads_forward:
        model.tokenizer.padding_side = "right"
    return Backbone(model, transformer, transformer.config.hidden_size, reads_forward)


def token_reader(backbone: Backbone, forward: Callable[[dict[str, Any]], Any], files: ModelFiles) -> TokenModel:
    """A model that tokenises with the backbone's tokeniser and computes rows with a network built on it.

    Args:
        backbone: has the tokeniser.
        forward: maps a dict of tensors to a tensor with one row per text.
        files: names the model in the error.

    Raises:
        ArgumentError: the model does not read plain text.
    """
    reader = token_model(backbone.model, forward, _never, is_plain=True)
    if not isinstance(reader, TokenModel):
        raise _no_transformer(files)
    return reader


def _never(texts: list[Text], prompt: str) -> NDArray[np.float32]:
    raise NotImplementedError("the network takes tokens, not texts")


def _no_transformer(files: ModelFiles) -> ArgumentError:
    return ArgumentError(
        "it is not a transformer that reads text through a tokeniser",
        where=f"model '{files.reference}'",
        remedy="name an encoder of transformers or sentence-transformers",
    )
