"""What a teacher of scores labels, on which scale, and that it is asked once."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from conditioned_cars import DATA, RATED, benchmark, keys
from scripted_model import ScriptedModel
from teacher_fakes import ConditionReader, Teacher

from similitude.errors import ArgumentError, InputError, RunError, ScaleError
from similitude.systems.prompted.system import Prompted
from similitude.training.conditional import new_conditions, taught_labels
from similitude.training.conditional.similarity_teaching import SimilarityTeaching
from similitude.training.conditional.taught_labels import TaughtLabels, TeachingInputs, label_items
from similitude.training.examples import examples_of
from similitude.training.splits import TrainingData

pytestmark = pytest.mark.usefixtures("condition_reader", "teacher")

EXAMPLES = examples_of(DATA.train, in_pairs=True)


def labels(folder, data: TrainingData = DATA, inputs: TeachingInputs | None = None, **how) -> TaughtLabels:
    teaching = SimilarityTeaching(**{"teacher": "test-reader", "conditions": 6, "pairs": 2, **how})
    return label_items(data, EXAMPLES, teaching, folder, inputs or TeachingInputs(), reads_conditions=True)


def test_new_items_and_rated_ones_are_labelled(tmp_path):
    made = labels(tmp_path)
    # The reader says the length of the condition on 0..20, which is a share of length / 20 on any scale.
    assert made.scores == pytest.approx([len(condition) / 20 for condition in made.items.conditions])
    assert made.rated == pytest.approx([len(one) / 20 for one in EXAMPLES.benchmark.items.conditions])
    assert len(made.items) == 6 + 2 * 2
    assert not set(keys(made.items)) & RATED
    table = pl.read_csv(tmp_path / "runs/taught.csv")
    assert table.columns == ["id", "left", "right", "condition", "group", "score"]
    assert table["score"].to_list() == pytest.approx([1 + 4 * len(one) / 20 for one in table["condition"]])
    assert made.record["new_conditions"] == 6
    assert made.record["new_pairs"] == 2
    assert made.record["items"] == 10
    assert made.notes == (
        "test-reader labelled 10 unrated items (6 rated pairs under new conditions, 2 new pairs under two conditions "
        "each) and the rated items (runs/taught.csv)",
    )


def test_by_default_all_that_there_are_will_do(tmp_path):
    usual = {"conditions": 160, "pairs": 80}
    made = labels(tmp_path / "usual", fewer_conditions=True, fewer_pairs=True, **usual)
    assert made.items.frame.equals(labels(tmp_path / "named", conditions=12, pairs=12).items.frame)
    with pytest.raises(ArgumentError, match="160 new conditions cannot be given"):
        labels(tmp_path / "asked", fewer_pairs=True, **usual)
    with pytest.raises(ArgumentError, match="80 new pairs cannot be made"):
        labels(tmp_path / "asked", fewer_conditions=True, **usual)
    same = benchmark([("a", "b", "the colour", 1.0), ("c", "d", "the colour", 2.0)])
    with pytest.raises(ArgumentError, match="makes no new conditions and no new pairs"):
        labels(tmp_path / "none", TrainingData(same, DATA.validation), fewer_conditions=True, fewer_pairs=True, **usual)
    with pytest.raises(ArgumentError, match="makes no new conditions") as caught:
        labels(tmp_path / "none", TrainingData(same, DATA.validation), fewer_conditions=True, pairs=0, blend=0.0)
    assert "--new-conditions 0" not in caught.value.remedy  # then nothing is left to label


def test_the_teacher_is_asked_once(tmp_path):
    first = labels(tmp_path)
    ConditionReader.asked.clear()
    again = labels(tmp_path)
    assert not ConditionReader.asked
    assert again.items.frame.equals(first.items.frame)
    assert (again.scores == first.scores).all()
    assert (again.rated == first.rated).all()
    assert again.record == first.record
    with pytest.raises(RunError, match=r"made from other inputs \(they differ in: new_pairs\)"):
        labels(tmp_path, pairs=3)


def test_gold_alone_needs_no_scores_of_rated_items(tmp_path):
    made = labels(tmp_path, blend=0.0)
    assert made.rated is None
    assert made.record["on_rated"] is None
    assert "and the rated items" not in made.notes[0]
    asked = sum(map(len, ConditionReader.asked))
    assert asked == 1 + 10, "one item to see whether the teacher will do, and the new ones"


def test_rated_items_alone(tmp_path):
    made = labels(tmp_path, conditions=0, pairs=0)
    assert len(made.items) == 0
    assert len(made.rated) == len(EXAMPLES)
    # Lengths 10, 8, 10, 10, 10, 12 and gold 5, 2, 1, 4, 5, 3 have ranks 3.5, 1, 3.5, 3.5, 3.5, 6 and 5.5, 2, 1, 4, 5.5,
    # 3. Around 3.5 their products sum to 2.5 x 1.5 - 2.5 x 0.5 = 2.5, their squares to 12.5 and 17: 2.5 / sqrt(212.5).
    assert made.record["on_rated"]["spearman"] == pytest.approx(0.1715, abs=1e-4)
    assert made.notes[0] == "test-reader labelled the rated items (runs/taught.csv)"
    again = labels(tmp_path, conditions=0, pairs=0)
    assert (again.rated == made.rated).all()


GIVEN = [
    ("A red bus.", "A red car.", "The colour.", 0),  # rated, in the other order
    ("A van.", "A blue van.", "the engine", 0),  # a validation pair
    ("A red car.", "A red bus.", "the price", 0),
    ("A red car.", "A red bus.", "the  price", 0),  # the same again
    ("A boat.", "A ship.", "the size", 0),
]


class TestGivenItems:
    def test_known_and_repeated_ones_are_left_out(self, tmp_path):
        pool = benchmark(GIVEN, "pool", scale=None)
        made = labels(tmp_path, inputs=TeachingInputs(pool), conditions=0, pairs=0)
        assert made.items.ids == ["unlabelled-2", "unlabelled-4"]
        assert made.record["left_out"] == 3
        assert made.notes[0].endswith("; 3 given items were left out: they are rated, validated on, or repeated")

    def test_one_is_one(self, tmp_path):
        pool = benchmark([GIVEN[0], GIVEN[-1]], "pool", scale=None)
        made = labels(tmp_path, inputs=TeachingInputs(pool), conditions=0, pairs=0)
        assert made.notes[0] == (
            "test-reader labelled 1 unrated item (1 given by the user) and the rated items (runs/taught.csv); "
            "1 given item was left out: it is rated, validated on, or repeated"
        )

    def test_all_of_them_known(self, tmp_path):
        with pytest.raises(ArgumentError, match="pool: all 2 items are in the training or validation data; give other"):
            labels(tmp_path, inputs=TeachingInputs(benchmark(GIVEN[:2], "pool", scale=None)), conditions=0, pairs=0)

    def test_without_a_condition(self, tmp_path):
        pool = benchmark([*GIVEN, ("a", "b", None, 0)], "pool", scale=None)
        with pytest.raises(InputError, match="pool: 1 of 6 items have no condition; the first is '5'; add a column"):
            labels(tmp_path, inputs=TeachingInputs(pool))


class TestWhoCanTeach:
    def test_not_one_that_does_not_read_conditions(self, tmp_path):
        with pytest.raises(ArgumentError, match=r"'test-reader\(deaf=true\)' does not read conditions; use one that"):
            labels(tmp_path, teacher="test-reader(deaf=true)")
        assert not ConditionReader.asked
        assert not list(tmp_path.iterdir())

    def test_not_one_without_a_range(self, tmp_path):
        with pytest.raises(ArgumentError, match=r"declares no range, .* such as conditional\(FOLDER\)"):
            labels(tmp_path, teacher="test-reader(bounded=false)")

    def test_nothing_to_teach(self, tmp_path):
        with pytest.raises(ArgumentError, match="there are no items for the teacher to label; give --new-conditions N"):
            labels(tmp_path, conditions=0, pairs=0, blend=0.0)
        bare = TrainingData(replace(DATA.train, scale=None), DATA.validation)
        with pytest.raises(ScaleError, match="the scale of its scores is unknown"):
            labels(tmp_path, bare)


def test_plain_pairs_are_those_of_train_uncertain(tmp_path):
    plain = TrainingData(
        replace(DATA.train, frame=DATA.train.frame.with_columns(condition=pl.lit(None, pl.String()))), DATA.validation
    )
    made = labels(tmp_path, plain, teacher="test-teacher(mean=8)", conditions=0, pairs=8)
    assert made.scores == pytest.approx([0.8] * 8)
    assert {name.split("-")[0] for name in made.items.ids} == {"changed", "new"}
    assert set(made.items.conditions) == {None}
    assert made.notes[0].startswith("test-teacher(mean=8) labelled 8 unrated items (8 new pairs) and the rated items")
    assert Teacher.asked
    with pytest.raises(ArgumentError, match="there are no conditions to learn; use 'similitude train pairs'"):
        labels(tmp_path / "other", plain, teacher="test-teacher(mean=8)")
    usual = labels(tmp_path / "usual", plain, teacher="test-teacher(mean=8)", fewer_conditions=True, pairs=8)
    assert usual.items.frame.equals(made.items.frame), "nobody asked for conditions, and there are none"


def test_a_student_that_reads_no_conditions_is_taught_without_them(tmp_path):
    ConditionReader.asked.clear()
    teaching = SimilarityTeaching(teacher="test-reader", pairs=4)
    inputs = TeachingInputs(benchmark(GIVEN, "pool", scale=None))
    made = label_items(DATA, EXAMPLES, teaching, tmp_path, inputs, reads_conditions=False)
    assert made.record["unlabelled"]
    assert len(made.rated) == len(EXAMPLES)
    assert {one for items in ConditionReader.asked for one in items.conditions} == {None}


class TestWrittenConditions:
    """A language model writes the new conditions."""

    @pytest.fixture
    def model(self, monkeypatch) -> ScriptedModel:
        def says(question):
            return "no idea" if "dogs" in question.messages[-1].content else "High: the maker\nLow: the hour"

        model = ScriptedModel(says)
        system = Prompted("scripted").with_model(model)
        for module in (new_conditions, taught_labels):
            monkeypatch.setattr(module, "named_language_model", lambda named: system)
        return model

    def test_two_for_each_pair(self, tmp_path, model):
        made = labels(tmp_path, conditions=None, pairs=0, conditions_from="scripted")
        assert sorted(set(made.items.conditions)) == ["the hour", "the maker"]
        assert len(made.items) == 4
        assert len(model.asked) == 3
        assert made.notes[1] == "1 of 3 pairs got no conditions (33.3 %): 1 no two lines"
        assert made.record["conditions_from"] == "scripted"
        assert json.loads((tmp_path / "runs/taught.json").read_text())["depends_on"]["conditions"] == "scripted"

    def test_for_some_pairs(self, tmp_path, model):
        labels(tmp_path, conditions=2, pairs=0, conditions_from="scripted")
        assert len(model.asked) == 1
        with pytest.raises(ArgumentError, match=r"8 new conditions cannot be written for 3 pairs: .* at most 6"):
            labels(tmp_path / "other", conditions=8, pairs=0, conditions_from="scripted")

    def test_a_list_in_a_file(self, tmp_path):
        (tmp_path / "list.txt").write_text("the maker\nthe hour\nthe price\n")
        made = labels(tmp_path, conditions=6, pairs=0, conditions_from=str(tmp_path / "list.txt"))
        assert set(made.items.conditions) <= {"the maker", "the hour", "the price"}
        (tmp_path / "list.txt").write_text("the maker\nthe hour\n")
        with pytest.raises(RunError, match="they differ in: conditions"):
            labels(tmp_path, conditions=6, pairs=0, conditions_from=str(tmp_path / "list.txt"))


def test_weights_are_checked():
    with pytest.raises(ArgumentError, match=r"teacher-weight 1\.5 is not valid; give a weight from 0 to 1"):
        SimilarityTeaching(teacher="use", blend=1.5)
    with pytest.raises(ArgumentError, match="taught-weight 0 is not valid; give a weight above 0"):
        SimilarityTeaching(teacher="use", weight=0)
    with pytest.raises(ArgumentError, match="taught-weight nan is not valid"):
        SimilarityTeaching(teacher="use", weight=np.nan)
    with pytest.raises(ArgumentError, match="--conditions-from a-model has no effect with --new-conditions 0; omit"):
        SimilarityTeaching(teacher="use", conditions_from="a-model")
    with pytest.raises(ArgumentError, match="--new-pairs -1 is not valid"):
        SimilarityTeaching(teacher="use", pairs=-1)
