"""Predicting tasks: the whole design on small data, kept predictions, and what the framework would have chosen."""

import json

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.errors import ArgumentError, InputError
from similitude.evaluate.tasks.pair_tasks import Related
from similitude.evaluate.tasks.reading import open_task
from similitude.report.page.sheet import sheet_page
from similitude.report.predictiveness import finding, prediction_sheet, prediction_table
from similitude.study.predictiveness.plan import PAPER, measures_of, read_predictiveness, systems_of
from similitude.study.predictiveness.study import PAPER_MEASURES, PAPER_SYSTEMS, run_predictiveness
from similitude.systems import make_system

FEW = ("length-ratio", "levenshtein", "jaro", "word-ngram-jaccard", "char-ngram-cosine", "tfidf-cosine")
MEASURES = ("ndcg@10", "pearson", "mae")


@pytest.fixture(scope="module")
def study():
    tasks = [open_task("sample:text-reuse"), open_task("sample:find-related")]
    return run_predictiveness("sample:opinions", tasks, FEW, MEASURES, resamples=100, seed=1)


def test_every_measure_meets_every_task(study):
    found = study.predictiveness
    assert (found.measures, found.tasks) == (MEASURES, ("sample:text-reuse", "sample:find-related"))
    assert all(cell.systems == len(FEW) for row in found.by_measure for cell in row)
    assert all(-1 <= cell.rho <= 1 for row in found.by_measure for cell in row)
    assert found.by_task[0][0].rho == pytest.approx(1.0)
    assert set(study.seconds) == {"systems", "tasks", "resampling"}


def test_lower_is_better_is_turned_around(study):
    # mae and its negative rank systems alike only if the sign was turned: the lowest error must rank first.
    errors = [row[2].value for row in study.run.figures]
    task = study.tasks[0].outcome.values
    ranks = np.argsort(np.argsort(errors)), np.argsort(np.argsort(-task, kind="stable"))
    assert study.predictiveness.by_measure[2][0].rho == pytest.approx(np.corrcoef(*ranks)[0, 1], abs=0.2)


def test_table_2_has_a_row_for_each_measure_and_task_and_a_page(study):
    table = prediction_table(study)
    assert len(table.rows) == len(MEASURES) + 2
    assert [row[0].text for row in table.rows][-1] == "task: sample:find-related"
    page = sheet_page(prediction_sheet(study))
    assert finding(study) in page.replace("&#39;", "'")
    assert "SIMULATED" in page


def test_the_framework_is_compared_with_pearson(study):
    first, second = study.cases
    assert (first.measure, second.measure) == ("f1", "ndcg@1")
    assert first.best_achieved >= max(first.achieved, first.pearson_achieved)
    assert first.gain is not None


def test_json_holds_everything(study):
    found = json.loads(json.dumps(study.record(), allow_nan=False))
    assert len(found["predictiveness"]) == 6
    assert found["tasks"][0]["systems"][0].keys() >= {"system", "value", "low", "high", "OneR"}


def test_predictions_are_kept_and_found_again(tmp_path, monkeypatch):
    tasks = [open_task("sample:related")]
    options = {"resamples": 0, "out": tmp_path / "study"}
    first = run_predictiveness("sample:opinions", tasks, FEW[:2], ("pearson",), **options)
    monkeypatch.setattr("similitude.study.cells.score_cell.score_items", lambda *_: pytest.fail("computed again"))
    again = run_predictiveness("sample:opinions", tasks, FEW[:2], ("pearson",), **options)
    np.testing.assert_array_equal(first.tasks[0].outcome.parts, again.tasks[0].outcome.parts)
    assert json.loads((tmp_path / "study" / "study.json").read_text())["notes"]


def test_few_systems_are_said_to_be_few():
    found = run_predictiveness("sample:opinions", [open_task("sample:related")], FEW[:3], ("pearson",), resamples=50)
    assert "3 systems are too few" in found.predictiveness.notes[0]
    assert "predicts the ranking best" in finding(found)


def test_no_task_and_a_task_that_cannot_be_done_are_refused():
    with pytest.raises(ArgumentError, match="no task to predict"):
        run_predictiveness("sample:opinions", [], FEW)
    items = Items.from_pairs(["a", "b", "c"], ["a", "x", "y"])
    single = Related(name="mine", items=items, labels=np.array([1, 0, 0]), classes=("no", "yes"))
    with pytest.raises(InputError, match="class 'yes' has one member"):
        run_predictiveness("sample:opinions", [single], FEW[:2], ("pearson",))


def test_the_papers_design_is_a_file(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(
        f'data = "sample:opinions"\ntasks = ["sample:related"]\nsystems = ["{PAPER}", "jaro(lowercase=false)"]\n'
    )
    plan = read_predictiveness(path)
    assert systems_of(plan) == (*PAPER_SYSTEMS, "jaro(lowercase=false)")
    assert measures_of(plan) == PAPER_MEASURES
    assert (len(PAPER_MEASURES), len(PAPER_SYSTEMS)) == (16, 14)
    # Kinds of tasks are kept before paths that are not there, so that the message names the path.
    path.write_text('data = "a.csv"\ntasks = ["related:far/b.csv"]\n')
    assert read_predictiveness(path).tasks == (f"related:{tmp_path / 'far' / 'b.csv'}",)
    assert [str(make_system(name).identity) for name in PAPER_SYSTEMS] == list(PAPER_SYSTEMS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("data = 1", "plan.toml, line 1: data = 1: input should be a valid string"),
        ('data = "x"', "'tasks' is missing"),
        ('data = "x"\ntasks = ["y"]\nsystem = ["z"]', r"line 3: 'system' is not a known key; did you mean 'systems'\?"),
        ("data = ", "line 1: not valid TOML"),
    ],
)
def test_a_plan_that_is_wrong_says_where(tmp_path, content, message):
    path = tmp_path / "plan.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_predictiveness(path)


def test_paths_are_relative_to_the_plan(tmp_path):
    (tmp_path / "mine.csv").write_text("left,right,label\n")
    path = tmp_path / "plan.toml"
    path.write_text('data = "mine.csv"\ntasks = ["related:mine.csv", "sample:intent"]\n')
    plan = read_predictiveness(path)
    assert plan.data == str(tmp_path / "mine.csv")
    assert plan.tasks == (f"related:{tmp_path / 'mine.csv'}", "sample:intent")
