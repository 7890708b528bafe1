"""Tables that fit the terminal: blocks repeat the names, nothing is cut, texts become entries."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from similitude.report.fitted_table import FirstFitting, FittedColumn, FittedTable, broken_name


def drawn(table, width):
    shown = io.StringIO()
    Console(file=shown, width=width).print(table)
    return [line.rstrip() for line in shown.getvalue().splitlines() if line.strip(" ─")]


def numbers(names, columns, *, digits="0.123", head="m{}"):
    heads = (FittedColumn(head=head.format(n)) for n in range(columns))
    rows = tuple((Text(name), *(Text(digits) for _ in range(columns))) for name in names)
    return FittedTable(columns=(FittedColumn(head="system", holds="name"), *heads), rows=rows)


def test_a_table_that_fits_to_the_column_stands_in_one_block():
    # name 1 -> head "system" 6, three numbers of 5, three gaps of 2, two edges: 6 + 15 + 6 + 2 = 29
    table = numbers(["a", "b"], 3)
    assert table.fits(29)
    assert not table.fits(28)
    assert [line.split() for line in drawn(table, 29)] == [
        ["system", "m0", "m1", "m2"],
        ["a", "0.123", "0.123", "0.123"],
        ["b", "0.123", "0.123", "0.123"],
    ]


def test_one_column_less_gives_two_blocks_that_repeat_names_and_heads():
    lines = [line.split() for line in drawn(numbers(["a", "b"], 4), 35)]
    assert lines == [
        ["system", "m0", "m1"],
        ["a", "0.123", "0.123"],
        ["b", "0.123", "0.123"],
        ["system", "m2", "m3"],
        ["a", "0.123", "0.123"],
        ["b", "0.123", "0.123"],
    ]
    assert len(drawn(numbers(["a", "b"], 4), 36)) == 3


def test_blocks_have_about_as_many_columns_each():
    # five columns of 5 + 2 beside a name of 6: four fit into 36, but 3 + 2 reads better than 4 + 1
    assert numbers(["a"], 5).blocks(36) == [[0, 1, 2, 3], [0, 4, 5]]


def test_a_block_with_uneven_widths_falls_back_to_filling():
    columns = [FittedColumn(head="system", holds="name"), *(FittedColumn(head="x" * n) for n in (20, 5, 5, 5))]
    table = FittedTable(columns=tuple(columns), rows=())
    # 6 + 20 + 2 + 2 = 30; 5 more do not fit; even halves of two columns would need a third block
    assert table.blocks(30) == [[0, 1], [0, 2, 3, 4]]


@pytest.mark.parametrize("width", [24, 40, 60, 80])
def test_no_line_is_longer_than_the_screen_and_no_number_is_cut(width):
    table = numbers(["word-ngram-jaccard(n=2)", "use-multilingual"], 9, digits="-0.123")
    lines = drawn(table, width)
    assert max(map(cell_len, lines)) <= width
    assert "…" not in "".join(lines)
    assert sum(line.split().count("-0.123") for line in lines) == 18


def test_long_names_are_broken_at_their_marks_before_anything_else_gives_way():
    lines = drawn(numbers(["word-ngram-jaccard(n=2)"], 2), 33)
    assert [line.split() for line in lines[1:]] == [["word-ngram-", "0.123", "0.123"], ["jaccard(n=2)"]]
    assert broken_name("a_long_name", 7) == "a_long_\nname"
    assert broken_name("short", 16) == "short"
    assert broken_name("unbreakable", 4) == "unbreakable"


def test_rows_without_content_are_left_out_of_a_block_but_never_of_the_only_one():
    columns = (FittedColumn(head="system", holds="name"), FittedColumn(head="one"), FittedColumn(head="two"))
    rows = ((Text("a"), Text("0.123"), Text("0.456")), (Text("people"), Text("0.9"), Text("")))
    table = FittedTable(columns=columns, rows=rows)
    assert [line.split()[0] for line in drawn(table, 80)] == ["system", "a", "people"]
    assert [line.split()[0] for line in drawn(table, 16)] == ["system", "a", "people", "system", "a"]


def test_what_stands_above_heads_is_repeated_where_a_block_begins_inside():
    columns = (
        FittedColumn(head="system", holds="name"),
        *(FittedColumn(head=head, above="data") for head in ("r", "rho", "tau", "mse")),
    )
    table = FittedTable(columns=columns, rows=((Text("a"), *(Text("0.123") for _ in range(4))),))
    whole, halves = drawn(table, 80), drawn(table, 24)
    assert [line.split() for line in whole[:2]] == [["data"], ["system", "r", "rho", "tau", "mse"]]
    assert [line.split() for line in halves if "data" in line] == [["data"], ["data"]]


def texts():
    columns = (
        FittedColumn(head="measure", holds="name"),
        FittedColumn(head="range", holds="text"),
        FittedColumn(head="meaning", holds="text"),
        FittedColumn(head="undefined where", holds="text"),
    )
    rows = (
        (Text("pearson"), Text("-1..1"), Text("how close predictions lie to a line"), Text("gold is constant")),
        (Text("mae"), Text("0..∞"), Text("mean absolute error on the gold scale"), Text("-")),
    )
    return FittedTable(columns=columns, rows=rows)


def test_texts_wrap_and_then_become_entries():
    assert len(drawn(texts(), 100)) == 3
    wrapped = drawn(texts(), 52)  # 7 + 5 + 14 + 14 of the columns, three gaps, two edges: 48 is the least
    assert wrapped[1].split() == ["measure", "range", "meaning", "where"]
    assert texts().fits(48, wrapped=True)
    assert not texts().fits(47, wrapped=True)
    entries = drawn(texts(), 40)
    assert entries == [
        "pearson  range -1..1",
        "  meaning          how close predictions",
        "                   lie to a line",
        "  undefined where  gold is constant",
        "mae  range 0..∞",
        "  meaning          mean absolute error",
        "                   on the gold scale",
    ]


def test_the_first_that_fits_is_shown_else_the_one_with_the_fewest_blocks():
    wide, tall = numbers(["a"], 4, digits="0.123 [0.1, 0.2]"), numbers(["a"], 4, digits="0.123\n[0.1, 0.2]")
    both = FirstFitting((wide, tall))
    assert "0.123 [0.1, 0.2]" in "".join(drawn(both, 80))
    assert drawn(both, 79) == drawn(tall, 79)
    assert drawn(both, 40) == drawn(tall, 40)
    assert len(wide.blocks(40)) > len(tall.blocks(40))
    assert drawn(FirstFitting((wide, wide)), 40) == drawn(wide, 40)
