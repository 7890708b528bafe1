"""Sweeps: which trainings are made, what is chosen, and that nothing done is done again. Training itself is faked."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.writing.benchmark import write
from similitude.errors import InputError, RunError
from similitude.registry import parse
from similitude.report.page.sheet import sheet_page
from similitude.report.sweep import sweep_sheet, trained_table
from similitude.study.cells import score_cell, trained_score_cell
from similitude.study.folder import RunFolder
from similitude.study.sweep import study
from similitude.study.sweep.study import read_sweep, run_sweep
from similitude.systems.record import SystemRecord
from similitude.training import kinds
from similitude.training.splits import draw_items, training_data

PLAN = """
data = "pairs.jsonl"
models = ["tiny", "small"]
encodings = ["cross", "bi", "tri"]
seeds = [5, 6, 7]
ablations = true
sizes = [20, 40, 1000]
[recipe]
epochs = 1
[grid]
lr = [1e-5, 3e-5]
objective = ["mse", "quad+mse"]
combination = ["concat", "hadamard"]
"""


def pairs_of(count: int) -> Benchmark:
    rows = [(i, end) for i in range(count) for end in (0, 1)]
    return Benchmark.from_columns(
        "pairs",
        scale="1..5",
        id=[f"{i}-{end}" for i, end in rows],
        left=[f"left {i}" for i, _ in rows],
        right=[f"right {i}" for i, _ in rows],
        condition=[f"condition {end}" for _, end in rows],
        score=[5 - 4 * end for _, end in rows],
        split=["validation" if i % 10 == 0 else "train" for i, _ in rows],
    )


@pytest.fixture
def plan(tmp_path):
    write(pairs_of(40), tmp_path / "pairs.jsonl")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"


@pytest.fixture
def trainings(monkeypatch):
    """Every training asked for. A quality that depends on rate, objective, encoding and seed stands for its figures."""
    made = []

    def train_model(data, request, folder, listener, **_):
        made.append((request, len(data.train)))
        items = {"data": {"items": len(data.train)}}
        quality = 0.1 if request.architecture.encoding == "cross" else 0.3
        quality += 0.1 * (request.recipe.lr == 3e-5) + 0.05 * (request.objective.quad > 0)
        folder.mkdir(parents=True)
        (folder / "similitude.json").write_text(str(quality + 0.01 * request.recipe.seed))
        return SimpleNamespace(figures={"spearman": quality}, record=items)

    def score_items(system, items, rng, listener):
        made_of = system.identity.arguments[0]
        model = Path(made_of, "similitude.json")
        value = float(model.read_text()) if model.exists() else 0.02
        record = SystemRecord.of(system, fitted_on=None, model=None, seconds=0, notes=())
        return Predictions(np.full(len(items), value)), record

    monkeypatch.setattr(kinds, "train_model", train_model)
    monkeypatch.setattr(trained_score_cell, "make_system", Named)
    monkeypatch.setattr(study, "make_system", Named)
    monkeypatch.setattr(trained_score_cell, "score_items", score_items)
    monkeypatch.setattr(score_cell, "score_items", score_items)
    monkeypatch.setattr(study, "spearman", lambda scores, gold: scores[0])
    monkeypatch.setattr(study, "pearson", lambda scores, gold: scores[0] / 2)
    return made


class Named:
    """A system of which only the name is known."""

    summary, range, reads = "a name", None, frozenset()

    def __init__(self, written):
        self.identity = parse(written)


def test_the_best_of_the_grid_over_all_seeds(plan, trainings, tmp_path):
    done = run_sweep(read_sweep(plan), tmp_path / "out")
    assert [(row.model, row.encoding) for row in done.trained] == [
        (model, encoding) for model in ("tiny", "small") for encoding in ("cross", "bi", "tri")
    ]
    cross, bi, tri = done.trained[:3]
    assert cross.options == {"lr": 3e-5, "objective": "mse"}
    assert bi.options == {"lr": 3e-5, "objective": "quad+mse"}
    assert tri.options == {"lr": 3e-5, "objective": "quad+mse", "combination": "concat"}
    # .3 + .1 + .05 + .01 x (5, 6, 7): mean .51; deviation of a sample of three steps of .01: .01
    assert bi.mean("spearman") == pytest.approx(0.51)
    assert bi.deviation("spearman") == pytest.approx(0.01)
    assert [row.mean("pearson") for row in done.zero_shot] == [0.01, 0.01]
    assert [(row.reads, row.encoding) for row in done.ablations] == [
        ("condition", "cross"),
        ("sentences", "cross"),
        ("all", "cross"),
    ]
    assert [(row.encoding, row.items) for row in done.curves] == [
        (encoding, items) for encoding in ("cross", "bi", "tri") for items in (20, 40)
    ]


def test_no_training_is_made_twice(plan, trainings, tmp_path):
    first = run_sweep(read_sweep(plan), tmp_path / "out")
    made = len(trainings)
    requests = [(str(request), items) for request, items in trainings]
    # The baseline of the ablations is the cross-encoder of the main table, and is taken from there.
    assert len(set(requests)) == made
    again = run_sweep(read_sweep(plan), tmp_path / "out")
    assert len(trainings) == made
    assert again.record() == first.record()
    assert sum(path.is_dir() for path in (tmp_path / "out/models").iterdir()) == 2 * 3 * 3


def test_a_sweep_that_was_stopped_goes_on(plan, trainings, tmp_path, monkeypatch):
    honest = kinds.train_model

    def stops(*arguments, **options):
        if len(trainings) == 7:
            raise KeyboardInterrupt
        return honest(*arguments)

    monkeypatch.setattr(kinds, "train_model", stops)
    with pytest.raises(KeyboardInterrupt):
        run_sweep(read_sweep(plan), tmp_path / "out")
    monkeypatch.setattr(kinds, "train_model", honest)
    run_sweep(read_sweep(plan), tmp_path / "out")
    stopped = len(trainings)
    run_sweep(read_sweep(plan), tmp_path / "other")
    assert len(trainings) - stopped == stopped


def test_teachers_are_swept_like_the_rest(plan, trainings, tmp_path):
    grid = "teachers = [0, 3]\nteacher_weight = [0.5, 0.7]\nobjective = ['quad', 'quad+mse']\n"
    one = PLAN.partition("[grid]")[0].replace('["tiny", "small"]', '["tiny"]').replace("sizes", "# sizes")
    plan.write_text(one.replace('"cross", "bi", "tri"', '"bi"').replace("ablations = true", "") + "[grid]\n" + grid)
    run_sweep(read_sweep(plan), tmp_path / "out")
    made = [
        (request.teachers.count, request.teachers.weight, request.objective.mse)
        for request, _ in trainings
        if request.recipe.seed == 5
    ]
    # Without teachers both objectives, once each; with them not Quad alone, which takes nothing from them.
    assert sorted(made) == [(0, 0.5, 0.0), (0, 0.5, 1.0), (3, 0.5, 1.0), (3, 0.7, 1.0)]


def test_augmentation_and_pooled_tokens_are_swept_like_the_rest(plan, trainings, tmp_path):
    grid = "rewording = [0.0, 0.5]\npooled = ['all', 'sentence']\n"
    one = PLAN.partition("[grid]")[0].replace('["tiny", "small"]', '["tiny"]').replace("sizes", "# sizes")
    plan.write_text(one.replace("ablations = true", "") + "[grid]\n" + grid)
    run_sweep(read_sweep(plan), tmp_path / "out")
    shapes = [
        (request.architecture.encoding, request.architecture.pooled, request.augmentation.rewording)
        for request, _ in trainings
        if request.recipe.seed == 5
    ]
    # Only a bi-encoder chooses its tokens.
    bi = [("bi", pooled, share) for pooled in ("all", "sentence") for share in (0.0, 0.5)]
    others = [(encoding, "all", share) for encoding in ("cross", "tri") for share in (0.0, 0.5)]
    assert sorted(shapes) == sorted(bi + others)


def test_the_tables_of_the_paper(plan, trainings, tmp_path):
    done = run_sweep(read_sweep(plan), tmp_path / "out")
    table = trained_table(done)
    assert [column.head for column in table.columns] == ["encoding", "model", "Spear.", "Pears."]
    assert [cell.text for cell in table.rows[2]] == ["Bi-encoder", "tiny", "51.0 ± 1.0", "25.5 ± 0.5"]
    page = sheet_page(sweep_sheet(done))
    assert all(
        words in page for words in ("Best: Bi-encoder from tiny", "condition only", "<svg", "untrained at best 2.0")
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("[grid]", "[grid]\nlearning = [1]"), "'learning' is unknown; known: average, batch"),
        (("epochs = 1", "epoch = 1"), "'epoch' is unknown"),
        (("epochs = 1", "teacher_weight = 0.7"), "'teacher_weight' has no effect without 'teachers'"),
        (("objective = [", "teacher_weight = [0.7]\nobjective = ["), "'teacher_weight' has no effect"),
        (("lr = [1e-5, 3e-5]", "lr = []"), "'lr' has no values"),
        (('models = ["tiny", "small"]', ""), "'models'"),
        (("ablations = true", "ablation = true"), "did you mean 'ablations'. known: name, data"),
        (("seeds =", 'reads = "sentences"\nseeds ='), "a tri-encoder without a condition is a bi-encoder"),
        (
            ('encodings = ["cross", "bi", "tri"]', 'encodings = ["bi"]\nreads = "sentences"'),
            "without conditions there is nothing to leave out; write ablations = false",
        ),
        (("seeds =", "items = 2\nseeds ="), "items = 2: input should be greater than or equal to 3"),
        (("[grid]", "[grid"), "not valid TOML"),
    ],
)
def test_plans_that_cannot_be_read(plan, change, told):
    plan.write_text(PLAN.replace(*change))
    with pytest.raises(InputError, match=told.replace("[", r"\[")):
        read_sweep(plan)


def test_a_sweep_without_conditions_reads_sentences_alone(plan, trainings, tmp_path):
    changed = PLAN.replace('["cross", "bi", "tri"]', '["cross", "bi"]\nreads = "sentences"')
    plan.write_text(changed.replace("ablations = true", "ablations = false"))
    done = run_sweep(read_sweep(plan), tmp_path / "out")
    assert {request.architecture.reads for request, _ in trainings} == {"sentences"}
    assert {row.reads for row in (*done.trained, *done.curves)} == {"sentences"}
    [folder] = (tmp_path / "out").glob("systems-*")
    assert sorted(RunFolder(folder).saved_systems()) == [
        "encoder(small)",
        "encoder(tiny)",
    ]  # these read no condition either


def test_a_sweep_on_few_items_takes_whole_pairs_of_each_part(plan, trainings, tmp_path):
    plan.write_text(PLAN.replace("seeds =", "items = 5\nseeds =").replace("sizes = [20, 40, 1000]", "sizes = [3]"))
    done = run_sweep(read_sweep(plan), tmp_path / "out")
    # 5 items are 3 pairs of two conditions, and 3 are 2 pairs; a curve keeps the number that was asked for.
    assert {items for _, items in trainings} == {6, 4}
    assert {(row.items, row.size) for row in done.curves} == {(4, 3)}
    assert {row.size for row in done.trained} == {None}
    assert done.judged_on.startswith("6 of 8 items")
    assert "train: 6 of 72 items, drawn at random" in done.drawn


def test_other_items_are_other_cells_of_the_same_folder(plan, trainings, tmp_path):
    run_sweep(read_sweep(plan), tmp_path / "out")
    first = len(trainings)
    write(pairs_of(30), tmp_path / "pairs.jsonl")
    run_sweep(read_sweep(plan), tmp_path / "out")
    assert len(trainings) == 2 * first


def test_the_folder_of_an_older_version_says_which(plan, trainings, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/results.json").write_text("{}")
    with pytest.raises(RunError, match=r"sweep of Similitude 0\.1, which only that version resumes"):
        run_sweep(read_sweep(plan), tmp_path / "out")


def test_a_system_of_the_user_joins_the_table(plan, trainings, tmp_path):
    plan.write_text(PLAN.replace("[recipe]", "[systems]\nmine = 'levenshtein(my)'\n[recipe]"))
    done = run_sweep(read_sweep(plan), tmp_path / "out")
    assert [(row.model, row.mean("spearman")) for row in done.systems] == [("mine", 0.02)]


class TestParts:
    def test_splits_are_found_by_their_names(self):
        parts = training_data(pairs_of(20))
        assert (len(parts.train), len(parts.validation), parts.notes) == (36, 4, ())

    def test_a_tenth_of_the_pairs_is_held_out_whole(self):
        whole = pairs_of(40)
        parts = training_data(Benchmark(name="x", frame=whole.frame.drop("split"), scale=whole.scale))
        assert (len(parts.train), len(parts.validation)) == (72, 8)
        assert not set(parts.train.items.lefts) & set(parts.validation.items.lefts)

    def test_what_is_held_out_does_not_depend_on_the_order_of_rows(self):
        plain = Benchmark(name="x", frame=pairs_of(40).frame.drop("split"), scale=pairs_of(40).scale)
        shuffled = plain.take(np.random.default_rng(0).permutation(80))
        assert set(training_data(plain).validation.items.ids) == set(training_data(shuffled).validation.items.ids)

    def test_fewer_items_are_part_of_more(self):
        data = pairs_of(40)
        few, more = (draw_items(data, items, seed=1) for items in (20, 41))
        assert (len(few), len(more)) == (20, 42)
        assert set(few.items.ids) < set(more.items.ids)
        assert all(few.items.lefts.count(left) == 2 for left in few.items.lefts)

    def test_too_few_to_tell_anything(self):
        with pytest.raises(InputError, match="2 items to validate on are too few"):
            training_data(pairs_of(10))
