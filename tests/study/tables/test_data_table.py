"""Tables of facts of data in a study: keys, cells that are kept, figures."""

from pathlib import Path

import pytest

from similitude.errors import InputError
from similitude.study.study_plan import read_study
from similitude.study.study_run import load_study, planned_cells, run_study

PLAN = """
[data]
opinions = "sample:opinions"

[[tables]]
name = "agreement"
layout = "data"
data = ["opinions"]
figures = ["items", "sigma", "rounds"]
by = ["domain"]
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


def test_figures_stand_at_data_part_and_figure(plan: Path, tmp_path: Path):
    (table,) = run_study(plan, tmp_path / "run").tables
    sizes = {figure.at["domain"]: figure.value for figure in table.figures if figure.at["figure"] == "items"}
    assert sizes.pop("all") == sum(sizes.values()) == 60
    (sigma,) = (f for f in table.figures if f.at == {"data": "opinions", "domain": "all", "figure": "sigma"})
    assert sigma.low < sigma.value < sigma.high


def test_an_undefined_figure_is_kept_and_noted(plan: Path, tmp_path: Path):
    (table,) = run_study(plan, tmp_path / "run").tables
    assert any("there is only one round" in note for note in table.notes)
    loaded = load_study(tmp_path / "run").tables[0]
    assert loaded.notes == table.notes
    assert [figure.record() for figure in loaded.figures] == [figure.record() for figure in table.figures]


def test_simulated_judgements_are_marked(plan: Path, tmp_path: Path):
    assert run_study(plan, tmp_path / "run").tables[0].is_simulated


def test_cells_are_kept_and_not_computed_again(plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    out = tmp_path / "run"
    cells = planned_cells(read_study(plan), out)["agreement"]
    assert [cell.name for cell in cells] == ["items of opinions", "sigma of opinions", "rounds of opinions"]
    assert not any(cell.is_done for cell in cells)
    first = run_study(plan, out)
    assert all(cell.is_done for cell in planned_cells(read_study(plan), out)["agreement"])
    computed = []
    monkeypatch.setattr("similitude.study.tables.data_table.data_values", lambda *asked: computed.append(asked) or [])
    again = run_study(plan, out)
    assert not computed
    assert [f.record() for f in again.tables[0].figures] == [f.record() for f in first.tables[0].figures]


def test_another_option_is_another_cell(plan: Path, tmp_path: Path):
    run_study(plan, tmp_path / "run")
    plan.write_text(PLAN + "level = 0.9\n", encoding="utf-8")
    assert not any(cell.is_done for cell in planned_cells(read_study(plan), tmp_path / "run")["agreement"])


def test_systems_of_the_study_do_not_join(plan: Path, tmp_path: Path):
    plan.write_text('[systems]\nmine = "jaro"\n' + PLAN, encoding="utf-8")
    (table,) = run_study(plan, tmp_path / "run").tables
    assert not any("system" in figure.at for figure in table.figures)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('figures = ["sigmas"]', r"line 9: tables.0.figures = .*did you mean 'sigma'"),
        ("figures = []", "line 9: tables.0.figures = "),
        ('figures = ["items"]\nraters = 4', "line 10: tables.0.raters = 4"),
        ('figures = ["items"]\nrater = [4]', r"line 10: 'tables.0.rater' is not a known key; did you mean 'raters'"),
    ],
)
def test_a_wrong_key_is_named(plan: Path, written: str, message: str):
    plan.write_text(PLAN.replace('figures = ["items", "sigma", "rounds"]', written), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_study(plan)


def test_paths_are_relative_to_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "pairs.csv").write_text("left,right,score\na,b,1\nc,d,2\n", encoding="utf-8")
    (tmp_path / "plan.toml").write_text(
        '[data]\nmine = "data/pairs.csv"\n[[tables]]\nname = "t"\nlayout = "data"\n'
        'data = {one = "mine", two = ["mine"]}\nfigures = ["items"]\n',
        encoding="utf-8",
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (table,) = run_study("../plan.toml", tmp_path / "run").tables
    assert {figure.at["data"]: figure.value for figure in table.figures} == {"one": 2.0, "two": 2.0}
