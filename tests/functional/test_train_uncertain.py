"""``similitude train uncertain``, for real: a model that knows what people differ over, and mistakes in one line."""

import json
import string
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.digits])


def write(path: Path, items: int, seed: int, **changes) -> Path:
    """Rated pairs: people agree over x and differ over o."""
    rng = np.random.default_rng(seed)
    lines = []
    for number in range(items):
        doubt = number % 2
        ratings = rng.normal(3 if number % 3 else 1, (0.2, 1.0)[doubt], 6).clip(0, 5).round(2)
        row = {"id": f"{number}", "left": f"{'xo'[doubt]} {number} {seed}", "right": "a" if number % 3 else "b"}
        row |= {"score": float(ratings.mean()), "sigma": float(ratings.std()), "ratings": ratings.tolist(), **changes}
        lines.append(json.dumps({name: value for name, value in row.items() if value is not None}))
    path.write_text("\n".join(lines) + "\n")
    return path


def asked(bert: Path, *data: str, out: str = "model") -> list[str]:
    return ["train", "uncertain", *data, "--model", str(bert), "--folder", out, "--device", "cpu", "--scale", "0..5"]


@pytest.mark.slow
def test_a_model_that_knows_what_people_differ_over(bert, tmp_path, here):
    write(tmp_path / "one.jsonl", 90, 0)
    write(tmp_path / "two.jsonl", 60, 1)
    test = write(tmp_path / "test.jsonl", 60, 2).name
    options = ["--epochs", "12", "--lr", "5e-3", "--batch", "8", "--weight-decay", "0", "--balanced"]
    options += ["--validation-share", "0.3", "--recalibrate", "scale"]
    told = here(*asked(bert, "one.jsonl", "two.jsonl"), *options)
    assert "uncertain(model) is a system now" in told.out
    assert "sigma_rho" in told.out
    assert "all benchmarks have the same weight" in told.err
    assert "one: 27 items (30% of the sentence pairs, seed 0) were held out" in told.err
    assert "<svg" in (tmp_path / "model/runs/curve.html").read_text()
    measures = [part for name in ("sigma-rho", "kl", "pearson") for part in ("-m", name)]
    systems = ["-s", "uncertain(model, device=cpu)", "-s", "levenshtein"]
    measured = here("evaluate", test, *systems, *measures, "--no-cache", "--json", "--scale", "0..5")
    figures = {(row["system"], row["measure"]): row["value"] for row in json.loads(measured.out)["figures"]}
    ours = {measure: value for (system, measure), value in figures.items() if "uncertain" in system}
    assert ours["sigma_spearman"] > 0.6
    assert figures["levenshtein", "kl"] is None  # no sigma: a dash, not a zero


def test_an_ensemble_of_points_as_json(bert, tmp_path, here):
    write(tmp_path / "one.jsonl", 30, 0)
    options = ["--head", "point", "--ensemble", "2", "--epochs", "1", "--validation", "one.jsonl", "--json"]
    record = json.loads(here(*asked(bert, "one.jsonl"), *options).out)
    assert (record["system"], record["members"], record["objective"]["name"]) == ("uncertain", 2, "mse")
    assert list(record["validation"]) == ["r", "rho"]


def test_conditions_are_read_and_missing_ones_refused(bert, tmp_path, here):
    write(tmp_path / "asked.jsonl", 30, 0, condition="the colour")
    write(tmp_path / "plain.jsonl", 12, 1)
    options = ["--architecture", "bi", "--epochs", "1", "--validation-share", "0.3"]
    told = here(*asked(bert, "asked.jsonl"), *options)
    assert "the condition of each of the 30 items is read" in told.err
    evaluated = ["-s", "uncertain(model, device=cpu)", "--no-cache", "--scale", "0..5"]
    assert "uncertain(model" in here("evaluate", "asked.jsonl", *evaluated, "--resamples", "0").out
    refused = here("evaluate", "plain.jsonl", *evaluated, code=2).err
    assert "uncertain(model, device=cpu): 12 of 12 items have no condition" in refused
    both = _one_line(here(*asked(bert, "asked.jsonl", "plain.jsonl", out="both"), *options, code=2))
    assert "plain: 12 of 42 items have no condition (first: '0'), but the others have one" in both
    assert "--reads sentences" in both
    told = here(*asked(bert, "asked.jsonl", "plain.jsonl", out="both"), *options, "--reads", "sentences")
    assert "the conditions of 30 of 42 items are not read (--reads sentences)" in told.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--head", "gaussain"], "no head named 'gaussain'; did you mean 'gaussian'?"),
        (["--objective", "mle"], "no objective named 'mle'"),
        (["--objective", "mse"], "objective mse learns no spread"),
        (["--architecture", "tri"], "no architecture named 'tri'"),
        (["--dropout", "1"], "dropout 1.0 is not valid"),
        (["--recalibrate", "platt"], "no recalibrate named 'platt'"),
        (["--recalibrate", "isotonic"], "too few to recalibrate on"),
        (["--seeds", "2", "--ensemble", "2"], "--ensemble keeps all of them"),
        (["--epochs", "0"], "epochs 0 is not valid"),
        (["--split", "train+dev"], "has no split 'train'"),
    ],
)
def test_bad_options_are_one_line(bert, tmp_path, here, options, told):
    write(tmp_path / "one.jsonl", 30, 0)
    assert told in _one_line(here(*asked(bert, "one.jsonl"), "--validation-share", "0.3", *options, code=2))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"sigma": None, "ratings": None}, "have neither ratings nor a standard deviation, first"),
        ({"sigma": 0.0, "ratings": [3.0]}, "every item has only one rating"),
    ],
)
def test_gold_that_cannot_be_learned_from_is_one_line(bert, tmp_path, here, changes, told):
    write(tmp_path / "one.jsonl", 30, 0, **changes)
    assert told in _one_line(here(*asked(bert, "one.jsonl"), "--validation-share", "0.3", code=2))
    assert not (tmp_path / "model").exists()


def _one_line(told) -> str:
    assert told.err.startswith("error: ")
    assert told.err.count("\n") == 1
    return told.err
