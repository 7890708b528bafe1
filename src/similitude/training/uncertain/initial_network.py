"""What a training of opinions begins with: a backbone, and all that follows from it, with a new head on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import Backbone, OpenedNetwork, open_backbone
from similitude.models.encoders.loader import LoadOptions
from similitude.models.files import ModelFiles
from similitude.systems.conditional.loader import own_pooling
from similitude.systems.evidence import Evidence
from similitude.systems.uncertain.architecture import ARCHITECTURE_FILE, DEFAULT_TEMPLATE, Architecture
from similitude.systems.uncertain.loader import build_network

__all__ = ["Start", "start_network"]


class Start(NamedTuple):
    """What a training begins with.

    Attributes:
        architecture: as far as it is known without the backbone.
        pooling: as the user says it; auto follows the backbone.
        usual_encoding: whether a model that cannot be read as the architecture says is read in another way.
        layers: of the backbone that are kept, from the first; 0 for all.
        adapters: the rank of adapters, beside which the backbone is left as it is; 0 for none: all of it learns.
    """

    architecture: Architecture
    pooling: Literal["auto", "cls", "mean", "last"] = "auto"
    usual_encoding: bool = False
    layers: int = 0
    adapters: int = 0


def start_network(how: LoadOptions, start: Start, *, evidence: Evidence | None = None) -> OpenedNetwork:
    """A backbone with a new head on it, whose weights are random: a model yet to be trained.

    Args:
        how: to load the backbone.
        start: what is to be built on it, and what of that follows from the backbone.
        evidence: what is gathered beside the tokens.

    Raises:
        MissingExtraError: torch or sentence-transformers is not installed.
        ArgumentError: the model cannot be loaded, does not read plain text through a transformer, or cannot be read in
            this way.
    """
    backbone = open_backbone(how, how.files.settings(ARCHITECTURE_FILE).get("longest"))
    if start.layers:
        from similitude.systems.uncertain.language_backbone import truncate_layers

        truncate_layers(backbone.transformer, start.layers, f"model '{how.files.reference}'")
    opened = build_network(backbone, _suited(backbone, start, how.files), how.files, evidence)
    if start.adapters:
        from similitude.training.adapters import add_adapters

        add_adapters(opened.network.transformer, start.adapters)
    return opened


def _suited(backbone: Backbone, start: Start, source: ModelFiles) -> Architecture:
    """The architecture with what follows from the backbone: how pairs are read, and how token vectors become one.

    Raises:
        ArgumentError: the model cannot be read as it says.
    """
    from similitude.systems.uncertain.language_backbone import is_language_model

    architecture, pooling = start.architecture, start.pooling
    is_forward = is_language_model(backbone.transformer)
    if architecture.encoding == "joint" and start.usual_encoding and (is_forward or _is_for_cross(start)):
        architecture = replace(architecture, encoding="cross")
    if pooling == "auto":
        pooling = "last" if is_forward and architecture.encoding != "joint" else own_pooling(backbone.model)
    if is_forward and architecture.encoding == "cross":
        architecture = replace(architecture, template=architecture.template or DEFAULT_TEMPLATE)
    architecture = replace(architecture, pooling=pooling)
    _check_reading(architecture)
    return _with_separator(backbone, architecture, source) if architecture.encoding == "joint" else architecture


def _is_for_cross(start: Start) -> bool:
    """Whether something is asked for that a joint reading does not know."""
    return start.pooling == "last" or start.architecture.template != ""


def _check_reading(architecture: Architecture) -> None:
    """What would be left unheard, or misread, is refused.

    Raises:
        ArgumentError: a template where texts are also read alone, or the last token where texts are split.
    """
    encoding = architecture.encoding
    if architecture.template and encoding != "cross":
        raise ArgumentError(
            f"a template makes one text of a pair, and architecture '{encoding}' reads texts alone",
            remedy="take --architecture cross, or leave --template out",
        )
    if architecture.pooling == "last" and encoding == "joint":
        raise ArgumentError(
            "architecture 'joint' does not pool by the last token",
            remedy="take --architecture cross, or --pooling mean",
        )


def _with_separator(backbone: Backbone, architecture: Architecture, source: ModelFiles) -> Architecture:
    """The architecture with the mark between two texts.

    Raises:
        ArgumentError: the tokeniser has none.
    """
    separator = backbone.model.tokenizer.sep_token_id
    if separator is None:
        raise ArgumentError(
            "has no separator token, by which a joint reading tells the two texts apart",
            where=f"model '{source.reference}'",
            remedy="take --architecture cross or --architecture bi",
        )
    return replace(architecture, separator=int(separator))
