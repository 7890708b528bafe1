"""The tables of the task-oriented paper: where the figures of a study stand in them."""

from __future__ import annotations

from similitude.report.papers.template import Template

__all__ = ["TEMPLATES"]

_MEASURES = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "ndcg@avgrank": "nDCG_AvgRank",
    "ncg@avgrank": "nCG_AvgRank",
    "f1_low": "F1_low",
    "f1_high": "F1_high",
    "accuracy_low": "Accuracy_low",
    "accuracy_high": "Accuracy_high",
}
_TABLE_1 = {**_MEASURES, "ndcg": "nDCG_all", "accuracy_3bin": "Accuracy", "f1": "F1"}
_TABLE_2 = {
    **_MEASURES,
    "ndcg": "nDCG",
    "f1": "hmean(F1_low, F1_high)",
    "hmean(pearson, f1)": "hmean(Pearson, F1)",
    "hmean(spearman, f1)": "hmean(Spearman, F1)",
    "macro_avg(f1_low, f1_high)": "macro_avg(F1_low, F1_high)",
    "hmean(pearson, ncg@avgrank)": "hmean(Pearson, nCG_AvgRank)",
    "hmean(spearman, ncg@avgrank)": "hmean(Spearman, nCG_AvgRank)",
    "hmean(accuracy_low, accuracy_high)": "hmean(Accuracy_low, Accuracy_high)",
    "place": "Rank",
    "sample:text-reuse": "Task 1",
    "sample:related": "Task 2",
    "sample:find-related": "Task 3",
    "corpus-20090418": "Task 1",
    "pairs": "Task 2",
    "articles": "Task 3",
}

TEMPLATES: tuple[Template, ...] = (
    Template(table="Table 1", row="{measure}", column="{other}", names=_TABLE_1, only={"figure": "mean"}),
    Template(
        table="Section 2",
        source="Table 1",
        row="submissions to SemEval 2012",
        column="value",
        only={"figure": "systems"},
    ),
    Template(
        table="Section 2",
        source="Table 1",
        row="largest difference of ranks, Pearson and Spearman",
        column="value",
        only={"figure": "largest", "measure": "pearson", "other": "spearman"},
    ),
    Template(table="Table 2", row="{measure}", column="{task}, {figure}", names=_TABLE_2),
    Template(
        table="Section 3.2",
        source="Table 2",
        row="{task}",
        column="{figure}",
        names=_TABLE_2,
        only={"figure": ("best", "worst")},
        times=100,
    ),
)
