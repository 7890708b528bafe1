"""Ctrl-C in trainings, in what asks language models, and in what reads a trained model: the same end, to the byte."""

import json
import os
import string
from pathlib import Path

import pytest
from endpoint_server import EndpointServer
from interruption import Trial, check_that_it_goes_on, run

for needed in ("torch", "sentence_transformers", "gpytorch", "openai"):
    pytest.importorskip(needed, reason="an extra is not installed")

HOW = "--device cpu --epochs 2 --batch 8"
SWEEP = """data = "conditioned.jsonl"
models = ["bert"]
encodings = ["bi"]
seeds = [0]
[recipe]
epochs = 1
batch = 8
[grid]
lr = [1e-3, 1e-4]
"""
FIVE = """data = "sample:opinions(pairs=24, held_out=20)"
model = "bert"
settings = [1, 3]
systems = ["sbert-cosine", "distribution"]
"""
PROMPT = """data = "pairs.csv"
instructions = ["short"]
shots = [0]
resamples = 0
[[models]]
model = "tiny"
url = "{url}"
concurrency = 1
"""


def figures(folder: Path) -> dict[str, float]:
    """Of the trained model; the command also prints how fast it was."""
    return json.loads((folder / "model/similitude.json").read_text())["validation"]


TRAINED = {"same": ["model/*.safetensors", "model/runs/losses-0.csv"], "shows": figures}

AT_WORK = {
    "train pairs": (f"train pairs conditioned.jsonl --model bert --folder model {HOW}", TRAINED),
    "train conditional": (f"train conditional conditioned.jsonl --model bert --folder model {HOW}", TRAINED),
    "train uncertain": (f"train uncertain 'sample:opinions(pairs=12)' --model bert --folder model {HOW}", TRAINED),
    "train gaussian-process": (
        "train gaussian-process 'sample:opinions(pairs=24)' --encoder 'encoder(bert, device=cpu)' --folder model "
        "--inducing 8 --epochs 2",
        {"same": ["model/process.npz"], "shows": figures},
    ),
    "train sweep": ("train sweep sweep.toml --folder sweep --device cpu", {"same": ["sweep/**/*.safetensors"]}),
    "train five-settings": (
        "train five-settings five.toml --folder five --quick --device cpu --resamples 0 --limit 12",
        {"same": ["five/models/*/*.safetensors"]},
    ),
    "contentious": (
        "contentious sample:opinions -s 'uncertain(trained, device=cpu)' --out ask.csv",
        {"same": ["ask.csv"]},
    ),
    "conditions": (
        "conditions pairs.csv --language-model 'prompted(tiny, url={url}, concurrency=1)' --out conditions.jsonl",
        {"same": ["conditions.jsonl"]},
    ),
    "prompt": ("prompt prompt.toml --folder grid", {"same": ["grid/results.csv"]}),
}


@pytest.fixture(scope="module")
def server():
    with EndpointServer() as running, pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("OPENAI_") or name.lower().endswith("_proxy"):
                patch.delenv(name)
        running.answer = lambda asked: "High: 3\nLow: 2"
        yield running


@pytest.fixture(scope="module")
def files(tmp_path_factory, tiny_bert, letters, server) -> Path:
    """A tiny encoder, a model of opinions that was trained from it, data and plans."""
    folder = tmp_path_factory.mktemp("files")
    tiny_bert([*letters, *string.digits], longest=48).rename(folder / "bert")
    rows = [
        {"left": f"{n} red cars", "right": f"{n + 1} red cars", "condition": condition, "score": score, "group": str(n)}
        for n in range(16)
        for condition, score in (("the colour", 5.0), ("the number", 1.0 + n % 3))
    ]
    (folder / "conditioned.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = [f"the text number {'x' * n},another text {n},{n % 6}" for n in range(5)]
    (folder / "pairs.csv").write_text("sentence1,sentence2,score\n" + "\n".join(lines) + "\n")
    (folder / "sweep.toml").write_text(SWEEP)
    (folder / "five.toml").write_text(FIVE)
    (folder / "prompt.toml").write_text(PROMPT.format(url=server.url))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIMILITUDE_CACHE", "off")
        words = f"train uncertain 'sample:opinions(pairs=12)' --model bert --folder trained {HOW} --quiet"
        ended = run(words, folder)
    assert ended.code == 0, ended.err
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", AT_WORK)
def test_the_same_command_gives_the_same_after_ctrl_c(name, files, server, tmp_path, monkeypatch):
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    words, compared = AT_WORK[name]
    check_that_it_goes_on(Trial(words.format(url=server.url), files, tmp_path, **compared))
