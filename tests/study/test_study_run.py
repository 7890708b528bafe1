"""Studies from file to folder: cells are run once, whatever stops the run; tables, files, errors."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from similitude.errors import ArgumentError, InputError, RunError, UnknownNameError
from similitude.report.study.beside_printed import beside_printed
from similitude.report.study.comparison import compare_studies
from similitude.report.study.overview_tables import planned_table
from similitude.study.study_files import add_system, study_files
from similitude.study.study_plan import read_study
from similitude.study.study_run import load_study, planned_cells, run_study
from similitude.study.tables.table_keys import PlannedCell

STUDY = """
name = "trial"
title = "two tables"

# what is shared
[data]
op = "sample:opinions"

[[tables]]
name = "Table 1"
layout = "systems"
data = ["op", "sample:conditions"]
measures = ["pearson", "rho"]
[tables.systems]
Edits = "levenshtein"

[[tables]]
name = "Table 2"
layout = "predictiveness"
data = "op"
tasks = ["sample:related"]
systems = ["levenshtein", "length-ratio"]
measures = ["pearson"]
resamples = 0
"""


@pytest.fixture
def plan(tmp_path) -> Path:
    file = tmp_path / "trial.toml"
    file.write_text(STUDY)
    return file


def test_figures_of_every_table_are_kept_and_loaded(plan, tmp_path):
    done = run_study(plan, tmp_path / "out", quiet=True)
    assert [table.name for table in done.tables] == ["Table 1", "Table 2"]
    at = {tuple(figure.at.values()): figure for figure in done.tables[0].figures}
    edits = at["Edits", "op", "pearson"]
    assert edits.low < edits.value < edits.high
    again = load_study(tmp_path / "out")
    assert again.record() == done.record()
    table = pl.read_csv(tmp_path / "out/figures.csv")
    assert table.height == sum(len(each.figures) for each in done.tables)


def test_cells_that_are_done_are_counted_and_not_run_again(plan, tmp_path, monkeypatch):
    wanted = read_study(plan)
    assert [cell.is_done for cells in planned_cells(wanted, tmp_path / "out").values() for cell in cells] == [False] * 6
    run_study(wanted, tmp_path / "out", quiet=True)
    assert all(cell.is_done for cells in planned_cells(wanted, tmp_path / "out").values() for cell in cells)
    monkeypatch.setattr("similitude.study.cells.score_cell.score_items", lambda *_: pytest.fail("computed again"))
    run_study(wanted, tmp_path / "out", quiet=True)


def test_one_table_alone_keeps_the_other(plan, tmp_path):
    run_study(plan, tmp_path / "out", tables=["table 2"], quiet=True)
    assert [table.name for table in load_study(tmp_path / "out").tables] == ["Table 2"]
    run_study(plan, tmp_path / "out", tables=["Table 1"], quiet=True)
    assert [table.name for table in load_study(tmp_path / "out").tables] == ["Table 1", "Table 2"]
    with pytest.raises(UnknownNameError, match="no table of this study named 'Table 3'"):
        run_study(plan, tmp_path / "out", tables=["Table 3"], quiet=True)


def test_a_system_joins_every_table_by_one_line(plan, tmp_path):
    before = plan.read_text()
    add_system(plan, "word-ngram-jaccard(n=2)", "mine")
    added = [line for line in plan.read_text().splitlines() if line not in before.splitlines()]
    assert added == ["[systems]", 'mine = "word-ngram-jaccard(n=2)"']
    assert "# what is shared" in plan.read_text()
    add_system(plan, "jaro", "a second one")
    done = run_study(plan, tmp_path / "out", quiet=True)
    rows = {figure.at["system"] for figure in done.tables[0].figures}
    assert rows == {"Edits", "mine", "a second one"}
    assert any("word-ngram-jaccard(n=2)" in figure.at.get("system", "") for figure in done.tables[1].figures)
    with pytest.raises(ArgumentError, match="there is a system 'mine' in this study"):
        add_system(plan, "jaro", "mine")
    with pytest.raises(UnknownNameError, match="no system named 'jarro'; did you mean 'jaro'"):
        add_system(plan, "jarro", "other")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('layout = "systems"', 'layout = "system"'), r"trial\.toml, line 11: .*did you mean 'systems'\? known"),
        (('measures = ["pearson", "rho"]', 'measures = ["person"]'), r"line 13: .*no measure named 'person'"),
        (('layout = "systems"\n', ""), r"line \d+: 'tables\.0\.layout' is missing"),
        (('data = "op"', 'date = "op"'), r"line \d+: 'tables\.1\.data' is missing"),
        (('name = "Table 2"', 'name = "Table 1"'), "two tables are called 'Table 1'"),
        (('"levenshtein"\n', '"levenstein"\n'), r"line 15: .*no system named 'levenstein'; did you mean 'levenshtein'"),
        (("[[tables]]", '[systems]\nmine = "jarro"\n[[tables]]', 1), r"line 10: .*no system named 'jarro'"),
        (('Edits = "levenshtein"', "Edits = 3"), r"line 15: tables\.0\.systems\.Edits = 3"),
        (
            ('Edits = "levenshtein"', "Edits = []"),
            r"line 15: .*Edits = \[\]: input should be a table, as in",
        ),
        (
            ('layout = "systems"', 'layout = "systems"\nrow = "{system"'),
            r"line 12: .*row = '\{system': write names of",
        ),
        (('layout = "systems"', 'layout = "systems"\nrow = "{}"'), r"line 12: .*row = '\{\}': write names of what"),
        (("[[tables]]", "[[table]]"), "tables: input should be a list in brackets"),
        (('Edits = "levenshtein"', 'Edits = {train = "pairs", on = "op"}'), "line 15: .*'model' is missing"),
        (
            ('Edits = "levenshtein"', 'Edits = {train = "pairs", on = "op", model = "m", epoch = 3}'),
            "line 15: .*epoch.*did you mean",
        ),
        (("resamples = 0", "resamples = -1"), "resamples = -1"),
    ],
)
def test_errors_of_a_plan_name_line_and_value(plan, change, told):
    plan.write_text(STUDY.replace(*change))
    with pytest.raises(InputError, match=told):
        read_study(plan)


def test_a_folder_that_holds_something_else_is_refused(plan, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other/notes.txt").write_text("mine")
    with pytest.raises(RunError, match="a folder with other files in it"):
        run_study(plan, tmp_path / "other", quiet=True)
    run_study(plan, tmp_path / "out", tables=["Table 2"], quiet=True)
    plan.write_text(STUDY.replace('"trial"', '"another"'))
    with pytest.raises(RunError, match=r"holds another study \('trial'\)"):
        run_study(plan, tmp_path / "out", quiet=True)
    (tmp_path / "out/study.json").write_text(json.dumps({"run": {}}))
    with pytest.raises(RunError, match=r"written by another command or by Similitude 0\.1"):
        load_study(tmp_path / "out")


def test_a_table_that_fails_is_skipped_on_request(plan, tmp_path):
    plan.write_text(STUDY.replace('"sample:related"', '"nowhere.csv"'))
    done = run_study(plan, tmp_path / "out", on_error="skip", quiet=True)
    assert [bool(table.error) for table in done.tables] == [False, True]
    assert "nowhere.csv" in done.tables[1].error
    with pytest.raises(InputError):
        run_study(plan, tmp_path / "out", quiet=True)


def test_two_runs_are_compared_figure_by_figure(plan, tmp_path):
    first = run_study(plan, tmp_path / "one", quiet=True)
    add_system(plan, "jaro", "mine")
    second = run_study(plan, tmp_path / "two", quiet=True)
    words = {(each.row, each.column): each.words for each in compare_studies(first, second).figures}
    assert words["Edits", "op, pearson"] == "equal"
    assert words["mine", "op, pearson"] == "only in the second"


def test_a_training_is_a_row_over_seeds_and_a_grid(plan, tmp_path):
    plan.write_text(
        STUDY.partition('[[tables]]\nname = "Table 2"')[0].replace("measures", "seeds = [0, 1]\nmeasures")
        + 'Process = {train = "gaussian-process", encoder = "use", on = "op", grid = {kernel = ["rbf", "matern"]}}\n'
    )
    done = run_study(plan, tmp_path / "out", quiet=True)
    figure = next(each for each in done.tables[0].figures if each.at["system"] == "Process")
    assert figure.runs == 2
    assert figure.low < figure.value < figure.high
    assert len([path for path in (tmp_path / "out/cells/models").iterdir() if path.is_dir()]) == 4
    assert any("has learned from" in note for note in done.tables[0].notes), "trained on what it is measured on"


def test_plans_of_one_table_are_studies(tmp_path):
    (tmp_path / "asked.toml").write_text('ask = "choice"\ndata = "sample:dialogues"\nmodels = ["m"]\n')
    (tmp_path / "swept.toml").write_text('data = "sample:conditions"\nmodels = ["m"]\n[grid]\nlr = [1e-5]\n')
    (tmp_path / "settings.toml").write_text('data = "sample:opinions"\nmodel = "m"\n')
    (tmp_path / "other.toml").write_text("something = 1\n")
    found = {each.path.stem: each.plan.tables[0].layout for each in study_files(tmp_path)}
    assert found == {"asked": "choices", "swept": "sweep", "settings": "five-settings"}


def test_printed_figures_stand_beside_ours(plan, tmp_path):
    plan.write_text(
        STUDY.partition("[[tables]]")[0].replace('name = "trial"', 'name = "trial"\npaper = "usts"')
        + '[[tables]]\nname = "Table 5"\nlayout = "systems"\ndata = "op"\nrow = "USTS-U"\ncolumn = "{measure}"\n'
        'measures = ["pearson"]\nnames = {pearson = "r"}\nsystems = {edits = "levenshtein"}\n'
    )
    (only,) = beside_printed(run_study(plan, tmp_path / "out", quiet=True))
    assert (only.row, only.column, only.printed.number) == ("USTS-U", "r", 0.91)
    assert only.difference == pytest.approx(only.ours.value - 0.91)
    assert only.verdict == "outside", "strings on a simulated sample are not the paper's raters"


SLOW_SYSTEM = """
import time
from pathlib import Path

def slow(left, right):
    return len(left) - len(right)

class Counted:
    summary = "leaves a mark for every call"
    range = None
    reads = frozenset()
    version = "1"

    def __init__(self, number: int = 0):
        self.number = number

    @property
    def identity(self):
        from similitude.registry import parse
        return parse(f"counted.py:Counted({self.number})")

    def score(self, items):
        import numpy as np
        from similitude.data.prediction import Predictions
        with Path("marks.txt").open("a") as file:
            file.write(f"{self.number}\\n")
        time.sleep(0.005)
        return Predictions(np.arange(len(items), dtype=float) % (self.number + 2))
"""


@pytest.mark.slow
def test_a_grid_of_200_cells_resumes_after_kill_9_with_no_cell_repeated(tmp_path):
    (tmp_path / "counted.py").write_text(SLOW_SYSTEM)
    systems = "\n".join(f'"system {n}" = "counted.py:Counted({n})"' for n in range(100))
    (tmp_path / "grid.toml").write_text(
        'name = "grid"\n[[tables]]\nname = "grid"\nlayout = "systems"\nresamples = 0\nmeasures = ["pearson"]\n'
        f'data = ["sample:opinions", "sample:conditions"]\n[tables.systems]\n{systems}\n'
    )
    command = [sys.executable, "-m", "similitude", "study", "run", "grid.toml", "--folder", "out", "--quiet", "--json"]
    marks = tmp_path / "marks.txt"
    kills, kept = 0, []
    for stop_at in (30, 90, 150):
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not marks.exists() or len(marks.read_text().splitlines()) < stop_at):
            time.sleep(0.002)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
            kept.append(len(list((tmp_path / "out/cells").glob("*/predictions/*.json"))))
    assert kills == 3
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)["tables"][0]["figures"]) == 200
    worked = marks.read_text().splitlines()
    # A cell that was being scored when the process was killed is scored again: one for each kill at most.
    assert len(worked) - 200 <= kills
    assert kept == sorted(kept)
    assert len(list((tmp_path / "out/cells").glob("*/predictions/*.json"))) == 200


def test_status_says_how_long_the_rest_will_take(plan, tmp_path):
    run_study(plan, tmp_path / "out", tables=["Table 1"], quiet=True)
    cells = planned_cells(read_study(plan), tmp_path / "out")
    table = planned_table(cells, tmp_path / "out")
    assert "6 cells, 2 done" in table.caption
    slow = [PlannedCell("a", True, 30.0), PlannedCell("b", False), PlannedCell("c", False)]
    assert "2 left; about 60 s if they take as long" in planned_table({"t": slow}, tmp_path).caption
    unknown = [*slow, PlannedCell("train d", False, is_training=True)]
    assert planned_table({"t": unknown}, tmp_path).caption.endswith("3 left.")


def test_a_training_that_several_tables_need_counts_once(tmp_path):
    done, left = (PlannedCell("train d", known, 30.0 * known, True, key) for known, key in ((True, "a"), (False, "b")))
    own = PlannedCell("measure d", False)
    found = planned_table({"one": [done, left], "two": [done, left, own]}, tmp_path)
    assert found.caption.startswith("3 cells, 1 done in")
    assert [row[1].text for row in found.rows] == ["2", "3"]  # each table says what it needs
