"""``similitude measures``: list the measures."""

from __future__ import annotations

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results

__all__ = ["measures"]


def measures(*, json: options.Json = False) -> None:
    """List the measures with range, direction and meaning.

    Example: similitude measures --json
    """
    from similitude.evaluate.measures import MEASURES, catalogue
    from similitude.report import measures_table

    print_notes(map(str, MEASURES.listed().broken))
    if json:
        print_json(
            [
                {
                    "name": str(m),
                    "meaning": m.meaning,
                    "higher_is_better": m.higher_is_better,
                    "low": m.low if abs(m.low) < float("inf") else None,
                    "high": m.high if abs(m.high) < float("inf") else None,
                    "needs": sorted(m.requires),
                    "ties": m.on_ties,
                    "undefined": m.undefined,
                }
                for m in catalogue()
            ]
        )
        return
    results.print(measures_table(catalogue()))
    results.print(
        "Any k: ndcg@5. Dissimilar first: ndcg@5(reverse=true). Any two: hmean(spearman, ncg@10). "
        "Own border: f1_high(border=4), auc(border=3). Own target: recall_at(precision=0.95), cost(1, 5).",
        style="dim",
    )
