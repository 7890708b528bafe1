"""Opening a backbone, or a model that was trained here, as a network with its tokeniser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, HEAD_FILE, Architecture
from similitude.systems.encoders.loading import How, open_model, token_model
from similitude.systems.encoders.models import Text, TokenModel
from similitude.systems.encoders.sources import Source

if TYPE_CHECKING:
    from similitude.systems.conditional.network import Network

__all__ = ["Opened", "architecture_of", "head_weights", "open_network", "own_pooling"]


class Opened(NamedTuple):
    """A network and what turns texts into its tokens.

    Attributes:
        network: in evaluation mode, on its device.
        reader: tokenises, and computes rows for a keeper.
        backbone: as sentence-transformers loaded it: it knows how to save itself.
    """

    network: Network
    reader: TokenModel
    backbone: Any


def architecture_of(source: Source) -> Architecture:
    """What the folder of a trained model says of itself.

    Raises:
        ArgumentError: it was not trained here.
    """
    record = source.settings(ARCHITECTURE_FILE)
    if "architecture" not in record:
        raise ArgumentError(
            f"was not trained by 'similitude train': it has no {ARCHITECTURE_FILE}",
            where=f"model '{source.reference}'",
            remedy=f"for the untrained model, write encoder({source.reference}, condition=append)",
        )
    return Architecture.from_record(record["architecture"], source.reference)


def open_network(how: How, architecture: Architecture) -> Opened:
    """The backbone with the layers of the architecture; their weights from the folder where it has any, else random.

    Raises:
        MissingExtraError: torch or sentence-transformers is not installed.
        ArgumentError: the model cannot be loaded, or does not read plain text through a transformer.
    """
    backbone = open_model(how, "SentenceTransformer")
    longest = how.source.settings(ARCHITECTURE_FILE).get("longest")
    if longest:
        backbone.max_seq_length = int(longest)
    from similitude.systems.conditional.network import Network

    transformer = getattr(backbone[0], "model", None)
    if transformer is None or not hasattr(getattr(transformer, "config", None), "hidden_size"):
        raise _no_transformer(how.source)
    network = Network(transformer, architecture, transformer.config.hidden_size)
    network.to(device=backbone.device, dtype=transformer.dtype)
    _fill_head(network, how.source)
    forward = network.embed if architecture.encoding != "cross" else _as_column(network)
    reader = token_model(backbone, forward, _never, is_plain=True)
    if not isinstance(reader, TokenModel):
        raise _no_transformer(how.source)
    return Opened(network.eval(), reader, backbone)


def own_pooling(backbone: Any) -> Literal["cls", "mean"]:
    """How a model of sentence-transformers pools, if by cls or mean; else mean."""
    modes = [getattr(module, "pooling_mode", None) for module in backbone]
    return "cls" if "cls" in modes else "mean"


def head_weights(source: Source) -> dict[str, NDArray[np.float32]]:
    """The weights of our own layers as arrays, without torch; empty where there are none."""
    path = source.file(HEAD_FILE)
    if path is None:
        return {}
    from safetensors.numpy import load_file

    return {name: np.asarray(value, np.float32) for name, value in load_file(path).items()}


def _fill_head(network: Network, source: Source) -> None:
    path: Path | None = source.file(HEAD_FILE)
    if path is None or not network.architecture.has_head:
        return
    from safetensors.torch import load_file

    try:
        network.head.load_state_dict(load_file(path))
    except RuntimeError as error:
        why = " ".join(str(error).split())[:200]
        raise ArgumentError(
            f"{HEAD_FILE} does not fit {ARCHITECTURE_FILE}: {why}", where=f"model '{source.reference}'"
        ) from None


def _as_column(network: Network) -> Any:
    return lambda features: network(features).unsqueeze(-1)


def _never(texts: list[Text], prompt: str) -> NDArray[np.float32]:
    raise NotImplementedError("a network is handed tokens")


def _no_transformer(source: Source) -> ArgumentError:
    return ArgumentError(
        "it is no transformer that reads text through a tokeniser",
        where=f"model '{source.reference}'",
        remedy="name an encoder of transformers or sentence-transformers",
    )
