"""How much of a large model is used and trained: the same for all kinds of networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import Backbone, open_backbone
from similitude.models.encoders.loader import LoadOptions
from similitude.systems.conditional.architecture import ARCHITECTURE_FILE

__all__ = ["BackboneChoice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackboneChoice:
    """Which layers of a backbone are kept, and which of its weights are trained.

    Attributes:
        layers: the number of layers to keep, from the first; 0 for all.
        adapters: the rank of adapters, with a frozen backbone; 0 for none.
        frozen: whether the backbone is frozen and only what is built on it is trained.
        in_half: whether frozen weights are kept in half precision on a GPU that has it.
    """

    layers: int = 0
    adapters: int = 0
    frozen: bool = False
    in_half: bool = True

    def __post_init__(self) -> None:
        if self.frozen and self.adapters:
            raise ArgumentError(
                "--frozen trains nothing of the model, and --adapters trains adapters in it",
                remedy="use one of the two",
            )

    def open(self, how: LoadOptions) -> Backbone:
        """Load the backbone, with the layers that are kept.

        Raises:
            MissingExtraError: torch or sentence-transformers is not installed.
            ArgumentError: the model cannot be loaded, is not a text transformer, or has fewer layers.
        """
        backbone = open_backbone(how, how.files.settings(ARCHITECTURE_FILE).get("longest"))
        if self.layers:
            from similitude.models.encoders.language_backbone import truncate_layers

            truncate_layers(backbone.transformer, self.layers, f"model '{how.files.reference}'")
        return backbone

    def freeze(self, network: Any) -> None:
        """Add adapters to the network's transformer, or freeze it, as requested.

        Raises:
            ArgumentError: it has no layers for adapters, or nothing is left to train.
        """
        if not (self.adapters or self.frozen):
            return
        if self.adapters:
            from similitude.training.adapters import add_adapters

            add_adapters(network.transformer, self.adapters)
        else:
            network.transformer.requires_grad_(False)
        if not any(weight.requires_grad for weight in network.parameters()):
            raise ArgumentError(
                "a frozen model with a plain cosine has nothing to train",
                remedy="add --mlp, or use --architecture shift, joint or cross",
            )
        if self.in_half:
            _halve_frozen(network.transformer)


def _halve_frozen(transformer: Any) -> None:
    """Keep frozen weights in bfloat16 on a GPU that has it: half the memory, and no conversion in each step."""
    import torch

    if not next(transformer.parameters()).is_cuda or not torch.cuda.is_bf16_supported():
        return
    for weight in transformer.parameters():
        if not weight.requires_grad and weight.is_floating_point():
            weight.data = weight.data.to(torch.bfloat16)
