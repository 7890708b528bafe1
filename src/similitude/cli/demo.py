"""``similitude demo``: the built-in systems on the sample benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options
from similitude.cli.console import print_json, results
from similitude.cli.progress import progress_bar

__all__ = ["DEMO_SYSTEMS", "demo"]

DEMO_SYSTEMS = (
    "use-multilingual",
    "use-multilingual(context=prepend, condition=append)",
    "char-ngram-cosine(n=3)",
    "tfidf-cosine",
    "soft-tfidf",
    "word-ngram-jaccard(n=1)",
    "word-ngram-containment(n=1)",
    "longest-common-subsequence",
    "longest-common-substring",
    "greedy-string-tiling",
    "monge-elkan",
    "jaro-winkler",
    "levenshtein",
    "damerau",
    "length-ratio",
)
MEASURES = ("spearman", "pearson", "ndcg@10", "mae")


def demo(
    *,
    folder: Annotated[Path, Parameter(metavar="DIR", help="Where to save the runs.")] = Path("runs/demo"),
    json: options.Json = False,
) -> None:
    """Measure the built-in systems on the sample benchmark.

    The texts are ours; the judgements are SIMULATED by a seeded model of annotators, so the figures show how the tool
    works, not which system people would prefer.

    Example: similitude demo
    """
    from similitude.data.addresses import SAMPLE_PREFIX
    from similitude.report.comparison import comparison_table
    from similitude.samples import SAMPLE_PARTS
    from similitude.study import run

    records = {}
    for part in SAMPLE_PARTS:
        with progress_bar(f"sample:{part}") as listener:
            finished = run(f"{SAMPLE_PREFIX}{part}", DEMO_SYSTEMS, MEASURES, out=folder / part, listener=listener)
        records[part] = finished.record()
        if not json:
            results.print(comparison_table(finished, with_corrected=False))
            results.print()
    if json:
        print_json(records)
        return
    results.print(
        "The texts are ours, the judgements simulated. In the dialogues wording misleads by design, and one pair under"
    )
    results.print("two conditions looks the same to a system that does not read conditions: see docs/sample.md.")
    results.print(f"Saved in {folder}: every prediction, every figure, what made them (run.json).", markup=False)
    results.print(
        "Your own data: similitude evaluate pairs.csv --system use-multilingual --measure spearman", markup=False
    )
