"""``similitude train`` on a language model: SmolLM2-135M for real, tiny ones, and mistakes in one line."""

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")


@pytest.fixture(scope="module")
def tiny(tiny_language_model) -> Path:
    return tiny_language_model()


@pytest.fixture
def rated(tmp_path) -> str:
    """A dozen short pairs, each with what four people say of it."""
    rng = np.random.default_rng(0)
    lines = []
    for number in range(12):
        ratings = rng.uniform(0, 5, 4).round(1)
        row = {"id": f"{number}", "left": f"She has {number} cats.", "right": f"He sees {number % 5} dogs."}
        row |= {"score": float(ratings.mean()), "sigma": float(ratings.std()), "ratings": ratings.tolist()}
        lines.append(json.dumps(row))
    (tmp_path / "rated.jsonl").write_text("\n".join(lines) + "\n")
    return "rated.jsonl"


def asked(model: Path, data: str) -> list[str]:
    return [
        *("train", "uncertain", data, "--model", str(model), "--folder", "model", "--device", "cpu", "--scale", "0..5"),
        *("--epochs", "1", "--batch", "4", "--validation-share", "0.25"),
    ]


@pytest.mark.slow
def test_smollm2_learns_with_adapters(here, tmp_path, rated, smollm2_folder):
    from similitude.data.addresses import open_benchmark
    from similitude.systems import make_system

    record = json.loads(here(*asked(smollm2_folder, rated), "--adapters", "4", "--layers", "2", "--json").out)
    shape = record["architecture"]
    assert (shape["encoding"], shape["pooling"]) == ("cross", "last")
    assert "{left}" in shape["template"]
    assert record["recipe"]["lr"] == pytest.approx(2e-4)  # that of adapters, not that of 135 million weights
    config = json.loads((tmp_path / "model/config.json").read_text())
    assert (config["num_hidden_layers"], config["hidden_size"]) == (2, 576)
    items = open_benchmark(str(tmp_path / rated), scale="0..5").items
    said = make_system(f"uncertain({tmp_path / 'model'}, device=cpu)").score(items)
    assert (said.sigmas > 0).all()
    assert len(np.unique(said.scores)) > 6
    assert np.isfinite(record["validation"]["-nll"])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--architecture", "joint"], "has no separator token"),
        (["--template", "{left} and"], "template '{left} and' is not valid; give template as text with {left} and"),
        (["--template", "{left}{right}", "--architecture", "bi"], "use --architecture cross, or omit --template"),
        (["--layers", "9"], "cannot keep 9 of its layers: it has 2; give --layers from 1 to 2"),
        (["--pooling", "lats"], "did you mean 'last'?"),
    ],
)
def test_bad_options_are_one_line(here, tmp_path, rated, tiny, options, told):
    err = here(*asked(tiny, rated), *options, code=2).err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert told in err
    assert not (tmp_path / "model").exists()  # so that the command with the mistake mended may have the same folder


def test_a_new_line_in_a_template_is_written_as_in_any_shell(here, rated, tiny):
    said = json.loads(here(*asked(tiny, rated), "--template", r"{left}\n{right}\n=", "--json").out)
    assert said["architecture"]["template"] == "{left}\n{right}\n="


class TestConditional:
    """The same options under a condition, as a user meets them."""

    @pytest.fixture
    def conditioned(self, tmp_path) -> str:
        rows = [
            {"left": f"{number} cats", "right": f"{number % 3} dogs", "condition": kind, "score": score}
            for number in range(12)
            for kind, score in (("the animal", 1 + number % 2), ("the number", 5 - number % 3))
        ]
        (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return "data.jsonl"

    def asked(self, model: Path, data: str, *options: str, kind: str = "conditional") -> list[str]:
        common = ("--model", str(model), "--folder", "model", "--device", "cpu", "--scale", "1..5", "--epochs", "1")
        return ["train", kind, data, *common, "--validation-share", "0.25", *options]

    @pytest.mark.parametrize(
        ("kind", "options"),
        [
            ("conditional", ("--architecture", "joint", "--adapters", "4", "--layers", "1")),
            ("conditional", ("--architecture", "shift", "--frozen")),
            ("conditional", ("--side-template", "{condition}: {text}", "--adapters", "4", "--pooling", "mean")),
            ("pairs", ("--architecture", "cross", "--adapters", "4")),
        ],
    )
    def test_a_model_is_trained_and_evaluated(self, here, tmp_path, conditioned, tiny, kind, options):
        record = json.loads(here(*self.asked(tiny, conditioned, *options, kind=kind), "--json").out)
        assert np.isfinite(record["validation"]["spearman"])
        assert record["recipe"]["lr"] == pytest.approx(1e-3 if "--frozen" in options else 2e-4)
        done = here(
            "evaluate", conditioned, "--scale", "1..5", "-s", "conditional(model, device=cpu)", "--json", "--no-cache"
        )
        assert json.loads(done.out)

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            (["--frozen"], "nothing to train; add --mlp, or use --architecture shift"),
            (["--frozen", "--adapters", "2"], "use one of the two"),
            (["--template", "{left}{right}{condition}"], "architecture 'bi' has no use for --template"),
            (["--architecture", "cross", "--template", "{left}"], "give --template as text with {left} and {right}"),
            (["--layers", "9"], "cannot keep 9 of its layers: it has 2"),
        ],
    )
    def test_mistakes_are_one_line(self, here, tmp_path, conditioned, tiny, options, told):
        err = here(*self.asked(tiny, conditioned, *options), code=2).err
        assert told in err
        assert len(err.strip().splitlines()) == 1
