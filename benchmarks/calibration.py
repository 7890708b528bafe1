"""Kinds of calibration: the figures of ten systems after each, on the data that are given, or on the samples.

For each benchmark, scores are mapped to the gold scale from the declared range ("none"), or out of fold by a line, by
isotonic regression or by quantiles. A row gives means over systems: F1 at both ends of the scale (`f1`; 0 where a
system calls no pair low or high), the share of systems whose F1 is 0, `accuracy_3bin`, `f1_macro_3bin` and `mse`; and
Kendall's tau between the ranking of systems by `f1` and the ranking by the best F1 that any two borders on the system's
own scores reach on all items ("possible"). The mean of that F1 stands in the title.

    python benchmarks/calibration.py sample:opinions sample:world sample:dialogues sample:conditions \
        evidence/usts/ustsu/test.json.bz2 evidence/usts/ustsc/test.json.bz2 \
        evidence/nlu-de/NLU-Data-Home-Domain-similarity-de.csv.bz2
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.stats import kendalltau

import similitude as sim
from similitude.evaluate.calibration import calibration_out_of_fold
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure

SYSTEMS = (
    "length-ratio", "levenshtein", "jaro-winkler", "longest-common-substring", "char-ngram-jaccard",
    "char-ngram-cosine", "word-ngram-jaccard", "tfidf-cosine", "monge-elkan", "use-multilingual",
)  # fmt: skip
SAMPLES = ("sample:opinions", "sample:world", "sample:dialogues", "sample:conditions")
KINDS = ("none", "linear", "isotonic", "quantile")
MEASURES = ("f1", "accuracy_3bin", "f1_macro_3bin", "mse")
HEADS = ("", "f1", "share of 0", *MEASURES[1:], "tau")
MOST_BORDERS = 400


def possible(gold: np.ndarray, scores: np.ndarray, scale: sim.Scale) -> float:
    """The best F1 at both ends that borders on these scores reach."""
    borders = np.unique(scores)
    if borders.size > MOST_BORDERS:
        borders = np.quantile(scores, np.linspace(0, 1, MOST_BORDERS))
    best = []
    for wanted, said in (
        (gold < scale.at(0.3), scores[None] <= borders[:, None]),
        (gold > scale.at(0.7), scores[None] >= borders[:, None]),
    ):
        best.append(float((2 * (said & wanted).sum(axis=1) / np.maximum(said.sum(axis=1) + wanted.sum(), 1)).max()))
    return 2 * best[0] * best[1] / max(sum(best), 1e-12)


def figures(run: sim.Run, kind: str) -> np.ndarray:
    """Systems x measures; a figure that is undefined because nothing is low or high counts 0."""
    made: Comparison = replace(run.comparison, calibrated=None)
    if kind != "none":
        found = calibration_out_of_fold(kind, run.predictions, made.gold, made.fold_of_item, made.groups)
        made = replace(made, calibrated=found.apply(run.predictions, made.gold, made.fold_of_item))
    return np.nan_to_num(np.stack([make_measure(name).values(made) for name in MEASURES], axis=1))


def compare(data: str) -> np.ndarray:
    """Print the table of one benchmark: kinds x columns."""
    run = sim.run(data, SYSTEMS, ["pearson"], resamples=0)
    gold, scale = run.benchmark.gold.scores, run.benchmark.scale
    best = [possible(gold, each.scores, scale) for each in run.predictions]
    table = Table(
        *("", "f1", "share of 0", *MEASURES[1:], "tau"), title=f"{run.data.name}, possible {np.mean(best):.3f}"
    )
    rows = []
    for kind in KINDS:
        found = figures(run, kind)
        tau = kendalltau(found[:, 0], best).statistic
        rows.append([found[:, 0].mean(), np.mean(found[:, 0] == 0), *found[:, 1:].mean(axis=0), tau])
        table.add_row(kind, *(f"{value:.3f}" for value in rows[-1]))
    Console(width=110).print(table)
    return np.array(rows)


def main() -> None:
    found = [compare(data) for data in sys.argv[1:] or SAMPLES]
    table = Table(*HEADS, title="mean over all data")
    for kind, row in zip(KINDS, np.nanmean(found, axis=0), strict=True):
        table.add_row(kind, *(f"{value:.3f}" for value in row))
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
