"""Figures of a trial stand beside the printed ones, but no verdict follows from them."""

from pathlib import Path

import pytest

from similitude.report.study.beside_printed import beside_printed
from similitude.report.study.view import study_markdown
from similitude.study.study_run import StudyRun, load_study, run_study

PLAN = """
paper = "usts"
[[tables]]
name = "Table 5"
layout = "data"
data = {{USTS-U = "sample:opinions"}}
figures = ["items", "sigma"]
{trial}
"""


def ran(folder: Path, trial: str) -> StudyRun:
    (folder / "plan.toml").write_text(PLAN.format(trial=trial), encoding="utf-8")
    return run_study(folder / "plan.toml", folder / "run", quiet=True)


@pytest.mark.parametrize(("trial", "verdicts"), [("", {"differs", "outside"}), ("trial = true", {"trial"})])
def test_a_trial_has_no_verdict(tmp_path: Path, trial: str, verdicts: set[str]):
    for run in (ran(tmp_path, trial), load_study(tmp_path / "run")):
        assert {each.verdict for each in beside_printed(run) if each.table == "Table 5"} == verdicts


def test_it_is_shown_beside_the_printed_figure(tmp_path: Path):
    text = study_markdown(ran(tmp_path, "trial = true"))
    assert "8900" in text
    assert "no verdict: a trial" in text
