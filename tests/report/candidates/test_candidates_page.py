"""The page of a search: everything is there, escaped, and bounded."""

import io
import re
from dataclasses import replace

import polars as pl
import pytest
from rich.cells import cell_len
from rich.console import Console

from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.data.item import Items
from similitude.report.candidates import candidates_sheet, candidates_view, write_candidates_page
from similitude.report.candidates.step_blocks import step_blocks
from similitude.report.candidates.step_table import kept_figure, shown_steps, step_table
from similitude.report.notebook.candidate_blocks import candidate_blocks
from similitude.report.notebook.fragment import fragment
from similitude.report.page.sheet import Border, Facts, sheet_page
from similitude.report.tables import Table


def page(found) -> str:
    return sheet_page(candidates_sheet(found))


def printed(found, width=80) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, no_color=True).print(candidates_view(found))
    return out.getvalue().splitlines()


def test_the_page_has_every_part(search):
    html = page(search())
    for part in (
        "What each step kept",
        "Texts",
        "Pairs",
        "Filters",
        "Selection",
        "Items",
        "What to do next",
        "The plan",
    ):
        assert f"<h2>{part}</h2>" in html
    for part in ("0.9873", "40 fewer than 20 characters", "neighbours", "keep = [", "seed 7", "numpy 2.3.4"):
        assert part in html


def test_texts_names_and_notes_are_escaped(search):
    html = page(search())
    body = html[html.index("<body>") : html.rindex("<script>")]
    assert "&lt;script&gt;alert(" in body
    assert "<script>alert" not in body
    assert "<img" not in body
    assert "captions &lt;of images&gt;" in body
    assert "9 texts were &lt;b&gt;long" in body


def test_the_next_commands_name_the_folder_in_quotes_where_needed(search):
    assert "similitude data check &#39;runs/my captions/items.jsonl&#39;" in page(search())
    assert "The items are in runs/my captions/items.jsonl." in page(search())
    unsaved = page(search(saved_to=None))
    assert "similitude data check FOLDER/items.jsonl" in unsaved
    assert "This search is not saved; its method save(FOLDER) writes the items." in unsaved


def test_many_filters_are_folded_and_few_are_not(search):
    assert page(search(filters=6)).count("<details>") == 0
    assert page(search(filters=7)).count("<details>") == 7


def test_the_page_does_not_grow_with_the_number_of_steps(search):
    found = search(filters=60)
    many = replace(found, steps=(*found.steps[:4], *found.steps[4:64] * 170, found.steps[-1]))
    assert len(many.steps) > 10_000
    html = page(many)
    assert len(html) < 1_000_000
    assert "10,145 steps in the middle are left out here" in html
    assert "10,140 steps in the middle not shown" in html


def test_the_first_and_last_steps_are_shown():
    steps = [Step(name=str(n), of="pairs", before=1, after=1) for n in range(61)]
    shown, left_out = shown_steps(steps)
    assert [shown[0].name, shown[29].name, shown[30].name, shown[-1].name] == ["0", "29", "31", "60"]
    assert left_out == 1
    assert shown_steps(steps[:60]) == (steps[:60], 0)


def test_examples_stand_on_their_side_of_the_border(search):
    (border,) = [block for block in step_blocks(search().steps[4], "x") if isinstance(block, Border)]
    assert [one.value for one in border.kept] == ["0.1", "0.11", "0.12", "0.13"]
    assert [one.value for one in border.dropped] == ["0.16", "0.17", "0.18", "0.19"]
    assert [side for side, _ in border.sides] == ["kept", "dropped"]
    assert [side for side, _ in Border((), border.dropped).sides] == ["dropped"]


def test_each_border_of_a_filter_has_its_own_examples(search):
    low, high = (
        tuple(BorderExample(left="a", right="b", value=value, is_kept=True, border=border) for value in values)
        for border, values in (("cosine >= 0.1", (0.1, 0.11, 0.12, 0.13, 0.14)), ("cosine <= 0.7", (0.7,)))
    )
    one = Step(name="0.1 <= cosine <= 0.7", of="pairs", before=9, after=9, examples=(*low, *high))
    found = search(steps=(one,))
    borders = [block for block in step_blocks(found.steps[0], "x") if isinstance(block, Border)]
    assert [(border.name, len(border.kept)) for border in borders] == [("cosine >= 0.1", 4), ("cosine <= 0.7", 1)]
    assert "just kept at <code>cosine &lt;= 0.7</code>" in page(found)


def test_facts_are_a_list_and_records_are_a_table(search):
    facts = {"recall": 0.5, "columns": {"text": "caption", "k": 3}, "files": ["a", "b"], "is_exact": True}
    records = [{"size": 3, "kept": "a", "others": ["b", "c"]}, {"size": 2, "kept": "d"}]
    one = Step(name="duplicates", of="texts", before=9, after=6, facts={**facts, "largest_clusters": records})
    plain, table = step_blocks(one, "x")
    assert isinstance(plain, Facts)
    assert plain.pairs == (
        ("recall", "0.5"), ("columns", "text: caption, k: 3"), ("files", "a, b"), ("is exact", "yes")
    )  # fmt: skip
    assert isinstance(table, Table)
    assert table.caption == "Largest clusters."
    assert [column.head for column in table.columns] == ["size", "kept", "others"]
    assert [column.is_number for column in table.columns] == [True, False, False]
    assert [[cell.text for cell in row] for row in table.rows] == [["3", "a", "b\nc"], ["2", "d", ""]]


def test_sentences_are_told_and_empty_facts_are_left_out():
    facts = {"explanation": ["9 of 20 pairs were taken.", "Which ones is random."], "cells": [], "seed": 3}
    one = Step(name="select", of="pairs", before=20, after=9, facts=facts)
    assert list(step_blocks(one, "x")) == ["9 of 20 pairs were taken. Which ones is random.", Facts((("seed", "3"),))]


def test_values_at_a_border_keep_the_decimals_that_decided():
    values = (0.399981, 0.4, 12.0, "de", 19)
    border = tuple(BorderExample(left="a", value=value, is_kept=False) for value in values)
    one = Step(name="cosine >= 0.4", of="pairs", before=9, after=1, examples=border[:3])
    other = Step(name="clean", of="texts", before=9, after=1, examples=border[3:])
    shown = [example.value for step in (one, other) for block in step_blocks(step, "x") for example in block.dropped]
    assert shown == ["0.399981", "0.4", "12", "de", "19"]


def test_pairs_that_are_drawn_are_items(search):
    drawn = Step(name="select", of="pairs", before=125, after=12)
    found = search(steps=(*search().steps[:-1], drawn))
    assert "200 texts led to 12 items" in page(found)
    assert [section.name for section in candidates_sheet(found).sections][:5] == [
        "kept", "texts", "pairs", "filters", "selection"
    ]  # fmt: skip


def test_names_that_do_not_occur_are_left_out_and_a_single_one_is_no_figure():
    strata = Distribution(name="stratum", edges=("neighbours", "words", "random"), before=(9, 0, 4), after=(3, 0, 0))
    (figure,) = step_blocks(Step(name="select", of="pairs", before=13, after=3, distributions=(strata,)), "x")
    assert "words" not in re.findall(r"</title>([\w-]+)</text>", figure.panels[0].svg)
    assert "0 of 4, 0 %" in figure.panels[0].svg
    alone = Distribution(name="stratum", edges=("neighbours", "words"), before=(9, 0), after=(3, 0))
    assert list(step_blocks(Step(name="select", of="pairs", before=9, after=3, distributions=(alone,)), "x")) == []


def test_records_are_cut_and_say_so():
    records = [{"size": n} for n in range(21)]
    one = Step(name="duplicates", of="texts", before=9, after=6, facts={"clusters": records})
    (fold,) = step_blocks(one, "x")
    assert fold.summary == "Clusters, the first 20 of 21"
    assert len(fold.blocks[0].rows) == 20


@pytest.mark.parametrize(("rows", "kind"), [(8, "table"), (9, "fold")])
def test_long_tables_of_facts_are_folded(rows, kind):
    one = Step(name="duplicates", of="texts", before=9, after=6, facts={"clusters": [{"size": 2}] * rows})
    assert [block.kind for block in step_blocks(one, "x")] == [kind]


def test_names_beyond_the_twelfth_are_one_row():
    edges = tuple(f"language {n}" for n in range(15))
    counts = Distribution(name="language", edges=edges, before=tuple(range(100, 115)), after=(1,) * 15)
    one = Step(name="clean", of="texts", before=9, after=6, distributions=(counts,))
    (figure,) = step_blocks(one, "x")
    assert "3 others" in figure.panels[0].svg
    assert f"3 of {100 + 101 + 102}" in figure.panels[0].svg, "the least frequent ones"


def test_strata_that_were_made_are_shares_of_all(search):
    html = page(search())
    assert "700, 70 %" in html
    assert "Stratum: shares of all." in html


def test_ways_to_find_pairs_are_a_figure_and_a_single_way_is_a_fact():
    several = Step(name="pairs", of="pairs", before=9, after=20, facts={"found by": {"neighbours": 15, "random": 5}})
    (figure,) = step_blocks(several, "x")
    assert figure.caption == "Found by: shares of all."
    assert "15, 75 %" in figure.panels[0].svg
    one = Step(name="pairs", of="pairs", before=9, after=20, facts={"found by": {"given": 20}, "search": "exact"})
    assert list(step_blocks(one, "x")) == [Facts((("search", "exact"),)), Facts((("found by", "given"),))]


def test_vectors_are_a_row_but_no_bar_since_they_drop_nothing(search):
    vectors = Step(name="vectors", of="texts", before=120, after=120, seconds=5.0)
    found = search(steps=(*search().steps[:3], vectors, *search().steps[3:]))
    assert "vectors" in [row[0].text for row in step_table(found.steps).rows]
    assert "vectors" not in kept_figure(found.steps).panels[0].svg
    assert not [line for line in printed(found) if "vectors" in line]


def test_the_table_of_steps(search):
    table = step_table(search().steps)
    clean = [cell.text for cell in table.rows[1]]
    assert clean[:5] == ["clean", "texts", "199", "150", "75 %"]
    assert clean[6] == "40 fewer than 20 characters; 9 more than 100 characters"
    assert [cell.text for cell in table.rows[3]][:5] == ["pairs", "pairs", "120", "1,000", ""]


def test_a_step_that_kept_all_and_one_that_kept_nothing(search):
    rows = [[cell.text for cell in row][3:5] for row in step_table(search(filters=6).steps).rows]
    assert ["250", "100 %"] in rows
    assert ["0", "0 %"] in rows
    assert rows[-1] == ["0", ""]
    assert "led to no items" in page(search(filters=6))


@pytest.mark.parametrize("width", [80, 60])
def test_the_terminal_shows_one_table_that_fits(search, width):
    lines = printed(search(filters=6), width)
    assert max(map(cell_len, lines)) <= width
    assert sum("─" in line for line in lines) == 1, "one table, not several blocks"
    assert re.search(r"pairs +1,000 pairs", "\n".join(lines))


def test_the_page_is_written_as_a_file(search, tmp_path):
    path = write_candidates_page(search(), tmp_path / "index.html")
    assert path.read_text(encoding="utf-8") == page(search())
    assert [each.name for each in tmp_path.iterdir()] == ["index.html"]


def test_items_without_any_are_shown_as_none(search):
    none = search(items=Items(search().items.frame.head(0)))
    assert "All 0 items." in page(none)


def test_columns_without_values_are_left_out(search):
    html = page(search())
    section = html[html.index('id="items"') : html.index('id="next"')]
    assert re.findall(r'<th scope="col">(\w+)</th>', section) == ["id", "context", "left", "right"]
    assert "The first 8 of 20 items." in section


def test_a_file_of_steps_can_be_downloaded(search):
    (file,) = candidates_sheet(search()).sections[0].blocks[0].files
    assert file[0] == "steps.csv"
    frame = pl.read_csv(io.StringIO(file[1]))
    assert frame["name"].to_list()[:4] == ["read", "clean", "duplicates", "pairs"]
    assert frame["after"].to_list()[:4] == [199, 150, 120, 1000]


def test_a_notebook_shows_the_conclusion_the_steps_and_the_first_items(search):
    html = fragment(candidate_blocks(search()))
    assert "200 texts led to 12 items" in html
    assert html.count("<table") == 2
    assert "The first 5 of 20 items." in html
    assert "&lt;script&gt;" in html
    assert ' id="' not in html, "several outputs share one document"
