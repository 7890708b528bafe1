"""The five settings as a table of a study: figures of Tables 7 and 8 and of Figure 6 of USTS."""

import string

import pytest

from similitude.report.papers.template import placed_figures
from similitude.study.study_run import StudyRun, run_study

pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def done(tiny_bert, letters, tmp_path_factory: pytest.TempPathFactory) -> StudyRun:
    model = tiny_bert([*letters, *string.digits], longest=128)
    folder = tmp_path_factory.mktemp("study")
    (folder / "plan.toml").write_text(
        f"""
        [[tables]]
        name = "Table 7"
        layout = "five-settings"
        data = "sample:opinions(pairs=24, held_out=20)"
        model = "{model}"
        settings = [3]
        systems = ["bert-lr", "bert-lr-mc"]
        passes = 2
        resamples = 0
        test_limit = 10
        recipe = {{epochs = 1}}
        """,
        encoding="utf-8",
    )
    return run_study(folder / "plan.toml", folder / "run")


def test_people_and_systems_have_standard_deviations(done: StudyRun):
    figures = {tuple(figure.at.items()): figure.value for figure in done.tables[0].figures}
    people = {at["data"]: v for at, v in ((dict(k), v) for k, v in figures.items()) if at["system"] == "people"}
    assert set(people) == {"meals", "trips"}
    assert all(0 < value < 2 for value in people.values())
    means = {dict(at)["system"] for at in figures if dict(at).get("measure") == "mean_sigma"}
    assert means == {"BERT-lr-MC"}  # the deterministic model predicts none


def test_predicted_standard_deviations_have_a_range(done: StudyRun):
    low, high = (figure for figure in done.tables[0].figures if "sigmas" in figure.at)
    assert (low.at, high.at["sigmas"]) == ({"setting": "3", "system": "BERT-lr-MC", "sigmas": "from"}, "to")
    assert 0 <= low.value < high.value
    assert low.note == "5th percentile of the predicted standard deviations"


def test_one_table_of_the_study_fills_three_of_the_paper(done: StudyRun):
    places = {(each.table, each.row, each.column) for each in placed_figures("usts", done.tables[0])}
    assert ("Table 7", "(3) BERT-lr", "meals, r") in places
    assert ("Table 7", "(3) BERT-lr-MC", "trips, KL") in places
    assert ("Table 8", "people", "meals, σ_H") in places
    assert ("Table 8", "(3) BERT-lr-MC", "trips, σ_M") in places
    assert ("Figure 6", "(3) BERT-lr-MC", "from") in places
