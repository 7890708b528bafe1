"""Every template of a paper puts figures where the paper prints some."""

import re
from importlib import import_module

import pytest

from similitude.errors import ArgumentError, UnknownNameError
from similitude.report.papers.printed_figures import PAPERS, printed_figures, printed_paper
from similitude.report.papers.template import Template, placed_figures
from similitude.study.study_run import StudyTable
from similitude.study.tables.table_keys import StudyFigure

TEMPLATES = [(paper, one) for paper in PAPERS for one in import_module(f"similitude.report.papers.{paper}").TEMPLATES]


def pattern(written: str) -> re.Pattern[str]:
    """What a row or column may read, whatever is varied."""
    return re.compile(
        "".join(".+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{.*?\})", written))
    )


@pytest.mark.parametrize(
    ("paper", "template"), TEMPLATES, ids=[f"{paper}-{n}" for n, (paper, _) in enumerate(TEMPLATES)]
)
def test_a_template_fits_a_place_that_is_printed(paper: str, template: Template):
    printed = [figure for figure in printed_figures(paper) if figure.table == template.table]
    assert template.table in printed_paper(paper).tables
    if template.column and not template.is_addition:  # without a column it is an addition of ours
        row, column = pattern(template.row), pattern(template.column)
        assert any(row.fullmatch(figure.row) and column.fullmatch(figure.column) for figure in printed), template


def test_a_template_of_exact_names_leaves_out_figures_with_more():
    exact = Template(table="t", row="{data}", column="{figure}", varied=("data", "figure"))
    assert exact.place(StudyFigure(at={"data": "a", "figure": "b"}, value=1.0)) == ("a", "b")
    assert exact.place(StudyFigure(at={"data": "a", "figure": "b", "of": "c"}, value=1.0)) is None


def placed(**keys: str) -> list[tuple[str, str]]:
    """Where rows and columns of a plan put two figures."""
    figures = tuple(StudyFigure(at={"system": "a", "data": data, "measure": "m"}, value=1.0) for data in ("x", "y"))
    table = StudyTable(name="T", layout="systems", title="", figures=figures, keys=keys)
    return [(each.row, each.column) for each in placed_figures(None, table)]


def test_a_plan_that_leaves_figures_out_or_puts_two_in_one_place_is_refused():
    assert placed(row="{system}", column="{data}") == [("a", "x"), ("a", "y")]
    with pytest.raises(UnknownNameError, match="varied in table 'T' named 'sytem'; did you mean 'system'"):
        placed(row="{sytem}")
    with pytest.raises(ArgumentError, match=r"two figures in row 'a', column 'm'; name what they differ in: \{data\}"):
        placed(row="{system}", column="{measure}")
