"""What aggregations are made of: answers that count, their tables, and the notes on them, to the letter."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, EstimationError, InputError, ScaleError
from similitude.gold.aggregation import aggregate_judgements, annotator_aware, mixture
from similitude.gold.aggregation.aggregation import make_aggregation, names_for
from similitude.gold.aggregation.comparison_graph import comparison_graph, named_parts
from similitude.gold.aggregation.effective_components import effective_components
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.mixture import least_sigma
from similitude.gold.aggregation.rated_items import rated_items
from similitude.gold.aggregation.rejections import accept_items, applies_were_asked, shares_that_apply
from similitude.gold.aggregation.round_order import rounds_in_order
from similitude.gold.aggregation.tuple_arrays import oddities, refuse_strays, tuples_of

FIVE = Scale(low=0, high=5)


def rated(rows, columns=("annotator", "item", "value"), **settings) -> Judgements:
    schema = {name: pl.Float64 if name == "value" else None for name in columns}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return Judgements(name="made", frame=frame, **({"scale": FIVE} | settings))


def labelled(rows) -> Judgements:
    return rated(rows, categories=("no", "yes", "maybe"), scale=None)


def chosen(rows) -> Judgements:
    """Rows of (question, annotator, items as letters, best, worst)."""
    spelled = [(question, annotator, list(items), best, worst) for question, annotator, items, best, worst in rows]
    names = ["question", "annotator", "items", "best", "worst"]
    return Judgements(name="made", frame=pl.DataFrame(spelled, schema=names, orient="row"))


# Ratings


def test_items_with_one_rating_or_none_are_noted():
    made = rated(
        [("x", "a", 1.0), ("y", "a", 2.0), ("x", "b", 3.0), ("y", "c", None), ("x", "d", 0.0), ("y", "e", None)]
    )
    found = rated_items(made)
    assert found.notes == (
        "2 answers say that the question does not apply, and hold no value",
        "2 items without a rating, and so without a score: c, e",
        "2 items with one rating, and so without sigma or standard error",
    )
    assert found.frame["answers"].to_list() == [2, 1, 0, 1, 0]
    assert found.frame["ratings"].to_list() == [[1, 2], [3], None, [0], None]
    alike = {places.values.shape: places.places.tolist() for places in found.by_number()}
    assert alike == {(1, 2): [0], (2, 1): [1, 3]}


def test_a_scale_that_nobody_declared_is_noted():
    found = rated_items(rated([("x", "a", 1.0), ("y", "a", 4.5)], scale=None))
    assert found.notes == (f"the scale {found.scale} was inferred from the ratings; declare it with --scale",)
    assert rated_items(rated([("x", "a", 1.0), ("y", "a", 4.5)])).notes == ()


def test_ratings_off_the_scale_are_counted_and_the_first_is_quoted():
    with pytest.raises(
        ScaleError, match=r"^made: 2 ratings off the scale 0\.\.5; the first: 7 for 'b' by 'y'; declare"
    ):
        rated_items(rated([("x", "a", 1.0), ("y", "b", 7.0), ("x", "b", -1.0)]))
    with pytest.raises(ScaleError, match=r"^made: 1 rating off the scale 0\.\.5; the first: 7 for 'b'; declare"):
        rated_items(rated([(None, "a", 1.0), (None, "b", 7.0)]))
    with pytest.raises(InputError, match=r"^made: no answer holds a rating; at least one is needed"):
        rated_items(rated([("x", "a", None), ("y", "a", None)]))


def test_ratings_by_hand():
    """1, 2, 6 and 3: mean 3, population variance 14/4, standard error sqrt(14/3 / 4)."""
    made = rated([("w", "a", 1.0), ("x", "a", 2.0), ("y", "a", 5.0), ("z", "a", 4.0), ("w", "b", 2.0)])
    row, alone = aggregate_judgements(made, "gaussian").frame.to_dicts()
    assert row["score"] == 3
    assert row["sigma"] == pytest.approx(np.sqrt(10 / 4))
    assert row["standard_error"] == pytest.approx(np.sqrt(10 / 3 / 4))
    assert (alone["score"], alone["sigma"], alone["standard_error"], alone["answers"]) == (2, None, None, 1)
    assert aggregate_judgements(made, "mean").frame["score"].to_list() == [3, 2]
    assert aggregate_judgements(made, "median").frame["score"].to_list() == [3, 2]


@pytest.mark.parametrize(
    ("values", "low", "high", "least"),
    [
        ([0.0, 3.0, 1.0], 0, 5, 0.5),  # whole numbers: half a step
        ([0.0, 0.1, 3.7], 0, 5, 0.1),  # steps of a tenth: a fiftieth of the scale is more
        ([0.0, 5.0], 0, 5, 0.625),  # nobody knows the step: no more than an eighth
        ([1.0, 1.5, 3.0], 1, 5, 0.25),  # counted from the low end
        ([1.25, 1.75], 0.25, 4.25, 0.25),
    ],
)
def test_the_least_spread_of_a_camp(values, low, high, least):
    rows = [(f"r{n}", "a", value) for n, value in enumerate(values)]
    items = rated_items(rated(rows, scale=Scale(low=low, high=high)))
    assert least_sigma(items, 0.02) == pytest.approx(least)


def test_mixtures_say_how_many_components_they_found():
    camps = [0.0, 0.2, 0.1, 4.8, 5.0, 4.9]
    rows = [(f"r{n}", "a", value) for n, value in enumerate(camps)] + [(f"r{n}", "b", 1.0 + n / 10) for n in range(4)]
    found = aggregate_judgements(rated(rows), "mixture(most=2)")
    assert found.frame["components"].to_list() == [2, 1]
    assert found.frame["mixture_means"].to_list()[0] == pytest.approx([0.1, 4.9], abs=1e-3)
    assert found.notes[-2:] == (
        "items by number of components: 1: 1, 2: 1",
        "1 item with too few ratings for 2 components (5 needed)",
    )
    assert "mixture of 1 to 2 Gaussians an item, chosen by BIC, sigmas of 0.1 or more" in found.how
    heldout = aggregate_judgements(rated(rows), "mixture(most=2, choose=heldout)")
    assert "chosen by held-out likelihood" in heldout.how


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("mixture(most=0)", r"most=0 components cannot be tried; 1 to 10"),
        ("mixture(most=11)", r"most=11 components cannot be tried; 1 to 10"),
        ("mixture(floor=0.0)", r"floor=0 is not a fraction of the scale"),
        ("mixture(floor=1.0)", r"floor=1 is not a fraction of the scale"),
        ("trimmed-mean(share=0.5)", r"cannot leave out 0\.5 at each end; 0 <= share < 0\.5"),
        ("trimmed-mean(share=-0.1)", r"cannot leave out -0\.1 at each end"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(written, message):
    with pytest.raises(ArgumentError, match=message):
        make_aggregation(written)


def test_arguments_at_the_border_are_taken():
    for written in ("mixture(most=1)", "mixture(most=10)", "trimmed-mean(share=0.0)", "trimmed-mean(share=0.49)"):
        assert str(make_aggregation(written)) == written


def test_methods_by_kind():
    assert names_for("rating")[:3] == ["mean", "median", "trimmed-mean"]
    assert names_for("rating") == ["mean", "median", "trimmed-mean", "gaussian", "mixture", "annotator-aware"]
    assert names_for("category") == ["majority", "dawid-skene"]
    assert str(make_aggregation(kind="category")) == "majority"
    with pytest.raises(
        ArgumentError,
        match=r"made: 'mean' is for rating answers, and these are best-worst answers; use one of counting",
    ):
        aggregate_judgements(chosen([("q", "x", "ab", "a", "b")]), "mean")
    with pytest.raises(ArgumentError, match="dawid-skene, or give the categories an order: --categories LOW"):
        aggregate_judgements(labelled([("x", "a", 1.0)]), "mean")


# Raters


def test_raters_that_cannot_be_told_apart_are_refused():
    with pytest.raises(InputError, match=r"made: 2 ratings by unnamed raters; name the raters"):
        aggregate_judgements(rated([(None, "a", 1.0), (None, "b", 2.0), ("x", "a", 1.0)]), "annotator-aware")
    with pytest.raises(InputError, match=r"made: only one rater, 'x'; bias and spread need at least two"):
        aggregate_judgements(rated([("x", "a", 1.0), ("x", "b", 2.0)]), "annotator-aware")
    with pytest.raises(InputError, match=r"made: no item connects .*; 2 parts: \(x, y\), \(z\); have some"):
        aggregate_judgements(rated([("x", "a", 1.0), ("y", "a", 2.0), ("z", "b", 2.0)]), "annotator-aware")
    with pytest.raises(EstimationError, match=r"made: all ratings are the same, so raters do not differ; use mean"):
        aggregate_judgements(rated([("x", "a", 1.0), ("y", "a", 1.0)]), "annotator-aware")


def test_a_rater_who_is_one_higher_is_set_right():
    """x and y agree but for noise, z gives one more; the score is what the three would give on average."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(1, 3.5, 40)
    rows = [
        (name, f"i{n}", float(value + bias + noise))
        for n, value in enumerate(truth)
        for name, bias, noise in zip("xyz", (0, 0, 1), rng.normal(0, [0.1, 0.1, 0.3]), strict=True)
    ]
    found = aggregate_judgements(rated(rows), "annotator-aware")
    table = {row.pop("annotator"): row for row in found.annotators.to_dicts()}
    assert [table[name]["bias"] for name in "xyz"] == pytest.approx([-1 / 3, -1 / 3, 2 / 3], abs=0.08)
    assert [table[name]["spread"] for name in "xyz"] == pytest.approx([0.1, 0.1, 0.3], abs=0.06)
    assert [table[name]["answers"] for name in "xyz"] == [40, 40, 40]
    items = truth.var()
    expected = [items / (items + spread**2) for spread in (0.1, 0.1, 0.3)]
    assert [table[name]["reliability"] for name in "xyz"] == pytest.approx(expected, abs=0.05)
    np.testing.assert_allclose(found.frame["score"].to_numpy(), truth + 1 / 3, atol=0.3)
    # without biases the ratings of an item differ by noise alone: mean variance 2/3 of (.1^2 + .1^2 + .3^2) / 3
    assert (found.frame["sigma"] ** 2).mean() == pytest.approx(2 / 3 * 0.11 / 3, rel=0.35)
    assert list(table["x"]) == [
        "answers", "bias", "bias_error", "spread", "spread_error", "reliability", "reliability_error", "agreement",
    ]  # fmt: skip
    # 40 ratings spend about one degree of freedom on the bias and a share of 40 on the items
    assert table["z"]["spread_error"] == pytest.approx(0.3 / np.sqrt(2 * 40), rel=0.25)
    assert table["x"]["agreement"] > table["z"]["agreement"] > 0.9


def test_scores_beyond_the_scale_are_clipped_and_counted():
    rows = [("x", f"i{n}", float(n)) for n in range(6)] + [("y", f"i{n}", min(n + 2.0, 5.0)) for n in range(5)]
    found = aggregate_judgements(rated(rows), "annotator-aware")
    assert found.frame["score"].max() == 5.0
    assert any(note.endswith("beyond the ends of the scale 0..5, clipped") for note in found.notes)
    assert found.frame.filter(pl.col("answers") == 1)["sigma"].to_list() == [None]


# Answers that count


def test_the_last_answer_counts_and_earlier_ones_are_counted():
    rows = [("x", "a", 1.0), ("x", "a", 2.0), ("x", "a", 3.0), ("y", "a", 4.0), (None, "a", 5.0), (None, "a", 5.0)]
    kept = last_answers(rated(rows))
    assert kept.frame["value"].to_list() == [3, 4, 5, 5]
    assert kept.notes == ("2 answers are followed by a later one of the same annotator; the last one counts",)


def test_a_later_round_counts_wherever_it_stands():
    columns = ("annotator", "item", "round", "value")
    rows = [("x", "a", "second", 2.0), ("x", "a", "first", 1.0), ("y", "a", "first", 3.0), ("y", "b", "second", 4.0)]
    kept = last_answers(rated(rows, columns))
    assert kept.frame["value"].to_list() == [2, 3, 4]
    assert kept.frame.columns == rated(rows, columns).frame.columns


def test_no_value_supersedes_a_value_and_one_annotator_is_noted():
    kept = last_answers(rated([("x", "a", 1.0), ("x", "a", None), ("x", "b", 1.0)]))
    assert kept.frame["item"].to_list() == ["b"]
    assert kept.notes == (
        "1 answer is followed by a later one of the same annotator; the last one counts",
        "1 answer says that the question does not apply, and holds no value",
        "all answers are by one annotator, 'x': whether others would agree is unknown",
    )
    assert last_answers(rated([("x", "a", 1.0), (None, "a", 2.0)])).notes == ()


def test_best_worst_answers_are_repeats_by_question():
    kept = last_answers(
        chosen(
            [
                ("q", "x", "abc", "a", "c"),
                ("q", "x", "abc", "b", "c"),
                ("r", "x", "abc", "a", "b"),
                ("q", "y", "abc", "a", "b"),
            ]
        )
    )
    assert kept.frame["best"].to_list() == ["b", "a", "a"]


@pytest.mark.parametrize(
    ("names", "ordered"),
    [
        (["round 10", "first", "round 2"], ["first", "round 2", "round 10"]),
        (["Second", "third", "first"], ["first", "Second", "third"]),
        (["tenth", "ninth"], ["ninth", "tenth"]),
        (["pilot", "first", "main"], ["first", "pilot", "main"]),
        (["2 of 3", "1 of 3"], ["2 of 3", "1 of 3"]),  # two numbers each: no order of their own
        (["round 1", "first"], ["first", "round 1"]),  # the same number: as they appear, after first
        ([None, "b", "a", "b"], ["b", "a"]),
        (
            ["tenth", "ninth", "eighth", "seventh", "sixth", "fifth", "fourth", "third", "second", "first"],
            ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
        ),
    ],
)
def test_rounds_in_order(names, ordered):
    assert rounds_in_order(pl.Series(names)) == ordered


# Rejections


def verified(applies: dict[str, list[bool | None]]) -> Judgements:
    rows = [
        (f"r{n}", item, 1.0 if said else None, said)
        for item, answers in applies.items()
        for n, said in enumerate(answers)
    ]
    return rated(rows, ("annotator", "item", "value", "applies"))


def test_items_that_most_reject_are_left_out():
    made = verified({"a": [True, True, False], "b": [False, False, True], "c": [True, False], "d": [False, True]})
    assert shares_that_apply(made).rows() == [
        ("a", pytest.approx(2 / 3), 3),
        ("b", pytest.approx(1 / 3), 3),
        ("c", 0.5, 2),
        ("d", 0.5, 2),
    ]
    accepted = accept_items(made)
    assert accepted.rejected["item"].to_list() == ["b"]
    assert accepted.judgements.judged == ["a", "c", "d"]
    assert accepted.notes == (
        "1 item that most annotators reject is left out of gold (--keep-rejected keeps): b",
        "2 items that half of the annotators reject are kept: c, d",
    )
    kept = accept_items(made, keep_rejected=True)
    assert kept.judgements is made
    assert kept.notes[0] == "1 item that most annotators reject is kept: b"


def test_plural_and_nothing_to_say():
    two = accept_items(verified({"a": [True], "b": [False], "c": [False], "d": [True, False]}))
    assert two.notes == (
        "2 items that most annotators reject are left out of gold (--keep-rejected keeps): b, c",
        "1 item that half of the annotators reject is kept: d",
    )
    fine = accept_items(verified({"a": [True, True]}))
    assert (fine.notes, fine.rejected.height) == ((), 0)
    with pytest.raises(InputError, match=r"^made: most annotators reject every item: .*; --keep-rejected keeps"):
        accept_items(verified({"a": [False]}))


def test_whether_anybody_was_asked():
    assert not applies_were_asked(rated([("x", "a", 1.0)]))
    assert not applies_were_asked(verified({"a": [None, None]}))
    assert applies_were_asked(verified({"a": [None, True]}))
    assert accept_items(verified({"a": [None]})).shares is None
    found = aggregate_judgements(verified({"a": [True, True], "b": [False, False]}), "mean")
    assert found.frame["applies_share"].to_list() == [1.0]
    assert found.rejected["item"].to_list() == ["b"]
    both = aggregate_judgements(verified({"a": [True, True], "b": [False, False]}), "mean", keep_rejected=True)
    assert both.frame["score"].to_list() == [1.0, None]
    assert both.frame["applies_share"].to_list() == [1.0, 0.0]


# Labels


def test_labels_ties_and_shares():
    rows = [
        ("x", "a", 1.0),
        ("y", "a", 1.0),
        ("z", "a", 0.0),
        ("x", "b", 0.0),
        ("y", "b", 2.0),
        ("x", "c", 2.0),
        ("y", "d", None),
    ]
    found = aggregate_judgements(labelled(rows), "majority")
    assert found.frame.select("id", "label", "votes", "answers", "tie").rows() == [
        ("a", "yes", 2, 3, False), ("b", None, 1, 2, True), ("c", "maybe", 1, 1, False), ("d", None, 0, 0, False),
    ]  # fmt: skip
    assert found.frame["share"].to_list() == [pytest.approx(2 / 3), 0.5, 1.0, None]
    assert found.frame["share_no"].to_list() == [pytest.approx(1 / 3), 0.5, 0.0, None]
    assert found.frame["share_maybe"].to_list() == [0.0, 0.5, 1.0, None]
    assert found.notes == (
        "1 answer says that the question does not apply, and holds no value",
        "1 item without an answer, and so without a label: d",
        "1 item with one answer, which decides the label",
        "1 item has no label because several categories have the most votes: b",
    )
    assert (found.scale, found.categories) == (None, ("no", "yes", "maybe"))
    with pytest.raises(InputError, match=r"^made: no answer names a category; at least one is needed"):
        aggregate_judgements(labelled([("x", "a", None)]), "majority")


# Best-worst


def test_tuples_are_numbered_sorted_and_filled_up():
    found = tuples_of(
        chosen([("1", "x", "cab", "b", "c"), ("2", "x", "da", "a", "d"), ("3", "x", "bbc", "b", "c")]).frame
    )
    assert found.ids == ["c", "a", "b", "d"]
    assert found.members.tolist() == [[0, 1, 2], [1, 3, -1], [0, 2, -1]]
    assert (found.best.tolist(), found.worst.tolist()) == ([2, 1, 2], [0, 3, 0])


def test_counting_by_hand():
    """a: best, best and neither of three appearances: 2/3; its squares 2/3, variance (2/3 - 4/9) / 2."""
    made = chosen([("1", "x", "abc", "a", "b"), ("2", "x", "abd", "a", "d"), ("3", "x", "abc", "b", "b")])
    found = aggregate_judgements(made, "counting")
    rows = {row["id"]: row for row in found.frame.to_dicts()}
    assert (rows["a"]["score"], rows["a"]["standard_error"]) == pytest.approx((2 / 3, np.sqrt((2 / 3 - 4 / 9) / 2)))
    # b: worst once, best and worst once: (1 - 2) / 3; told three times of three
    assert (rows["b"]["score"], rows["b"]["standard_error"]) == pytest.approx((-1 / 3, np.sqrt((1 - 1 / 9) / 2)))
    assert (rows["d"]["score"], rows["d"]["standard_error"], rows["d"]["answers"]) == (-1, None, 1)
    assert (rows["b"]["best"], rows["b"]["worst"], found.scale) == (1, 2, Scale(low=-1, high=1))
    assert found.notes[-1] == "1 answer with the same item as best and as worst: counted as both"
    half = {row["id"]: row for row in aggregate_judgements(made, "counting(normalised=true)").frame.to_dicts()}
    assert half["a"]["score"] == pytest.approx(5 / 6)
    assert half["a"]["standard_error"] == pytest.approx(rows["a"]["standard_error"] / 2)


def test_answers_about_items_that_were_not_shown_are_refused():
    strays = chosen([("1", "x", "abc", "a", "b"), ("2", "x", "abc", "d", "b"), ("3", "x", "abc", "a", "e")])
    with pytest.raises(
        InputError,
        match=r"^made: 2 answers that are not among the items shown; the first: question '2', best 'd', worst 'b', "
        r"shown a, b, c; correct",
    ):
        refuse_strays(strays)
    with pytest.raises(InputError, match="1 answer that is not among"):
        refuse_strays(chosen([("1", "x", "abc", None, "b")]))
    refuse_strays(chosen([("1", "x", "abc", "a", "b")]))


def test_odd_answers_are_counted():
    made = chosen(
        [
            ("1", "x", "abc", "a", "a"),
            ("2", "x", "abb", "a", "b"),
            ("3", "x", "aab", "b", "b"),
            ("4", "x", "abc", "a", "b"),
        ]
    )
    assert oddities(made.frame, same="so", repeated="thus") == (
        "2 answers with the same item as best and as worst: so",
        "2 answers about a tuple that repeats an item: thus",
    )
    assert oddities(made.frame[3:], same="so", repeated="thus") == ()


def test_the_graph_of_comparisons():
    """a beats b beats c beats a is a loop; d loses to all; e and f are a part of their own."""
    made = chosen(
        [
            ("1", "x", "ab", "a", "b"),
            ("2", "x", "bc", "b", "c"),
            ("3", "x", "ca", "c", "a"),
            ("4", "x", "ad", "a", "d"),
            ("5", "x", "ef", "e", "f"),
        ]
    )
    tuples = tuples_of(made.frame)
    graph = comparison_graph(tuples)
    part = dict(zip(tuples.ids, graph.parts.tolist(), strict=True))
    assert len({part[name] for name in "abcd"}) == 1
    assert part["e"] == part["f"] != part["a"]
    loop = dict(zip(tuples.ids, graph.loops.tolist(), strict=True))
    assert loop["a"] == loop["b"] == loop["c"] != loop["d"]
    assert graph.has_unbeaten_items
    outside = dict(zip(tuples.ids, graph.is_outside_main_loop().tolist(), strict=True))
    assert [outside[name] for name in "abcd"] == [False, False, False, True]
    assert outside["e"] != outside["f"]
    circle = comparison_graph(tuples_of(chosen([("1", "x", "ab", "a", "b"), ("2", "x", "ab", "b", "a")]).frame))
    assert not circle.has_unbeaten_items
    assert not circle.is_outside_main_loop().any()


def test_an_item_that_no_answer_shows_is_a_part_and_a_loop_of_its_own():
    made = tuples_of(chosen([("1", "x", "ab", "a", "b"), ("2", "x", "ab", "b", "a")]).frame)
    graph = comparison_graph(made._replace(ids=[*made.ids, "c"]))
    assert graph.parts.tolist() == [0, 0, 1]
    assert graph.loops[0] == graph.loops[1] != graph.loops[2]


def test_parts_are_named_by_their_first_members():
    assert (
        named_parts(list("abcdefg"), np.array([0, 0, 0, 0, 1, 2, 3])) == "4 parts: (a, b, c, ...), (e), (f) and 1 more"
    )
    assert named_parts(list("abc"), np.array([0, 0, 0])) == "1 part: (a, b, c)"


def test_a_component_that_has_a_fifth_of_an_item_is_effective():
    rng = np.random.default_rng(0)
    matrix = np.concatenate([rng.normal(1, 0.3, (30, 2)), rng.normal(4, 0.3, (30, 2)), [[2.5, 2.5]]])
    found = effective_components(matrix, 2, np.random.default_rng(1))
    assert found.responsibilities.shape == (61, 2)
    np.testing.assert_allclose(found.responsibilities.sum(axis=1), 1)
    assert found.counts[:60].tolist() == [1] * 60
    expected = (found.responsibilities >= 0.2).sum(axis=1)
    np.testing.assert_array_equal(found.counts, expected)
    every = effective_components(matrix, 2, np.random.default_rng(1), least=0.0)
    assert every.counts.tolist() == [2] * 61
    half = effective_components(matrix, 2, np.random.default_rng(1), fitted_to=matrix[:60], covariance="diagonal")
    assert half.log_likelihood.shape == (61,)
    for broken in ((np.array([[1.0, np.nan]]), None), (matrix, np.array([[1.0, np.nan]]))):
        with pytest.raises(InputError, match="effective components need every rater's rating of every item; leave out"):
            effective_components(broken[0], 1, rng, fitted_to=broken[1])


# Errors of what is said about raters


def stretched() -> Judgements:
    rng = np.random.default_rng(3)
    truth = rng.uniform(1, 4, 60)
    slopes, noise = np.array([1.0, 1.3, 0.7, 1.0]), np.array([0.1, 0.2, 0.2, 0.4])
    values = np.clip(2.5 + slopes[:, None] * (truth - 2.5) + rng.normal(size=(4, 60)) * noise[:, None], 0, 5)
    return rated([(f"r{rater}", f"i{item}", float(values[rater, item])) for rater in range(4) for item in range(60)])


def test_errors_of_raters_follow_from_each_other():
    """The spread is known to 1 / sqrt(2 freedom), and reliability, by the delta method, to 2 r (1 - r) times that.

    The slope's error is that of a line through 60 items with that noise, with a prior of 0.25.
    """
    found = aggregate_judgements(stretched(), "annotator-aware(slope=true)")
    table = found.annotators
    relative = (table["spread_error"] / table["spread"]).to_numpy()
    freedom = 0.5 / relative**2
    assert (freedom > 60 + 2 - 60).all()
    assert (freedom < 60 + 2 - 1).all()
    reliability = table["reliability"].to_numpy()
    np.testing.assert_allclose(table["reliability_error"], 2 * reliability * (1 - reliability) * relative)
    scores = found.frame["score"].to_numpy()
    squares = ((scores - 2.5) ** 2).sum()
    expected = 1 / np.sqrt(squares / table["spread"].to_numpy() ** 2 + 1 / 0.25**2)
    np.testing.assert_allclose(table["slope_error"], expected, rtol=0.15)
    np.testing.assert_allclose(table["slope"], [1.0, 1.3, 0.7, 1.0], atol=0.1)


def test_ratings_that_some_items_lack_leave_the_others_alone():
    made = stretched()
    frame = pl.concat(
        [
            pl.DataFrame(
                {"annotator": ["r0"], "item": ["none"], "value": [None]}, schema_overrides={"value": pl.Float64}
            ),
            made.frame.select("annotator", "item", "value"),
        ]
    )
    found = aggregate_judgements(Judgements(name="made", frame=frame, scale=FIVE), "annotator-aware")
    assert found.frame.row(0)[:4] == ("none", None, None, None)
    assert found.frame["score"][1:].null_count() == 0
    plain = aggregate_judgements(made, "annotator-aware")
    assert found.frame["score"][1:].to_list() == pytest.approx(plain.frame["score"].to_list())


def test_a_search_that_found_no_maximum_is_refused(monkeypatch):
    fit = annotator_aware.fit_raters
    for steepest, is_refused in ((0.0099, False), (0.0101, True), (float("nan"), True)):
        monkeypatch.setattr(
            annotator_aware, "fit_raters", lambda *a, s=steepest, **k: fit(*a, **k)._replace(steepest=s, rounds=7)
        )
        if is_refused:
            with pytest.raises(
                EstimationError, match=r"^made: no maximum found in 7 steps \(gradient .*, above 0\.01\); use it"
            ):
                aggregate_judgements(stretched(), "annotator-aware")
        else:
            aggregate_judgements(stretched(), "annotator-aware")


@pytest.mark.parametrize(("opened", "note"), [(0, None), (1, "EM did not quite converge for 1 item"), (2, None)])
def test_mixtures_that_did_not_converge(monkeypatch, opened: int, note: str | None):
    """One item in a hundred may be left open, and is noted; two are too many."""
    rows = [(f"r{rater}", f"i{item}", float(rater % 3)) for item in range(100) for rater in range(4)]
    fit = mixture.fit_mixtures

    def fitted(values, *arguments, **keywords):
        return fit(values, *arguments, **keywords)._replace(has_converged=np.arange(len(values)) >= opened)

    monkeypatch.setattr(mixture, "fit_mixtures", fitted)
    if opened == 2:
        with pytest.raises(EstimationError, match=r"^made: EM did not converge for 2 of 100 items; try fewer"):
            aggregate_judgements(rated(rows), "mixture")
    else:
        assert (note in aggregate_judgements(rated(rows), "mixture").notes) == (opened == 1)
