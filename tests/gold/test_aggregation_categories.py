"""Labels from answers in categories: the majority, and the model of Dawid and Skene."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation import aggregate_judgements, make_aggregation, make_gold, names_for
from similitude.gold.aggregation.labelled_items import label_table, labelled_items
from similitude.stats.dawid_skene import LabelList, fit_dawid_skene

WORDS = ("no", "maybe", "yes")


def labels(*rows, categories=WORDS, **more):
    frame = pl.DataFrame(
        [(who, item, None if word is None else float(categories.index(word))) for who, item, word in rows],
        schema={"annotator": pl.String, "item": pl.String, "value": pl.Float64},
        orient="row",
    )
    return Judgements(name="made", frame=frame, categories=categories, **more)


def aggregate(judgements, method=None):
    return aggregate_judgements(judgements, method)


def test_methods_for_categories():
    assert names_for("category") == ["majority", "dawid-skene"]
    assert str(make_aggregation(kind="category")) == "majority"


def test_the_majority_with_its_share():
    found = aggregate(labels(("x", "a", "yes"), ("y", "a", "yes"), ("z", "a", "no"), ("x", "b", "maybe")))
    assert found.frame.columns == [
        "id", "label", "share", "votes", "answers", "tie", "share_no", "share_maybe", "share_yes",
    ]  # fmt: skip
    assert found.frame.row(0) == pytest.approx(("a", "yes", 2 / 3, 2, 3, False, 1 / 3, 0.0, 2 / 3))
    assert found.frame.row(1) == ("b", "maybe", 1.0, 1, 1, False, 0.0, 1.0, 0.0)
    assert (found.scale, found.categories) == (None, WORDS)
    assert found.notes == ("1 item with one answer, which decides the label",)


def test_a_tie_has_no_label_and_is_listed():
    found = aggregate(labels(("x", "a", "yes"), ("y", "a", "no"), ("x", "b", "no"), ("y", "b", "no")))
    assert found.frame["label"].to_list() == [None, "no"]
    assert found.frame["tie"].to_list() == [True, False]
    assert found.notes == ("1 item has no label because several categories have the most votes: a",)


def test_two_thirds_and_a_third_are_no_tie_in_floating_point():
    rows = [(f"p{n}", "a", "yes" if n < 4 else "no") for n in range(7)]
    assert aggregate(labels(*rows)).frame["label"].to_list() == ["yes"]


@pytest.mark.parametrize(("gap", "label"), [(5e-10, None), (5e-9, "no")])
def test_shares_within_a_billionth_are_a_tie(gap, label):
    labelled = labelled_items(labels(("x", "a", "no"), ("y", "a", "yes")))
    table = label_table(labelled, np.array([[0.5 + gap / 2, 0.0, 0.5 - gap / 2]]))
    assert table.select("label", "tie").row(0) == (label, label is None)


def test_the_last_label_of_a_person_counts_and_every_unnamed_one():
    found = aggregate(labels(("x", "a", "no"), ("x", "a", "yes"), (None, "a", "yes"), (None, "a", "yes")))
    assert found.frame.select("label", "votes", "answers").row(0) == ("yes", 3, 3)


def test_an_item_without_an_answer_has_no_label():
    found = aggregate(labels(("x", "a", None), ("x", "b", "yes"), ("y", "b", "yes")))
    assert found.frame.row(0) == ("a", None, None, 0, 0, False, None, None, None)
    assert "1 item without an answer, and so without a label: a" in found.notes


def test_labels_are_no_benchmark_and_the_remedy_gives_them_an_order():
    texts = pl.DataFrame({"id": ["a"], "left": ["l"], "right": ["r"]})
    with pytest.raises(InputError, match=r"no scores.*--categories LOW,\.\.\.,HIGH"):
        make_gold(labels(("x", "a", "yes"), items=texts))
    with pytest.raises(ArgumentError, match=r"use one of majority, dawid-skene.*--categories LOW,\.\.\.,HIGH"):
        aggregate(labels(("x", "a", "yes")), "mean")


def simulated(rng, accuracies, items=300, categories=WORDS, answers=5):
    """Items with a true label, each labelled by some annotators who err towards the next category."""
    truth = rng.integers(len(categories), size=items)
    rows = []
    for item in range(items):
        for who in rng.choice(len(accuracies), size=answers, replace=False):
            right = rng.random() < accuracies[who]
            given = truth[item] if right else (truth[item] + 1) % len(categories)
            rows.append((f"p{who}", f"i{item}", categories[given]))
    return truth, labels(*rows, categories=categories)


def share_right(found, truth):
    words = [WORDS[label] for label in truth]
    table = dict(found.frame.select("id", "label").iter_rows())
    return np.mean([table[f"i{place}"] == word for place, word in enumerate(words)])


def test_dawid_skene_recovers_simulated_labels_and_accuracies_at_defaults():
    accuracies = np.array([0.95, 0.95, 0.9, 0.3, 0.3, 0.35, 0.3])
    truth, judgements = simulated(np.random.default_rng(1), accuracies)
    by_model, by_votes = (aggregate(judgements, method) for method in ("dawid-skene", "majority"))
    assert share_right(by_model, truth) > 0.95
    assert share_right(by_votes, truth) < 0.8
    found = dict(by_model.annotators.select("annotator", "accuracy").iter_rows())
    for place, accuracy in enumerate(accuracies):
        assert found[f"p{place}"] == pytest.approx(accuracy, abs=0.06)


def test_dawid_skene_is_calibrated_on_simulated_labels():
    truth, judgements = simulated(np.random.default_rng(2), np.full(8, 0.7), items=1000, answers=3)
    found = aggregate(judgements, "dawid-skene")
    assert found.frame["share"].mean() == pytest.approx(share_right(found, truth), abs=0.04)


def test_dawid_skene_does_not_depend_on_the_order_of_rows_or_names_of_categories():
    _, judgements = simulated(np.random.default_rng(3), np.full(5, 0.8), items=60)
    turned = Judgements(
        name="made",
        frame=judgements.frame.reverse().with_columns(value=2 - pl.col("value")),
        categories=WORDS[::-1],
    )
    one, other = (aggregate(each, "dawid-skene").frame.sort("id") for each in (judgements, turned))
    assert one["label"].to_list() == other["label"].to_list()
    assert one["share"].to_numpy() == pytest.approx(other["share"].to_numpy(), abs=1e-5)


def test_em_never_lowers_the_posterior():
    _, judgements = simulated(np.random.default_rng(4), np.array([0.9, 0.5, 0.6, 0.4, 0.7]), items=50)
    frame = judgements.frame
    given = LabelList(
        frame["annotator"].rank("dense").to_numpy().astype(np.intp) - 1,
        frame["item"].rank("dense").to_numpy().astype(np.intp) - 1,
        frame["value"].to_numpy().astype(np.intp),
        5, 50, 3,
    )  # fmt: skip
    values = [fit_dawid_skene(given, rounds=rounds).log_posterior for rounds in range(1, 30)]
    assert (np.diff(values) >= -1e-9).all()
    assert not fit_dawid_skene(given, rounds=3).has_converged


def test_dawid_skene_says_if_it_did_not_converge(monkeypatch):
    from similitude.gold.aggregation import dawid_skene

    _, judgements = simulated(np.random.default_rng(4), np.full(5, 0.6), items=50)
    monkeypatch.setattr(
        dawid_skene, "fit_dawid_skene", lambda given, prior: fit_dawid_skene(given, prior=prior, rounds=2)
    )
    found = aggregate(judgements, "dawid-skene")
    assert found.notes[0].startswith("EM did not converge in 4 rounds: the last three raised")
    monkeypatch.undo()
    assert not any("converge" in note for note in aggregate(judgements, "dawid-skene").notes)


def test_dawid_skene_ends_on_random_answers():
    # Nothing to find: plain EM takes thousands of rounds here.
    rng = np.random.default_rng(5)
    given = LabelList(rng.integers(0, 50, 20_000), np.arange(20_000) % 4000, rng.integers(0, 4, 20_000), 50, 4000, 4)
    fit = fit_dawid_skene(given)
    assert fit.has_converged
    assert fit.rounds < 300
    tight = fit_dawid_skene(given, rounds=3000)
    assert fit.log_posterior == pytest.approx(tight.log_posterior, abs=0.05)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([(None, "a", "yes"), ("x", "a", "no")], "1 answer by unnamed annotators.*majority"),
        ([("x", "a", "yes"), ("x", "b", "no")], "only one annotator, 'x'"),
    ],
)
def test_dawid_skene_needs_names(rows, why):
    with pytest.raises(InputError, match=why):
        aggregate(labels(*rows), "dawid-skene")


def test_dawid_skene_leaves_items_without_an_answer_without_a_label():
    found = aggregate(labels(("x", "a", None), ("x", "b", "yes"), ("y", "b", "yes"), ("y", "c", "no")), "dawid-skene")
    assert found.frame["label"].to_list() == [None, "yes", "no"]


@pytest.mark.parametrize("prior", [0.0, -1.0, np.inf, np.nan])
def test_dawid_skene_needs_a_prior_above_0(prior):
    with pytest.raises(ArgumentError, match=r"not a number of pseudo-counts.*a number above 0"):
        make_aggregation(f"dawid-skene(prior={prior})")
    assert make_aggregation("dawid-skene(prior=1e-300)").prior == 1e-300
