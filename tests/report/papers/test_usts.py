"""Figures of a study of USTS stand where the paper prints them."""

import pytest

from similitude.report.papers.printed_figures import printed_figure
from similitude.report.papers.template import placed_figures
from similitude.study.study_run import StudyTable
from similitude.study.tables.table_keys import StudyFigure

PLACES = [
    ("Table 3", {"data": "USTS", "domain": "pawsx", "figure": "pearson"}, ("Table 3", "Raters, r", "PAWS-X"), 1),
    (
        "Table 3",
        {"data": "USTS", "domain": "all", "figure": "contentious", "of": "share"},
        ("Table 3", "Amount, ratio", "USTS"),
        100,
    ),
    ("Table 4", {"source": "usts-c", "figure": "kl_by_raters", "raters": "14"}, ("Table 4", "USTS-C", "14"), 1),
    ("Table 5", {"data": "USTS-U", "figure": "mean_range", "of": "to"}, ("Table 5", "USTS-U", "μ, to"), 1),
    (
        "Table 6",
        {"data": "USTS-C", "figure": "components", "split": "test", "components": "2", "of": "share"},
        ("Table 6", "K = 2", "Testing, prop(%)"),
        100,
    ),
    ("Table 9", {"source": "usts-u", "figure": "kl_by_groups", "group": "Translator"}, ("Table 9", "USTS-U", "+PT"), 1),
    ("Table 10", {"language": "en", "source": "all", "figure": "word_overlap"}, ("Table 10", "en", "USTS"), 1),
    ("Figure 2", {"source": "usts-c", "figure": "growth_range", "of": "to"}, ("Figure 2", "USTS-C, σ", "to"), 1),
]


@pytest.mark.parametrize(("source", "at", "place", "times"), PLACES)
def test_a_figure_stands_at_its_printed_place(source, at, place, times):
    table = StudyTable(name=source, title="", layout="data", keys={}, figures=(StudyFigure(at=at, value=0.25),))
    (found,) = placed_figures("usts", table)
    assert (found.table, found.row, found.column) == place
    assert found.value == 0.25 * times
    assert printed_figure("usts", *place).number is not None


def test_sigma_of_usts_u_is_also_a_value_of_figure_3():
    at = {"data": "USTS-U", "figure": "sigma"}
    table = StudyTable(name="Table 5", title="", layout="data", keys={}, figures=(StudyFigure(at=at, value=0.27),))
    places = {(found.table, found.row) for found in placed_figures("usts", table)}
    assert places == {("Table 5", "USTS-U"), ("Figure 3", "mean σ of USTS-U")}
