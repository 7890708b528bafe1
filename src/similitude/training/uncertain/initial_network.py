"""The network that a training of opinions starts from: a backbone with a new head."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import Backbone, OpenedNetwork
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.systems.conditional.loader import own_pooling
from similitude.systems.evidence import Evidence
from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.loader import build_network
from similitude.training.backbone_choice import BackboneChoice

__all__ = ["InitialNetwork", "build_initial_network"]


class InitialNetwork(NamedTuple):
    """What to build on a backbone.

    Attributes:
        architecture: as far as it is known without the backbone.
        pooling: auto follows the backbone.
        default_encoding: whether to read pairs in another way if the model cannot read them as the architecture says.
        layers: the number of layers to keep, from the first; 0 for all.
        adapters: the rank of adapters, with a frozen backbone; 0 to train all weights.
        in_half: whether frozen weights are kept in half precision on a GPU that has it.
    """

    architecture: Architecture
    pooling: Literal["auto", "cls", "mean", "last"] = "auto"
    default_encoding: bool = False
    layers: int = 0
    adapters: int = 0
    in_half: bool = True


def build_initial_network(
    how: LoadOptions, start: InitialNetwork, *, evidence: Evidence | None = None
) -> OpenedNetwork:
    """A backbone with a new head of random weights.

    Args:
        how: to load the backbone.
        start: what to build on it.
        evidence: further numbers for each pair.

    Raises:
        MissingExtraError: torch or sentence-transformers is not installed.
        ArgumentError: the model cannot be loaded, is not a text transformer, or cannot read pairs in this way.
    """
    choice = BackboneChoice(layers=start.layers, adapters=start.adapters, in_half=start.in_half)
    backbone = choice.open(how)
    opened = build_network(backbone, _suited(backbone, start, how.files), how.files, evidence)
    choice.freeze(opened.network)
    return opened


def _suited(backbone: Backbone, start: InitialNetwork, source: ModelFiles) -> Architecture:
    """The architecture, completed by the backbone: how pairs are read, and how token vectors are pooled.

    Raises:
        ArgumentError: the model cannot read pairs in this way.
    """
    architecture, pooling = start.architecture, start.pooling
    is_forward = backbone.reads_forward
    if architecture.encoding == "joint" and start.default_encoding and (is_forward or _is_for_cross(start)):
        architecture = replace(architecture, encoding="cross")
    if pooling == "auto":
        pooling = "last" if is_forward and architecture.encoding != "joint" else own_pooling(backbone.model)
    architecture = replace(architecture, pooling=pooling)
    _check_reading(architecture)
    architecture = _shown(backbone, architecture)
    return _with_separator(backbone, architecture, source) if architecture.encoding == "joint" else architecture


def _shown(backbone: Backbone, architecture: Architecture) -> Architecture:
    """The architecture with what stands between its texts: a language model's templates, or an encoder's mark."""
    if backbone.reads_forward and architecture.encoding != "joint":
        of_texts = architecture.of_texts.with_templates()
        return replace(architecture, template=of_texts.template, side_template=of_texts.side_template)
    if architecture.needs_condition and architecture.parts == 1 and not architecture.template:
        return replace(architecture, mark=backbone.model.tokenizer.sep_token or "\n")
    return architecture


def _is_for_cross(start: InitialNetwork) -> bool:
    """Whether something is requested that joint encoding does not support."""
    return start.pooling == "last" or start.architecture.template != ""


def _check_reading(architecture: Architecture) -> None:
    """Check that template and pooling suit the encoding.

    Raises:
        ArgumentError: there is a template and texts are also read alone, or last-token pooling with joint encoding.
    """
    encoding = architecture.encoding
    if architecture.template and encoding != "cross":
        raise ArgumentError(
            f"a template makes one text of a pair, but architecture '{encoding}' reads texts alone",
            remedy="use --architecture cross, or omit --template",
        )
    if architecture.side_template and encoding != "bi":
        raise ArgumentError(
            f"--side-template shows a text that is read alone, but architecture '{encoding}' reads both together",
            remedy="use --architecture bi, or omit --side-template",
        )
    if architecture.pooling == "last" and encoding == "joint":
        raise ArgumentError(
            "architecture 'joint' does not support last-token pooling",
            remedy="use --architecture cross, or --pooling mean",
        )


def _with_separator(backbone: Backbone, architecture: Architecture, source: ModelFiles) -> Architecture:
    """The architecture with the separator token.

    Raises:
        ArgumentError: the tokeniser has none.
    """
    separator = backbone.model.tokenizer.sep_token_id
    if separator is None:
        raise ArgumentError(
            "has no separator token, which joint encoding needs between two texts",
            where=f"model '{source.reference}'",
            remedy="use --architecture cross or --architecture bi",
        )
    return replace(architecture, separator=int(separator))
