"""Published figures of other papers whose data travels with the repository: Ruddit."""

from __future__ import annotations

import bz2
from pathlib import Path

import numpy as np
import polars as pl

import similitude as sim
from reproduction.outcome import Ours, Outcome, outcome_of
from similitude.gold.aggregation import make_aggregation
from similitude.gold.reliability.split_half import split_half
from similitude.report.papers.printed_figures import PrintedFigure

PLACEHOLDER = "gold_comment"
"""Stands for many comments and has no published score."""


def ruddit(folder: Path) -> list[Outcome]:
    answers = sim.read_judgements(folder / "Ruddit_individual_annotations.csv.bz2")
    reliable = split_half(answers, without=[PLACEHOLDER]).pearson
    counted = make_aggregation("counting").aggregate(answers, np.random.default_rng(0)).frame
    scores = pl.read_csv(bz2.decompress((folder / "Ruddit.csv.bz2").read_bytes()))
    both = scores.join(counted, left_on="comment_id", right_on="id")
    equal = int(((both["score"] - both["offensiveness_score"]).abs() <= 0.0005 + 1e-9).sum())
    return [
        _outcome(
            "split-half reliability",
            "Pearson",
            "0.88",
            Ours(reliable.value, reliable.low, reliable.high, "95 % interval"),
        ),
        _outcome("comments", "number", "6000", Ours(scores.height)),
        _outcome("published scores that counting gives to three decimals", "number", "6000", Ours(equal)),
    ]


def _outcome(row: str, column: str, printed: str, ours: Ours) -> Outcome:
    figure = PrintedFigure("ruddit", "Ruddit", row, column, float(printed), printed=printed)
    return outcome_of(figure, ours, "", False)
