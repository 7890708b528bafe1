"""Queries: the texts whose candidates a task ranks. The pairs of a query share a group."""

from __future__ import annotations

from collections.abc import Sequence

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError
from similitude.evaluate.measures import Measure, ranks_one_list
from similitude.evaluate.tasks import Requirements
from similitude.study.benchmark_comparison import shared_groups

__all__ = ["check_queries"]


def check_queries(measured: Benchmark, requirements: Requirements, measures: Sequence[Measure]) -> None:
    """Check that items say which pairs belong to a query, if the task or a measure ranks the candidates of queries.

    Args:
        measured: the items that are measured.
        requirements: of the task.
        measures: further ones that were asked for.

    Raises:
        ArgumentError: no two items share a group, so that all pairs would be ranked as one list.
    """
    ranking = [] if requirements.ranks_queries else [str(each) for each in measures if ranks_one_list(each)]
    if not (requirements.ranks_queries or ranking) or shared_groups(measured) is not None:
        return
    who = f"{requirements.name} with {', '.join(ranking)}" if ranking else requirements.name
    raise ArgumentError(
        f"{who} ranks the candidates of each query, but the data has no queries: none of its {len(measured):,} pairs "
        "share a group",
        where=measured.name,
        remedy=f"name the column that says to which query a pair belongs, with --column group=NAME{_hint(measured)}; "
        "'evaluate -m ndcg@10' ranks all pairs as one list",
    )


def _hint(measured: Benchmark) -> str:
    """Left texts that occur more than once may be the queries."""
    different = measured.frame["left"].n_unique()
    return "" if different == len(measured) else f" (perhaps that of the left texts, of which {different:,} differ)"
