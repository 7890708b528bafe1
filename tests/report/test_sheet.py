"""Sheets: sections in order, everything escaped, nothing from outside."""

from similitude.drawing import Curve, Figure, Panel, curve_plot
from similitude.report.page.sheet import Section, Sheet, sheet_page
from similitude.report.tables import Table
from similitude.report.tables.table import TableCell, TableColumn


def sheet(**changes):
    table = Table(
        name="figures",
        caption="What was found.",
        columns=(TableColumn(head="figure", is_header=True), TableColumn(head="value")),
        rows=((TableCell(text="alpha"), TableCell(text="0.74", value=0.74)),),
    )
    svg = curve_plot("grows", [Curve(name="mean", x=[1, 2], y=[1.0, 2.0])], x_name="raters")
    section = Section(
        name="agreement",
        title="Agreement",
        words=("Some <b>words</b>.",),
        figures=(Figure((Panel("", "", svg),), "It grows."),),
        tables=(table,),
        facts=(("files", "a.csv"),),
    )
    given = {"kind": "reliability", "name": "<mine>", "about": "3 items", "summary": "Sound.", "sections": (section,)}
    return sheet_page(Sheet(**(given | changes)))


def test_a_sheet_shows_all_that_a_section_holds():
    page = sheet()
    for part in ("Agreement", "What was found.", "0.74", "It grows.", "a.csv", "<svg", 'href="#agreement"'):
        assert part in page


def test_everything_is_escaped_and_nothing_comes_from_outside():
    page = sheet()
    assert "&lt;mine&gt;" in page
    assert "<b>words" not in page
    assert "http" not in page.replace('http-equiv="Content-Security-Policy"', "")


def test_simulated_judgements_are_marked():
    assert "No person was asked" not in sheet()
    assert "No person was asked" in sheet(simulated="SIMULATED judgements")
