"""What all trainings in Python share: the model to start from, several data, and the folder of the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError
from similitude.study.model import Model
from similitude.training.train import Trained

__all__ = ["Folder", "named_backbone", "saved_model", "several_benchmarks"]

Folder = str | Path | None
"""Where a model is saved; None for a folder that goes with the model."""


def named_backbone(model: object, caller: str) -> str:
    """The model to start from as a request names it.

    Raises:
        ArgumentError: it is an object, such as a loaded model.
    """
    if isinstance(model, str | Path):
        return str(model)
    remedy = "name a folder, or a model on the hub; a loaded model has to be saved in a folder first"
    raise ArgumentError(f"{caller}: model= is {type(model).__name__}, which names no model", remedy=remedy)


def saved_model(train: Callable[[str | Path], Trained], out: Folder) -> Model:
    """The model of a training in its folder, or in one that is removed with the model."""
    if out is not None:
        return Model(train(out))
    folder = mkdtemp(prefix="similitude-model-")
    try:
        return Model(train(folder), temporary=True)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise


def several_benchmarks(data: BenchmarkData | Sequence[BenchmarkData]) -> list[Benchmark]:
    """One benchmark, or each of a list of benchmarks; a list of records is one."""
    if isinstance(data, list | tuple) and not all(isinstance(each, Mapping) for each in data):
        return [open_benchmark(each) for each in data]
    return [open_benchmark(data)]
