"""A real package with one extension of every kind, installed and used from the command line; and classes in files."""

import json
import os
import re
import shutil
import string
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "extension"
MODULES = EXAMPLE / "src" / "similitude_example"


def installed_in(folder: Path, source: Path) -> Path:
    """Build and install a package without the network, and say where."""
    copy = shutil.copytree(source, folder / "source")
    where = folder / "site"
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(where), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PIP_ROOT_USER_ACTION": "ignore"})
    assert done.returncode == 0, done.stderr
    return where


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Path:
    if find_spec("pip") is None or find_spec("setuptools") is None:
        pytest.skip("packages cannot be built: pip or setuptools is not installed")
    return installed_in(tmp_path_factory.mktemp("example"), EXAMPLE)


@pytest.fixture
def bars(tmp_path) -> Path:
    rows = [
        "#bars",
        "A man plays. | A man sings. | 4",
        "A DOG RUNS | Cats sleep. | 1",
        "Sun is out. | It is sunny. | 3",
    ]
    path = tmp_path / "pairs.txt"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def with_example(example, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(example), os.environ.get("PYTHONPATH", "")]))


@pytest.mark.usefixtures("with_example")
class TestAPackage:
    @pytest.mark.slow
    def test_format_system_and_measure(self, program, bars, tmp_path):
        asked = ["-s", "first-word(letters=1)", "-m", "median_error", "--scale", "0..5", "--folder", "run", "--json"]
        done = program("evaluate", bars.name, *asked)
        assert done.returncode == 0, done.stderr
        (figure,) = json.loads(done.stdout)["figures"]
        # First letters agree in rows 1 (5 against 4) only: errors 1, 1 and 3.
        assert (figure["system"], figure["measure"], figure["value"]) == ("first-word(letters=1)", "median_error", 1.0)
        assert json.loads((tmp_path / "run/run.json").read_text())["systems"][0]["code"].startswith("source ")
        again = program("report", "run")
        assert again.returncode == 0, again.stderr

    @pytest.mark.slow
    def test_they_are_listed(self, program):
        for command, name in (
            (["systems"], "first-word"),
            (["measures"], "median_error"),
            (["data", "formats"], "bars"),
        ):
            done = program(*command)
            assert name in done.stdout, done.stderr

    @pytest.mark.slow
    def test_check(self, program, bars):
        done = program("data", "check", bars.name, "--scale", "0..5", "--json")
        assert "1 texts are all in capitals" in done.stdout, done.stderr

    @pytest.mark.slow
    def test_aggregation(self, program, tmp_path):
        (tmp_path / "answers.csv").write_text("item,annotator,rating\na,ann,1\na,bob,4\na,cy,4\nb,ann,5\nb,bob,5\n")
        asked = ["gold", "answers.csv", "--scale", "0..5", "--json", "--method"]
        for method in ("midrange", f"{MODULES / 'aggregation.py'}:Midrange"):
            done = program(*asked, method)
            # (1 + 4) / 2 and (5 + 5) / 2
            assert [row["score"] for row in json.loads(done.stdout)["items"]] == [2.5, 5.0], done.stderr

    @pytest.mark.slow
    def test_feature(self, program, tmp_path):
        texts = [
            "Where is the blue house?",
            "The blue house is here.",
            "Is the green house far?",
            "A dog barks at night.",
        ]
        (tmp_path / "texts.txt").write_text("\n".join(texts) + "\n")
        asked = ["--k", "3", "--filter", "questions == 2", "--out", "found", "--no-cache", "--json"]
        done = program("candidates", "texts.txt", *asked)
        assert done.returncode == 0, done.stderr
        (item,) = [json.loads(line) for line in (tmp_path / "found/items.jsonl").read_text().splitlines()]
        assert {item["left"], item["right"]} == {texts[0], texts[2]}

    @pytest.mark.slow
    def test_annotation_task(self, program, tmp_path):
        pytest.importorskip("fastapi", reason="needs the annotation server")
        (tmp_path / "items.jsonl").write_text('{"id": "a", "left": "It rains.", "right": "Rain falls."}\n')
        plan = 'name = "twins"\ntask = "same-or-different"\nitems = "items.jsonl"\njudgements = 1\n'
        (tmp_path / "study.toml").write_text(plan)
        done = program("annotate", "check", "study.toml")
        assert done.returncode == 0, done.stderr + done.stdout

    @pytest.mark.slow
    def test_objective(self, program, tiny_bert, letters, tmp_path):
        pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
        sides = [f"{word} red cars,two red cars" for word in ("one", "six", "ten", "four")]
        rows = [f"{side},{rest}" for side in sides for rest in ("the colour,5", "the number,1")]
        (tmp_path / "csts.csv").write_text("\n".join(["sentence1,sentence2,condition,label", *rows]) + "\n")
        asked = ["csts.csv", "--model", str(tiny_bert([*letters, *string.punctuation])), "--folder", "model"]
        options = ["--objective", "huber(bend=0.1)", "--epochs", "1", "--device", "cpu", "--cross-fit", "0"]
        options += ["--validation-share", "0.5"]
        done = program("train", "conditional", *asked, *options)
        assert done.returncode == 0, done.stderr
        assert "| objective | huber(bend=0.1) |" in (tmp_path / "model/README.md").read_text()

    @pytest.mark.slow
    def test_head_and_its_objective(self, program, tiny_bert, letters, tmp_path):
        pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
        rng = np.random.default_rng(0)
        rows = [
            {"id": str(n), "left": f"x {n}", "right": "a", "ratings": rng.uniform(0, 5, 4).tolist()} for n in range(12)
        ]
        for row in rows:
            row["score"] = float(np.mean(row["ratings"]))
        (tmp_path / "rated.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        bert = str(tiny_bert([*letters, *string.digits]))
        asked = ["rated.jsonl", "--model", bert, "--folder", "model", "--scale", "0..5"]
        options = ["--head", "laplace", "--objective", "calm-nll", "--epochs", "1", "--device", "cpu"]
        options += ["--validation-share", "0.5"]
        done = program("train", "uncertain", *asked, *options)
        assert done.returncode == 0, done.stderr
        card = (tmp_path / "model/README.md").read_text()
        assert "whose tails are heavy" in card
        assert "| objective | calm-nll |" in card
        done = program(
            "evaluate", "rated.jsonl", "-s", "uncertain(model, device=cpu)", "-m", "crps", "--scale", "0..5", "--json"
        )
        assert json.loads(done.stdout)["figures"][0]["value"] is not None, done.stderr

    @pytest.mark.slow
    def test_they_keep_the_contracts(self, bars):
        code = f"""
from similitude.testing import *
check_system("first-word", tolerance=0)
check_measure("median_error")
check_feature("questions")
check_format("bars", {str(bars)!r})
check_check("shouting")
check_task("same-or-different", {{"value": "same"}})
"""
        torch = "check_objective('huber'); check_opinion_objective('calm-nll'); check_head('laplace')"
        whole = code + (torch if find_spec("torch") else "")
        done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_without_the_package_a_run_says_what_is_gone(similitude, bars, example, tmp_path):
    with_it = os.environ | {"PYTHONPATH": os.pathsep.join([str(example), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "similitude", "evaluate", bars.name, "-s", "first-word", "-m", "median_error"]
    command += ["--scale", "0..5", "--folder", "run"]
    subprocess.run(command, cwd=tmp_path, env=with_it, check=True, capture_output=True)
    done = similitude("report", "run")
    assert done.returncode != 0
    assert "was measured by 'median_error', which is not there any more" in done.stderr
    assert "Traceback" not in done.stderr


def broken_package(folder: Path, entries: str, **modules: str) -> Path:
    """A package as pip leaves it, with these entry points."""
    information = folder / "broken-2.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 2.0\n")
    (information / "entry_points.txt").write_text(entries)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("entries", "module", "asked", "told"),
    [
        ("[similitude.systems]\nmine = broken_one:Typo\n", "", ["-s", "mine"],
         "package 'broken' 2.0: entry point 'mine = broken_one:Typo' cannot be loaded: AttributeError"),
        ("[similitude.systems]\nmine = no_such_module:Mine\n", "", ["-s", "mine"], "ModuleNotFoundError"),
        ("[similitude.systems]\nmine = broken_one:Mine\n", "class Mine: pass", ["-s", "mine"],
         "system 'mine' has no method score(self, items)"),
        ("[similitude.systems]\nlevenshtein = broken_one:Mine\n", "class Mine: pass", ["-s", "levenshtein"],
         "system 'levenshtein' is registered twice: similitude.systems.strings"),
        ("[similitude.measures]\nmine = broken_one:Mine\n", "class Mine: pass", ["-s", "jaro", "-m", "mine"],
         "measure 'mine' is no subclass of similitude.extend.Measure"),
        ("[similitude.formats]\nmine = broken_one:mine\n", "def mine(): return 3", ["-s", "jaro"],
         "format 'mine' is a int, not a similitude.data.reading.format.Format"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_what_is_wrong_with_a_package_is_one_error(program, pairs, tmp_path, monkeypatch, entries, module, asked, told):
    where = broken_package(tmp_path / "site", entries, broken_one=module)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(where), os.environ.get("PYTHONPATH", "")]))
    done = program("evaluate", pairs.name, *asked)
    assert done.returncode == 2
    assert told in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


SYSTEM = """
class Lengths:
    def __init__(self, cut: int = 0):
        self.cut = cut

    def score(self, items):
        return [min(len(a), len(b)) - self.cut for a, b in zip(items.lefts, items.rights)]
"""


class TestAFile:
    def evaluated(self, similitude, written: str) -> dict:
        done = similitude("evaluate", "pairs.csv", "-s", written, "-m", "pearson", "--folder", "run", "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def test_changed_code_is_never_answered_from_an_old_run(self, similitude, pairs, tmp_path):
        file = tmp_path / "mine.py"
        file.write_text(SYSTEM)
        first = self.evaluated(similitude, "mine.py:Lengths(cut=2)")
        assert first["systems"][0]["identity"] == "mine.py:Lengths(cut=2)"
        table = next((tmp_path / "run/predictions").glob("*.parquet"))
        written = table.stat().st_mtime_ns
        assert self.evaluated(similitude, "mine.py:Lengths(cut=2)")["figures"] == first["figures"]
        assert table.stat().st_mtime_ns == written, "the same code is computed twice"
        file.write_text(SYSTEM.replace("min(len(a), len(b))", "-len(a)"))
        assert self.evaluated(similitude, "mine.py:Lengths(cut=2)")["figures"] != first["figures"]
        assert table.stat().st_mtime_ns != written

    def test_a_declared_version_stands_for_the_code(self, similitude, pairs, tmp_path):
        file = tmp_path / "mine.py"
        file.write_text(SYSTEM + '    version = "1"\n')
        first = self.evaluated(similitude, "mine.py:Lengths")
        file.write_text(SYSTEM.replace("min(", "max(") + '    version = "1"\n')
        assert self.evaluated(similitude, "mine.py:Lengths")["figures"] == first["figures"]
        file.write_text(SYSTEM.replace("min(", "max(") + '    version = "2"\n')
        assert self.evaluated(similitude, "mine.py:Lengths")["figures"] != first["figures"]

    def test_a_measure(self, similitude, pairs, tmp_path):
        shutil.copy(MODULES / "measure.py", tmp_path)
        done = similitude("evaluate", "pairs.csv", "-s", "jaro", "-m", "measure.py:MedianError", "--folder", "run")
        assert done.returncode == 0, done.stderr
        assert similitude("report", "run").returncode == 0
        (tmp_path / "measure.py").unlink()
        assert "which is not there any more (there is no such file)" in similitude("report", "run").stderr

    @pytest.mark.parametrize(
        ("written", "told"),
        [
            ("none.py:Mine", "none.py: there is no such file"),
            ("mine.py:Other", "mine.py: nothing in it is named 'Other'; there are: Lengths, NoScore, Lost, Wrong"),
            ("mine.py:NoScore", "system 'mine.py:NoScore' has no method score(self, items)"),
            ("mine.py:Lost(4)", "does not keep its argument 'cut'"),
            ("mine.py:Wrong", "score() gave None; return a list or an array of one number an item"),
            ("mine.py:Lengths(size=3)", "arguments of 'mine.py:Lengths': cut=0"),
            ("bad.py:Mine", "bad.py, line 3: cannot be imported: ZeroDivisionError: division by zero"),
            ("worse.py:Mine", "worse.py, line 1: cannot be imported: SyntaxError"),
        ],
    )
    def test_mistakes_are_one_line(self, here, pairs, tmp_path, written, told):
        others = "class NoScore: pass\nclass Lost:\n    def __init__(self, cut: int): ...\n    score = len\n"
        (tmp_path / "mine.py").write_text(f"{SYSTEM}\n{others}class Wrong:\n    def score(self, items): pass\n")
        (tmp_path / "bad.py").write_text("import math\n\n1 / 0\n")
        (tmp_path / "worse.py").write_text("class class\n")
        assert told in here("evaluate", "pairs.csv", "-s", written, code=2).err.replace("\n", " ")


def test_contributing_shows_the_very_files():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for file in (*sorted(MODULES.glob("[a-z]*.*")), EXAMPLE / "pyproject.toml"):
        shown = re.search(rf"<!-- {re.escape(file.name)} -->\n+```\w*\n(.*?)```", text, re.DOTALL)
        assert shown is not None, f"CONTRIBUTING.md does not show {file.name}"
        assert shown[1] == file.read_text(encoding="utf-8"), f"CONTRIBUTING.md shows another {file.name}"
