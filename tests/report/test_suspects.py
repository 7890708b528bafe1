"""Suspect labels in words, in a terminal of 80 columns, and on a page."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console

import similitude as sim
from similitude.report.page.sheet import sheet_page
from similitude.report.suspects import next_steps, suspects_summary, suspects_view
from similitude.report.suspects_page import suspects_sheet
from similitude.stats import Interval
from similitude.study.suspects import Suspects


@pytest.fixture
def found():
    table = pl.DataFrame(
        {
            "rank": [1, 2, 3],
            "id": ["a", "b", "c"],
            "left": ["<b>one</b>", "two", "three"],
            "right": ["four", "five", "six"],
            "condition": ["the number", "the colour", None],
            "given_label": [1.0, 4.3125, 3.0],
            "forecast_label": [4.6, 1.2, 3.1],
            "expected_label": [4.8, 1.1, 3.0],
            "wrong_probability": [0.9, 0.6, 0.05],
            "suspect": [True, True, False],
            "verdict": ["wrong", "contentious", None],
            "reason": [
                "the forecasts suggest 4.6, not 1",
                "people differ (sigma 1.20): contentious rather than wrong",
                None,
            ],
        }
    )
    return Suspects(
        name="cars",
        scale=sim.Scale(low=1, high=5),
        table=table,
        share=0.25,
        interval=Interval(0.1, 0.4),
        sources=("levenshtein",),
        spearman=0.5,
        linked=2,
        probability=0.5,
    )


def test_the_summary(found):
    # Right with 0.1 and 0.4: half a label, which rounds to 0.
    assert suspects_summary(found) == (
        "cars: of 3 labels, 25.0% [10.0%, 40.0%] are estimated to be wrong; 2 suspects (with a probability of 0.5 or "
        "more), about 0 of them are expected to be right after all"
    )
    none = replace(found, table=found.table.with_columns(suspect=pl.lit(False)), probability=0.95)
    assert suspects_summary(none).endswith("none is wrong with a probability of 0.95 or more (highest: 0.90)")


def test_the_terminal_has_80_columns(found):
    console = Console(width=80, record=True, file=StringIO())
    console.print(suspects_view(found))
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.split() == ["b", "4.312", "1.1", "0.60", "contentious"] for line in lines)
    assert "a: the forecasts suggest 4.6, not 1" in lines


def test_the_page_shows_texts_and_counts(found):
    page = sheet_page(suspects_sheet(found))
    assert "&lt;b&gt;one&lt;/b&gt;" in page
    assert "contentious rather than wrong" in page
    assert "25.0% [10.0%, 40.0%], 95 % interval" in page
    assert "SIMULATED" not in page
    assert "SIMULATED" in sheet_page(suspects_sheet(replace(found, judged_by="a simulated rater")))
    assert "No label is suspect." in sheet_page(
        suspects_sheet(replace(found, table=found.table.with_columns(suspect=pl.lit(False))))
    )


def test_the_notebook_and_the_plot(found):
    assert "the forecasts suggest 4.6" in found._repr_html_()
    assert "<svg" in found.plot().svg


def test_the_next_steps_name_the_files():
    assert next_steps("d.csv", None, None) == []
    steps = next_steps("d.csv", Path("s.csv"), Path("ask.csv"))
    assert "similitude design rating ask.csv --out questions.jsonl" in steps[0]
    assert steps[1].endswith('[second_round] items = "ask.csv"')
    assert "d.csv --suspects s.csv" in steps[2]
    assert (
        "'sample:world(pairs=9)' --suspects 'my s.csv'"
        in next_steps("sample:world(pairs=9)", Path("my s.csv"), None)[0]
    )
