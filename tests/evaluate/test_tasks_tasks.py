"""The five tasks: hand-made cases, chance level, perfect systems, and refusals."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from similitude.data.item import Items
from similitude.errors import InputError
from similitude.evaluate.tasks.pair_tasks import Deduplication, Related, TextReuse
from similitude.evaluate.tasks.search_tasks import FindRelated, IntentMatching

FOUR = ("none", "heavy", "light", "copy")


def pairs(kind, labels, classes):
    labels = np.asarray(labels)
    items = Items.from_pairs([f"l{n}" for n in range(labels.size)], [f"r{n}" for n in range(labels.size)])
    return kind(name="made", items=items, labels=labels, classes=classes)


def rng():
    return np.random.default_rng(0)


def test_text_reuse_finds_ordered_classes_and_knows_chance():
    labels = np.repeat(np.arange(4), 24)
    task = pairs(TextReuse, labels, FOUR)
    noise = np.random.default_rng(1)
    perfect, useful, blind = labels / 3, labels / 3 + noise.normal(0, 0.2, 96), noise.random(96)
    found = task.outcome(np.stack([perfect, useful, blind]), rng())
    assert found.values[0] == 1.0
    assert 0.5 < found.values[1] < 0.95
    assert found.values[2] < 0.45
    np.testing.assert_allclose(found.values, np.maximum(found.others["OneR"], found.others["logistic regression"]))


def test_nothing_is_learned_from_the_member_that_is_tested():
    # Every value is its own and says nothing of the class. A rule that had seen the tested member would be right.
    labels = np.array([0, 1] * 50)
    values = np.random.default_rng(3).permutation(100) / 100
    assert pairs(Related, labels, ("no", "yes")).outcome(values[None], rng()).values[0] < 0.65


def test_related_is_accuracy_at_one_border_and_the_paper_s_rule_may_use_more():
    # Related in the middle only: no single threshold does it, OneR does.
    values = np.linspace(0, 1, 90)
    labels = ((values > 1 / 3) & (values < 2 / 3)).astype(int)
    found = pairs(Related, labels, ("no", "yes")).outcome(values[None], rng())
    assert found.figure == "accuracy"
    assert 0.55 < found.values[0] <= 2 / 3
    assert found.others["OneR"][0] > 0.9


def test_folds_are_seeded():
    labels, values = np.array([0, 1] * 30), np.random.default_rng(0).random((1, 60))
    task = pairs(TextReuse, labels, ("no", "yes"))
    first, again = (task.outcome(values, np.random.default_rng(5)).parts for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_small_classes_make_fewer_folds_and_say_so():
    found = pairs(Related, [0] * 20 + [1] * 4, ("no", "yes")).outcome(np.linspace(0, 1, 24)[None], rng())
    assert found.notes == ("4 folds instead of 10: class 'yes' has 4 members",)


@pytest.mark.parametrize("kind", [TextReuse, Related, Deduplication])
def test_a_class_of_one_and_a_single_class_are_refused(kind):
    with pytest.raises(InputError, match="class 'yes' has one member"):
        pairs(kind, [0] * 9 + [1], ("no", "yes")).outcome(np.zeros((1, 10)), rng())
    with pytest.raises(InputError, match="all members are of one class"):
        pairs(kind, [0] * 9, ("no", "yes")).outcome(np.zeros((1, 9)), rng())


@pytest.mark.parametrize("shift", [0.0, -0.85])
def test_deduplication_is_f1_wherever_the_border_lies(shift: float):
    labels = np.array([0] * 80 + [1] * 20)
    values = np.where(labels == 1, 0.95, 0.7) + np.random.default_rng(0).uniform(-0.05, 0.05, 100) + shift
    found = pairs(Deduplication, labels, ("different", "duplicate")).outcome(values[None], rng())
    assert found.figure == "F1"
    assert found.values.tolist() == [1.0]
    assert found.others["AUC"].tolist() == found.others["average precision"].tolist() == [1.0]
    with pytest.raises(InputError, match="deduplication has two"):
        pairs(Deduplication, [0, 1, 2], ("a", "b", "c"))


def test_duplicates_are_counted_at_the_thresholds_of_the_other_folds():
    """The parts of each pair add up to the figure, and a resample of every pair once gives it again."""
    labels = np.array([0, 0, 1] * 20)
    values = np.random.default_rng(4).normal(labels, 1.0)[None]
    found = pairs(Deduplication, labels, ("different", "duplicate")).outcome(values, rng())
    hits, false, positives, every = found.parts[0].sum(axis=0)
    assert (positives, every, found.units) == (20, 60, 60)
    assert found.values.tolist() == [2 * hits / (hits + false + positives)]
    assert found.resampled(np.ones((1, 60))).tolist() == [found.values.tolist()]


def find(is_related, **changes):
    related = np.asarray(is_related, dtype=bool)
    made = {
        "name": "made",
        "queries": tuple(f"q{n}" for n in range(len(related))),
        "pool": tuple(f"p{n}" for n in range(related.shape[1])),
        "is_related": related,
        "is_same": np.zeros_like(related),
    }
    return FindRelated(**(made | changes))


def test_find_related_by_hand():
    # Query 0: related p1, the top hit: right, place 1. Query 1: related p0, third: wrong, 1/3.
    task = find([[0, 1, 0], [1, 0, 0]])
    found = task.outcome(np.array([[0.1, 0.9, 0.2, 0.1, 0.5, 0.4]]), rng())
    assert found.values.tolist() == [0.5]
    assert found.others["MRR"].tolist() == [pytest.approx((1 + 1 / 3) / 2)]
    assert found.others["recall@1"].tolist() == [0.5]
    assert found.others["recall@5"].tolist() == [1.0]
    assert len(task.items) == 6


def test_a_system_that_says_the_same_of_all_finds_one_in_n():
    found = find([[0, 1, 0, 0]]).outcome(np.zeros((1, 4)), rng())
    assert found.values.tolist() == [0.25]
    assert found.others["recall@1"].tolist() == [0.25]


def test_the_query_itself_does_not_count():
    same = np.array([[True, False, False]])
    assert find([[0, 1, 0]], is_same=same).outcome(np.array([[1.0, 0.6, 0.2]]), rng()).values.tolist() == [1.0]


def test_a_pool_without_the_right_answer_is_refused():
    with pytest.raises(InputError, match=r"query 2 .*has no related text in the pool"):
        find([[0, 1], [0, 0]])


def intents(**changes):
    made = {
        "name": "made",
        "texts": ("a", "b", "c"),
        "labels": ("x", "x", "y"),
        "examples": ("d", "e"),
        "example_labels": ("x", "y"),
        "is_same": np.zeros((3, 2), dtype=bool),
    }
    return IntentMatching(**(made | changes))


def test_intents_by_hand():
    # a is nearer to d (x): right; b nearer to e (y): wrong; c as near to both: half.
    found = intents().outcome(np.array([[0.9, 0.1, 0.2, 0.8, 0.5, 0.5]]), rng())
    assert found.values.tolist() == [0.5]


def test_a_label_without_an_example_is_refused():
    with pytest.raises(InputError, match="label 'z' has no other example"):
        intents(labels=("x", "z", "y"))


def test_resampling_counts_units():
    found = find([[0, 1], [1, 0]]).outcome(np.array([[0.1, 0.9, 0.1, 0.9]]), rng())  # right, wrong
    assert found.resampled(np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]])).tolist() == [[1.0, 0.5, 0.0]]


def test_queries_without_an_answer_are_counted():
    with pytest.raises(InputError) as one:
        find([[0, 1], [0, 0]])
    assert "more" not in str(one.value)
    with pytest.raises(InputError, match=r"\(and 1 more"):
        find([[0, 0], [0, 0]])


def test_refusals_name_the_task_and_a_remedy():
    with pytest.raises(InputError) as caught:
        pairs(Related, [0, 1, 2], ("a", "b", "c"))
    assert str(caught.value) == "made: 3 classes (a, b, c); related has two: unrelated and related"
    with pytest.raises(InputError) as caught:
        pairs(Deduplication, [0, 1, 2], ("a", "b", "c"))
    assert str(caught.value) == "made: 3 classes (a, b, c); deduplication has two: different and duplicate"
    with pytest.raises(InputError) as caught:
        pairs(TextReuse, [0] * 9, ("no", "yes")).outcome(np.zeros((1, 9)), rng())
    assert str(caught.value) == "made: all members are of one class; give members of at least two classes"
    with pytest.raises(InputError) as caught:
        pairs(TextReuse, [0, 0, 1], ("no", "yes")).outcome(np.zeros((1, 3)), rng())
    assert str(caught.value) == (
        "made: class 'yes' has one member, which cannot be both trained on and tested; "
        "add members to that class, or remove it"
    )
    with pytest.raises(InputError) as caught:
        find([[0, 1], [0, 0], [0, 0]])
    assert str(caught.value) == (
        "made: query 2 ('q1') has no related text in the pool (and 1 more); "
        "add a related text to the pool, or drop the query"
    )
    with pytest.raises(InputError) as caught:
        intents(labels=("x", "z", "z"))
    assert str(caught.value) == (
        "made: label 'z' has no other example (and 1 more texts); give every label at least two texts, or an example"
    )


def test_places_and_recall_with_ties_by_hand():
    # Query: six texts, related p1 and p4. Scores 9 | 5 5 5 | 1 1: p0, then p1 p2 p3 tied, then p4 p5 tied.
    task = find([[0, 1, 0, 0, 1, 0]])
    found = task.outcome(np.array([[9.0, 5, 5, 5, 1, 1]]), rng())
    assert found.values.tolist() == [0.0]
    # one above, two others level with the first related one: 1 + 1 + 2/2
    assert found.others["MRR"].tolist() == pytest.approx([1 / 3])
    # the first five: p0, all three tied, and one of the last two: 1 + 1/2 of two
    assert found.others["recall@5"].tolist() == pytest.approx([1.5 / 2])
    assert found.others["recall@10"].tolist() == [1.0]
    assert list(found.others) == ["MRR", "recall@1", "recall@5", "recall@10"]
    many = find(np.eye(12)[[5]])
    # the related one is sixth of twelve
    ranked = many.outcome(-np.arange(12.0)[None], rng())
    assert [ranked.others[f"recall@{k}"].tolist() for k in (1, 5, 10)] == [[0.0], [0.0], [1.0]]
    assert ranked.others["MRR"].tolist() == pytest.approx([1 / 6])


def test_the_query_itself_is_no_hit_even_if_it_is_called_related():
    # p0 is the query; of the others p2 is related, and second
    same = np.array([[True, False, False]])
    found = find([[1, 0, 1]], is_same=same).outcome(np.array([[9.0, 5, 2]]), rng())
    assert found.values.tolist() == [0.0]
    assert found.others["MRR"].tolist() == [0.5]
    assert found.others["recall@1"].tolist() == [0.0]
    with pytest.raises(InputError, match=r"query 1 \('q0'\) has no related text"):
        find([[1, 0, 0]], is_same=same)


def test_several_systems_queries_and_notes():
    task = find([[0, 1, 0], [1, 0, 0]], notes=("a note",))
    right, wrong = [0.1, 0.9, 0.2, 0.9, 0.5, 0.4], [0.9, 0.1, 0.2, 0.1, 0.5, 0.4]
    found = task.outcome(np.array([right, wrong]), rng())
    assert (found.values.tolist(), found.units, found.notes, found.figure) == ([1, 0], 2, ("a note",), "accuracy")
    assert found.others["MRR"].tolist() == pytest.approx([1, 1 / 3])
    assert task.items.lefts == ["q0"] * 3 + ["q1"] * 3
    assert task.items.rights == ["p0", "p1", "p2"] * 2
    named = intents(notes=("another",))
    assert named.outcome(np.array([[0.9, 0.1] * 3]), rng()).notes == ("another",)
    assert named.items.rights == ["d", "e"] * 3


def test_intents_are_compared_with_other_texts_alone():
    same = np.eye(3, dtype=bool)
    task = intents(examples=("a", "b", "c"), example_labels=("x", "x", "x"), labels=("x", "x", "x"), is_same=same)
    assert task.outcome(np.array([[9.0, 1, 0, 1, 9, 0, 1, 2, 9]]), rng()).values.tolist() == [1.0]
    with pytest.raises(InputError, match="label 'y' has no other example"):
        intents(examples=("a", "b", "c"), example_labels=("x", "x", "y"), is_same=same)


def test_the_outcomes_of_pairs_have_figures_and_notes():
    labels = np.array([0, 1] * 20)
    values = labels + np.random.default_rng(2).normal(0, 0.6, (2, 40))
    for kind, figure, others in (
        (TextReuse, "accuracy", ["OneR", "logistic regression"]),
        (Related, "accuracy", ["OneR", "AUC", "average precision", "MCC"]),
        (Deduplication, "F1", ["AUC", "average precision", "MCC"]),
    ):
        task = replace(pairs(kind, labels, ("no", "yes")), notes=("read so",))
        found = task.outcome(values, rng())
        assert (found.figure, list(found.others), found.notes) == (figure, others, ("read so",))
        assert found.parts.shape[:2] == (2, 40)
    assert found.others["AUC"].tolist() == pytest.approx([roc_auc_score(labels, row) for row in values])
    assert found.others["average precision"].tolist() == pytest.approx(
        [average_precision_score(labels, row) for row in values]
    )


def test_a_long_query_is_cut_in_messages():
    with pytest.raises(InputError) as caught:
        find([[0, 0]], queries=("0123456789" * 5,))
    assert str(caught.value).startswith(f"made: query 1 ('{'0123456789' * 4}') has no related text in the pool; add")


def test_the_better_classifier_counts_for_each_system():
    # In three bands only OneR finds the class; of noisy scores logistic regression has the better border.
    labels = np.array([0, 1] * 45)
    order = np.random.default_rng(8)
    banded = np.where(labels == 1, 0.5, np.where(np.arange(90) % 4 == 0, 0.1, 0.9)) + order.uniform(0, 0.05, 90)
    noisy = labels + order.normal(0, 1.0, 90)
    found = pairs(TextReuse, labels, ("no", "yes")).outcome(np.stack([noisy, banded]), rng())
    one_rule, logistic = found.others["OneR"], found.others["logistic regression"]
    assert logistic[0] > one_rule[0]
    assert one_rule[1] > logistic[1]
    assert found.values.tolist() == [logistic[0], one_rule[1]]


def test_groups_are_not_divided_where_thresholds_are_learned():
    labels = np.array([0, 1] * 20)
    names = [f"dialogue {number // 4}" for number in range(40)]
    items = Items.from_pairs([f"l{n}" for n in range(40)], [f"r{n}" for n in range(40)])
    items = Items(items.frame.with_columns(group=pl.Series(names)))
    task = Deduplication(name="made", items=items, labels=labels, classes=("no", "yes"))
    found = task.outcome(np.random.default_rng(0).normal(labels, 0.5)[None], rng())
    folds = found.comparison.fold_of_item.reshape(10, 4)
    assert (folds == folds[:, :1]).all()
    assert np.unique(folds).tolist() == [0, 1, 2, 3, 4]


def test_recall_among_many_candidates():
    many = 1000  # fewer are sorted at once, whatever is asked for
    chance = np.random.default_rng(9)
    related, scores = chance.random((6, many)) < 0.2, chance.permuted(np.tile(np.arange(float(many)), (12, 1)), axis=1)
    found = find(related).outcome(scores.reshape(2, -1), rng())
    for k in (1, 5, 10):
        first = np.argsort(-scores.reshape(2, 6, many), axis=2)[..., :k]
        hits = np.take_along_axis(np.broadcast_to(related, (2, 6, many)), first, axis=2).sum(axis=2)
        np.testing.assert_allclose(found.others[f"recall@{k}"], (hits / related.sum(axis=1)).mean(axis=1))


def test_the_place_of_the_first_related_text_is_that_of_its_own_query():
    """The first query ties its related text with two others: place 1 + 2/2; the second finds its own at once."""
    related = np.array([[True, False, False, False], [False, True, False, False]])
    task = FindRelated(
        name="made",
        queries=("p", "q"),
        pool=("a", "b", "c", "d"),
        is_related=related,
        is_same=np.zeros((2, 4), dtype=bool),
    )
    scores = np.array([0.5, 0.5, 0.5, 0.1, 0.1, 0.9, 0.2, 0.3])
    assert task.outcome(scores[None], rng()).others["MRR"].tolist() == [(1 / 2 + 1) / 2]
