"""Opening a backbone, or a model that was trained here, as a network with its tokeniser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import OpenedNetwork, open_backbone, token_reader
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, HEAD_FILE, Architecture

if TYPE_CHECKING:
    from similitude.systems.conditional.network import ConditionalNetwork

__all__ = ["OpenedNetwork", "architecture_of", "fill_head", "head_weights", "open_network", "own_pooling"]


def architecture_of(files: ModelFiles) -> Architecture:
    """What the folder of a trained model says of itself.

    Raises:
        ArgumentError: it was not trained here.
    """
    record = files.settings(ARCHITECTURE_FILE)
    if "architecture" not in record:
        raise ArgumentError(
            f"was not trained by 'similitude train': it has no {ARCHITECTURE_FILE}",
            where=f"model '{files.reference}'",
            remedy=f"for the untrained model, write encoder({files.reference}, condition=append)",
        )
    if "system" in record:
        raise ArgumentError(
            "was trained to say how far people differ, not what a condition changes",
            where=f"model '{files.reference}'",
            remedy=f"write {record['system']}({files.reference})",
        )
    return Architecture.from_record(record["architecture"], files.reference)


def open_network(how: LoadOptions, architecture: Architecture) -> OpenedNetwork:
    """The backbone with the layers of the architecture; their weights from the folder where it has any, else random.

    Raises:
        MissingExtraError: torch or sentence-transformers is not installed.
        ArgumentError: the model cannot be loaded, or does not read plain text through a transformer.
    """
    backbone = open_backbone(how, how.files.settings(ARCHITECTURE_FILE).get("longest"))
    from similitude.systems.conditional.network import ConditionalNetwork

    network = ConditionalNetwork(backbone.transformer, architecture, backbone.width)
    network.to(
        backbone.model.device
    )  # a backbone in half precision still has a head in float32, as it is handed vectors
    fill_head(network, how.files)
    forward = network.embed if architecture.encoding != "cross" else _as_column(network)
    return OpenedNetwork(network.eval(), token_reader(backbone, forward, how.files), backbone.model)


def own_pooling(backbone: Any) -> Literal["cls", "mean"]:
    """How a model of sentence-transformers pools, if by cls or mean; else mean."""
    modes = [getattr(module, "pooling_mode", None) for module in backbone]
    return "cls" if "cls" in modes else "mean"


def head_weights(files: ModelFiles) -> dict[str, NDArray[np.float32]]:
    """The weights of our own layers as arrays, without torch; empty where there are none."""
    path = files.file(HEAD_FILE)
    if path is None:
        return {}
    from safetensors.numpy import load_file

    return {name: np.asarray(value, np.float32) for name, value in load_file(path).items()}


def fill_head(network: Any, files: ModelFiles) -> None:
    """The layers of our own in a network get their weights from the folder, if it has any.

    Raises:
        ArgumentError: they do not fit.
    """
    path: Path | None = files.file(HEAD_FILE)
    if path is None or not len(network.head):
        return
    from safetensors.torch import load_file

    try:
        network.head.load_state_dict(load_file(path))
    except RuntimeError as error:
        why = " ".join(str(error).split())[:200]
        raise ArgumentError(
            f"{HEAD_FILE} does not fit {ARCHITECTURE_FILE}: {why}", where=f"model '{files.reference}'"
        ) from None


def _as_column(network: ConditionalNetwork) -> Any:
    return lambda features: network(features).unsqueeze(-1)
