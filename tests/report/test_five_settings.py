"""Tables and figures of a study of settings, from runs of systems that answer as told."""

import io
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from rich.console import Console

import similitude as sim
from similitude.drawing import standalone
from similitude.registry import Spec
from similitude.report.five_settings.figures import reliability_figures, spread_figure
from similitude.report.five_settings.tables import as_in_the_paper, figures_table, spread_table, training_table
from similitude.report.five_settings.view import settings_latex, settings_sheet, settings_view
from similitude.study.five_settings.findings import MEASURES, DomainResult, FiveSettings, MissingCell, spreads_of
from similitude.study.five_settings.models import SettingModel, TrainedSetting
from similitude.study.five_settings.plan import FiveSettingsPlan

SIX_POINT = sim.Scale(low=0, high=5)
PLAN = FiveSettingsPlan(data=("a", "b"), model="tiny", systems=("bert-lr", "sbert-gpr", "distribution"))


@dataclass(frozen=True)
class Told:
    """Gold with noise, and with a sigma that follows people's as closely as it is told."""

    name: str
    noise: float
    knows: float | None
    benchmark: sim.Benchmark
    range: sim.Scale | None = SIX_POINT
    summary: ClassVar[str] = "answers as told"
    reads: ClassVar[frozenset[str]] = frozenset()

    @property
    def identity(self) -> Spec:
        return Spec(self.name)

    def score(self, items: sim.Items) -> sim.Predictions:
        rng = np.random.default_rng(int(self.name[1:]))
        place = {name: number for number, name in enumerate(self.benchmark.items.ids)}
        order = np.array([place[name] for name in items.ids])
        scores = self.benchmark.gold.scores + rng.normal(0, self.noise, len(order))
        if self.knows is None:
            return sim.Predictions(scores[order])
        random = rng.uniform(0.3, 1.0, len(order))
        sigmas = self.knows * self.benchmark.gold.sigmas + (1 - self.knows) * random
        return sim.Predictions(scores[order], sigmas[order])


def judged(name: str, number: int, *, has_sigma: bool = True) -> DomainResult:
    rng = np.random.default_rng(number)
    texts = [f"{name} {place}" for place in range(40)]
    scores, sigmas = rng.uniform(0, 5, 40), rng.uniform(0.05, 1.2, 40)
    columns = {"left": texts, "right": texts, "score": scores} | ({"sigma": sigmas} if has_sigma else {})
    benchmark = sim.Benchmark.from_columns(name, scale="0..5", **columns)
    rows = [row for row in PLAN.rows if row.kind.name != "distribution" or has_sigma]
    knows = {"bert-lr": None, "sbert-gpr": 0.0, "distribution": 0.9}
    known = replace(benchmark, frame=benchmark.frame.with_columns(sigma=sigmas)) if not has_sigma else benchmark
    systems = [Told(f"s{place}", 0.4 + 0.1 * place, knows[row.kind.name], known) for place, row in enumerate(rows, 1)]
    finished = sim.run(benchmark, systems, MEASURES, resamples=200)
    named = tuple(
        replace(record, identity=row.label, label=row.label) for record, row in zip(finished.systems, rows, strict=True)
    )
    return DomainResult(
        name=name,
        rows=tuple(rows),
        run=replace(finished, systems=named),
        spreads=tuple(spreads_of(finished, place) for place in range(len(rows))),
        human_sigma=float(sigmas.mean()) if has_sigma else math.nan,
    )


@pytest.fixture(scope="module")
def settings() -> FiveSettings:
    """Two benchmarks, the second of which keeps no spread."""
    second = judged("plain", 2, has_sigma=False)
    missing = tuple(
        MissingCell("plain", row, "gold of plain does not say how far people differ, so it cannot be learned")
        for row in PLAN.rows
        if row.kind.name == "distribution"
    )
    taught = (
        TrainedSetting(
            SettingModel("pairs", ("rated",)), "BERT-lr", Path("out/models/pairs-rated"), {"r": 0.5, "rho": 0.4}, 100
        ),
        TrainedSetting(
            SettingModel("sentences", ("rated", "plain")),
            "SBERT",
            Path("out/s"),
            {"spearman": 0.3, "pearson": math.nan},
            200,
        ),
    )
    return FiveSettings(
        plan=PLAN, folder=Path("out"), results=(judged("rated", 1), second), models=taught, missing=missing
    )


def column(table, number: int):
    return [row[number] for row in table.rows]


def test_the_layout_of_table_7(settings):
    table = as_in_the_paper(settings)
    assert [(span.head, span.columns) for span in table.spans] == [("", 2), ("rated", 5), ("plain", 4)]
    heads = [one.head for one in table.columns]
    assert heads == ["setting", "system", "r ↑", "ρ ↑", "ECE ↓", "NLPD ↓", "KL ↓", "r ↑", "ρ ↑", "ECE ↓", "NLPD ↓"]
    assert [cell.text for cell in column(table, 0)][:4] == [
        "(2) frozen encoder",
        "(3) domain-specific",
        "",
        "",
    ]


def test_bold_is_the_best_that_reads_together_and_underlined_the_best_that_reads_apart(settings):
    table = as_in_the_paper(settings)
    together = [row for row in table.rows if row[1].text in ("BERT-lr", "distribution head")]
    apart = [row for row in table.rows if row[1].text == "SBERT-GPR"]
    assert max(together, key=lambda row: row[2].value)[2].is_best
    assert max(apart, key=lambda row: row[2].value)[2].is_underlined
    assert sum(row[2].is_best for row in table.rows) == 1
    assert sum(row[2].is_underlined for row in table.rows) == 1
    lowest = min((row for row in together if not math.isnan(row[6].value)), key=lambda row: row[6].value)
    assert lowest[6].is_best, "of KL the lowest is the best"


def test_a_dash_says_why(settings):
    table = as_in_the_paper(settings)
    bert = next(row for row in table.rows if row[1].text == "BERT-lr")
    assert [cell.text for cell in bert[4:7]] == ["–"] * 3
    assert table.notes[bert[4].note - 1] == "the system gives no standard deviation"
    ours = next(row for row in table.rows if row[1].text == "distribution head")
    assert table.notes[ours[7].note - 1].startswith("gold of plain does not say how far people differ")


def test_table_8_holds_systems_with_a_spread_on_benchmarks_with_one(settings):
    table = spread_table(settings)
    assert [span.head for span in table.spans][1:] == [f"rated (σ {settings.results[0].human_sigma:.2f})"]
    assert {cell.text for cell in column(table, 1)} == {"SBERT-GPR", "distribution head"}
    best = [row for row in table.rows if row[3].is_best]
    assert {row[1].text for row in best} == {"distribution head"}
    highest = max(row[3].value for row in table.rows)
    # As printed: two rows that read the same are equally good.
    assert [row for row in table.rows if row[3].text == f"{highest:.3f}"] == best
    assert highest > 0.8


def test_more_figures_and_trainings(settings):
    heads = [one.head for one in figures_table(settings).columns]
    assert heads[2:7] == ["ECE (mean gap) ↓", "NLPD (whole) ↓", "CRPS ↓", "σ r ↑", "σ ρ ↑"]
    assert heads[7:] == ["ECE (mean gap) ↓", "NLPD (whole) ↓", "CRPS ↓"]
    trained = training_table(settings)
    assert [cell.text for cell in trained.rows[0]] == [
        *("BERT-lr", "rated", "100", "0.500", "0.400", "–", "–", "–", "pairs-rated")
    ]
    assert [cell.text for cell in trained.rows[1]][:5] == ["SBERT", "rated + plain", "200", "–", "0.300"]


def test_figure_6_has_a_panel_a_system_and_the_line_of_agreement(settings):
    figure = spread_figure(settings)
    assert figure is not None
    assert [panel.name for panel in figure.panels] == ["(5) SBERT-GPR", "(4) distribution head"]
    for panel in figure.panels:
        drawn = ET.fromstring(standalone(panel.svg))
        lines = [one for one in drawn.iter() if one.get("class") == "diagonal"]
        assert len(lines) == 1
        # From corner to corner of the square: y = x.
        ends = [float(lines[0].get(name)) for name in ("x1", "y1", "x2", "y2")]
        assert ends == [30, 238, 250, 18]
        assert sum(one.get("class") == "cloud" for one in drawn.iter()) == 1, "the plain benchmark has no spread"


def test_reliability_has_a_figure_a_benchmark_and_a_panel_a_setting(settings):
    first, second = reliability_figures(settings)
    assert [panel.name for panel in first.panels] == [
        "(2) frozen encoder",
        "(3) domain-specific",
        "(4) domain-generalised",
        "(5) cross-domain",
    ]
    assert second.caption.startswith("plain: ")
    colours = {re.findall(r'class="line (line-\d)', panel.svg)[0] for panel in second.panels}
    assert len(colours) == 1, "the same system has the same colour in every panel"


def test_terminal_page_and_latex(settings):
    shown = io.StringIO()
    Console(width=220, file=shown, no_color=True).print(settings_view(settings))
    text = shown.getvalue()
    assert "Test figures under the five settings" in text
    assert re.search(r"\(4\) domain-generalised +BERT-lr +0\.\d{3} +0\.\d{3} +– \(1\) +– \(1\)", text)
    assert "On rated (" in text
    sheet = settings_sheet(settings)
    assert [section.name for section in sheet.sections] == [
        *("table-seven", "spread", "reliability", "real-1", "real-2", "trained")
    ]
    names = [table.name for section in sheet.sections for table in section.tables]
    assert len(set(names)) == len(names)
    assert "contention-1-of-1" in names
    latex = settings_latex(settings)
    assert r"& \multicolumn{5}{c}{rated} & \multicolumn{4}{c}{plain} \\" in latex
    assert r"\cmidrule(lr){3-7}\cmidrule(lr){8-11}" in latex
    assert r"\underline{" in latex
    assert r"--\textsuperscript{1}" in latex


def test_nothing_to_tell_of_spread(settings):
    bare = replace(settings, results=(settings.results[1],))
    assert settings_sheet(bare).summary == "No system predicts how far people differ."
    assert spread_figure(bare) is None
    assert [section.name for section in settings_sheet(bare).sections] == [
        "table-seven",
        "reliability",
        "real-1",
        "trained",
    ]
