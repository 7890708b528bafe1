"""Every table at 80 and 60 columns: no line is too long, no figure is cut, and each row has its name."""

import os
import re
import subprocess
import sys
from functools import cache

import pytest
from rich.cells import cell_len

SYSTEMS = ("levenshtein", "tfidf-cosine", "char-ngram-cosine(n=3)", "char-ngram-cosine(n=4)", "word-ngram-jaccard(n=2)")
MEASURES = ("pearson", "spearman", "kendall", "ndcg@10", "f1_low", "f1_high", "mae", "mse")
SYSTEM_OPTIONS = [word for name in SYSTEMS for word in ("-s", name)]
MEASURE_OPTIONS = [word for name in MEASURES for word in ("-m", name)]
EVALUATE = ["evaluate", "sample:opinions", *SYSTEM_OPTIONS, *MEASURE_OPTIONS, "-q", "--folder", "run"]
SHIFTS = ["predictiveness", "sample:opinions", "-t", "sample:text-reuse", "-t", "sample:deduplication", "-q"]
COMMANDS = {
    "evaluate": [*EVALUATE, "--by", "domain"],
    "against": [*EVALUATE, "--against", "levenshtein"],
    "suite": ["evaluate", "sample:opinions", "sample:conditions", *SYSTEM_OPTIONS, "-m", "pearson", "-m", "mae", "-q",
              "--folder", "runs"],
    "choose": ["choose", "sample:opinions", *SYSTEM_OPTIONS, "--cardinality", "1:1", "--interest", "all",
               "--information", "value", "-q", "--folder", "choice"],
    "predictiveness": [*SHIFTS, *SYSTEM_OPTIONS],
    "task": ["task", "deduplication", "sample:deduplication", *SYSTEM_OPTIONS, "-q"],
    "candidates": ["candidates", "sample:opinions", "--items", "20", "--filter", "cosine >= 0.3 and iou <= 0.5",
                   "--filter", "disagreement(use-multilingual, levenshtein) >= 0.01", "-q", "--out", "found"],
    "gold": ["gold", "sample:dialogues"],
    "reliability": ["reliability", "sample:opinions"],
    "stats": ["data", "stats", "sample:dialogues", "--by", "turns,domain"],
    "show": ["data", "show", "sample:dialogues"],
    "design": ["design", "best-worst", "sample:dialogues", "--out", "plan.jsonl"],
    "measures": ["measures"],
    "systems": ["systems"],
    "formats": ["data", "formats"],
    "recipes": ["data", "recipes"],
    "suites": ["data", "suites"],
    "tasks": ["task", "--list"],
}  # fmt: skip


def printed(words, folder, columns):
    return _printed(tuple(words), folder, columns)


@cache
def _printed(words, folder, columns):
    width = {} if columns is None else {"COLUMNS": str(columns)}
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run(
        [sys.executable, "-m", "similitude", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment | {"NO_COLOR": "1", "SIMILITUDE_CACHE": "off"} | width,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("width")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_is_too_long_and_nothing_is_cut(name, columns, folder):
    lines = printed(COMMANDS[name], folder, columns)
    assert max(map(cell_len, lines)) <= columns
    assert "…" not in "".join(lines)


def tables(lines):
    """The bodies of all tables: the lines from below a rule to the next blank line."""
    body = None
    for line in lines:
        if set(line.strip()) == {"─"}:
            body = []
        elif body is not None and line.strip():
            body.append(line)
        elif body is not None:
            yield body
            body = None


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("name", ["evaluate", "suite", "predictiveness", "task"])
def test_every_row_with_a_figure_has_its_name(name, columns, folder):
    found = list(tables(printed(COMMANDS[name], folder, columns)))
    assert len(found) > 1
    for body in found:
        for line in body:
            figures = re.sub(r"[\[(][^\])]*[\])]?", "", line)
            if re.search(r"\.\d", figures):
                assert re.search(r"[a-z]\w", figures), line


@pytest.mark.slow
def test_the_blocks_of_a_wide_table_hold_every_measure_for_every_system(folder):
    lines = printed(EVALUATE, folder, 80)
    heads = [line.split() for line in lines if line.strip() and set(line.split()) <= set(MEASURES)]
    assert heads[0] + heads[1] == list(MEASURES)
    blocks = list(tables(lines))
    assert all(sum("levenshtein" in line for line in body) == 1 for body in blocks[:2])


@pytest.mark.slow
def test_a_pipe_without_columns_is_wider_than_a_screen(folder):
    lines = printed(EVALUATE, folder, None)
    body = next(tables(lines))
    assert max(map(cell_len, lines)) > 80
    assert max(map(cell_len, lines)) <= 160
    row = next(line for line in body if "levenshtein" in line)
    assert len(re.findall(r"\d\.\d{3}\b", row)) == len(MEASURES)
