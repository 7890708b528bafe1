"""Runs, suites, grids of prompts and sweeps on the workers of a cluster: the same bytes as in one process."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from prompt_grid_fakes import conditioned

import similitude as sim
from similitude.data.benchmark import Benchmark
from similitude.data.writing.benchmark import write
from similitude.errors import ArgumentError, RunError, SimilitudeError
from similitude.study.engines import LocalEngine, ray_tasks
from similitude.study.prompt_grid.plan import ScorePlan
from similitude.study.prompt_grid.study import run_prompt_grid
from similitude.study.sweep.plan import SweepPlan
from similitude.study.sweep.study import run_sweep

SYSTEMS = ["levenshtein", "use", "tfidf-cosine", "pool(levenshtein, jaro)"]


def tables(folder: Path) -> dict[str, bytes]:
    """The bytes of the files that hold figures and predictions; records also hold times and durations."""
    found = [path for path in sorted(folder.rglob("*")) if path.suffix in (".parquet", ".csv", ".safetensors")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def record(path: Path) -> dict:
    """A record without what differs from one call to the next."""

    def plain(value):
        if isinstance(value, dict):
            return {name: plain(each) for name, each in value.items() if name not in ("seconds", "created", "folder")}
        return [plain(each) for each in value] if isinstance(value, list) else value

    return plain(json.loads(path.read_text()))


class CountingEngine:
    """An engine that counts its pieces."""

    def __init__(self, engine) -> None:
        self.engine, self.pieces = engine, []

    @property
    def workers(self) -> int:
        return self.engine.workers

    @property
    def is_here(self) -> bool:
        return self.engine.is_here

    def check_folder(self, folder: Path) -> None:
        self.engine.check_folder(folder)

    def run(self, task, pieces, done, failed=None) -> None:
        self.pieces += pieces
        self.engine.run(task, pieces, done, failed)


@pytest.fixture
def counting(ray_engine) -> CountingEngine:
    return CountingEngine(ray_engine)


def test_a_run_has_the_same_bytes_and_resumes_from_what_is_saved(counting, tmp_path, hears):
    sim.run("sample:opinions", SYSTEMS, ["spearman", "f1"], out=tmp_path / "here", quiet=True)
    sim.run("sample:opinions", SYSTEMS, ["spearman", "f1"], out=tmp_path / "there", listener=hears, engine=counting)
    assert tables(tmp_path / "there") == tables(tmp_path / "here")
    assert len(tables(tmp_path / "there")) == 6  # four systems, items, results
    assert record(tmp_path / "there/run.json") == record(tmp_path / "here/run.json")
    assert len(counting.pieces) == 4
    assert [told[1:] for told in hears.told if told[2] == 4] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    next((tmp_path / "there/predictions").glob("levenshtein*.json")).unlink()
    sim.run("sample:opinions", SYSTEMS, ["spearman"], out=tmp_path / "there", quiet=True, engine=counting)
    assert [str(cell.system.identity) for cell in counting.pieces[4:]] == ["levenshtein"]


def test_mappings_fitted_on_another_split_are_the_same(counting, tmp_path):
    how = {"split": "test", "calibrate": "linear", "calibrate_on": "train", "quiet": True}
    write(_two_splits(), tmp_path / "data.jsonl")
    here = sim.run(tmp_path / "data.jsonl", ["levenshtein", "jaro"], ["mae"], **how)
    there = sim.run(tmp_path / "data.jsonl", ["levenshtein", "jaro"], ["mae"], engine=counting, **how)
    assert [list(map(repr, row)) for row in there.figures] == [list(map(repr, row)) for row in here.figures]
    assert len(counting.pieces) == 4  # two systems, two splits


def test_functions_and_classes_in_files_are_sent_to_workers(ray_engine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from similitude.data.prediction import Predictions\n"
        "from similitude.registry import Spec\n"
        "import numpy as np\n"
        "class Lengths:\n"
        "    summary = 'the length of the left text'\n"
        "    range = None\n"
        "    reads = frozenset()\n"
        "    identity = Spec('mine.py:Lengths', None, (), {})\n"
        "    def score(self, items):\n"
        "        return Predictions(np.array([len(item.left) for item in items], dtype=float))\n"
    )
    systems = {"file": "mine.py:Lengths", "function": lambda left, right: len(right)}
    here = sim.run("sample:opinions", systems, ["spearman"], out="here", quiet=True)
    there = sim.run("sample:opinions", systems, ["spearman"], out="there", quiet=True, engine=ray_engine)
    assert tables(Path("there")) == tables(Path("here"))
    assert [each.code for each in there.systems] == [each.code for each in here.systems]
    assert [each.model for each in there.systems] == [each.model for each in here.systems]


def test_a_system_that_fails_on_a_worker_loses_no_other(ray_engine, tmp_path):
    systems = {"bad": _fails, "good": "levenshtein"}
    with pytest.raises(SimilitudeError, match="bad"):
        sim.run("sample:opinions", systems, ["spearman"], out=tmp_path, quiet=True, engine=ray_engine)
    assert [path.name.partition("-")[0] for path in tmp_path.glob("predictions/*.json")] == ["levenshtein"]


def test_what_cannot_be_sent_to_workers_is_named(ray_engine):
    lock = threading.Lock()
    with pytest.raises(ArgumentError, match=r"ScoreCell cannot be sent to workers: .*lock.*; leave engine= ray out"):
        sim.run("sample:opinions", {"mine": lambda left, right: lock.locked()}, quiet=True, engine=ray_engine)


def test_threads_are_refused_where_a_model_uses_all_cores():
    with pytest.raises(ArgumentError, match=r"2 workers in one process gain nothing: .*; add engine= ray"):
        sim.run("sample:opinions", "levenshtein", quiet=True, engine=LocalEngine(2))
    one = sim.run("sample:opinions", "levenshtein", quiet=True, engine=LocalEngine(1))
    assert (
        one["levenshtein", "spearman"]
        == sim.run("sample:opinions", "levenshtein", quiet=True)["levenshtein", "spearman"]
    )


def test_a_suite_has_the_same_bytes_and_a_failing_cell_its_reason(counting, tmp_path):
    suite = ["sample:opinions", "sample:conditions"]
    systems = {"bad": _fails_on_conditions, "edits": "levenshtein", "use": "use"}
    here = sim.run_suite(suite, systems, out=tmp_path / "here", quiet=True)
    there = sim.run_suite(suite, systems, out=tmp_path / "there", quiet=True, engine=counting)
    assert tables(tmp_path / "there") == tables(tmp_path / "here")
    assert len(counting.pieces) == 6
    assert there.benchmarks[1].failures == here.benchmarks[1].failures
    assert "system 'bad': raised ValueError: no condition is fine" in next(iter(there.benchmarks[1].failures.values()))
    again = sim.run_suite(suite, systems, out=tmp_path / "there", quiet=True, engine=counting)
    assert [(cell.data, cell.system.called) for cell in counting.pieces[6:]] == [("sample-conditions", "bad")]
    np.testing.assert_array_equal(again.main.values, here.main.values)


@pytest.mark.slow
def test_a_grid_of_prompts_has_the_same_bytes_and_resumes(counting, tmp_path, tiny_language_model, hears):
    (tmp_path / "data").mkdir()
    plan = ScorePlan.model_validate(
        {
            "name": "grid",
            "data": str(conditioned(tmp_path / "data")),
            "split": "test",
            "instructions": ("none",),
            "shots": (0,),
            "by": ("answer", "expected"),
            "models": [{"model": str(tiny_language_model(longest=1024, tie_word_embeddings=True)), "name": "tiny"}],
            "references": ["levenshtein"],
            "resamples": 50,
        }
    )
    run_prompt_grid(plan, tmp_path / "here", answers=None, cache=None)
    run_prompt_grid(plan, tmp_path / "there", answers=None, cache=None, engine=counting, listener=hears)
    assert tables(tmp_path / "there") == tables(tmp_path / "here")
    assert record(tmp_path / "there/judging.json") == record(tmp_path / "here/judging.json")
    assert len(counting.pieces) == 3  # two cells, one reference
    assert [told for told in hears.told if told[1:] == (2, 2)]
    run_prompt_grid(plan, tmp_path / "there", answers=None, cache=None, engine=counting)
    assert len(counting.pieces) == 3


@pytest.fixture
def sweep_plan(tmp_path, tiny_bert, letters) -> SweepPlan:
    write(_two_splits(), tmp_path / "pairs.jsonl")
    return SweepPlan.model_validate(
        {
            "data": str(tmp_path / "pairs.jsonl"),
            "models": [str(tiny_bert(letters))],
            "encodings": ["cross", "bi"],
            "seeds": [0, 1],
            "sizes": [20],
            "ablations": True,
            "recipe": {"epochs": 1, "batch": 8},
            "grid": {"lr": [1e-4, 1e-3]},
        }
    )


@pytest.mark.slow
def test_a_sweep_has_the_same_bytes_and_resumes(counting, tmp_path, sweep_plan, hears):
    here = run_sweep(sweep_plan, tmp_path / "here", device="cpu")
    there = run_sweep(sweep_plan, tmp_path / "there", device="cpu", engine=counting, listener=hears)
    assert there.record() == here.record()
    models = [path.name for path in sorted((tmp_path / "here/models").iterdir())]
    assert [path.name for path in sorted((tmp_path / "there/models").iterdir())] == models
    assert tables(tmp_path / "there/models") == tables(tmp_path / "here/models")
    assert any(name.endswith(".safetensors") for name in tables(tmp_path / "there/models"))
    assert not [told for told in hears.notes if told.startswith("training")]  # nothing was left for this process
    trained = len(counting.pieces)
    kept = {path.name for path in (tmp_path / "there/models").iterdir() if path.is_dir()}
    scored = sorted((tmp_path / "there/predictions").glob("*.json"))
    lost = next(path for path in scored if path.stem.rpartition("-")[0] in kept)  # others would be trained again first
    lost.unlink()
    run_sweep(sweep_plan, tmp_path / "there", device="cpu", engine=counting)
    assert [cell.key for cell in counting.pieces[trained:]] == [lost.stem]


def test_a_sweep_into_a_folder_that_workers_do_not_see_is_refused(ray_engine, tmp_path, sweep_plan, monkeypatch):
    monkeypatch.setattr(ray_tasks, "_answer_mark", lambda mark: "the folder is not there, or is another one")
    with pytest.raises(RunError, match="does not share this folder: the folder is not there"):
        run_sweep(sweep_plan, tmp_path / "out", device="cpu", engine=ray_engine)


def _two_splits() -> Benchmark:
    rows = [(i, end) for i in range(40) for end in (0, 1)]
    return Benchmark.from_columns(
        "pairs",
        scale="1..5",
        id=[f"{i}-{end}" for i, end in rows],
        left=[f"left {'abcdefgh'[i % 8]} {i}" for i, _ in rows],
        right=[f"right {'stuvwxyz'[i % 8] * (1 + i % 3)}" for i, _ in rows],
        condition=[f"condition {end}" for _, end in rows],
        score=[1 + (i + 2 * end) % 5 for i, end in rows],
        split=["test" if i % 4 == 0 else "validation" if i % 4 == 1 else "train" for i, _ in rows],
    )


def _fails(left: str, right: str) -> float:
    raise ValueError("nothing is fine")


def _fails_on_conditions(left: str, right: str, *, condition: str | None = None) -> float:
    if condition is not None:
        raise ValueError("no condition is fine")
    return float(len(left))
