"""Tables as objects of Hugging Face ``datasets``."""

from __future__ import annotations

from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.writing.benchmark import benchmark_table, split_tables
from similitude.data.writing.judgements import judgement_table
from similitude.errors import MissingExtraError

__all__ = ["dataset_of_benchmark", "dataset_of_judgements"]


def dataset_of_benchmark(benchmark: Benchmark) -> Any:
    """A ``datasets.Dataset``; a ``datasets.DatasetDict`` if items have splits.

    Raises:
        MissingExtraError: ``datasets`` is not installed.
    """
    datasets, table = _datasets(), benchmark_table(benchmark)
    if not benchmark.splits:
        return datasets.Dataset.from_polars(table)
    parts = split_tables(table, benchmark.frame["split"], keeps_order=True)
    return datasets.DatasetDict(
        {name: datasets.Dataset.from_polars(part, split=datasets.NamedSplit(name)) for name, part in parts.items()}
    )


def dataset_of_judgements(judgements: Judgements) -> Any:
    """A ``datasets.Dataset`` with one row per answer.

    Raises:
        MissingExtraError: ``datasets`` is not installed.
    """
    return _datasets().Dataset.from_polars(judgement_table(judgements))


def _datasets() -> Any:
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("Hugging Face 'datasets'", "huggingface") from None
    return datasets
