import io
import math

import numpy as np
import pytest
from rich.console import Console

import similitude as sim
from similitude.report.latex import latex_table
from similitude.report.markdown import markdown_table
from similitude.report.tables import (
    HeadSpan,
    Table,
    TableCell,
    TableColumn,
    breakdown_tables,
    corrected_table,
    p_value_table,
    part_tables,
    rank_change_table,
    ranking_table,
)
from similitude.report.tables.table import SHADES, Notes, full_heads, shade
from similitude.report.tables.thresholds import threshold_table
from similitude.report.terminal import terminal_table
from similitude.study.breakdown import breakdown


def texts(table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_every_row_has_a_cell_for_every_column(opinions, plain, hostile, dialogues):
    for run in (opinions, plain, hostile, dialogues):
        tables = [ranking_table(run), corrected_table(run), rank_change_table(run), p_value_table(run)]
        tables += [table for found in breakdown_tables(run, breakdown(run)) for table in found.tables]
        for table in filter(None, tables):
            assert {len(row) for row in table.rows} == {len(table.columns)}
            assert {cell.note for row in table.rows for cell in row} <= set(range(len(table.notes) + 1))
            assert sum(column.is_header for column in table.columns) == 1


def test_tables_of_simulated_judgements_say_so(opinions, hostile):
    for run in (opinions, hostile):
        tables = [ranking_table(run), corrected_table(run), rank_change_table(run), p_value_table(run)]
        tables += [table for found in breakdown_tables(run, breakdown(run)) for table in found.tables]
        assert {"SIMULATED" in table.caption for table in filter(None, tables)} == {run is opinions}


def test_the_ranking_is_best_first_with_one_best_figure_a_column(opinions):
    table = ranking_table(opinions)
    first = [row[2].value for row in table.rows[:4]]
    assert first == sorted(first, reverse=True)
    for column in (2, 3, 4):
        assert sum(row[column].is_best for row in table.rows) == 1
    assert [cell.text for cell in table.rows[0][5:]] == ["–"]
    assert table.notes == ("undefined: the system gives no standard deviation",)


def test_ranks_are_ranges_with_confidence_and_numbers_without(opinions, plain):
    ranks = sorted(row[0] for row in opinions.confidence.ranks[: len(opinions.systems)])
    for row, rank in zip(ranking_table(opinions).rows[:4], ranks, strict=True):
        assert row[0].text.split("–")[0] == str(rank.best)
    assert [row[0].text for row in ranking_table(plain).rows] == ["1", "2", "–", "", "", ""], (
        "two systems, the mean, three ceilings"
    )


def test_an_interval_that_is_missing_is_explained(scripted):
    benchmark = sim.Benchmark.from_columns(left=["a"], right=["b"], score=[3.0], scale="0..5")
    run = sim.run(benchmark, [scripted(benchmark, "one", 0.5)], ["mae"], resamples=50)
    table = ranking_table(run)
    assert table.rows[0][2].interval == ""
    assert "nothing to resample" in table.notes[table.rows[0][2].note - 1]


def test_rank_changes_are_the_upper_triangle(opinions):
    table = rank_change_table(opinions)
    assert [column.head for column in table.columns] == ["measure", "pearson", "mae"]
    assert "Not compared, as fewer than two systems have a figure: kl." in table.caption
    assert texts(table)[1][1] == ""
    assert all(float(cell.text) >= 0 for row in table.rows for cell in row[1:] if cell.text)


def test_nothing_to_compare_makes_no_table(plain, scripted):
    benchmark = plain.benchmark
    alone = sim.run(benchmark, ["jaro"], ["spearman", "mae"], resamples=20)
    assert rank_change_table(alone) is None
    assert p_value_table(alone) is None
    assert p_value_table(plain) is None


def test_p_values_are_the_lower_triangle_and_agree_with_the_letters(hostile):
    table = p_value_table(hostile)
    assert [[bool(text) for text in row[2:]] for row in texts(table)] == np.tri(4, 3, -1, dtype=bool).tolist()
    assert table.rows[-1][2].text == "–"
    for row in table.rows:
        for cell in row[2:]:
            assert cell.is_best == (cell.shade > 0)
            assert not cell.is_best or cell.value <= 0.05


def test_parts_come_as_columns_and_small_ones_by_name(opinions):
    domain, language, contention = breakdown_tables(opinions, breakdown(opinions))
    assert [column.head for column in contention.tables[0].columns] == [
        "system",
        "all",
        "uncontroversial",
        "contentious",
    ]
    assert [column.head for column in language.tables[0].columns] == ["system", "all", "en", "de", "zh"]
    assert len(language.tables) == 3, "kl is defined for nobody"
    assert domain.left_aside.startswith("Too small to measure (fewer than 10 items): question (9)")


def test_the_smaller_error_is_the_better_and_the_deeper(opinions):
    _, language, _ = breakdown_tables(opinions, breakdown(opinions))
    errors = language.tables[2]
    for column in range(1, 5):
        cells = [row[column] for row in errors.rows]
        best = min(cells, key=lambda cell: cell.value)
        assert best.is_best
        assert best.shade == max(cell.shade for cell in cells)


@pytest.mark.parametrize(("value", "depth"), [(0.0, 1), (0.5, 3), (1.0, SHADES), (math.nan, 0)])
def test_shades(value, depth):
    assert shade(value, [0.0, 1.0, math.nan]) == depth
    assert shade(value, [0.5, 0.5]) == 0


def test_the_same_words_are_one_note():
    notes = Notes()
    assert [notes.dash("a").note, notes.dash("b").note, notes.dash("a").note, notes.dash(None).note] == [1, 2, 1, 0]
    assert notes.all() == ("a", "b")


def test_a_part_shows_all_measures_and_a_dash_where_there_is_no_sigma(opinions):
    (found,) = breakdown(opinions, ["contention"])
    calm, contentious = part_tables(opinions, found)
    assert "contention: contentious, 21 items" in contentious.caption
    assert "SIMULATED" in calm.caption
    assert [column.head for column in calm.columns] == ["system", "spearman ↑", "pearson ↑", "mae ↓", "kl ↓"]
    for table in (calm, contentious):
        assert {row[-1].text for row in table.rows} == {"–"}, "no system here has a sigma"
        assert {table.notes[row[-1].note - 1] for row in table.rows} == {
            "undefined: the system gives no standard deviation"
        }
        assert sum(row[1].is_best for row in table.rows) == 1


SPANNED = Table(
    name="spanned",
    caption="c",
    columns=(TableColumn(head="system", is_number=False), TableColumn(head="r ↑"), TableColumn(head="ρ ↑")),
    rows=((TableCell(text="x"), TableCell(text="0.1", is_underlined=True), TableCell(text="0.2", is_best=True)),),
    spans=(HeadSpan(head="", columns=1), HeadSpan(head="usts u", columns=2)),
)


def test_heads_above_heads_in_every_form():
    assert full_heads(SPANNED) == ["system", "usts u r ↑", "usts u ρ ↑"]
    assert "| system | usts u r ↑ | usts u ρ ↑ |" in markdown_table(SPANNED)
    assert "<u>0.1</u> | **0.2**" in markdown_table(SPANNED)
    latex = latex_table(SPANNED, "data")
    assert "\\multicolumn{1}{c}{} & \\multicolumn{2}{c}{usts u} \\\\\n\\cmidrule(lr){2-3}\n" in latex
    assert "\\underline{0.1} & \\textbf{0.2}" in latex
    assert "$\\rho$ $\\uparrow$" in latex
    shown = io.StringIO()
    Console(file=shown, width=80).print(terminal_table(SPANNED))
    above, heads = shown.getvalue().splitlines()[1:3]
    assert above.split() == ["usts", "u"]
    assert heads.split() == ["system", "r", "↑", "ρ", "↑"]


def test_every_part_of_the_thresholds_says_by_which_measure_they_are_best():
    labels = [0.0, 1.0] * 10
    pairs = sim.Benchmark.from_columns("pairs", left=["a b"] * 20, right=["a c"] * 20, score=labels, scale="0..1")
    scores = {"mine": [label + at / 100 for at, label in enumerate(labels)]}
    run = sim.run(pairs, scores, ["f1_binary", "mcc"], resamples=0, quiet=True)
    console = Console(width=68, file=io.StringIO())
    console.print(terminal_table(threshold_table(run)))
    lines = [line for line in console.file.getvalue().splitlines() if "mine" in line]
    assert len(lines) == 4
    assert [("f1_binary" in line, "mcc" in line) for line in lines] == [(True, False), (False, True)] * 2
