"""The page and the tables of a suite."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import numpy as np
import pytest
from rich.console import Console

import similitude as sim
from similitude.registry import Spec
from similitude.report.page.sheet import sheet_page
from similitude.report.suite import suite_csv, suite_latex, suite_markdown, suite_sheet, suite_view
from similitude.report.suite.heat import shaded_table
from similitude.report.suite.tables import averages_table, heat_table


@dataclass(frozen=True)
class Named:
    """Noise under a name as long as those of models are."""

    seed: int
    fails_on: str = ""
    summary = "noise"
    range = sim.Scale(low=0, high=1)
    reads = frozenset()

    @property
    def identity(self) -> Spec:
        return Spec("organisation-with-a-name/some-model-base-v2", None, (), {"seed": self.seed})

    def score(self, items: sim.Items) -> sim.Predictions:
        if self.fails_on and items.ids[0].startswith(self.fails_on):
            raise RuntimeError("no")
        seeds = ([self.seed, *name.encode()] for name in items.ids)
        return sim.Predictions(np.array([np.random.default_rng(seed).random() for seed in seeds]))


def benchmark(number: int, items: int = 20) -> sim.Benchmark:
    rng, name = np.random.default_rng(number), f"STS-{number:02}"
    texts = [f"{name} text {place} {rng.integers(1000)}" for place in range(2 * items)]
    sources = ["news"] * (items // 2) + ["forum"] * (items - items // 2)
    return sim.Benchmark.from_columns(
        name, scale="0..5", id=[f"{name}/{place}" for place in range(items)], left=texts[::2], right=texts[1::2],
        score=rng.uniform(0, 5, items).tolist(), source=sources,
    )  # fmt: skip


@pytest.fixture(scope="module")
def large() -> sim.SuiteRun:
    systems = [Named(seed, "STS-03" if seed == 7 else "") for seed in range(20)]
    return sim.run_suite([benchmark(number) for number in range(12)], systems)


def drawn(view: object, width: int) -> str:
    console = Console(width=width, record=True, file=io.StringIO(), color_system=None)
    console.print(view)
    return console.export_text()


def test_the_page_of_20_systems_and_12_benchmarks_is_small_and_has_the_conclusion_on_top(large):
    page = sheet_page(suite_sheet(large))
    assert len(page.encode()) < 1_000_000
    body = page[page.index("<body>") :]
    assert body.index(large.conclusion.sentence.split(";")[0][1:60]) < body.index("<table")
    assert len(re.findall(r'<td class="number shade-[1-5]"', page)) >= 200
    assert "no average, because it would rest on fewer benchmarks" in page
    assert len(re.findall(r"<script>|<style", page)) == 2
    assert page.count('<script type="application/json" data-file="figures.csv">') == 1
    assert page.count('class="option"') == 12, "a figure for each benchmark"
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_terminal_shows_every_figure_at_any_width(large, width):
    shown = drawn(suite_view(large), width)
    assert max(map(len, shown.splitlines())) <= width
    figures = re.findall(r"(?<![\d.])-?\.\d{3}(?!\d)", shown)
    assert len(figures) == 20 * 12 - 1


def test_by_source_adds_a_table_for_each_benchmark(large):
    shown = drawn(suite_view(large, ["source"]), 120)
    assert shown.count(" by source, spearman") == 12
    assert "forum" in shown


def test_tables_mark_the_best_and_give_dashes_with_notes(large):
    averages, heat = averages_table(large), heat_table(large)
    assert len(averages.rows) == len(heat.rows) == 20
    assert len(heat.columns) == 14
    last = averages.rows[-1]
    assert [cell.text for cell in last[2:6]] == ["–"] * 4
    assert "score() raised RuntimeError: no; mend the system" in averages.notes[0]
    for column in range(2, 14):
        best = [row[column].value for row in heat.rows if row[column].is_best]
        assert best == [max(row[column].value for row in heat.rows if row[column].text != "–")]
        shades = {row[column].shade for row in heat.rows if row[column].is_best}
        assert shades == {5}


def test_markdown_latex_and_csv(large):
    text = suite_markdown(large)
    assert text.startswith(f"# {large.name}\n\n{large.conclusion.sentence}")
    assert text.count("\n| ") >= 40
    assert suite_latex(large, ["source"]).text.count(r"\begin{table}") == 14
    lines = suite_csv(large).splitlines()
    assert lines[0] == "suite,benchmark,average,system,name,measure,value,undefined_because,low,high"
    # each of 239 cells on rho and on its mean over sources, one failure; 20 systems on five averages
    assert len(lines) == 1 + 239 * 2 + 1 + 20 * 5


def test_heads_break_at_their_marks():
    shown = drawn(
        shaded_table(["a", "b"], ["sample:conditions", "x"], [[0.5, 1.0], [-0.25, 12.0]], [[0.5, 1.0], [0.25, 2.0]]), 40
    )
    assert "sample:" in shown
    assert "conditions" in shown
    for text in (".500", "-.250", "1.000", "12.000"):
        assert text in shown
