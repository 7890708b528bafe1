"""``similitude train``, for real: a model comes out, kill -9 does not change it, and mistakes are one line."""

import json
import os
import signal
import string
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from patience import killed_after, until

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

PAIRS = 40


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.punctuation], num_hidden_layers=2)


@pytest.fixture
def csts(tmp_path) -> Path:
    """A file in the layout of C-STS: two rows a pair, the higher label first."""
    rng = np.random.default_rng(0)
    colours, numbers = ["red", "blue", "grey", "pink"], ["one", "two", "six", "ten"]
    lines = ["sentence1,sentence2,condition,label"]
    for pair in range(PAIRS):
        colour, (first, second) = rng.choice(colours), rng.choice(numbers, 2, replace=False)
        sides = f"{first} {colour} cars {pair},{second} {colour} cars {pair}"
        lines += [f"{sides},the colour,5", f"{sides},the number,1"]
    path = tmp_path / "csts.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def environment() -> dict[str, str]:
    return os.environ | {"NO_COLOR": "1", "SIMILITUDE_CACHE": "off", "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "error"}


@pytest.mark.slow
def test_a_model_comes_out_and_kill_9_does_not_change_it(bert, csts, tmp_path, here):
    asked = ["train", "conditional", csts.name, "--model", bert, "--batch", "8", "--lr", "1e-3", "--epochs", "12"]
    asked += ["--device", "cpu", "--checkpoint-seconds", "0.5"]
    command = [sys.executable, "-m", "similitude", *map(str, asked), "--folder", "killed"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment())
    with killed_after(process):
        until(lambda: len(_lines(tmp_path / "killed/runs/metrics.jsonl")) >= 3, "a third epoch", process=process)
    assert process.returncode == -signal.SIGKILL, "it ended before it could be killed"
    assert not (tmp_path / "killed/similitude.json").exists()

    here(*asked, "--folder", "killed")
    whole = here(*asked, "--folder", "whole")
    assert (tmp_path / "killed/model.safetensors").read_bytes() == (tmp_path / "whole/model.safetensors").read_bytes()
    told = [_lines(tmp_path / name / "runs/metrics.jsonl") for name in ("killed", "whole")]
    assert [line["spearman"] for line in told[0]] == [line["spearman"] for line in told[1]]
    assert (tmp_path / "killed/runs/losses-0.csv").read_text() == (tmp_path / "whole/runs/losses-0.csv").read_text()

    assert "bi-encoder from" in whole.out
    assert "conditional(whole) is a system now" in whole.out
    assert "8 items (10% of the sentence pairs, seed 0) were held out" in whole.err
    assert "<svg" in (tmp_path / "whole/runs/curve.html").read_text()
    assert "a bi-encoder: cos(f(s1; c), f(s2; c))" in (tmp_path / "whole/README.md").read_text()
    assert not list(tmp_path.glob("whole/runs/seed-*"))
    assert not list(tmp_path.rglob("*.tmp"))

    system = "conditional(whole, device=cpu)"
    measured = here("evaluate", csts.name, "-s", system, "-m", "spearman", "--no-cache", "--json")
    assert json.loads(measured.out)["figures"][0]["value"] > 0.5  # learned: the condition decides the label

    assert "was finished before; nothing was trained" in here(*asked, "--folder", "whole").err
    slower = ["1e-4" if word == "1e-3" else word for word in asked]
    refused = here(*slower, "--folder", "whole", code=2).err
    assert refused == "error: whole: holds another training (it differs in: recipe lr); choose another --folder\n"


def test_plain_pairs_over_two_seeds(bert, pairs, tmp_path, here):
    asked = ["train", "pairs", pairs.name, "--model", bert, "--epochs", "2", "--batch", "2", "--seeds", "2"]
    done = here(*asked, "--folder", "model", "--validation", pairs.name, "--device", "cpu", "--json")
    record = json.loads(done.out)
    assert record["architecture"]["reads"] == "sentences"
    assert "8 sentence pairs are both learned from and validated on" in done.err
    assert "| items | 8, validated on 8 |" in (tmp_path / "model/README.md").read_text()  # not on others
    assert "2 seeds" in " ".join(record["notes"])
    assert {line["seed"] for line in _lines(tmp_path / "model/runs/metrics.jsonl")} == {0, 1}
    here("evaluate", pairs.name, "-s", "conditional(model, device=cpu)", "--no-cache", "--json")


@pytest.mark.slow
def test_teachers(bert, csts, tmp_path, here):
    asked = ["train", "conditional", csts.name, "--model", bert, "--epochs", "2", "--batch", "8", "--device", "cpu"]
    done = here(*asked, "--cross-fit", "2", "--teacher-weight", "0.4", "--folder", "model", "--json")
    record = json.loads(done.out)
    assert {name: record["teachers"][name] for name in ("count", "weight")} == {"count": 2, "weight": 0.4}
    assert "learned from 0.6 x gold + 0.4 x the scores of 2 teachers" in done.err
    assert {line.get("teacher") for line in _lines(tmp_path / "model/runs/metrics.jsonl")} == {1, 2, None}
    scored = [(tmp_path / f"model/runs/teacher-{number}.csv").read_text().splitlines()[1:] for number in (1, 2)]
    assert [len(rows) for rows in scored] == [36, 36]  # 40 pairs, 4 of them held out, two conditions each
    assert not list((tmp_path / "model/runs").glob("teacher-*/"))
    here("evaluate", csts.name, "-s", "conditional(model, device=cpu)", "--no-cache", "--json")


@pytest.mark.slow
def test_a_sweep(bert, csts, tmp_path, here):
    plan = f'data = "{csts.name}"\nmodels = ["{bert}"]\nencodings = ["bi"]\nseeds = [0, 1]\n'
    (tmp_path / "plan.toml").write_text(plan + "[recipe]\nepochs = 1\nbatch = 8\n[grid]\nlr = [1e-4, 1e-3]\n")
    told = here("train", "sweep", "plan.toml", "--folder", "sweep", "--device", "cpu")
    assert "Best: Bi-encoder" in told.out
    assert "±" in told.out
    assert "Zero-shot" in (tmp_path / "sweep/sweep.html").read_text()
    assert sum(path.is_dir() for path in (tmp_path / "sweep/models").iterdir()) == 2, "one for each seed of the best"


@pytest.mark.slow
def test_a_full_disk(bert, csts, tmp_path):
    # A limit on the size of files stands for a full disk: the write fails in the middle of the first checkpoint.
    limited = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limited += "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); "
    limited += "from similitude.cli import main; main()"
    asked = ["train", "conditional", csts.name, "--model", str(bert), "--folder", "full", "--device", "cpu"]
    done = subprocess.run(
        [sys.executable, "-c", limited, *asked],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=300,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "cannot be written" in done.stderr
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda lines: [lines[0], *(lines[1 + 2 * n + n % 2] for n in range(PAIRS))],
            "no sentence pair has two conditions",
        ),
        (
            lambda lines: [line.replace(",the colour,", ",,", 1) for line in lines],
            "have no condition (first: ",
        ),
    ],
)
def test_bad_rows_are_one_line(bert, csts, here, change, told):
    csts.write_text("\n".join(change(csts.read_text().splitlines())) + "\n")
    asked = [
        "conditional",
        csts.name,
        "--model",
        bert,
        "--folder",
        "model",
        "--validation-share",
        "0.2",
        "--device",
        "cpu",
    ]
    assert told in _one_line(here("train", *asked, code=2))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--architecture", "by"], "no architecture named 'by'; did you mean 'bi'?"),
        (["--objective", "mes"], "no objective named 'mes'"),
        (["--lr", "0"], "lr 0.0 is not valid"),
        (["--precision", "float8"], "no precision named 'float8'"),
        (["--reads", "condition"], "--architecture cross"),
        (["--model", "./nowhere"], "no such folder"),
        (["--validation-split", "dev"], "has no split 'dev'"),
        (["--cross-fit", "1"], "teachers 1 is not valid"),
        (["--cross-fit", "50"], "36 sentence pairs cannot be divided among 50 teachers"),
        (["--cross-fit", "2", "--teacher-weight", "0"], "teacher-weight 0 is not valid"),
        (["--cross-fit", "0", "--teacher-weight", "0.7"], "has no effect without teachers; add --cross-fit 3"),
        (["--cross-fit", "2", "--objective", "quad"], "quad cannot use teachers"),
        (["--objective", "mse", "--margin", "0.3"], "--margin 0.3 has no effect with objective mse; omit --margin"),
        (["--architecture", "cross", "--quad-weight", "1"], "--quad-weight 1 has no effect with objective mse"),
        (["--validation-share", "0.2", "--validation-split", "dev"], "0.2 has no effect with --validation-split"),
        (["--validation-share", "2"], "cannot hold out a share of 2"),
    ],
)
def test_bad_options_are_one_line(bert, csts, here, options, told):
    model = [] if "--model" in options else ["--model", bert]
    asked = ["conditional", csts.name, *model, "--folder", "model", "--device", "cpu", *options]
    assert told in _one_line(here("train", *asked, code=2))


def _one_line(told) -> str:
    assert told.err.startswith("error: ")
    assert told.err.count("\n") == 1
    return told.err


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
