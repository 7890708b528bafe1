"""Opens a backbone, or a model trained by Similitude, as a network with its tokeniser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import Backbone, OpenedNetwork, open_backbone, token_reader
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE, HEAD_FILE, Architecture

if TYPE_CHECKING:
    from similitude.systems.conditional.network import ConditionalNetwork

__all__ = [
    "OpenedNetwork",
    "architecture_of",
    "build_network",
    "fill_head",
    "head_weights",
    "open_network",
    "own_pooling",
]


def architecture_of(files: ModelFiles) -> Architecture:
    """The architecture stored in the folder of a trained model.

    Raises:
        ArgumentError: the model was not trained by 'similitude train'.
    """
    record = files.settings(ARCHITECTURE_FILE)
    if "architecture" not in record:
        raise ArgumentError(
            f"was not trained by 'similitude train': it has no {ARCHITECTURE_FILE}",
            where=f"model '{files.reference}'",
            remedy=f"to use the untrained model, write encoder({files.reference}, condition=append)",
        )
    if "system" in record:
        raise ArgumentError(
            "was trained as an uncertain model, not as a conditional one",
            where=f"model '{files.reference}'",
            remedy=f"write {record['system']}({files.reference})",
        )
    return Architecture.from_record(record["architecture"], files.reference)


def open_network(how: LoadOptions, architecture: Architecture) -> OpenedNetwork:
    """The backbone with the layers of the architecture, with weights from the folder if it has any, else random.

    Raises:
        MissingExtraError: torch or sentence-transformers is not installed.
        ArgumentError: the model cannot be loaded, or does not read plain text through a transformer.
    """
    backbone = open_backbone(how, how.files.settings(ARCHITECTURE_FILE).get("longest"))
    return build_network(backbone, architecture, how.files)


def build_network(backbone: Backbone, architecture: Architecture, files: ModelFiles) -> OpenedNetwork:
    """A network on a backbone that is loaded already, with the model that reads for it.

    Raises:
        ArgumentError: the model does not read plain text, or cannot average the tokens of one text.
    """
    from similitude.models.encoders.recorded_forward import recorded_on_gpu
    from similitude.systems.conditional.network import ConditionalNetwork

    separator = backbone.model.tokenizer.sep_token_id
    _check_pooled(architecture, separator, files)
    network = ConditionalNetwork(
        backbone.transformer,
        architecture,
        backbone.width,
        reads_forward=backbone.reads_forward,
        separator=separator,
    )
    network.to(backbone.model.device)  # the head stays in float32 even if the backbone is in half precision
    fill_head(network, files)
    _fuse_half(backbone)
    forward = network.embed if architecture.encoding != "cross" else _as_column(network)
    reader = replace(
        token_reader(backbone, recorded_on_gpu(forward, str(backbone.model.device)), files),
        template=architecture.template,
        side_template=architecture.side_template,
        tail_mark=architecture.tail_mark,
    )
    return OpenedNetwork(network.eval(), reader, backbone.model)


def _check_pooled(architecture: Architecture, separator: int | None, files: ModelFiles) -> None:
    if architecture.pooled == "all" or (separator is not None and architecture.pooling == "mean"):
        return
    why = "its tokeniser has no separator" if separator is None else f"its pooling is {architecture.pooling}"
    raise ArgumentError(
        f"cannot average the tokens of the {architecture.pooled} alone: {why}",
        where=f"model '{files.reference}'",
        remedy="omit --pooled" if separator is None else "add --pooling mean, or omit --pooled",
    )


def _fuse_half(backbone: Backbone) -> None:
    """Fuse the layers of a model in half precision on a GPU: it is used, not trained."""
    weight = next(backbone.transformer.parameters())
    if not weight.is_cuda or weight.element_size() > 2:
        return
    from similitude.models.encoders.fused_layers import fuse_layers, has_triton
    from similitude.models.encoders.fused_mpnet import join_projections

    if has_triton():
        join_projections(backbone.transformer)
        fuse_layers(backbone.transformer)


def own_pooling(backbone: Any) -> Literal["cls", "mean"]:
    """The pooling of a sentence-transformers model if it is cls or mean; else mean."""
    modes = [getattr(module, "pooling_mode", None) for module in backbone]
    return "cls" if "cls" in modes else "mean"


def head_weights(files: ModelFiles) -> dict[str, NDArray[np.float32]]:
    """The weights of the head as arrays, without torch; empty if there are none."""
    path = files.file(HEAD_FILE)
    if path is None:
        return {}
    from safetensors.numpy import load_file

    return {name: np.asarray(value, np.float32) for name, value in load_file(path).items()}


def fill_head(network: Any, files: ModelFiles) -> None:
    """Load the weights of the head from the folder, if it has any.

    Raises:
        ArgumentError: the weights do not fit the architecture.
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
