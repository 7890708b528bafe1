"""The table of evidence: every printed figure with ours, as rows, counts and Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from reproduction import beyond, other_papers, usts_mixture, usts_tables
from reproduction.outcome import STATUSES, Figures, Ours, Outcome, outcome_of
from reproduction.reasons import is_setting, reason_for
from reproduction.usts_corpus import Corpus
from similitude.report.papers.printed_figures import PAPERS, PrintedFigure, printed_figures, printed_paper

ROOT = Path(__file__).parents[2]
EVIDENCE = ROOT / "evidence"


def usts() -> Figures:
    corpus = Corpus(EVIDENCE / "usts")
    found: Figures = {}
    for compute in (
        usts_tables.table_1,
        usts_tables.table_3,
        usts_tables.table_4,
        usts_tables.table_5,
        usts_mixture.table_6_and_figure_5,
        usts_tables.table_8,
        usts_tables.table_9,
        usts_tables.table_10,
        usts_tables.figure_1,
        usts_tables.figure_2,
        usts_tables.figure_3,
    ):
        found |= compute(corpus)
    return found


def computed(paper: str) -> Figures:
    """Our figures of a paper, by table, row and column."""
    makers = {
        "usts": usts,
        "giccs": other_papers.giccs,
        "csts": lambda: other_papers.csts_filters(ROOT / "studies"),
        "task_oriented": other_papers.task_oriented,
    }
    return makers[paper]()


def outcomes(paper: str, ours: Figures) -> list[Outcome]:
    """A row for each printed figure.

    Raises:
        KeyError: we computed a figure that the paper does not print.
    """
    figures = printed_figures(paper)
    unknown = set(ours) - {figure.place for figure in figures}
    if unknown:
        raise KeyError(f"{paper} prints no {sorted(unknown)}")
    return [outcome_of(each, ours.get(each.place), _reason(each, ours), is_setting(each)) for each in figures]


def _reason(figure: PrintedFigure, ours: Figures) -> str:
    return "" if figure.place in ours else reason_for(figure)


def all_outcomes() -> list[Outcome]:
    """Every figure of the four papers, and those of Ruddit."""
    rows = [outcome for paper in PAPERS for outcome in outcomes(paper, computed(paper))]
    return rows + beyond.ruddit(EVIDENCE / "ruddit")


def counts(rows: Iterable[Outcome]) -> dict[str, Counter[str]]:
    """How many figures of each paper came to what."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        found.setdefault(row.figure.paper, Counter())[row.status] += 1
    return found


def count_lines(rows: list[Outcome]) -> Iterator[str]:
    """The counts as a Markdown table."""
    yield "| | figures | " + " | ".join(STATUSES) + " |"
    yield "|---|---|" + "---|" * len(STATUSES)
    for paper, found in counts(rows).items():
        cells = [str(found[status]) for status in STATUSES]
        yield f"| {_name(paper)} | {found.total()} | {' | '.join(cells)} |"
    whole = Counter(row.status for row in rows)
    yield f"| **all** | **{whole.total()}** | {' | '.join(f'**{whole[status]}**' for status in STATUSES)} |"


def table_lines(rows: list[Outcome], *, whole: bool = False) -> Iterator[str]:
    """One Markdown table for each table of a paper.

    Args:
        rows: the figures.
        whole: list figures that were not computed one by one; by default those of one table with the same reason are
            one line.
    """
    for (paper, table), found in groupby(rows, key=lambda row: (row.figure.paper, row.figure.table)):
        part = list(found)
        yield f"### {_name(paper)}, {table}" if paper in PAPERS else f"### {table}"
        yield ""
        if paper in PAPERS:
            yield f"{printed_paper(paper).tables[table]}"
            yield ""
        listed = [row for row in part if whole or row.ours is not None]
        yield from _listed(listed)
        yield from _summed([row for row in part if row not in listed])


def _listed(rows: list[Outcome]) -> Iterator[str]:
    if not rows:
        return
    yield "| row | column | theirs | ours | status | why, or how |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        figure = row.figure
        cells = (figure.row, figure.column, figure.printed, written(row), row.status, row.why)
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    yield ""


def _summed(rows: list[Outcome]) -> Iterator[str]:
    """Figures that were not computed, by their reason."""
    for status, why in dict.fromkeys((row.status, row.why) for row in rows):
        same = [row.figure for row in rows if (row.status, row.why) == (status, why)]
        yield f"*{status}*, {len(same)} ({_short([f'{each.row}: {each.column}' for each in same])}): {why}."
        yield ""


def _short(names: list[str]) -> str:
    return "; ".join(names) if len(names) < 5 else f"{names[0]} to {names[-1]}"


def written(row: Outcome) -> str:
    """Our figure with one digit more than the paper prints."""
    ours = row.ours
    if ours is None or isinstance(ours.value, str):
        return "-" if ours is None else ours.value
    digits = row.figure.decimals + 1 if row.figure.decimals or not float(ours.value).is_integer() else 0
    text = f"{ours.value:.{digits}f}" + ("%" if row.figure.printed.endswith("%") else "")
    return text if ours.low is None else f"{text} ({_end(ours, digits)})"


def _end(ours: Ours, digits: int) -> str:
    return f"{ours.low:.{digits}f} to {ours.high:.{digits}f}"


def _name(paper: str) -> str:
    names = {"giccs": "GiCCS", "csts": "C-STS", "usts": "USTS", "task_oriented": "Task-oriented", "ruddit": "Ruddit"}
    return names[paper]
