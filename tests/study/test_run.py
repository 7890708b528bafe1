import json
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, InputError, PredictionError, RunError, UnknownNameError
from similitude.registry import Spec

LEFT = ["a cat sat", "the dog ran", "blue sky", "red wine", "old house", "new car"]
RIGHT = ["a cat sat", "the dog runs", "grey sea", "red wine vinegar", "young tree", "new card"]
SCORE = [5.0, 4.0, 1.0, 3.0, 0.5, 2.0]


def made(**columns) -> sim.Benchmark:
    return sim.Benchmark.from_columns(
        "made", scale="0..5", **({"left": LEFT, "right": RIGHT, "score": SCORE} | columns)
    )


@dataclass(frozen=True)
class Scripted:
    """A system that answers as told, and remembers in which order it was asked."""

    answers: dict
    asked: list = field(repr=False)
    name: str = "scripted"
    summary = "answers as told"
    range = sim.Scale(low=0, high=5)
    reads = frozenset()

    @property
    def identity(self) -> Spec:
        return Spec(self.name)

    def score(self, items: sim.Items) -> sim.Predictions:
        self.asked.append(items.ids)
        return sim.Predictions(np.array([self.answers[name] for name in items.ids], dtype=float))


class Ear:
    """A listener that remembers."""

    def __init__(self):
        self.heard, self.notes = [], []

    def progress(self, stage, done, total):
        self.heard.append((stage, done, total))

    def note(self, text):
        self.notes.append(text)


def scripted(answers, name="scripted") -> Scripted:
    return Scripted({str(i): answer for i, answer in enumerate(answers, 1)}, [], name)


def test_three_lines():
    run = sim.run(made(), ["levenshtein", "length-ratio"], ["pearson", "spearman", "mae"])
    assert run["levenshtein", "pearson"] > 0.8
    assert [len(row) for row in run.figures] == [3, 3]
    assert "levenshtein" in str(run)


def test_a_figure_is_found_however_it_is_written():
    run = sim.run(made(), ["char-ngram-cosine(n=3)"], ["ndcg_avgrank", "hmean(pearson,f1)", "f1"])
    assert run["char-ngram-cosine", "ndcg@avgrank"] == run["char-ngram-cosine(n=3)", "ndcg_avgrank"]
    assert run["char-ngram-cosine", "hmean( pearson, f1 )"] == run.figures[0][1].value
    with pytest.raises(KeyError, match=r"no measure in this run named 'mae'; known: f1, hmean"):
        run["char-ngram-cosine", "mae"]


def test_items_come_shuffled_and_predictions_go_back_in_order():
    system = scripted(SCORE)
    run = sim.run(made(), [system], ["pearson", "mae"])
    assert system.asked[0] != [str(i) for i in range(1, 7)]
    assert sorted(system.asked[0]) == [str(i) for i in range(1, 7)]
    assert run.predictions[0].scores.tolist() == SCORE
    assert run["scripted", "mae"] == 0


def test_hidden_gold_is_not_measured():
    run = sim.run(made(score=[5.0, None, 1.0, 3.0, None, 2.0]), ["levenshtein"], ["pearson"])
    assert run.data.items == 4


def test_a_split_is_measured_alone():
    benchmark = made(split=["train"] * 3 + ["test"] * 3)
    assert sim.run(benchmark, ["levenshtein"], ["mae"], split="test").data.items == 3
    with pytest.raises(ArgumentError, match="splits there: train, test"):
        sim.run(benchmark, ["levenshtein"], split="dev")


def test_default_measures_grow_with_systems_that_doubt():
    assert [str(m) for m in sim.run(made(), ["levenshtein"]).measures] == [
        "pearson",
        "spearman",
        "ndcg@10",
        "f1_low",
        "f1_high",
        "mae",
    ]


def test_nan_stops_and_names_the_item_or_is_skipped_for_all():
    bad = scripted([5, 4, np.nan, 3, 0, 2], "bad")
    with pytest.raises(PredictionError, match="system 'bad' gave nan for item '3'"):
        sim.run(made(), [bad, "levenshtein"], ["mae"])
    run = sim.run(made(), [bad, "levenshtein"], ["mae"], on_error="skip")
    assert run.data.items == 5
    assert [len(p) for p in run.predictions] == [5, 5]
    assert [s.where for s in run.left_out] == ["item '3'"]


def test_too_few_predictions():
    @dataclass(frozen=True)
    class Short(Scripted):
        def score(self, items):
            return sim.Predictions(np.zeros(2))

    with pytest.raises(PredictionError, match="2 predictions for 6 items"):
        sim.run(made(), [Short({}, [])], ["mae"])


def test_calibration_on_a_split_needs_another_one_and_is_recorded():
    benchmark = made(split=["dev"] * 3 + ["test"] * 3)
    run = sim.run(benchmark, ["levenshtein"], ["mae"], split="test", calibrate="linear", calibrate_on="dev")
    assert run.calibration.words == "calibrated on split 'dev' (linear, 3 items)"
    assert run.caveats[0] == "mae: scores calibrated on split 'dev' (linear, 3 items)"
    for splits in ({}, {"split": "test"}):
        with pytest.raises(ArgumentError, match="two different splits"):
            sim.run(benchmark, ["levenshtein"], ["mae"], calibrate="linear", calibrate_on="test", **splits)
    with pytest.raises(ArgumentError, match="nothing is fitted on split 'dev'"):
        sim.run(benchmark, ["levenshtein"], ["f1"], split="test", calibrate="none", calibrate_on="dev")


def test_calibration_brings_a_stretched_system_onto_the_scale():
    benchmark = made(split=["dev", "test"] * 3)
    tenth = scripted([score / 10 + 0.3 for score in SCORE])
    plain = sim.run(benchmark, [tenth], ["mae"], split="test")["scripted", "mae"]
    for kind in ("linear", "isotonic"):
        fitted = sim.run(benchmark, [tenth], ["mae"], split="test", calibrate=kind, calibrate_on="dev")
        assert fitted["scripted", "mae"] < plain / 2


@pytest.mark.parametrize(
    ("systems", "error"),
    [([], ArgumentError), (["levenshtein", "levenshtein"], ArgumentError), (["levenstein"], UnknownNameError)],
)
def test_systems_that_make_no_sense(systems, error):
    with pytest.raises(error):
        sim.run(made(), systems)


def test_one_item_is_not_items():
    one = sim.run([("a", "b", 1)], "levenshtein", "pearson")
    assert "1 measure, 1 item\n" in repr(one)
    assert "unnamed: 1 item\n" in str(one)


def test_all_gold_hidden():
    benchmark = sim.Benchmark.from_columns("hidden", left=["a"], right=["b"])
    with pytest.raises(InputError, match="no item has gold"):
        sim.run(benchmark, ["levenshtein"])


def test_three_rows_are_measured_without_a_fuss():
    run = sim.run(made().take(np.arange(3)), ["levenshtein"], ["pearson", "kendall", "ndcg@10", "f1_low", "ece"])
    assert np.isfinite(run["levenshtein", "pearson"])
    assert run.figures[0][-1].reason == "the system gives no standard deviation"


def test_the_run_folder_holds_everything(tmp_path):
    run = sim.run(made(), ["levenshtein", "char-ngram-cosine(n=2)"], ["pearson", "kl"], out=tmp_path / "run", seed=5)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["seed"] == 5
    assert record["data"]["fingerprint"] == made().fingerprint
    assert record["versions"]["similitude"] == sim.__version__
    assert record["systems"][1]["arguments"] == {"n": 2}
    assert {f["undefined_because"] for f in record["figures"]} == {None, "gold has no standard deviations"}
    tables = sorted((tmp_path / "run" / "predictions").glob("*.parquet"))
    assert len(tables) == 2
    saved = pl.read_parquet(tables[1])
    assert saved["id"].to_list() == made().items.ids
    assert saved["score"].to_list() == run.predictions[0].scores.tolist()
    assert sim.read(tmp_path / "run" / "items.parquet").fingerprint == made().fingerprint
    assert pl.read_csv(tmp_path / "run" / "results.csv").height == 4


def test_nothing_is_written_unasked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sim.run(made(), ["levenshtein"], ["mae"])
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    first, second = scripted(SCORE, "first"), scripted(SCORE[::-1], "second")

    class Impatient(Ear):
        def progress(self, stage, done, total):
            if stage == "second":
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sim.run(made(), [first, second], ["mae"], out=tmp_path, listener=Impatient())
    again = [scripted(SCORE, "first"), scripted(SCORE[::-1], "second")]
    run = sim.run(made(), again, ["mae"], out=tmp_path)
    assert [len(system.asked) for system in again] == [0, 1]
    assert run.figures == sim.run(made(), again, ["mae"]).figures


def test_a_table_without_its_record_does_not_count(tmp_path):
    """Killed between the two writes: the predictions are there, but nothing vouches for them."""
    sim.run(made(), [scripted(SCORE)], ["mae"], out=tmp_path)
    next((tmp_path / "predictions").glob("*.json")).unlink()
    again = scripted(SCORE)
    sim.run(made(), [again], ["mae"], out=tmp_path)
    assert len(again.asked) == 1


def test_fresh_computes_again(tmp_path):
    sim.run(made(), [scripted(SCORE)], ["mae"], out=tmp_path)
    again = scripted(SCORE)
    sim.run(made(), [again], ["mae"], out=tmp_path, fresh=True)
    assert len(again.asked) == 1


def test_a_model_that_changed_under_its_name_is_run_again(tmp_path):
    @dataclass(frozen=True)
    class Modelled(Scripted):
        weights: str = field(default="old", repr=False)

        def model_fingerprint(self):
            return self.weights

    answers = {str(i): score for i, score in enumerate(SCORE, 1)}
    for weights, times in (("old", 1), ("old", 0), ("new", 1)):
        system = Modelled(answers, [], weights=weights)
        sim.run(made(), [system], ["mae"], out=tmp_path, resamples=0)
        assert len(system.asked) == times


def test_other_arguments_are_another_system(tmp_path):
    runs = [sim.run(made(), [f"char-ngram-cosine(n={n})"], ["pearson"], out=tmp_path) for n in (2, 3, 2)]
    values = [run.figures[0][0].value for run in runs]
    assert values[0] == values[2] != values[1]


def test_a_folder_of_other_items_is_refused(tmp_path):
    sim.run(made(), ["levenshtein"], ["mae"], out=tmp_path / "run")
    with pytest.raises(RunError, match="holds a run on other items"):
        sim.run(made(left=RIGHT), ["levenshtein"], ["mae"], out=tmp_path / "run")
    tmp_path.joinpath("thesis").mkdir()
    tmp_path.joinpath("thesis", "chapter1.tex").write_text("precious")
    with pytest.raises(RunError, match="other files in it"):
        sim.run(made(), ["levenshtein"], ["mae"], out=tmp_path / "thesis")
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(RunError, match="is a file"):
        sim.run(made(), ["levenshtein"], ["mae"], out=tmp_path / "file")


def test_corrected_gold_keeps_the_predictions(tmp_path):
    sim.run(made(), [scripted(SCORE)], ["mae"], out=tmp_path)
    again = scripted(SCORE)
    run = sim.run(made(score=[s / 2 for s in SCORE]), [again], ["mae"], out=tmp_path)
    assert again.asked == []
    assert run["scripted", "mae"] > 0


def test_progress_names_each_system_once():
    ear = Ear()
    sim.run(made(), ["levenshtein", "jaro"], ["mae"], listener=ear, resamples=0)
    assert ear.heard == [("levenshtein", 0, 2), ("jaro", 1, 2)]
    sim.run(made(), ["levenshtein"], ["mae"], listener=ear)
    assert {stage for stage, _, _ in ear.heard} == {"levenshtein", "jaro", "resampling"}


def test_what_a_system_has_to_say_is_part_of_the_run_and_survives_a_resume(tmp_path):
    @dataclass(frozen=True)
    class Talking(Scripted):
        listener: object = field(default=None, repr=False)

        def with_listener(self, listener):
            return replace(self, listener=listener)

        def score(self, items):
            self.listener.note("two texts were cut")
            return super().score(items)

    system = Talking({str(i): s for i, s in enumerate(SCORE, 1)}, [])
    ear = Ear()
    first = sim.run(made(), [system], ["mae"], out=tmp_path, listener=ear)
    again = sim.run(made(), [system], ["mae"], out=tmp_path)
    assert ear.notes == ["two texts were cut"]
    assert first.systems[0].notes == ("two texts were cut",)
    assert again.systems[0].notes == ("two texts were cut",)
    assert len(system.asked) == 1
    assert sim.load_run(tmp_path).systems[0].notes == ("two texts were cut",)


@pytest.mark.slow
def test_figures_come_with_intervals_and_shared_ranks():
    run = sim.run("sample:opinions", ["use-multilingual", "levenshtein", "damerau"], ["pearson", "kl"])
    sure = run.confidence
    for row, figures in enumerate(run.figures):
        assert sure.intervals[row][0].low < figures[0].value < sure.intervals[row][0].high
    # Levenshtein and Damerau differ by a handful of exchanged letters; the encoder is far ahead of both
    assert [ranks[0].letters for ranks in sure.ranks] == ["a", "b", "b"]
    assert [(ranks[0].best, ranks[0].worst) for ranks in sure.ranks] == [(1, 1), (2, 3), (2, 3)]
    assert sure.ranks[0][1].letters == ""
    row = next(iter(run.rows()))
    assert (row["rank_best"], row["tied"]) == (1, "a")
    assert sim.run("sample:opinions", ["levenshtein"], ["pearson"], resamples=0).confidence is None


def test_items_of_one_dialogue_are_resampled_together():
    dialogues = sim.run("sample:dialogues", ["levenshtein", "jaro"], ["pearson"])
    assert dialogues.confidence.groups == 12
    assert sim.run("sample:opinions", ["levenshtein", "jaro"], ["pearson"]).confidence.groups is None
    mixed = made(group=["a", "a", None, None, "b", "c"])
    assert sim.run(mixed, ["levenshtein"], ["pearson"]).confidence.groups == 5


def test_the_same_run_twice_is_identical():
    once, twice = (sim.run("sample:opinions", ["tfidf-cosine", "soft-tfidf"], ["pearson", "kendall"]) for _ in range(2))
    assert once.figures == twice.figures
    assert all(a != b for a, b in pairwise(once.figures))


def test_row_order_of_the_file_does_not_change_a_figure():
    opinions = sim.read("sample:opinions")
    shuffled = opinions.take(np.random.default_rng(0).permutation(len(opinions)))
    systems = ["tfidf-cosine", "levenshtein", "greedy-string-tiling"]
    a, b = (sim.run(data, systems, ["pearson", "ndcg@10"]) for data in (opinions, shuffled))
    for row_a, row_b in zip(a.figures, b.figures, strict=True):
        assert [f.value for f in row_a] == pytest.approx([f.value for f in row_b], abs=1e-12)


def test_a_run_comes_back_from_its_folder(tmp_path):
    benchmark = made(split=["dev", "test"] * 3, domain=list("aabbab"))
    options = {"split": "test", "calibrate": "isotonic", "calibrate_on": "dev"}
    before = sim.run(benchmark, ["levenshtein", "char-ngram-cosine(n=2)"], ["f1", "kl", "mae"], out=tmp_path, **options)
    after = sim.load_run(tmp_path)
    assert after.record() == before.record()
    assert str(after) == str(before)
    assert after.benchmark.fingerprint == before.benchmark.fingerprint
    for a, b in zip(after.predictions, before.predictions, strict=True):
        assert a.scores.tolist() == b.scores.tolist()
    for a, b in zip(after.mappings, before.mappings, strict=True):
        assert a.apply(after.predictions[0]).scores.tolist() == b.apply(before.predictions[0]).scores.tolist()


def test_what_is_no_run_cannot_be_loaded(tmp_path):
    with pytest.raises(RunError, match="holds no finished run"):
        sim.load_run(tmp_path)


def test_a_run_killed_at_any_moment_can_be_taken_up_again(tmp_path):
    """Whatever subset of files a kill leaves behind, the next run finishes with the same figures."""
    expected = sim.run(made(), [scripted(SCORE)], ["mae"]).figures
    folder = tmp_path / "run"
    sim.run(made(), [scripted(SCORE)], ["mae"], out=folder)
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "data.json"):
        path.unlink()
        (path.parent / ".half.written.tmp").write_text("torn")
        assert sim.run(made(), [scripted(SCORE)], ["mae"], out=folder).figures == expected


def test_a_damaged_table_is_computed_again(tmp_path):
    sim.run(made(), [scripted(SCORE)], ["mae"], out=tmp_path)
    next((tmp_path / "predictions").glob("*.parquet")).write_bytes(b"PAR1 broken")
    again = scripted(SCORE)
    sim.run(made(), [again], ["mae"], out=tmp_path)
    assert len(again.asked) == 1
