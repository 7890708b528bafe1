"""What is known of texts, as tables and in the terminal."""

import pytest
from rich.console import Console

import similitude as sim
from similitude.errors import ArgumentError
from similitude.inspect.words import describe_texts
from similitude.report.text_statistics import (
    lengths_table,
    richness_table,
    statistics_tables,
    text_statistics,
    text_statistics_latex,
    text_statistics_markdown,
)
from similitude.samples import read_sample


@pytest.fixture(scope="module")
def dialogues():
    return describe_texts(read_sample("dialogues"), by=["turns"])


@pytest.fixture(scope="module")
def opinions():
    return describe_texts(read_sample("opinions"), by=["language"])


def shown(found, unit="pooled", width=120) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as captured:
        console.print(text_statistics(found, unit))
    return captured.get()


def test_every_row_has_a_cell_for_every_column_and_one_column_names_it(dialogues, opinions):
    for found in (dialogues, opinions):
        for table in statistics_tables(found):
            assert {len(row) for row in table.rows} == {len(table.columns)}
            assert sum(column.is_header for column in table.columns) == 1
            assert len({column.head for column in table.columns}) == len(table.columns)


def test_the_columns_of_giccs_table_2_are_there(dialogues):
    table = richness_table(dialogues, "text")
    heads = [column.head for column in table.columns]
    assert heads == ["turns", "items", "dialogues", "RTTR", "MTLD", "tokens", "types", "lemmas", "turn length"]
    first = dialogues.parts[0]
    assert [cell.text for cell in table.rows[0]][:6] == [
        "3", "30", "6", f"{first.richness['text'].rttr:.2f}", f"{first.richness['text'].mtld:.2f}", "197",
    ]  # fmt: skip
    assert table.rows[-1][0].text == "all"
    assert "means over turns" in table.caption


def test_means_over_dialogues_need_dialogues(dialogues, opinions):
    assert "means over dialogues" in richness_table(dialogues, "dialogue").caption
    with pytest.raises(ArgumentError, match="no richness by dialogue; choose one of pooled, text"):
        richness_table(opinions, "dialogue")


def test_a_figure_that_is_not_there_is_a_dash():
    found = describe_texts(sim.Benchmark.from_columns(left=["1"], right=["2"]), lemmas=False)
    (row,) = richness_table(found).rows
    assert [cell.text for cell in row] == ["all", "1", "2", "–", "–", "2", "0", "–", "1.00"]
    assert statistics_tables(found) == [richness_table(found), lengths_table(found)], "there is no gold to spread"


def test_the_terminal_shows_everything_and_says_simulated(opinions):
    text = shown(opinions)
    assert "SIMULATED judgements" in text.splitlines()[0]
    assert "Every text occurs once." in text
    assert "Sigmas: mean 0.49" in text
    assert text.count("█") > 40


def test_repeats_are_one_line(dialogues):
    assert "Of 72 texts 60 occur once, 12 occur 5 times; most often, 5 times: Dann lieber" in shown(dialogues)


def test_many_numbers_of_repeats_are_shortened():
    lefts = [name for times, name in enumerate("abcdefg", 1) for _ in range(times)]
    found = describe_texts(sim.Benchmark.from_columns(left=lefts, right=[f"r{n}" for n in range(len(lefts))]))
    assert "29 occur once, 1 occur twice, 1 occur 3 times, 1 occur 4 times, 3 occur 5 to 7 times" in " ".join(
        shown(found).split()
    )


def test_markdown_and_latex_hold_the_same_tables(opinions):
    markdown, latex = text_statistics_markdown(opinions), text_statistics_latex(opinions)
    assert "| language | items | texts | RTTR | MTLD | tokens | types | lemmas | text length |" in markdown
    assert markdown.count("SIMULATED judgements") == 2
    assert latex.count(r"\begin{tabular}") == 4
    assert r"\label{tab:sample-opinions-words}" in latex
