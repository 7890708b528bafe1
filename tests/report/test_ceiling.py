import math
from dataclasses import replace

import pytest

from similitude.gold.reliability.ceiling import Ceiling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.report.page.figures import interval_figure
from similitude.report.page.page import report_page
from similitude.report.page.summary import summary
from similitude.report.tables import corrected_table, ranking_table
from similitude.report.tables.ceiling import ceiling_notes, ceiling_rows
from similitude.study.ceiling import RunCeiling

KNOWN = Ceiling(one_person=Estimate(0.7, 0.6, 0.8), panel=Estimate(0.81, 0.7, 0.9), perfect=Estimate(0.9, 0.84, 0.95))
CORRECTED = Estimate(1.02, 0.9, 1.1)
NONE = Ceiling(one_person=undefined("nobody is named"), panel=undefined("no halves"), perfect=undefined("no halves"))


def with_ceiling(run, *ceilings, corrected=CORRECTED, notes=()):
    """The run with these ceilings for its measures; every system has the same corrected value where there is one."""
    row = tuple(None if one is None else corrected for one in ceilings)
    made = RunCeiling(
        judgements="made", items=60, level=0.95, ceilings=ceilings, corrected=(row,) * len(run.systems), notes=notes
    )
    return replace(run, ceiling=made)


@pytest.fixture
def known(plain):
    return with_ceiling(plain, KNOWN, None)


def test_rows_below_the_systems_and_empty_cells_for_other_measures(known):
    trivial, *rows = ranking_table(known).rows[2:]
    assert trivial[1].text == "the mean"
    assert [[cell.text for cell in row] for row in rows] == [
        ["", "one person", "0.700", ""],
        ["", "another panel", "0.810", ""],
        ["", "perfect system", "0.900", ""],
    ]
    assert rows[2][2].interval == "[0.84, 0.95]"
    assert rows[2][2].value == 0.9
    assert not any(cell.is_best for row in rows for cell in row)
    assert "Below the systems the human ceiling" in ranking_table(known).caption


def test_a_row_that_is_undefined_everywhere_is_left_out_with_its_reason(plain):
    partly = with_ceiling(plain, replace(KNOWN, one_person=undefined("nobody is named")), None, notes=("one more",))
    assert [row.name for row in ceiling_rows(partly)] == ["another panel", "perfect system"]
    assert list(ceiling_notes(partly)) == ["no ceiling for one person: nobody is named", "one more"]
    nothing = with_ceiling(plain, NONE, NONE)
    assert list(ceiling_rows(nothing)) == []
    assert list(ceiling_notes(nothing)) == [
        "no ceiling for one person: nobody is named",
        "no ceiling for another panel, perfect system: no halves",
    ]
    assert "human ceiling" not in ranking_table(nothing).caption


def test_a_row_that_is_undefined_on_one_measure_has_a_dash_and_a_note(plain):
    table = ranking_table(with_ceiling(plain, KNOWN, NONE))
    assert [row[3].text for row in table.rows[3:]] == ["–", "–", "–"]
    assert "undefined: no halves" in table.notes


def test_the_corrected_table(known, plain):
    table = corrected_table(known)
    assert [column.head for column in table.columns] == ["system", "corrected spearman"]
    assert [row[1].text for row in table.rows] == ["1.020", "1.020"]
    assert table.rows[0][1].interval == "[0.90, 1.10]"
    assert "can be above 1. In brackets the 95 % interval." in table.caption
    assert corrected_table(replace(plain, ceiling=None)) is None
    assert corrected_table(with_ceiling(plain, NONE, None, corrected=undefined("why"))) is None
    without = replace(known, ceiling=replace(known.ceiling, level=None))
    assert "interval" not in corrected_table(without).caption


def test_a_caveat_on_a_corrected_value_is_a_note(plain):
    found = corrected_table(
        with_ceiling(plain, KNOWN, None, corrected=Estimate(0.5, math.nan, math.nan, "no interval"))
    )
    assert found.notes == ("no interval",)
    assert found.rows[0][1].note == 1
    assert found.rows[0][1].interval == ""


def test_the_figure_has_a_line_for_each_reference(known, plain):
    drawn = interval_figure(known).panels[0].svg
    assert "perfect system 0.900 [0.84, 0.95]" in drawn
    assert interval_figure(known).caption.count("human ceiling") == 1
    without = with_ceiling(plain, None, KNOWN)
    assert "perfect system" not in interval_figure(without).panels[0].svg
    assert "human ceiling" not in interval_figure(without).caption


def test_the_summary_says_where_the_leader_stands(known, plain):
    said = summary(known)
    assert "one person reaches 0.700, and a perfect system would reach 0.900." in said
    assert "Without that noise levenshtein would stand at 1.020 [0.90, 1.10]." in said
    unnamed = with_ceiling(plain, replace(KNOWN, one_person=undefined("nobody is named")), None)
    assert "As gold is a sample of opinions, a perfect system would reach 0.900." in summary(unnamed)
    for nothing in (with_ceiling(plain, NONE, None), with_ceiling(plain, None, KNOWN), replace(plain, ceiling=None)):
        assert "perfect system" not in summary(nothing)


def test_the_page_has_a_part_of_its_own(known, plain):
    assert "Against the human ceiling" in report_page(known)
    assert "Against the human ceiling" not in report_page(replace(plain, ceiling=None))
