"""The five settings under conditions: every system reads them, or none does."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conditioned_opinions import WORDS, conditioned

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, InputError
from similitude.study.five_settings.domains import Domain
from similitude.study.five_settings.models import Models, SettingModel
from similitude.study.five_settings.plan import FiveSettingsPlan, checked_plan
from similitude.study.five_settings.study import run_five_settings
from similitude.study.five_settings.table import SETTINGS, SettingRow

pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("gpytorch", reason="the extra 'uncertain' is not installed")


def domain(name: str, with_conditions: bool = True) -> Domain:
    parts = [conditioned(8, seed, name) for seed in range(3)]
    if not with_conditions:
        parts = [replace(part, frame=part.frame.with_columns(condition=None)) for part in parts]
    return Domain(name, name, *parts)


def models(*domains: Domain, **keys) -> Models:
    plan = FiveSettingsPlan(data=tuple(one.name for one in domains), model="m", **keys)
    return Models(plan=plan, domains={one.name: one for one in domains}, folder=Path("out"))


def keywords(found: Models) -> dict[str, dict]:
    whats = ("pairs", "sentences", "frozen-process", "process", "opinions")
    return {what: dict(found.training(SettingModel(what, ("a",))).keywords) for what in whats}


def test_every_training_is_told_to_read_them():
    found = keywords(models(domain("a"), domain("b")))
    assert {one["reads"] for one in found.values()} == {"all"}
    assert found["frozen-process"]["encoder"] == "encoder(m, condition=append)"
    assert re.fullmatch(r"conditional\(out/models/sentences-a-\w+\)", found["process"]["encoder"])


@pytest.mark.parametrize("conditions", [True, False])
def test_without_them_nothing_is_told_but_to_those_that_need_it(conditions):
    """Models that were trained before there were conditions are found again."""
    chosen = {"reads": "sentences"} if conditions else {}
    found = keywords(models(domain("a", conditions), domain("b", conditions), **chosen))
    told = {what: one.get("reads") for what, one in found.items()}
    assert told == dict.fromkeys(told, "sentences" if conditions else None) | {"sentences": "sentences"}
    assert found["frozen-process"]["encoder"] == "encoder(m)"
    assert found["process"]["encoder"].startswith("encoder(out/models/sentences-a-")


def test_an_own_kind_may_read_otherwise():
    own = {"mine": {"train": "uncertain", "reads": "sentences"}, "others": {"train": "pairs"}}
    found = models(domain("a"), domain("b"), own=own)
    told = {name: found.training(SettingModel(f"own-{name}", ("a",))).keywords.get("reads") for name in own}
    assert told == {"mine": "sentences", "others": None}


def test_the_untrained_encoder_reads_them_too():
    found = models(domain("a"))
    row = SettingRow(SETTINGS[0], found.plan.kinds["sbert-cosine"])
    assert found.system(row, "a") == "encoder(m, condition=append)"


def test_domains_of_which_one_has_none_are_refused():
    with pytest.raises(InputError, match=r"b: 48 of 96 items have no condition .*, but the others have one.*--reads"):
        _ = models(domain("a"), domain("b", with_conditions=False)).conditions
    with pytest.raises(ArgumentError, match="'reads' = 'conditions': input should be 'auto', 'all' or 'sentences'"):
        checked_plan({"data": ["a"], "model": "m", "reads": "conditions"})


def written(folder: Path, name: str, seed: int) -> str:
    parts = {"train": 24, "dev": 8, "test": 8}
    rows = []
    for place, (split, pairs) in enumerate(parts.items()):
        made: Benchmark = conditioned(pairs, 10 * seed + place)
        columns = made.frame.select("left", "right", "condition", "score", "sigma", "ratings").to_dicts()
        rows += [{**row, "id": f"{split}-{number}", "split": split} for number, row in enumerate(columns)]
    file = folder / f"{name}.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return str(file)


@pytest.mark.slow
def test_the_table_is_filled_and_every_system_reads_the_condition(tiny_bert, tmp_path):
    data = [written(tmp_path, name, seed) for seed, name in enumerate(("one", "two"))]
    bert = tiny_bert(WORDS, longest=32, initializer_range=0.3)
    plan = FiveSettingsPlan(
        data=tuple(data), model=str(bert), passes=2, resamples=0, settings=(1, 2, 3, 5), recipe={"epochs": 1}
    )
    done = run_five_settings(plan, tmp_path / "study", device="cpu", scale="0..5")
    assert "the condition of each of the 160 items is read" in done.notes
    for result in done.results:
        assert all(record.reads == ("condition",) for record in result.run.systems)
        for place in range(len(result.rows)):
            assert np.unique(result.run.predictions[place].scores.round(6)).size > 8
    assert not done.missing
    assert json.loads(json.dumps(done.record()))["plan"]["reads"] == "auto"
