"""The figures of the four papers: complete, distinct, and consistent with what the papers say of them elsewhere."""

from collections import Counter

import pytest

from similitude.errors import ArgumentError, UnknownNameError
from similitude.report.papers.printed_figures import (
    PAPERS,
    PrintedFigure,
    printed_figure,
    printed_figures,
    printed_paper,
)

# Cells of each table, counted on the page: rows x columns less the empty cells and those that say N/A.
CELLS = {
    "giccs": {"Table 1": 13, "Table 2": 60, "Table 3": 6, "Table 4": 4, "Table 5": 14, "Table 6": 4, "Section 3": 10},
    "csts": {
        "Table 2": 20,
        "Table 3": 30,
        "Table 4": 64,
        "Table 6": 10,
        "Table 7": 10,
        "Table 8": 95,
        "Table 9": 50,
        "Table 10": 6,
        "Table 11": 270,
        "Table 12": 270,
        "Figure 3": 2,
        "Section 1": 3,
        "Section 3": 6,
    },
    "usts": {
        "Table 1": 12,
        "Table 3": 48,
        "Table 4": 12,
        "Table 5": 18,
        "Table 6": 18,
        "Table 7": 140,
        "Table 8": 14,
        "Table 9": 8,
        "Table 10": 6,
        "Figure 1": 5,
        "Figure 2": 4,
        "Figure 3": 6,
        "Figure 5": 7,
        "Figure 6": 4,
        "Section 3.3": 4,
    },
    "task_oriented": {"Table 1": 15, "Table 2": 102, "Table 3": 9, "Section 2": 2, "Figure 1": 4, "Section 3.2": 6},
}


def value(paper: str, table: str, row: str, column: str) -> float:
    number = printed_figure(paper, table, row, column).number
    assert number is not None
    return number


@pytest.mark.parametrize("paper", PAPERS)
def test_every_cell_is_there_once(paper: str) -> None:
    figures = printed_figures(paper)
    assert Counter(figure.table for figure in figures) == CELLS[paper]
    assert len({figure.place for figure in figures}) == len(figures)
    assert set(printed_paper(paper).tables) == set(CELLS[paper])


def test_a_cell_is_read_with_its_digits_spread_and_unit() -> None:
    figure = printed_figure("csts", "Table 3", "Bi-encoder, RoBERTa-base", "Pearson")
    assert (figure.value, figure.spread, figure.decimals, figure.unit) == (22.3, 14.1, 1, "x 100")
    assert printed_figure("csts", "Table 8", "Bi-encoder, RoBERTa-base", "Learning Rate").value == 3e-5
    assert printed_figure("usts", "Table 3", "Amount, ratio", "XNLI") == PrintedFigure(
        "usts", "Table 3", "Amount, ratio", "XNLI", 49.0, printed="49.0%", unit="%"
    )
    assert printed_figure("csts", "Table 8", "Tri-encoder, RoBERTa-base", "Objective").value == "Quad + MSE"


def test_a_cell_that_the_text_lost_says_so() -> None:
    figure = printed_figure("usts", "Table 8", "(4) BERT-lr-MC", "USTS-U, r")
    assert figure.value is None
    assert figure.number is None
    assert "lost" in figure.note


def test_an_unknown_place_names_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="no paper named 'ust'; did you mean 'usts'"):
        printed_figures("ust")
    with pytest.raises(ArgumentError, match="tables: Table 1; Table 2"):
        printed_figure("giccs", "Table 9", "overall", "alpha")
    with pytest.raises(ArgumentError, match="rows of Table 1: BAS SmartKom, 3-turn"):
        printed_figure("giccs", "Table 1", "all", "alpha")
    with pytest.raises(ArgumentError, match=r"columns of this row: alpha$"):
        printed_figure("giccs", "Table 1", "overall", "kappa")


@pytest.mark.parametrize("task", ["Task 1", "Task 2", "Task 3"])
def test_ranks_of_the_task_oriented_paper_are_those_of_its_correlations(task: str) -> None:
    rows = {figure.row for figure in printed_figures("task_oriented") if figure.place[2] == "Task 1, Rank"}
    rho = {row: value("task_oriented", "Table 2", row, f"{task}, rho") for row in rows}
    for row in rows:
        rank = 1 + sum(other > rho[row] for other in rho.values())
        assert value("task_oriented", "Table 2", row, f"{task}, Rank") == rank


def test_sizes_of_usts_add_up() -> None:
    parts = ("TED-X", "XNLI", "PAWS-X")
    for row in ("Amount, raw", "Amount, σ > 0.5"):
        whole = value("usts", "Table 3", row, "USTS")
        assert sum(value("usts", "Table 3", row, part) for part in parts) == whole
    for part in (*parts, "USTS"):
        many = value("usts", "Table 3", "Amount, raw", part)
        ratio = 100 * value("usts", "Table 3", "Amount, σ > 0.5", part) / many
        assert value("usts", "Table 3", "Amount, ratio", part) == pytest.approx(ratio, abs=0.06)


def test_what_csts_says_in_its_introduction_stands_in_its_tables() -> None:
    assert value("csts", "Section 1", "SimCSE on C-STS", "Spearman") == value(
        "csts", "Table 3", "Bi-encoder, SimCSE-large", "Spearman"
    )
    assert value("csts", "Section 1", "GPT-4 on C-STS", "Spearman") == value(
        "csts", "Table 4", "Short, GPT-4", "4-shot"
    )


def test_tokens_of_giccs_are_turns_times_their_average_length() -> None:
    """A domain has whole dialogues of 3 or 5 turns; the paper cuts the average length after two digits (739 / 65)."""
    for figure in printed_figures("giccs"):
        if figure.column == "Tokens":
            length = value("giccs", "Table 2", figure.row, "Average turn length")
            tokens = value("giccs", "Table 2", figure.row, "Tokens")
            many = int(figure.row[0])
            turns = many * round(tokens / length / many)
            assert tokens / turns == pytest.approx(length, abs=0.01), figure
