"""The table of systems against a baseline."""

import pytest

import similitude as sim
from similitude.report.tables import contrast_table

SYSTEMS = ["use-multilingual", "levenshtein", "damerau"]


@pytest.fixture(scope="module")
def against():
    return sim.run("sample:opinions", SYSTEMS, ["mae", "spearman"], against="levenshtein", margin=0.1)


def test_one_row_per_other_system_best_first(against):
    table = contrast_table(against)
    assert [column.head for column in table.columns] == [
        "system", "difference", "d_z", "p", "p worse by 0.1", "p differs by 0.1", "verdict",
    ]  # fmt: skip
    assert all(len(row) == 7 for row in table.rows)
    rows = zip(against.row_labels, against.row_figures, strict=True)
    values = {label: figures[0].value for label, figures in rows}
    names = [row[0].text for row in table.rows]
    assert names == sorted({*SYSTEMS, "the mean"} - {"levenshtein"}, key=values.get), "a low error is good"
    for row in table.rows:
        difference = values[row[0].text] - values["levenshtein"]
        assert row[1].value == pytest.approx(difference)
        assert row[1].text == f"{difference:+.3f}"
        assert row[1].interval.startswith("[")


def test_the_caption_says_what_was_compared(against):
    words = contrast_table(against).caption
    assert words.startswith(
        "Systems against levenshtein on mae, best first. Differences are less levenshtein, with 95 %"
    )
    assert "are for all pairs of systems together" in words
    assert "d_z is Cohen's" in words
    assert words.endswith("SIMULATED judgements.")


def test_equivalence_is_part_of_the_verdict(against):
    rows = {row[0].text: row[-1].text for row in contrast_table(against).rows}
    assert rows["damerau"] == "undecided, equivalent within 0.1"


def test_one_comparison_needs_no_word_on_others():
    two = sim.run("sample:opinions", SYSTEMS[:2], ["spearman"], against="levenshtein")
    table = contrast_table(two)
    assert "all pairs" not in table.caption
    assert [column.head for column in table.columns] == ["system", "difference", "q", "p", "verdict"]
    (row,) = table.rows
    assert row[-1].text == "better"
    assert row[-1].is_best


def test_measures_without_an_effect_size_have_no_column_for_it():
    two = sim.run("sample:opinions", SYSTEMS[:2], ["kendall"], against="levenshtein")
    assert [column.head for column in contrast_table(two).columns] == [
        "system",
        "difference",
        "p",
        "verdict",
    ]


def test_no_table_without_a_baseline():
    assert contrast_table(sim.run("sample:opinions", SYSTEMS[:2], ["spearman"])) is None
    assert contrast_table(sim.run("sample:opinions", SYSTEMS[:2], ["spearman"], resamples=0)) is None
