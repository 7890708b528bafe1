"""``similitude candidates``: from a file of texts to a folder of items, also after it was killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from similitude.cli.app import run
from similitude.errors import InputError

ENCODER = """
import os, time, zlib
import numpy as np
from similitude.data.prediction import Predictions

class Trigrams:
    \"\"\"Counts of hashed trigrams.\"\"\"

    def score(self, items):
        return Predictions(np.zeros(len(items)))

    def text_vectors(self, texts):
        time.sleep(float(os.environ.get("SLOW", 0)))
        with open(os.environ.get("LOG", os.devnull), "a") as log:
            log.write(f"{len(texts)}\\n")
        vectors = np.full((len(texts), 32), 0.01, np.float32)
        for row, text in enumerate(texts):
            for start in range(len(text) - 2):
                vectors[row, zlib.crc32(text[start : start + 3].encode()) % 32] += 1
        return vectors
"""
WORDS = (
    "cat dog horse mouse bird sleeps runs eats hides waits garden street kitchen forest river red blue old young big"
)
SIZES = [16_384, 16_384, 1_232]
"""Texts of each piece."""
ROWS = sum(SIZES)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Distinct texts of five words each, and the encoder beside them."""
    folder = tmp_path_factory.mktemp("texts")
    words = WORDS.split()
    lines = (" ".join(words[(row // len(words) ** place) % len(words)] for place in range(5)) for row in range(ROWS))
    (folder / "texts.txt").write_text("\n".join(lines), encoding="utf-8")
    (folder / "trigrams.py").write_text(ENCODER, encoding="utf-8")
    return folder


def command(texts: Path, out: Path) -> list[str]:
    how = ["--pair", f"{texts}/trigrams.py:Trigrams", "--pair-by", "neighbours", "--k", "2", "--duplicates", "none"]
    return [
        "candidates",
        str(texts / "texts.txt"),
        *how,
        "--items",
        "50",
        "--filter",
        "cosine >= 0.5",
        "--out",
        str(out),
    ]


def start(words: list[str], **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "similitude", *words, "-q"], env={**os.environ, **environment})


def wait_for(path: Path, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    """Wait until a file is there."""
    until = time.monotonic() + seconds
    while not path.exists():
        assert process.poll() is None, "the process ended before it could be killed"
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_killed_search_goes_on_from_its_finished_pieces(texts: Path, tmp_path: Path) -> None:
    out, pieces = tmp_path / "killed", tmp_path / "killed" / "work" / "4-vectors" / "unfinished" / "pieces" / "vectors"
    process = start(command(texts, out), SLOW="1.5")
    wait_for(pieces / "000000.json", process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (pieces / "000002.json").exists()
    done = len(list(pieces.glob("*.json")))
    assert start(command(texts, out), LOG=str(tmp_path / "log")).wait() == 0
    encoded = sorted(map(int, (tmp_path / "log").read_text().split()))
    assert encoded == sorted([1, *SIZES[done:]])  # one text shows the width; finished pieces are not encoded again
    assert start(command(texts, tmp_path / "whole")).wait() == 0
    for name in ("items.jsonl", "descriptions.parquet", "plan.toml"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


SMALL = ["A dog runs.", "A dog is running.", "It rains.", "Rain falls.", "A cat sleeps.", "The cat is asleep."]


@pytest.fixture
def few(tmp_path: Path) -> Path:
    file = tmp_path / "few.txt"
    file.write_text("\n".join(SMALL), encoding="utf-8")
    return file


def test_flags_become_a_plan_that_repeats_the_search(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--items", "2", "--k", "2", "--filter", "cosine >= 0.5", "--seed", "3", "--characters", "5..40"]
    assert run(["candidates", str(few), *flags, "--out", str(tmp_path / "a")]) == 0
    told = capsys.readouterr().out
    assert "cosine >= 0.5" in told
    assert str(tmp_path / "a" / "items.jsonl") in told
    assert run(["candidates", str(tmp_path / "a" / "plan.toml"), "--out", str(tmp_path / "b")]) == 0
    assert (tmp_path / "a" / "items.jsonl").read_bytes() == (tmp_path / "b" / "items.jsonl").read_bytes()


def test_a_plan_in_the_folder_of_a_search_finds_its_files(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["candidates", few.name, "--k", "2", "--out", "found/here", "--quiet"]) == 0
    assert 'data = "../../few.txt"' in (tmp_path / "found" / "here" / "plan.toml").read_text()
    monkeypatch.chdir("found")
    assert run(["candidates", "here/plan.toml", "--out", "again", "--quiet"]) == 0
    assert Path("here/items.jsonl").read_bytes() == Path("again/items.jsonl").read_bytes()


def test_flags_override_a_plan(few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[texts]\ndata = "few.txt"\n[pairs]\nk = 2\n[select]\nitems = 3\n')
    assert run(["candidates", str(plan), "--items", "1", "--json", "--out", str(tmp_path / "out")]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["items"], record["plan"]["pairs"]["k"], record["name"]) == (1, 2, "plan")
    assert [step["name"] for step in record["steps"]] == ["read", "clean", "duplicates", "vectors", "pairs", "select"]


def test_items_go_on_to_design(few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["candidates", str(few), "--out", str(tmp_path / "out"), "-q"])
    items = str(tmp_path / "out" / "items.jsonl")
    assert run(["design", "rating", items, "--batch", "5", "--out", str(tmp_path / "design.jsonl")]) == 0
    assert "questions" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--filter", "cosin >= 0.5"], "did you mean 'cosine'"),
        (["--filter", "cosine >= 2"], "filter 'cosine >= 2'"),
        (["--characters", "900.."], "no text is left of 6 after cleaning: 6 under 900 characters"),
        (["--characters", "many"], "is no range"),
        (["--language", "english!"], "is no code of a language"),
        (["--duplicates", "near"], "duplicates.similarity = 'near'"),
        (["--pair", "levenshtein"], "has no vectors of texts"),
        (["--memory", "1kB"], "too little"),
        (["--vectors", "few.npy"], "few.npy"),
        (["--address", "localhost:1"], "--engine ray"),
        (["--within", "domains"], "no column named 'domains'"),
    ],
)
def test_bad_input_is_one_line(few: Path, tmp_path: Path, flags: list[str], told: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "similitude", "candidates", str(few), *flags, "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_bad_rows_are_left_out_if_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "texts.txt"
    file.write_text("A dog runs.\n" + "x" * 1_000_001 + "\nA cat sleeps.\n", encoding="utf-8")
    words = ["candidates", str(file), "--out", str(tmp_path / "out")]
    with pytest.raises(InputError, match=r"line 2.*--on-error skip"):
        run(words)
    assert run([*words, "--on-error", "skip"]) == 0
    shown = capsys.readouterr()
    assert "texts.txt, line 2" in shown.err
    assert "2 texts" in shown.out
