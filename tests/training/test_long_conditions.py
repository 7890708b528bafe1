"""Sentences that are too long under a condition: they are cut and the condition stays, in training as in use."""

import json

import numpy as np
import pytest

import similitude as sim
from similitude.data.item import Items

pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

LONG = "a b c d e f g h a b c d"


def benchmark():
    rng = np.random.default_rng(0)
    rows = []
    for pair in range(24):
        left, right = (" ".join(rng.choice([*"abcd"], 14)) for _ in "lr")
        part = "train" if pair < 16 else "dev"
        for condition, score in (("g", 5.0), ("h", 1.0)):
            rows.append({"left": left, "right": right, "condition": condition, "score": score, "split": part})
    return sim.read(rows, scale="1..5", name="long")


@pytest.fixture(scope="module", params=["cross", "joint"])
def folder(request, tiny_bert, tmp_path_factory):
    made = tmp_path_factory.mktemp("long") / "model"
    bert = tiny_bert([*"abcdefgh"], longest=14, initializer_range=0.3)
    how = {"epochs": 2, "batch": 16, "lr": 1e-3, "device": "cpu", "quiet": True}
    sim.train.conditional(benchmark(), model=str(bert), out=made, architecture=request.param, **how)
    return made


def scores(folder, items):
    return sim.system(f"conditional({folder}, device=cpu, dtype=float32)").score(items).scores


def record(folder):
    return json.loads((folder / "similitude.json").read_text())


def test_the_condition_counts_and_scoring_agrees_with_training(folder):
    first, second = scores(folder, Items.from_pairs([LONG] * 2, [LONG] * 2, ["g", "h"]))
    assert first != pytest.approx(second, abs=1e-6)
    held_out = benchmark().select(split="dev")
    found = np.corrcoef(scores(folder, held_out.items), held_out.gold.scores)[0, 1]
    assert found == pytest.approx(record(folder)["validation"]["pearson"], abs=1e-4)


def test_a_folder_of_an_older_version_scores_as_before(folder):
    path = folder / "similitude.json"
    text, content = path.read_text(), record(folder)
    assert content["architecture"].pop("keeps_condition") is True
    held_out = benchmark().select(split="dev").items
    now = scores(folder, held_out)
    path.write_text(json.dumps(content))
    try:
        if content["architecture"]["encoding"] == "cross":  # the condition was cut off, so it does not matter
            first, second = scores(folder, Items.from_pairs([LONG] * 2, [LONG] * 2, ["g", "h"]))
            assert first == pytest.approx(second, abs=1e-7)
        assert not np.allclose(scores(folder, held_out), now, atol=1e-6)
    finally:
        path.write_text(text)


def test_a_card_says_that_others_cut_the_condition(folder):
    is_cross = record(folder)["architecture"]["encoding"] == "cross"
    assert ("sentence-transformers cuts the condition" in (folder / "README.md").read_text()) == is_cross


def test_models_that_read_no_mark_record_nothing(tiny_bert, tmp_path):
    bert = tiny_bert([*"abcdefgh"], longest=14)
    how = {"epochs": 1, "batch": 16, "device": "cpu", "quiet": True}
    sim.train.conditional(benchmark(), model=str(bert), out=tmp_path / "bi", architecture="bi", **how)
    sim.train.pairs(benchmark(), model=str(bert), out=tmp_path / "pairs", architecture="cross", **how)
    assert all("keeps_condition" not in record(tmp_path / name)["architecture"] for name in ("bi", "pairs"))
