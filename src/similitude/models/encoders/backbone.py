"""The transformer inside a model, for rooms that build layers of their own on it."""

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
    """A model as sentence-transformers loaded it, and its transformer.

    Attributes:
        model: knows its tokeniser and how to save itself.
        transformer: gives ``last_hidden_state``.
        width: of its vectors.
    """

    model: Any
    transformer: Any
    width: int


class OpenedNetwork(NamedTuple):
    """A network that was built on a backbone, and what turns texts into its tokens.

    Attributes:
        network: a torch module with an ``architecture``, in evaluation mode, on its device.
        reader: tokenises, and computes rows for a keeper.
        backbone: as sentence-transformers loaded it: it knows how to save itself.
    """

    network: Any
    reader: TokenModel
    backbone: Any


def open_backbone(how: LoadOptions, longest: int | None = None) -> Backbone:
    """Load a model and find its transformer.

    Args:
        how: to load it.
        longest: tokens that it is to read at most; None leaves that to the model.

    Raises:
        MissingExtraError: torch or sentence-transformers is not installed.
        ArgumentError: the model cannot be loaded, or does not read plain text through a transformer.
    """
    model = open_model(how, "SentenceTransformer")
    if longest:
        model.max_seq_length = int(longest)
    transformer = getattr(model[0], "model", None)
    if transformer is None or not hasattr(getattr(transformer, "config", None), "hidden_size"):
        raise _no_transformer(how.files)
    return Backbone(model, transformer, transformer.config.hidden_size)


def token_reader(backbone: Backbone, forward: Callable[[dict[str, Any]], Any], files: ModelFiles) -> TokenModel:
    """What tokenises for a network built on the backbone, and computes rows with it.

    Args:
        backbone: whose tokeniser it is.
        forward: from tensors by name to a tensor with one row a text.
        files: for the error.

    Raises:
        ArgumentError: it does not read plain text.
    """
    reader = token_model(backbone.model, forward, _never, is_plain=True)
    if not isinstance(reader, TokenModel):
        raise _no_transformer(files)
    return reader


def _never(texts: list[Text], prompt: str) -> NDArray[np.float32]:
    raise NotImplementedError("a network is handed tokens")


def _no_transformer(files: ModelFiles) -> ArgumentError:
    return ArgumentError(
        "it is no transformer that reads text through a tokeniser",
        where=f"model '{files.reference}'",
        remedy="name an encoder of transformers or sentence-transformers",
    )
