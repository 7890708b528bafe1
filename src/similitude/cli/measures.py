"""``similitude measures``: list the measures."""

from __future__ import annotations

from similitude.cli import options
from similitude.cli.catalogue.listed_names import listed
from similitude.cli.console import print_json, print_notes, results

__all__ = ["measures"]


def measures(*, json: options.Json = False) -> None:
    """List the measures with range, direction and meaning.

    Example: similitude measures --json
    """
    from similitude.report.listings import measures_table

    found = listed("measures")
    print_notes(found.broken)
    if json:
        print_json(found.records)
        return
    results.print(measures_table(found.records))
    results.print(
        "Any k: ndcg@5. Dissimilar first: ndcg@5(reverse=true). Any two: hmean(spearman, ncg@10). "
        "Own border: f1_high(border=4), auc(border=3). Own target: recall_at(precision=0.95), cost(1, 5).",
        style="dim",
    )
