import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import similitude as sim


@pytest.fixture
def run(tmp_path) -> Path:
    sim.run("sample:opinions", ["levenshtein", "jaro"], ["spearman", "mae"], out=tmp_path / "run", resamples=50)
    return tmp_path / "run"


def test_a_page_in_the_run_and_its_path_is_printed(similitude, run):
    shown = similitude("report", "run")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.strip() == "run/report.html"
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "sample:opinions" in page
    assert "SIMULATED" in page
    assert not list(run.glob(".*.tmp"))
    again = sim.run("sample:opinions", ["levenshtein"], ["mae"], out=run, resamples=0)
    assert again.folder == run, "a run with a report in it is still a run"


def test_tables_to_standard_output_and_to_files(similitude, run, tmp_path):
    shown = similitude("report", "run", "--markdown", "-")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("# sample:opinions\n")
    shown = similitude("report", "run", "--markdown", "t.md", "--latex", "t.tex")
    assert shown.stdout.split() == ["t.md", "t.tex"]
    assert (tmp_path / "t.tex").read_text().startswith("% Written by Similitude")
    assert not (run / "report.html").exists(), "no page unless asked for"


def test_names_columns_and_a_model_card(similitude, run, tmp_path):
    shown = similitude("report", "run", "--markdown", "-", "--name", "edits", "--name", "J", "--columns", "mae")
    assert "| edits |" in shown.stdout
    assert "levenshtein" not in shown.stdout
    assert "| rank | system | mae ↓ |" in shown.stdout
    shown = similitude("report", "run", "--model-card", "card.md", "--system", "jaro")
    assert shown.stdout.split() == ["card.md"]
    assert '- name: "jaro"' in (tmp_path / "card.md").read_text()


def test_a_model_card_on_standard_output(similitude, run):
    shown = similitude("report", "run", "--model-card", "-", "--system", "levenshtein")
    assert shown.stdout.startswith('---\nmodel-index:\n- name: "levenshtein"\n')
    shown = similitude("report", "run", "--model-card", "-")
    assert shown.returncode == 2
    assert "give --system, one of: levenshtein, jaro" in shown.stderr


def test_a_suite_has_names_turned_tables_and_model_cards(similitude, tmp_path):
    sim.run_suite(["sample:opinions", "sample:dialogues"], ["levenshtein", "jaro"], out=tmp_path / "suite", resamples=0)
    shown = similitude("report", "suite", "--latex", "-", "--landscape", "--name", "edits", "--name", "J")
    assert shown.stdout.count(r"\begin{sidewaystable}") >= 2
    assert "edits" in shown.stdout
    assert "levenshtein" not in shown.stdout
    shown = similitude("report", "suite", "--model-card", "-", "--system", "jaro")
    assert shown.stdout.count("  - task:") == 2, "one result for each benchmark"
    shown = similitude("report", "suite", "--latex", "-", "--columns", "spearman")
    assert shown.returncode == 2
    assert "--columns chooses among the measures of one benchmark" in shown.stderr


def test_results_for_mteb_beside_a_page(similitude, run, tmp_path):
    (tmp_path / "page.html").write_text("old")
    shown = similitude("report", "run", "--mteb", "mteb/results", "--page", "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert not (run / "report.html").exists()
    assert shown.stdout.splitlines() == ["2 results in mteb/results", "page.html"]
    (result,) = (tmp_path / "mteb" / "results" / "similitude__jaro").rglob("sample_opinions.json")
    assert json.loads(result.read_text())["task_name"] == "sample_opinions"


@pytest.mark.slow
def test_the_page_is_opened_when_asked(program, run, tmp_path, monkeypatch):
    browser = tmp_path / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path / "opened"}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    shown = program("report", "run", "--open")
    assert shown.returncode == 0, shown.stderr
    assert (tmp_path / "opened").read_text().strip() == (run / "report.html").as_uri()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "nowhere: holds no finished run; name a folder that 'evaluate' saved"),
        (("run", "--page", "run"), "run: is a folder; name a file"),
    ],
)
def test_mistakes_get_one_line(similitude, run, arguments, message):
    shown = similitude("report", *arguments)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr


def test_answers_of_language_models_to_review(tmp_path):
    class Says:
        key, window, scores_choices = sim.extend.ModelKey("says", "1"), None, False

        def count_tokens(self, prompts):
            return [1 for _ in prompts]

        def answers(self, questions, listener=None):
            for place in range(len(questions)):
                yield place, sim.extend.ModelAnswer("no idea" if place % 5 == 0 else "I would say 2")

    judge = sim.system("prompted(says)").with_model(Says())
    sim.run("sample:opinions", [judge], ["mae"], out=tmp_path / "asked", answers=None, resamples=0)
    # A process of its own: in this one, the width of the terminal may have been looked up before.
    command = [sys.executable, "-m", "similitude", "report", "asked", "--answers"]
    narrow = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    shown = subprocess.run(command, cwd=tmp_path, env=narrow, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("More than 10 % of the answers were replaced, so never called best:")
    assert max(len(line) for line in shown.stdout.splitlines()) <= 80
    assert shown.stdout.split()[-1] == "asked/answers.html"
    page = (tmp_path / "asked" / "answers.html").read_text(encoding="utf-8")
    assert "none (12)" in page
    assert "prose (48)" in page


def test_answers_where_there_are_none(similitude, run):
    shown = similitude("report", "run", "--answers")
    assert shown.returncode != 0
    assert "keeps no answers of language models" in shown.stderr
