"""Why a figure is not computed from what travels with the repository, and what it needs."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from similitude.report.papers.printed_figures import PrintedFigure

SETTINGS = {("csts", "Table 6"), ("csts", "Table 7"), ("task_oriented", "Table 3")}
"""Tables that hold choices and no results."""

DIALOGUES = 30
ROOT = Path(__file__).parents[2]
WITHIN = {("usts", "Table 8"): "Table 7", ("usts", "Figure 6"): "Table 7", ("usts", "Table 3"): ""}
"""Tables that come with another one of a study; the model of Table 3 of USTS with none."""

STUDIES = {"giccs": "giccs", "csts": "csts", "usts": "usts", "task_oriented": "task-oriented"}
SETTING_ROWS = ("pairs of the training set", "pairs of the test set")
SETTING_COLUMNS = ("Learning Rate", "Weight Decay", "Transform", "Objective", "Tri-Encoder Op.")
CHOICE = "a choice of the authors"
LOST = "the text that we have of the paper lost this cell"
CSTS = "C-STS is given out by request only (similitude data get csts)"
GICCS = "GiCCS is CC BY-NC-ND and has to be fetched by hand (similitude data get giccs)"
ANSWERS = "its published files hold no answers of annotators"
STSB_ZH = "needs bert-base-chinese fine-tuned on the Chinese STS-B"

REASONS = {
    ("giccs", "Table 1"): f"{ANSWERS}, only scores",
    ("giccs", "Table 2"): f"{GICCS}; similitude data stats then computes it",
    ("giccs", "Table 3"): f"{ANSWERS}, only scores",
    ("giccs", "Table 4"): f"{GICCS}; the expert's answers were not published",
    ("giccs", "Table 5"): f"{GICCS}, and needs seven models of the hub",
    ("giccs", "Table 6"): f"{GICCS}, and needs mGPT of the hub",
    ("giccs", "Section 3"): GICCS,
    ("csts", "Table 2"): f"{CSTS}, and needs five models of the hub",
    ("csts", "Table 3"): f"{CSTS}, and needs five models of the hub, trained in three ways",
    ("csts", "Table 4"): f"{CSTS}, and needs language models of up to 20 billion weights and paid endpoints",
    ("csts", "Table 8"): f"{CSTS}, and needs five models of the hub, trained over the whole sweep",
    ("csts", "Table 9"): "needs five models of the hub, trained on STS-B (similitude data get stsb-en)",
    ("csts", "Table 10"): f"{CSTS}, and needs RoBERTa of the hub, trained over the whole sweep",
    ("csts", "Table 11"): f"{CSTS}, and needs language models of up to 20 billion weights and paid endpoints",
    ("csts", "Table 12"): "needs language models of up to 20 billion weights and paid endpoints (data: stsb-en)",
    ("csts", "Figure 3"): f"{CSTS}, and needs SimCSE of the hub",
    ("csts", "Section 1"): f"{CSTS}, and needs SimCSE of the hub and a paid endpoint",
    ("csts", "Section 3"): CSTS,
    ("usts", "Table 1"): "STS-B is not in evidence/ (similitude data get stsb-en); the model was not published",
    ("usts", "Table 3"): STSB_ZH,
    ("usts", "Table 4"): "the published file has 11 of these pairs' 19 ratings: j goes up to 7",
    ("usts", "Table 5"): "the Chinese STS-B (CNSD) is not in evidence/, and it has no ratings",
    (
        "usts",
        "Table 7",
    ): "needs bert-base-chinese and SBERT of the hub in five settings, and the Chinese STS-B",
    ("usts", "Table 8"): "needs the trained models of Table 7",
    ("usts", "Figure 6"): "needs the trained models of Table 7",
    ("usts", "Section 3.3"): STSB_ZH,
    ("task_oriented", "Table 1"): "the 88 submissions to SemEval 2012 could not be found",
    ("task_oriented", "Table 2"): "the scores of the 14 systems of DKPro and the ZEIT corpus were not published",
    ("task_oriented", "Section 2"): "the 88 submissions to SemEval 2012 could not be found",
    ("task_oriented", "Section 3.2"): "the scores of the 14 systems of DKPro and the ZEIT corpus were not published",
}


def is_setting(figure: PrintedFigure) -> bool:
    """Whether a figure is a choice and no result."""
    in_table = (figure.paper, figure.table) in SETTINGS or figure.row in SETTING_ROWS
    return in_table or (figure.paper == "csts" and figure.column in SETTING_COLUMNS)


def reason_for(figure: PrintedFigure) -> str:
    """Why a figure was not computed."""
    if is_setting(figure):
        return CHOICE
    if figure.value is None:
        return LOST
    return REASONS[figure.paper, figure.table] + _standard_error(figure) + _study(figure)


def _study(figure: PrintedFigure) -> str:
    """The study that computes a figure where models and data are at hand."""
    reason = REASONS[figure.paper, figure.table]
    table = WITHIN.get((figure.paper, figure.table), figure.table)
    runs = ("needs " in reason or GICCS in reason) and table in _studied(figure.paper)
    return f"; similitude study run studies/{STUDIES[figure.paper]}.toml" if runs else ""


@cache
def _studied(paper: str) -> frozenset[str]:
    """The tables that the study of a paper has."""
    path = ROOT / "studies" / f"{STUDIES[paper]}.toml"
    plan = tomllib.loads(path.read_text(encoding="utf-8"))
    return frozenset(table["name"].partition(",")[0] for table in plan["tables"])


def _standard_error(figure: PrintedFigure) -> str:
    """What follows ``±`` in Table 6 of GiCCS: the standard error of an accuracy over the 30 dialogues of a length."""
    if figure.paper != "giccs" or figure.spread is None or figure.number is None:
        return ""
    share = round(figure.number * DIALOGUES) / DIALOGUES
    return f"; its ± follows from it and 30 dialogues: {(share * (1 - share) / (DIALOGUES - 1)) ** 0.5:.4f}"
