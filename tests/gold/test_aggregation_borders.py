"""Borders of aggregations: what a small change of a rule would move, by hand."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, EstimationError, ExtensionError, InputError, UnknownNameError
from similitude.gold.aggregation import (
    AGGREGATIONS,
    Aggregation,
    Mean,
    aggregate_judgements,
    annotator_aware,
    annotator_plackett_luce,
    effective_components,
    make_aggregation,
    mixture,
    names_for,
    plackett_luce,
)
from similitude.gold.aggregation.comparison_graph import comparison_graph, named_parts
from similitude.gold.aggregation.rated_items import rated_items
from similitude.gold.aggregation.rejections import accept_items
from similitude.gold.aggregation.round_order import rounds_in_order
from similitude.gold.aggregation.tuple_arrays import refuse_strays, tuples_of
from similitude.stats.vector_mixture import fit_vector_mixture

FIVE = Scale(low=0, high=5)


def rated(rows, **settings) -> Judgements:
    schema = {"annotator": pl.String, "item": pl.String, "value": pl.Float64}
    return Judgements(
        name="made", frame=pl.DataFrame(rows, schema=schema, orient="row"), **({"scale": FIVE} | settings)
    )


def chosen(*rows: tuple[str, str, str, str]) -> Judgements:
    """Rows of (annotator, items as letters, best, worst), each a question of its own."""
    spelled = [(str(n), who, list(items), best, worst) for n, (who, items, best, worst) in enumerate(rows)]
    names = ["question", "annotator", "items", "best", "worst"]
    return Judgements(name="made", frame=pl.DataFrame(spelled, schema=names, orient="row"))


def test_only_methods_for_ratings_ask_for_an_order_of_the_categories():
    labels = rated([("x", "a", 0.0)], categories=("no", "yes"), scale=None)
    with pytest.raises(ArgumentError, match=r"use one of majority, dawid-skene, or .*--categories LOW,...,HIGH$"):
        aggregate_judgements(labels, "mean")
    with pytest.raises(ArgumentError, match=r"; use one of majority, dawid-skene$"):
        aggregate_judgements(labels, "counting")
    with pytest.raises(ArgumentError, match=r"; use one of counting, plackett-luce, annotator-plackett-luce$"):
        aggregate_judgements(chosen(("x", "ab", "a", "b")), "mean")


def test_methods_of_other_packages_are_listed_after_ours(monkeypatch: pytest.MonkeyPatch):
    ours = {kind: names_for(kind) for kind in ("best-worst", "rating", "category")}
    assert ours["rating"] == ["mean", "median", "trimmed-mean", "gaussian", "mixture", "annotator-aware"]
    assert ours["category"] == ["majority", "dawid-skene"]
    for kind, names in ours.items():
        theirs = type("Theirs", (Mean,), {"kind": kind})
        monkeypatch.setattr(AGGREGATIONS, "_makers", {"theirs": theirs} | AGGREGATIONS._makers)
        assert names_for(kind) == [*names, "theirs"]
        monkeypatch.undo()


def test_one_broken_method_of_another_package_breaks_no_other(monkeypatch: pytest.MonkeyPatch):
    class Point:
        name, value, dist = "theirs", "theirs:Theirs", None

        def load(self) -> type:
            return type("Theirs", (Aggregation,), {"__doc__": "No kind, no summary."})

    monkeypatch.setattr(AGGREGATIONS, "_points", {"theirs": [Point()]})
    monkeypatch.setattr(AGGREGATIONS, "_broken", {})
    with pytest.raises(ArgumentError, match=r"; use one of counting, plackett-luce, annotator-plackett-luce$"):
        aggregate_judgements(chosen(("x", "ab", "a", "b")), "mean")
    with pytest.raises(ExtensionError, match=r"'theirs' has no summary.*; has no kind.*; has no method aggregate"):
        make_aggregation("theirs")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def Mine(): return 3", "mine.py:Mine' makes no Aggregation but int"),
        ("class Mine: pass", "mine.py:Mine' is no subclass of similitude.extend.Aggregation"),
        ("class Mine(Mean):\n  def aggregate(self, judgements, rng): return {}", "Mine' gives no Aggregated but dict"),
        ("class Mine(Mean):\n  def aggregate(self, judgements, rng):\n    made = super().aggregate(judgements, rng)\n"
         "    return replace(made, frame=made.frame.drop('answers'))", "Mine' gives a frame without answers; add "),
    ],
)  # fmt: skip
def test_a_method_in_a_file_that_is_not_one_is_told_what_it_lacks(tmp_path: Path, source: str, told: str):
    imports = "from dataclasses import replace\nfrom similitude.gold.aggregation.moments import Mean\n"
    (tmp_path / "mine.py").write_text(imports + source)
    with pytest.raises(ExtensionError, match=re.escape(told)):
        aggregate_judgements(rated([("x", "a", 1.0), ("x", "b", 2.0)]), f"{tmp_path}/mine.py:Mine")


def test_what_the_registry_calls_its_things():
    with pytest.raises(UnknownNameError, match=r"^no aggregation named 'nothing'"):
        make_aggregation("nothing")
    assert (AGGREGATIONS.kind, AGGREGATIONS.group) == ("aggregation", "similitude.aggregations")
    assert make_aggregation() == make_aggregation("gaussian")


def test_one_rater_of_one_item_is_named():
    with pytest.raises(InputError, match="only one rater, 'x'"):
        aggregate_judgements(rated([("x", "a", 1.0)]), "annotator-aware")


def test_the_prior_on_slopes_bounds_their_errors():
    """1 / sqrt(sum of squared scores / spread^2 + 1 / 0.25^2): few items and much noise leave little but the prior."""
    rng = np.random.default_rng(5)
    truth = rng.normal(2.5, 0.5, 8)
    rows = [(f"r{r}", f"i{i}", float(truth[i] + rng.normal(0, 0.4))) for r in range(4) for i in range(8)]
    found = aggregate_judgements(rated(rows), "annotator-aware(slope=true)")
    scores = found.frame["score"].to_numpy() - np.mean([value for *_, value in rows])
    expected = 1 / np.sqrt((scores**2).sum() / found.annotators["spread"].to_numpy() ** 2 + 16)
    assert found.notes == ()
    np.testing.assert_allclose(found.annotators["slope_error"], expected, rtol=1e-6)


def test_clickers_are_listed_from_the_surest_on(monkeypatch: pytest.MonkeyPatch):
    answers = chosen(*[(who, "abc", "a", "c") for who in "wxyz"])
    fit = annotator_plackett_luce.fit_annotators

    def fitted(*arguments, **options):
        changed = {"random_clicking": np.array([0.91, 0.99, 0.9, 0.95]), "has_converged": False}
        return fit(*arguments, **options)._replace(**changed, rounds=2, change=0.02)

    monkeypatch.setattr(annotator_plackett_luce, "fit_annotators", fitted)
    notes = aggregate_judgements(answers, "annotator-plackett-luce").notes
    assert notes[-2:] == (
        "3 annotators seem to click at random (probability): x (0.99), z (0.95), w (0.91); --json lists all",
        "EM did not quite converge in 2 rounds (last change 0.02)",
    )


def test_who_is_neither_best_nor_worst_is_compared_too():
    """b over a over c: a lies between, and so all three hang together; b and c name each other's side once."""
    graph = comparison_graph(tuples_of(chosen(("x", "abc", "b", "c")).frame))
    assert graph.parts.tolist() == [0, 0, 0]
    assert len(set(graph.loops.tolist())) == 3
    turned = comparison_graph(tuples_of(chosen(("x", "abc", "b", "c"), ("x", "abc", "c", "b")).frame))
    assert len(set(turned.loops.tolist())) == 1


def test_annotators_of_labels_are_counted():
    rows = [("x", "a", 0.0), ("y", "a", 0.0), ("x", "b", 1.0), ("y", "b", 1.0), ("x", "c", 1.0)]
    table = aggregate_judgements(rated(rows, categories=("no", "yes"), scale=None), "dawid-skene").annotators
    assert table.select("annotator", "answers").rows() == [("x", 3), ("y", 2)]


def test_one_random_start_is_the_default_and_more_are_handed_on():
    matrix = np.random.default_rng(1).normal(0, 1, (40, 2))
    found = []
    for options, starts in (({}, 1), ({"starts": 2}, 2)):
        made = effective_components(matrix, 2, np.random.default_rng(0), **options)
        mixture = fit_vector_mixture(matrix, 2, np.random.default_rng(0), covariance="full", starts=starts)
        np.testing.assert_array_equal(made.responsibilities, mixture.responsibilities(matrix))
        found.append(made.log_likelihood.sum())
    assert found[1] > found[0] + 1  # the second start finds a better maximum


def test_an_error_says_where(monkeypatch: pytest.MonkeyPatch):
    fit = plackett_luce.fit_utilities
    monkeypatch.setattr(plackett_luce, "fit_utilities", lambda *a, **k: fit(*a, **k)._replace(steepest=1.0))
    with pytest.raises(EstimationError, match=r"^made: no maximum found in .*; use a larger prior, or counting$"):
        aggregate_judgements(chosen(("x", "ab", "a", "b"), ("x", "ab", "b", "a")), "plackett-luce")


def test_held_out_ratings_choose_between_two_components(monkeypatch: pytest.MonkeyPatch):
    """Six ratings allow two components: held-out ratings choose then, and BIC only if there is nothing to choose."""
    asked = []
    choose = mixture.components_by_held_out
    monkeypatch.setattr(mixture, "components_by_held_out", lambda *a, **k: asked.append(a[1]) or choose(*a, **k))
    six = [(f"r{n}", "a", value) for n, value in enumerate([0.5, 0.6, 0.7, 4.3, 4.4, 4.5])]
    four = [(f"r{n}", "b", float(n)) for n in range(4)]
    aggregate_judgements(rated(six + four), "mixture(choose=heldout)")
    assert asked == [2]


def test_only_the_chosen_mixture_of_an_item_must_have_converged(monkeypatch: pytest.MonkeyPatch):
    """One camp is chosen where six agree: that the search for two camps is open says nothing."""
    fit = mixture.fit_mixtures

    def fitted(values, number, **options):
        return fit(values, number, **options)._replace(has_converged=np.full(len(values), number == converged))

    monkeypatch.setattr(mixture, "fit_mixtures", fitted)
    rows = [(f"r{n}", "a", value) for n, value in enumerate([2.3, 2.4, 2.5, 2.5, 2.6, 2.7])]
    converged = 1
    assert aggregate_judgements(rated(rows), "mixture").frame["components"].to_list() == [1]
    converged = 2
    with pytest.raises(EstimationError, match="EM did not converge for 1 of 1 item"):
        aggregate_judgements(rated(rows), "mixture")


def test_raters_are_kept_if_any_of_them_is_named():
    frame = rated_items(rated([("x", "a", 1.0), (None, "a", 2.0), (None, "b", 3.0)])).frame
    assert frame["raters"].to_list() == [["x", None], None]


def test_reliability_of_a_rater_grows_with_the_square_of_the_slope():
    """r / (1 - r) is slope^2 times the variance of items over that of the noise: the first is the same for all."""
    rng = np.random.default_rng(3)
    truth, slopes = rng.uniform(1, 4, 30), (1.0, 1.4, 0.6)
    rows = [
        (f"r{r}", f"i{i}", float(np.clip(2.5 + slope * (true - 2.5) + rng.normal(0, 0.2), 0, 5)))
        for r, slope in enumerate(slopes)
        for i, true in enumerate(truth)
    ]
    table = aggregate_judgements(rated(rows), "annotator-aware(slope=true)").annotators
    odds = (table["reliability"] / (1 - table["reliability"])).to_numpy()
    of_items = odds * (table["spread"] / table["slope"]).to_numpy() ** 2
    assert of_items == pytest.approx([of_items[0]] * 3)


def test_a_gradient_may_be_as_large_as_the_tolerance(monkeypatch: pytest.MonkeyPatch):
    fit = annotator_aware.fit_raters
    monkeypatch.setattr(annotator_aware, "fit_raters", lambda *a, **k: fit(*a, **k)._replace(steepest=0.01))
    rows = [("x", "a", 1.0), ("y", "a", 2.0), ("x", "b", 3.0), ("y", "b", 3.5)]
    assert aggregate_judgements(rated(rows), "annotator-aware").frame.height == 2


def test_three_parts_are_named_without_more():
    assert named_parts(list("abc"), np.array([0, 1, 2])) == "3 parts: (a), (b), (c)"


def test_which_covariance_and_which_share_is_enough():
    matrix = np.random.default_rng(1).normal(0, 1, (40, 2)) @ np.array([[1.0, 0.8], [0.0, 0.6]])
    made = effective_components(matrix, 2, np.random.default_rng(0), covariance="diagonal")
    fitted = fit_vector_mixture(matrix, 2, np.random.default_rng(0), covariance="diagonal", starts=1)
    np.testing.assert_array_equal(made.responsibilities, fitted.responsibilities(matrix))
    full = effective_components(matrix, 2, np.random.default_rng(0))
    assert not np.allclose(made.responsibilities, full.responsibilities)
    only = effective_components(matrix, 1, np.random.default_rng(0), least=1.0)
    assert only.counts.tolist() == [1] * 40  # the only component has all of every item


def test_twenty_items_are_listed_at_most():
    def verified(shares):
        rows = {"item": [], "annotator": [], "value": [], "applies": []}
        for item, answers in shares.items():
            for who, applies in enumerate(answers):
                rows["item"].append(item)
                rows["annotator"].append(f"r{who}")
                rows["value"].append(1.0 if applies else None)
                rows["applies"].append(applies)
        return Judgements(name="made", frame=pl.DataFrame(rows), scale=FIVE)

    names = [f"i{n:02}" for n in range(21)]
    some = ", ".join(names[:20])
    rejected = accept_items(verified({"kept": [True]} | {name: [False] for name in names}))
    assert rejected.notes[0].endswith(f": {some}, ...")
    tied = accept_items(verified({name: [True, False] for name in names}))
    assert tied.notes[0].endswith(f": {some}, ...")
    ties = [(who, name, float(who == "x")) for name in names for who in "xy"]
    majority = aggregate_judgements(rated(ties, categories=("no", "yes"), scale=None), "majority")
    assert majority.notes[-1].endswith(f": {some}, ...")
    assert accept_items(verified({name: [True, False] for name in names[:20]})).notes[0].endswith(f": {some}")


def test_an_answer_that_shows_nothing_is_refused():
    made = chosen(("x", "ab", "a", "b"), ("x", "ab", "b", "a"))
    nothing = Judgements(name="made", frame=made.frame.with_columns(items=pl.when(pl.col("best") == "a").then("items")))
    with pytest.raises(InputError, match="1 answer that is not among the items shown; the first: question '1'"):
        refuse_strays(nothing)


def test_how_counting_was_done_and_how_many_ties_there_are():
    made = chosen(("x", "ab", "a", "b"))
    assert aggregate_judgements(made, "counting").how == "counting: (#best - #worst) / #appearances"
    mapped = aggregate_judgements(made, "counting(normalised=true)").how
    assert mapped.endswith("(#best - #worst) / #appearances, mapped to 0..1")
    ties = [(who, item, float(who == "x")) for item in "ab" for who in "xy"]
    found = aggregate_judgements(rated(ties, categories=("no", "yes"), scale=None), "majority")
    assert found.notes[-1] == "2 items have no label because several categories have the most votes: a, b"


def test_words_and_numbers_of_rounds_have_one_order():
    assert rounds_in_order(pl.Series(["second", "round 1"])) == ["round 1", "second"]
    assert rounds_in_order(pl.Series(["round 3", "second"])) == ["second", "round 3"]
