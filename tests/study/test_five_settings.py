"""The five settings from data to folder, with a tiny model: everything is trained once, judged, and found again."""

import json
import math
import string
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.errors import ArgumentError
from similitude.report.five_settings.view import write_settings
from similitude.study.five_settings.findings import MEASURES, Spreads
from similitude.study.five_settings.plan import FiveSettingsPlan
from similitude.study.five_settings.study import run_five_settings

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("gpytorch", reason="the extra 'uncertain' is not installed")

DATA = ("sample:opinions(pairs=24, held_out=20)",)
WITH_SIGMA = ("bert-lr-mc", "sbert-gpr", "distribution", "distribution-recalibrated")


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.digits], longest=128)


@pytest.fixture(scope="module")
def plan(bert) -> FiveSettingsPlan:
    return FiveSettingsPlan(data=DATA, model=str(bert), passes=2, resamples=100, recipe={"epochs": 1})


class Heard:
    """Remembers the stages of all work."""

    def __init__(self) -> None:
        self.stages: list[str] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        self.stages.append(stage)

    def note(self, text: str) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("study")


@pytest.fixture(scope="module")
def heard() -> Heard:
    return Heard()


@pytest.fixture(scope="module")
def done(plan, folder, heard):
    return run_five_settings(plan, folder, device="cpu", listener=heard)


@pytest.mark.slow
def test_every_cell_of_the_table_is_filled(done):
    assert [result.name for result in done.results] == ["meals", "trips"]
    for result in done.results:
        assert len(result.rows) == 20
        for row in result.rows:
            assert not math.isnan(result.figure(row, "pearson")), row.label
            has_sigma = row.kind.name in WITH_SIGMA
            assert math.isnan(result.figure(row, "kl")) != has_sigma, f"{row.label}: a dash, not a zero"
            assert (result.spreads[result.rows.index(row)] is not None) == has_sigma


@pytest.mark.slow
def test_each_model_is_trained_once_with_its_figures(done, folder, heard):
    # For each of meals, trips and both: pairs, sentences, process, opinions; and a frozen process for each alone.
    assert len(done.models) == 3 * 4 + 2
    assert len({one.folder for one in done.models}) == 14
    assert {path.name for path in (folder / "models").iterdir() if path.is_dir()} == {
        one.folder.name for one in done.models
    }
    assert all("r" in one.validation or "pearson" in one.validation for one in done.models)
    assert any(stage.startswith("model 14 of 14, GPR") for stage in heard.stages)
    assert {one.items for one in done.models} == {24, 48}


@pytest.mark.slow
def test_zero_shot_and_frozen_know_nothing_of_training(done, plan):
    zero = next(row for row in done.rows if row.setting.number == 1)
    saved = json.loads((done.folder / "runs" / "meals" / "run.json").read_text())["systems"]
    assert saved[done.results[0].rows.index(zero)]["identity"] == f"encoder({plan.model}, device=cpu)"


@pytest.mark.slow
def test_recalibration_changes_sigma_and_nothing_else(done):
    for result in done.results:
        for setting in (3, 4, 5):
            rows = {row.kind.name: row for row in result.rows if row.setting.number == setting}
            raw, corrected = rows["distribution"], rows["distribution-recalibrated"]
            assert result.figure(raw, "pearson") == result.figure(corrected, "pearson")
            assert result.figure(raw, "sigma_spearman") == pytest.approx(result.figure(corrected, "sigma_spearman"))
            assert result.figure(raw, "nlpd") != result.figure(corrected, "nlpd")


@pytest.mark.slow
def test_a_second_start_trains_nothing_and_says_the_same(done, plan, folder):
    again = Heard()
    repeated = run_five_settings(plan, folder, device="cpu", listener=again)
    assert not any(
        "loading the model" in stage or "tokenising" in stage or "encoding" in stage for stage in again.stages
    )
    assert json.dumps(repeated.record()) == json.dumps(done.record())


@pytest.mark.slow
def test_part_of_a_study_is_found_in_the_whole(done, plan, folder):
    again = Heard()
    part = run_five_settings(plan.model_copy(update={"settings": (3,)}), folder, device="cpu", listener=again)
    assert [row.setting.number for row in part.rows] == [3] * 6
    assert not any("loading the model" in stage for stage in again.stages)
    row = part.rows[0]
    assert part.results[0].figure(row, "pearson") == done.results[0].figure(row, "pearson")


@pytest.mark.slow
def test_everything_is_written(done):
    page = write_settings(done)
    text = page.read_text()
    assert "SIMULATED" in text
    assert text.count("<svg") == 4 + 2 * 4, "four systems with a spread; four settings of two benchmarks"
    folder = done.folder
    table = pl.read_csv(folder / "settings.csv")
    assert table.height == 2 * 20 * len(MEASURES)
    dashes = table.filter(system="bert-lr", measure="kl")
    assert dashes["value"].null_count() == dashes.height == 6
    assert dashes["undefined_because"].unique().to_list() == ["the system gives no standard deviation"]
    record = json.loads((folder / "settings.json").read_text())
    assert len(record["trained"]) == 14
    assert record["confidence"]["meals"]["resamples"] == 100
    assert r"\multicolumn{5}{c}{meals}" in (folder / "settings.tex").read_text()
    figures = list((folder / "figures").glob("*.svg"))
    assert len(figures) == 12
    assert all(one.read_text().startswith('<svg xmlns="http://www.w3.org/2000/svg"') for one in figures)


def test_gold_without_spread_leaves_a_cell_empty_with_the_reason(bert, tmp_path):
    rows = [{"id": f"{n}", "left": f"a {n}", "right": f"b {n % 7}", "score": n % 6, "scale": "0..5"} for n in range(40)]
    (tmp_path / "plain.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    plan = FiveSettingsPlan(
        data=(*DATA[:1], str(tmp_path / "plain.jsonl")),
        model=str(bert),
        settings=(1, 3),
        systems=("sbert-cosine", "distribution"),
        resamples=0,
        recipe={"epochs": 1},
    )
    done = run_five_settings(plan, tmp_path / "out", device="cpu")
    assert [(one.domain, one.row.label) for one in done.missing] == [("plain", "(3) distribution head")]
    assert "does not say how far people differ" in done.missing[0].why
    assert len(done.results) == 2
    write_settings(done)
    assert "does not say how far people differ" in (tmp_path / "out" / "settings.html").read_text()


def test_what_cannot_be_asked_for(plan, tmp_path):
    one = plan.model_copy(update={"data": ("sample:opinions(pairs=24, held_out=20, domain=meals)",)})
    with pytest.raises(ArgumentError, match="need at least two benchmarks; give a second one, or omit"):
        run_five_settings(one, tmp_path)
    nothing = plan.model_copy(update={"settings": (1,), "systems": ("bert-lr",)})
    with pytest.raises(ArgumentError, match="none of these systems belongs to any of these settings"):
        run_five_settings(nothing, tmp_path)


def test_means_of_ten_groups_by_human_spread():
    # Twenty items in order, two a group: human 0.5, 2.5, ..., predicted twice that.
    human = np.arange(20.0)
    spreads = Spreads(human, 2 * human, np.empty(0))
    x, y = spreads.averaged()
    np.testing.assert_allclose(x, np.arange(0.5, 20, 2))
    np.testing.assert_allclose(y, 2 * x)
