"""C-STS as its authors give it out: hidden test labels, and one pair of the training file twice under one condition."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

STAND_IN = Path(__file__).parents[2].parent / "shared/data/csts_shape"

PLAN = """
paper = "csts"

[data]
train = "csts_train.csv"
validation = "csts_validation.csv"
test = "csts_test.csv"

[[tables]]
name = "Table 2"
layout = "systems"
trial = true
data = ["validation"]
systems = {edits = "levenshtein"}
measures = ["spearman"]
limit = 20

[[tables]]
name = "Table 4"
layout = "prompts"
data = "test"
examples = "train"
instructions = ["csts-none"]
shots = [0, 2]
models = [{ name = "none", model = "no/model" }]
"""

TRAINED = """
[[tables]]
name = "Table 3"
layout = "sweep"
data = "train"
validation = "validation"
test = "test"
models = ["MODEL"]
encodings = ["bi"]
items = 24

[[tables]]
name = "Table 8"
layout = "sweep"
trial = true
data = "train"
validation = "validation"
test = "validation"
models = ["MODEL"]
encodings = ["bi"]
seeds = [1]
items = 24
zero_shot = false
recipe = {epochs = 1, batch = 8}
grid = {objective = ["quad+mse"]}
"""


def write_split(path: Path, pairs: int, seed: int, *, hidden: bool = False, twice: bool = False) -> None:
    rng, rows = np.random.default_rng(seed), []
    for pair in range(pairs):
        sides = [" ".join(rng.choice(list("abcdefgh"), 6)) + end for end in (" ", ".")]
        labels = [-1, -1] if hidden else sorted(rng.integers(1, 6, 2).tolist(), reverse=True)
        conditions = ["same", "same"] if twice and not pair else [f"c {pair}", f"d {pair}"]
        rows += [[*sides, condition, label] for condition, label in zip(conditions, labels, strict=True)]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["sentence1", "sentence2", "condition", "label"], *rows])


@pytest.fixture
def csts(tmp_path) -> Path:
    write_split(tmp_path / "csts_train.csv", 40, 1, twice=True)
    write_split(tmp_path / "csts_validation.csv", 30, 2)
    write_split(tmp_path / "csts_test.csv", 20, 3, hidden=True)
    (tmp_path / "csts.toml").write_text(PLAN)
    return tmp_path


def test_tables_without_gold_say_so_and_the_others_run(csts, similitude):
    done = similitude("study", "run", "csts.toml", "--folder", "out", "--json")
    assert done.returncode == 0, done.stderr
    tables = {table["name"]: table for table in json.loads(done.stdout)["tables"]}
    assert len(tables["Table 2"]["figures"]) == 1
    assert tables["Table 2"]["drawn"] == ["validation: 20 of 60 items, drawn at random"]
    shown = similitude("study", "run", "csts.toml", "--folder", "out", "--markdown", "-").stdout
    assert "20 of 60 items" in shown
    assert tables["Table 4"]["figures"] == []
    assert "csts_test: no item has gold" in tables["Table 4"]["notes"][0]


def test_a_dry_run_says_what_cannot_be_run(csts, similitude):
    planned = similitude("study", "run", "csts.toml", "--folder", "out", "--dry-run")
    assert planned.returncode == 0, planned.stderr
    assert "edits on validation" in planned.stdout
    assert "no item has gold" in planned.stdout
    alone = similitude("study", "run", "csts.toml", "--folder", "other", "--table", "Table 4")
    assert alone.returncode == 1


def test_the_draw_of_a_table_depends_on_the_seed_and_takes_whole_pairs(csts, similitude):
    """The first 20 rows are no sample: rows are sorted in many a file."""
    from similitude.study.study_plan import read_study

    (csts / "other.toml").write_text(PLAN.replace("limit = 20", "limit = 20\nseeds = [1]"))
    drawn = []
    for name in ("csts.toml", "csts.toml", "other.toml"):
        (benchmark,) = read_study(csts / name).tables[0].benchmarks().values()
        drawn.append(benchmark.items.ids)
        assert all(benchmark.items.lefts.count(left) == 2 for left in benchmark.items.lefts)
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] != [str(number) for number in range(1, 21)]


@pytest.mark.slow
def test_trainings_of_a_study_and_of_the_command_line(csts, here, tiny_bert):
    pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
    bert = tiny_bert(list("abcdefgh0123456789."))
    (csts / "csts.toml").write_text(PLAN + TRAINED.replace("MODEL", str(bert)))
    done = json.loads(here("study", "run", "csts.toml", "--folder", "out", "--json", "--device", "cpu").out)
    tables = {table["name"]: table for table in done["tables"]}
    assert tables["Table 3"]["figures"] == []
    drawn = [part.partition(" items")[0] for part in tables["Table 8"]["drawn"]]
    assert drawn == ["train: 24 of 80", "validation: 24 of 60", "test: 24 of 60"]
    assert tables["Table 8"]["figures"]
    asked = ("csts_train.csv", "--validation", "csts_validation.csv", "--model", bert, "--epochs", 1, "--device", "cpu")
    told = here("train", "conditional", *asked, "--folder", "model").err
    assert (
        told.count("2 of 80 items without a partner under another condition: counted for the squared error only") == 1
    )


@pytest.mark.slow
@pytest.mark.skipif(not STAND_IN.is_dir(), reason="needs ../shared/data/csts_shape")
def test_the_stand_in_in_its_own_size(similitude, tmp_path):
    plan = PLAN.replace('"csts_', f'"{STAND_IN}/csts_')
    (tmp_path / "csts.toml").write_text(plan)
    done = similitude("study", "run", "csts.toml", "--folder", "out", "--json")
    assert done.returncode == 0, done.stderr
    drawn = json.loads(done.stdout)["tables"][0]["drawn"]
    assert drawn == ["validation: 20 of 2,834 items, drawn at random"]
    for split, items in (("train", 11342), ("validation", 2834), ("test", 4732)):
        file = str(STAND_IN / f"csts_{split}.csv")
        shown = similitude("data", "show", file, "--json")
        assert json.loads(shown.stdout)["items"] == items
        assert similitude("data", "check", file, "--json").returncode in (0, 1)
