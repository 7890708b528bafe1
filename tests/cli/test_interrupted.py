"""Ctrl-C at many moments of every command: one line, exit code 130, and the same command then gives the same."""

import subprocess
import sys
from pathlib import Path

import pytest
from interruption import check_that_it_goes_on, run

from similitude.cli.app import COMMANDS

WORDS = "the quick brown fox jumps over a lazy dog while seven cats watch from an old wooden fence"

STUDY = """
name = "trial"
[[tables]]
name = "Table 1"
layout = "systems"
data = ["sample:opinions"]
measures = ["pearson"]
resamples = 0
[tables.systems]
Edits = "levenshtein"
Jaro = "jaro"
"""

AT_WORK = {
    "evaluate": "evaluate pairs.jsonl -s levenshtein -s tfidf-cosine -m spearman --resamples 0 --folder run",
    "measure": "measure pairs.jsonl scores.csv -m spearman --resamples 0",
    "choose": "choose pairs.jsonl -s levenshtein -s tfidf-cosine --cardinality 1:1 --interest all --information value "
    "--folder run",
    "report": "report earlier --page report.html",
    "task": "task deduplication sample:deduplication -s levenshtein",
    "gold": "gold sample:dialogues --method plackett-luce --out gold.jsonl",
    "reliability": "reliability sample:opinions --resamples 20",
    "candidates": "candidates texts.txt --items 5 --out found",
    "data show": "data show pairs.jsonl",
    "data check": "data check pairs.jsonl",
    "data stats": "data stats pairs.jsonl --no-lemmas",
    "data suspects": "data suspects pairs.jsonl --out suspects.csv --ask ask.csv",
    "publish": "publish pairs.jsonl --name mine --language en --license MIT --split dev=0.5,test=0.5 --out release",
    "data convert": "data convert pairs.jsonl --out pairs.parquet",
    "design best-worst": "design best-worst sample:dialogues --out plan.jsonl",
    "design rating": "design rating sample:opinions --out plan.jsonl",
    "predictiveness": "predictiveness sample:opinions -t sample:text-reuse -s levenshtein -s length-ratio --resamples 0 "
    "--folder predictiveness",
    "study run": "study run study.toml --folder study",
    "demo": "demo",
}
LISTINGS = {
    "measures", "systems", "data formats", "data recipes", "data suites", "completion", "cache show", "cache clear",
    "study list", "study show", "study status", "study compare", "study add-system",
}  # fmt: skip
"""Commands that show or write one thing, in far less than two seconds."""
ELSEWHERE = {
    "demo": "evaluates the sample",
    "contentious": "scores as 'evaluate' does, with a trained model, and writes one file",
    "predictiveness": "measures tasks, as 'task' does, and writes nothing",
    "conditions": "asks a language model as 'evaluate' does, whose answers are kept, and writes one file",
    "prompt": "tests/study/test_prompt_grid.py: a killed study goes on",
    "data get": "tests/data/public: a killed download goes on",
    "study run": "tests/study/test_study_run.py: a killed study goes on",
    "train pairs": "tests/functional/test_train.py: a killed training goes on to the same end",
    "train conditional": "tests/training: a killed training goes on to the same end",
    "train uncertain": "tests/training: a killed training goes on to the same end",
    "train gaussian-process": "tests/training/test_gaussian_process_trainer.py: killed anywhere",
    "train five-settings": "runs trainings, each of which goes on",
    "train sweep": "runs trainings, each of which goes on",
} | {name: "tests/collect: one transaction each" for name in COMMANDS if name.startswith("annotate ")}


def test_every_command_is_here_or_elsewhere():
    assert set(AT_WORK) | LISTINGS | set(ELSEWHERE) == set(COMMANDS)


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """What the commands read."""
    folder = tmp_path_factory.mktemp("files")
    words = WORDS.split()
    texts = [" ".join(words[start : start + 6]) + f" {start}" for start in range(11)]
    (folder / "texts.txt").write_text("\n".join(texts) + "\n")
    run("data convert sample:opinions --out pairs.jsonl", folder)
    run("evaluate pairs.jsonl -s levenshtein -m spearman --resamples 0 --folder earlier", folder)
    rows = [f"o{place:02},{place % 5}" for place in range(1, 61)]
    (folder / "scores.csv").write_text("id,score\n" + "\n".join(rows) + "\n")
    (folder / "study.toml").write_text(STUDY)
    return folder


@pytest.mark.slow
# An interruption while Python drops a generator goes no further; the command then ends as if there had been none.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", AT_WORK)
def test_the_same_command_gives_the_same_after_ctrl_c(name, files, tmp_path, monkeypatch):
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    if name == "demo":  # with fewer systems and samples
        monkeypatch.setattr("similitude.cli.demo.DEMO_SYSTEMS", ("length-ratio", "levenshtein"))
        monkeypatch.setattr("similitude.cli.demo.SHOWN_SYSTEMS", ("levenshtein",))
        monkeypatch.setattr("similitude.cli.demo.READER", {})
        monkeypatch.setattr("similitude.samples.SAMPLE_PARTS", ("opinions",))
    check_that_it_goes_on(AT_WORK[name], files, tmp_path)


def test_ctrl_c_while_the_command_line_loads():
    """Before anything is imported, and in the middle of it."""
    program = (
        "import signal, sys\n"
        "class Breaks:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == {broken!r}: signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Breaks())\n"
        "sys.argv = ['similitude', 'measures']\n"
        "from similitude.__main__ import main\n"
        "main()\n"
    )
    for broken in ("similitude.cli.app", "cyclopts"):
        ended = subprocess.run(
            [sys.executable, "-c", program.format(broken=broken)], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 130
        assert ended.stdout == ""
        assert ended.stderr.count("\n") == 1
        assert ended.stderr.startswith("interrupted")


def test_a_second_ctrl_c_ends_a_command_whose_threads_still_compute():
    program = (
        "import os, signal, sys, threading, time\n"
        "import similitude.cli\n"
        "def slow():\n"
        "    threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "    again = lambda: (threading.main_thread().join(), time.sleep(0.5), os.kill(os.getpid(), signal.SIGINT))\n"
        "    threading.Thread(target=again, daemon=True).start()\n"
        "    sys.exit(130)\n"
        "similitude.cli.main = slow\n"
        "from similitude.__main__ import main\n"
        "main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (130, "")
