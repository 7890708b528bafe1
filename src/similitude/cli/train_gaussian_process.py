"""``similitude train gaussian-process``: a Gaussian process over the vectors of a frozen encoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters, train_options
from similitude.data.listeners import NoteKeeper
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.gaussian_process.request import GprRequest
from similitude.training.keywords import PROCESS_RECIPE

__all__ = ["gaussian_process"]


@parameters.resolved
@dataclass(frozen=True, kw_only=True)
class ProcessOptions(GprRequest):
    """A request for a Gaussian process, each field an option."""

    encoder: Annotated[str, Parameter(group=parameters.COMMON, metavar="SYSTEM")]
    recipe: Annotated[GprRecipe, parameters.flat(parameters.TRAINING, **PROCESS_RECIPE.names)] = GprRecipe()


Request = Annotated[ProcessOptions, parameters.flat(parameters.MODEL)]


def gaussian_process(
    data: options.SeveralData,
    /,
    *,
    request: Request,
    setup: train_options.Setup,
    cached: options.Cache = options.CacheOptions(),
) -> None:
    """Train a Gaussian process on the vectors of a frozen encoder: scores with their uncertainty.

    Example: similitude train gaussian-process sample:opinions --encoder use --folder my-process
    """
    from similitude.training.train import train_gpr

    benchmarks = setup.benchmarks(data)
    parts = setup.holdout.parts(benchmarks, setup.input.benchmark, request.recipe.seed)
    with setup.progress(benchmarks) as bar:
        heard = NoteKeeper(bar)
        trained = train_gpr(parts, request, setup.folder, cache=cached.choice, listener=heard)
    train_options.deliver(trained, benchmarks, heard, setup.output)
