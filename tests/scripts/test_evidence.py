"""``make evidence``: what the page calls reproduced is reproduced, every figure has its row, and reasons are given."""

import re
from pathlib import Path

import pytest

import evidence
from reproduction.evidence_table import all_outcomes, counts, outcomes, table_lines, written
from reproduction.outcome import STATUSES, Ours, Outcome, agrees, outcome_of
from similitude.report.papers.printed_figures import PAPERS, PrintedFigure, printed_figures

PAGE = Path(__file__).parents[2] / "docs" / "evidence.md"


def figure(printed: str, value: float | str | None = None) -> PrintedFigure:
    return PrintedFigure("usts", "T", "row", "column", float(printed) if value is None else value, printed=printed)


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("0.58", Ours(0.5849), True),
        ("0.58", Ours(0.5858), False),
        ("0.970", Ours(0.9704), True),
        ("0.970", Ours(0.9706), False),
        ("8900", Ours(8900), True),
        ("8900", Ours(8901), False),
        ("83", Ours(81.0, 78.4, 84.6), True),
        ("87", Ours(81.0, 78.4, 84.6), False),
        ("85", Ours(81.0, 78.4, 84.6), True),  # 84.6 rounds to 85
    ],
)
def test_a_figure_agrees_to_the_printed_digits_or_inside_the_range(printed: str, ours: Ours, same: bool) -> None:
    assert agrees(figure(printed), ours) is same


def test_what_a_figure_comes_to() -> None:
    told = figure("0.58")
    assert outcome_of(told, None, "no data", False) == Outcome(told, None, "cannot", "no data")
    assert outcome_of(told, Ours(0.7, note="other data"), "", False).status == "differs"
    assert outcome_of(told, None, "a choice", True).status == "setting"
    assert outcome_of(told, Ours(0.58), "", False).status == "reproduced"
    assert outcome_of(told, Ours(0.58, derived=True), "", False).status == "follows"


def test_ours_is_written_with_one_digit_more() -> None:
    assert written(Outcome(figure("0.58"), Ours(0.5858), "differs", "")) == "0.586"
    assert written(Outcome(figure("3"), Ours(2.0, 0.0, 5.0), "reproduced", "")) == "2 (0 to 5)"
    assert written(Outcome(figure("0.58"), None, "cannot", "")) == "-"


def test_a_figure_that_no_paper_prints_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError, match="usts prints no"):
        outcomes("usts", {("Table 3", "no such row", "USTS"): Ours(1.0)})


def test_only_the_made_part_of_a_page_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{evidence.START}\nold\n{evidence.END}\nafter\n")
    evidence.write(page, "new")
    assert page.read_text() == f"before\n{evidence.START}\n\nnew\n{evidence.END}\nafter\n"


@pytest.fixture(scope="module")
def rows() -> list[Outcome]:
    return all_outcomes()


@pytest.mark.slow
def test_every_figure_has_one_row_and_a_reason(rows: list[Outcome]) -> None:
    for paper in PAPERS:
        assert [row.figure for row in rows if row.figure.paper == paper] == list(printed_figures(paper))
    for row in rows:
        assert row.why or row.status in ("reproduced", "follows"), row.figure


@pytest.mark.slow
def test_nothing_that_the_page_calls_reproduced_has_stopped_being_so(rows: list[Outcome]) -> None:
    """The page is the record: a figure that is lost fails here, and so does one that is gained and not on the page."""
    for status in ("reproduced", "follows"):
        assert listed(page_lines(), status) == listed(table_lines(rows), status)


@pytest.mark.slow
def test_the_counts_on_the_page_are_those_of_today(rows: list[Outcome]) -> None:
    for paper, found in counts(rows).items():
        cells = " | ".join(str(found[status]) for status in STATUSES)
        assert f"| {found.total()} | {cells} |" in PAGE.read_text(encoding="utf-8"), paper


def page_lines() -> list[str]:
    return PAGE.read_text(encoding="utf-8").splitlines()


def listed(lines: object, status: str) -> list[tuple[str, str, str]]:
    """Table, row and column of the figures that a page lists under a status."""
    table, found = "", []
    for line in lines:  # type: ignore[attr-defined]
        if line.startswith("### "):
            table = line.removeprefix("### ")
        cells = re.split(r"(?<!\\) \| ", line.strip("| "))
        if len(cells) >= 5 and cells[4].strip() == status:
            found.append((table, cells[0], cells[1]))
    return found
