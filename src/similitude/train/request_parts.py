"""What all trainings in Python share: the model to start from, several data, and the folder of the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.study.model import Model
from similitude.systems.attach_cache import CacheChoice
from similitude.training.kinds import PreparedTraining

__all__ = ["Folder", "several_benchmarks", "trained_model"]

Folder = str | Path | None
"""Where a model is saved; None for a folder that goes with the model."""


def trained_model(
    training: PreparedTraining,
    benchmarks: Sequence[Benchmark],
    out: Folder,
    listener: Listener | None,
    cache: CacheChoice = None,
) -> Model:
    """The model of a training in its folder, or in one that is removed with the model."""
    data = training.parts(benchmarks)
    if out is not None:
        return Model(training.train(data, out, listener, cache))
    folder = mkdtemp(prefix="similitude-model-")
    try:
        return Model(training.train(data, folder, listener, cache), temporary=True)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise


def several_benchmarks(data: BenchmarkData | Sequence[BenchmarkData]) -> list[Benchmark]:
    """One benchmark, or each of a list of benchmarks; a list of records is one."""
    if isinstance(data, list | tuple) and not all(isinstance(each, Mapping) for each in data):
        return [open_benchmark(each) for each in data]
    return [open_benchmark(data)]
