"""``similitude train uncertain``: models that predict how far people disagree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from similitude.cli import options, parameters, train_options
from similitude.data.listeners import NoteKeeper
from similitude.errors import ArgumentError
from similitude.systems.uncertain.architecture import Architecture, Encoding
from similitude.systems.uncertain.heads import make_head
from similitude.training.teacher import Teaching
from similitude.training.uncertain.request import OpinionRecipe, OpinionRequest

__all__ = ["uncertain"]

NEW_PAIRS_AN_ITEM: Final = 8
NO_OPTIONS: Final = (*train_options.COMPUTED, "encoding")


parameters.resolved(OpinionRecipe)


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class OpinionOptions(OpinionRequest):
    """A request for a model of people's opinions, each field an option."""

    model: train_options.Model
    recipe: Annotated[OpinionRecipe, parameters.flat(parameters.TRAINING)] = OpinionRecipe()
    architecture: Annotated[Architecture, parameters.flat(parameters.MODEL, without=NO_OPTIONS)] = Architecture()
    default_encoding: Annotated[bool, train_options.HIDDEN] = False
    teaching: Annotated[Teaching | None, train_options.HIDDEN] = None


@dataclass(frozen=True, kw_only=True)
class TeacherOptions:
    """A teacher, and the pairs that it labels.

    Attributes:
        teacher: a system that labels pairs nobody rated, to be learned from as well.
        new_pairs: pairs to make from the texts of DATA for the teacher. By default 8 per item.
        unlabelled: pairs of your own for the teacher to label.
    """

    teacher: Annotated[str | None, Parameter(metavar="SYSTEM")] = None
    new_pairs: Annotated[int | None, Parameter(validator=Number(gte=0), metavar="N")] = None
    unlabelled: Annotated[str | None, Parameter(metavar="DATA")] = None

    def asked(self, items: int) -> Teaching | None:
        """The teacher and how many new pairs it labels; None for no teacher.

        Raises:
            ArgumentError: there are pairs for a teacher, and no teacher.
        """
        if self.teacher is not None:
            usual = 0 if self.unlabelled is not None else NEW_PAIRS_AN_ITEM * items
            return Teaching(self.teacher, usual if self.new_pairs is None else self.new_pairs)
        for option, value in {"--new-pairs": self.new_pairs, "--unlabelled": self.unlabelled}.items():
            if value is not None:
                raise ArgumentError(
                    f"{option} is for a teacher", remedy=f"give --teacher SYSTEM, or leave {option} out"
                )
        return None


def uncertain(
    data: options.SeveralData,
    /,
    *,
    request: Annotated[OpinionOptions, parameters.flat(parameters.MODEL)],
    setup: train_options.Setup,
    architecture: Annotated[
        Encoding | None,
        Parameter(group=parameters.MODEL, help="How a pair is read. By default joint, and cross for a point."),
    ] = None,
    teacher: Annotated[TeacherOptions, parameters.flat(parameters.MODEL)] = TeacherOptions(),
    cached: options.Cache = options.CacheOptions(),
) -> None:
    """Train an encoder to predict how alike two texts are and how far people disagree.

    DATA holds every rater's rating, or sigma. Several are learned from together.

    Example: similitude train uncertain sample:opinions --model bert-base-uncased --folder my-model
    """
    from similitude.training.train import train_opinions

    wanted = _read_as(request, architecture)
    benchmarks = setup.benchmarks(data)
    pairs = None if teacher.unlabelled is None else setup.input.benchmark(teacher.unlabelled)
    parts = setup.holdout.parts(benchmarks, setup.input, wanted.recipe.seed)
    wanted = replace(wanted, teaching=teacher.asked(sum(len(part) for part in parts.train)))
    with setup.progress(benchmarks) as bar:
        heard = NoteKeeper(bar)
        needs_cache = bool(wanted.evidence) or wanted.teaching is not None
        cache = cached.choice if needs_cache else None
        trained = train_opinions(parts, wanted, setup.folder, heard, cache, pairs)
    train_options.deliver(trained, benchmarks, heard, setup.output)


def _read_as(request: OpinionRequest, encoding: Encoding | None) -> OpinionRequest:
    r"""The request with the chosen architecture, or the default of its head; \n in a template is a newline."""
    shape = replace(
        request.architecture,
        encoding=encoding or make_head(request.architecture.head).encoding,
        template=request.architecture.template.replace(r"\n", "\n"),
    )
    return replace(request, architecture=shape, default_encoding=encoding is None)
