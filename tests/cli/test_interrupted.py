"""Ctrl-C at many moments of every command: one line, exit code 130, and the same command then gives the same."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from interruption import Trial, check_that_it_goes_on, run
from public_home import Home, data_of, home

from similitude.cli.app import COMMANDS

__all__ = ["home"]

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
    "predictiveness": "predictiveness sample:opinions -t sample:text-reuse -s levenshtein -s length-ratio "
    "--resamples 0 --folder predictiveness",
    "study run": "study run study.toml --folder study",
    "demo": "demo",
}
LISTINGS = {
    "measures", "systems", "data formats", "data recipes", "data suites", "completion", "cache show", "cache clear",
    "study list", "study show", "study status", "study compare", "study add-system", "annotate check", "annotate link",
}  # fmt: skip
"""Commands that show or write one thing, in far less than two seconds."""
IN_MODULES = ("test_interrupted_annotation.py", "test_interrupted_models.py")
"""Where the commands are interrupted that need a database, a model or a server."""

ELSEWHERE = {
    "data get": "tests/cli/test_interrupted.py::test_a_download_goes_on_after_ctrl_c",
    "annotate serve": "tests/functional/test_annotate_cli.py::test_serving_answers_and_stops_when_told",
}
"""Tests of their own, which press Ctrl-C."""


def interrupted_in(module: str) -> set[str]:
    """The commands of another module's AT_WORK, which may need what is not installed: it is read, not imported."""
    tree = ast.parse((Path(__file__).parent / module).read_text(encoding="utf-8"))
    [table] = [line.value for line in tree.body if isinstance(line, ast.Assign) and line.targets[0].id == "AT_WORK"]
    words = [key.value for key in table.keys]
    return {f"annotate {each.split()[0]}" for each in words} if "annotation" in module else set(words)


def test_every_command_is_interrupted_somewhere():
    here = set(AT_WORK).union(LISTINGS, ELSEWHERE, *map(interrupted_in, IN_MODULES))
    assert here == set(COMMANDS)


@pytest.mark.parametrize("command", ELSEWHERE)
def test_the_test_elsewhere_is_there_and_interrupts(command):
    file, _, name = ELSEWHERE[command].partition("::")
    tree = ast.parse((Path(__file__).parents[2] / file).read_text(encoding="utf-8"))
    [function] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
    assert re.search("SIGINT|KeyboardInterrupt|check_that_it_goes_on", ast.unparse(function))


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
    check_that_it_goes_on(Trial(AT_WORK[name], files, tmp_path))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_download_goes_on_after_ctrl_c(home: Home, tmp_path):
    (tmp_path / "files").mkdir()
    data = data_of(home.file("a.csv", b"left,right\n" * 9_000), home.file("b.csv", b"left,right\n"))
    files = "".join(
        "[[data.file]]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in file.model_dump().items())
        for file in data.file
    )
    told = data.model_dump(mode="json", exclude={"file"}, exclude_defaults=True)
    head = "".join(f"{name} = {json.dumps(value)}\n" for name, value in told.items())
    (tmp_path / "files/mine.toml").write_text(f"[[data]]\n{head}{files}")
    words = "data get pets --catalogue mine.toml"
    check_that_it_goes_on(Trial(words, tmp_path / "files", tmp_path, same=["pets/*.csv"], shows=lambda _: ""))


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
