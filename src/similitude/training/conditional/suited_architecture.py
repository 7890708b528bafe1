"""The architecture of a similarity model, completed by what its backbone is: an encoder or a language model."""

from __future__ import annotations

from dataclasses import replace

from similitude.errors import ArgumentError
from similitude.models.encoders.backbone import Backbone
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.loader import own_pooling
from similitude.training.conditional.request import SimilarityRequest

__all__ = ["suited"]


def suited(backbone: Backbone, request: SimilarityRequest) -> Architecture:
    """The requested architecture with pooling, separator and templates.

    A language model has no separator, so it is shown texts in templates, and it is asked at the end of the text.

    Raises:
        ArgumentError: a template does not suit the architecture, or the place of the condition has no effect.
    """
    shape, is_forward = request.architecture, backbone.reads_forward
    shape = replace(shape, template=_lines(shape.template), side_template=_lines(shape.side_template))
    pooling = request.pooling
    if pooling == "auto":
        pooling = "last" if is_forward else own_pooling(backbone.model)
    mark = backbone.model.tokenizer.sep_token
    shape = replace(shape, pooling=pooling, separator=mark or "\n")
    if not is_forward or shape.reads == "condition":
        keeps = bool(mark) and shape.reads_together and shape.reads == "all" and not shape.template
        return replace(shape, keeps_condition=keeps)
    if shape.place == "after" and shape.reads_sides and not shape.side_template:
        raise ArgumentError(
            "a language model is shown texts in a template, so that --place has no effect",
            remedy="omit --place, or write a --side-template with {text} and {condition}",
        )
    # A single layer over normalised vectors learns slowly; two are what ``train uncertain`` has.
    is_deep = shape.mlp or shape.encoding == "cross"
    return replace(shape.with_templates(), mlp=is_deep)


def _lines(template: str) -> str:
    r"""The template as written on a command line, where \n is a new line."""
    return template.replace(r"\n", "\n")
