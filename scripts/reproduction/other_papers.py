"""What can be computed of GiCCS, C-STS and the task-oriented paper without their data: from prints and plans."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np

import similitude as sim
from reproduction.outcome import Figures, Ours
from similitude.evaluate.tasks.requirements import Requirements
from similitude.report.papers.printed_figures import printed_figures
from similitude.stats import competition_ranks, pearson

OWN_ROWS = "the mean of the two rows that the paper prints"
OWN_RHO = "the rank of the rho that the paper prints"
DESIGN = "what similitude.design plans for 60 dialogues of five utterances and ten triples each"

ANSCOMBE_X = (10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0)
ANSCOMBE = {
    "I": (ANSCOMBE_X, (8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68)),
    "II": (ANSCOMBE_X, (9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74)),
    "III": (ANSCOMBE_X, (7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73)),
    "IV": (
        (8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 19.0, 8.0, 8.0, 8.0),
        (6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89),
    ),
}
"""Anscombe (1973), Graphs in Statistical Analysis, The American Statistician 27."""


def giccs() -> Figures:
    found: Figures = {}
    printed = {figure.row: figure.number or 0.0 for figure in printed_figures("giccs") if figure.table == "Table 3"}
    for source in ("BAS SmartKom", "CROWDSS"):
        mean = (printed[f"{source}, 3-turn"] + printed[f"{source}, 5-turn"]) / 2
        found["Table 3", source, "Spearman"] = Ours(mean, mean - 5e-4, mean + 5e-4, OWN_ROWS, derived=True)
    return found | giccs_design()


def giccs_design() -> Figures:
    groups = [f"dialogue {number}" for number in range(60) for _ in range(5)]
    texts = [f"utterance {number}" for number in range(300)]
    items = sim.Benchmark.from_columns(left=texts, right=texts, group=groups)
    planned = sim.design(items, size=3, tuples=10, by_group=True, quiet=True)
    figures = {"triples": len(planned.frame), "triples of an utterance": planned.guarantees.appearances_min}
    return {("Section 3", row, "value"): Ours(value, note=DESIGN, derived=True) for row, value in figures.items()}


def task_oriented() -> Figures:
    return ranks() | anscombe() | proposals()


def ranks() -> Figures:
    """The rank columns of Table 2, from its correlations."""
    cells = {figure.place: figure for figure in printed_figures("task_oriented") if figure.table == "Table 2"}
    found: Figures = {}
    for task in ("Task 1", "Task 2", "Task 3"):
        rows = [row for _, row, column in cells if column == f"{task}, Rank"]
        rho = np.array([cells["Table 2", row, f"{task}, rho"].number for row in rows], dtype=float)
        for row, rank in zip(rows, competition_ranks(rho), strict=True):
            found["Table 2", row, f"{task}, Rank"] = Ours(float(rank), note=OWN_RHO, derived=True)
    return found


def anscombe() -> Figures:
    found: Figures = {}
    for name, (x, y) in ANSCOMBE.items():
        r = float(pearson(np.array(x), np.array(y)))
        found["Figure 1", name, "Pearson"] = Ours(r, note=f"{r:.5f}; the paper prints one number for all four")
    return found


def proposals() -> Figures:
    """What ``similitude choose`` takes for each of the nine kinds of tasks."""
    found: Figures = {}
    for needs in Requirements.plausible():
        row = f"{needs.cardinality}, {_title(needs.interest)}, {_title(needs.information)}"
        measure = str(needs.measure)
        found["Table 3", row, "proposed measure"] = Ours(measure, note=f"similitude choose takes {measure}")
    return found


def _title(word: str) -> str:
    return word if word == "k-best" else word.capitalize()


def csts_filters(studies: Path) -> Figures:
    """Table 6 as our plans of candidates have it."""
    found: Figures = {}
    for column, name in (("COCO", "coco"), ("Flickr30K", "flickr30k")):
        path = studies / f"candidates-csts-{name}.toml"
        plan = tomllib.loads(path.read_text(encoding="utf-8"))
        borders = [re.search(r"[<>]= ([\d.]+)$", text) for text in plan["filters"]["keep"]]
        values = [plan["pairs"]["k"], *(float(border[1]) for border in borders if border)]
        rows = ("k", "IOU, at most", "d_text, at least", "ratio, at least", "length, at least")
        for row, value in zip(rows, values, strict=True):
            found["Table 6", row, column] = Ours(value, note=f"studies/{path.name}")
    return found
