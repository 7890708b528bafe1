"""Checks of annotators, one column at a time, by hand."""

from importlib import import_module

import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import InputError, ScaleError
from similitude.gold.reliability import annotator_checks as checks
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.response_style import choice_style, label_style, pace, rating_style

annotator_table = import_module("similitude.gold.reliability.annotator_table")  # the package has the function
FIVE = Scale(low=0, high=5)


def rated(rows, columns=("annotator", "item", "value"), **settings) -> Judgements:
    frame = pl.DataFrame(rows, schema=list(columns), orient="row")
    return Judgements(name="made", frame=frame, **({"scale": FIVE} | settings))


def chosen(rows) -> Judgements:
    """Rows of (question, annotator, items, best, worst); items as one word of letters."""
    spelled = [(question, annotator, list(items), best, worst) for question, annotator, items, best, worst in rows]
    return Judgements(
        name="made",
        frame=pl.DataFrame(spelled, schema=["question", "annotator", "items", "best", "worst"], orient="row"),
    )


def labelled(rows, columns=("annotator", "item", "value")) -> Judgements:
    return rated(rows, columns, categories=("no", "yes", "maybe"), scale=None)


def by_annotator(table: pl.DataFrame) -> dict[str, dict]:
    return {row.pop("annotator"): row for row in table.sort("annotator").to_dicts()}


# Ratings


def test_bias_and_spread_are_relative_to_the_others_on_shared_items():
    """Item a: x 1, y 2, z 3; item b: x 5, y 3. Item c is x's alone and counts for nothing.

    x: own minus others' mean: 1 - 2.5 and 5 - 3, on average 1/4. The others' single ratings 2, 3, 3: variance 2/9.
    """
    made = rated([("x", "a", 1.0), ("y", "a", 2.0), ("z", "a", 3.0), ("x", "b", 5.0), ("y", "b", 3.0), ("x", "c", 0.0)])
    found = by_annotator(checks.difference_from_others(made))
    assert found["x"] == pytest.approx({"bias": 0.25, "spread_ratio": 2 / (2 / 9) ** 0.5})
    # y: 2 - 2 and 3 - 5; the others' 1, 3, 5 have variance 8/3
    assert found["y"] == pytest.approx({"bias": -1.0, "spread_ratio": 0.5 / (8 / 3) ** 0.5})
    # z: the others' 1 and 2 have variance 1/4; one rating of one's own has no spread
    assert found["z"] == pytest.approx({"bias": 1.5, "spread_ratio": 0.0})


def test_no_ratio_to_others_who_never_differ():
    found = by_annotator(
        checks.difference_from_others(rated([("x", "a", 1.0), ("y", "a", 2.0), ("x", "b", 3.0), ("y", "b", 2.0)]))
    )
    assert found["x"] == {"bias": 0.0, "spread_ratio": None}
    assert found["y"]["spread_ratio"] == 0.0


def test_ratings_again_agree_within_less_than_a_tenth_of_the_scale():
    columns = ("annotator", "item", "question", "value")
    rows = [("x", "a", "1", 1.0), ("x", "a", "2", 1.4), ("x", "b", "3", 2.0), ("x", "b", "4", 2.5)]
    rows += [
        ("x", "c", "5", 0.0),
        ("x", "c", "5", 3.0),
        ("x", "c", "6", 3.1),
        ("x", "d", "7", 1.0),
        ("y", "a", "1", 5.0),
    ]
    # a agrees; b is half a point apart and does not; of c's first question the last answer counts; d was asked once
    assert by_annotator(checks.repeats(rated(rows, columns))) == {
        "x": {"repeats": 3, "repeat_agreement": pytest.approx(2 / 3)}
    }


def test_gold_ratings_are_right_within_less_than_a_tenth_of_the_scale():
    columns = ("annotator", "item", "question", "value")
    rows = [
        ("x", "a", "q1", 1.0),
        ("x", "b", "q2", 2.0),
        ("x", "c", "q3", 3.0),
        ("y", "a", "q1", 1.6),
        ("y", "d", "q4", 0.0),
    ]
    found = by_annotator(checks.gold_questions(rated(rows, columns), {"q1": 1.4, "b": 2.5, "c": 3.0, "unasked": 1.0}))
    assert found == {"x": {"gold_asked": 3, "gold_right": 2}, "y": {"gold_asked": 1, "gold_right": 1}}


def test_gold_answers_that_cannot_be_right_are_refused():
    made = rated([("x", "a", 1.0)])
    with pytest.raises(InputError, match="made: none of the 2 gold questions was answered"):
        checks.gold_questions(made, {"b": 1.0, "c": 2.0})
    with pytest.raises(ScaleError, match=r"made: the correct answer 5\.5 to 'a' is off the scale"):
        checks.gold_questions(made, {"a": 5.5})
    guessed = rated([("x", "a", 1.0)], scale=Scale(low=0, high=1, origin="inferred"))
    assert by_annotator(checks.gold_questions(guessed, {"a": 1.5})) == {"x": {"gold_asked": 1, "gold_right": 0}}
    with pytest.raises(InputError, match="made: the correct answer 'perhaps' to 'a' is not a category; one of"):
        checks.gold_questions(labelled([("x", "a", 1.0)]), {"a": "perhaps"})


# Categories


def test_labels_shared_with_others():
    """Item a: yes yes no; x has one of two others. Item b: x and y differ. Item c is x's alone."""
    rows = [("x", "a", 1.0), ("y", "a", 1.0), ("z", "a", 0.0), ("x", "b", 0.0), ("y", "b", 1.0), ("x", "c", 2.0)]
    found = by_annotator(checks.same_labels(labelled(rows)))
    assert found["x"] == {"same_label": 0.25, "majority_label": 0.5}
    assert found["y"] == {"same_label": 0.25, "majority_label": 0.5}
    assert found["z"] == {"same_label": 0.0, "majority_label": 0.0}


def test_a_label_that_ties_with_the_others_commonest_is_the_majority():
    """x says yes; of the four others two say yes and two no: no has not more. Of five, three say no: it has."""
    tie = [("x", "a", 1.0), ("p", "a", 1.0), ("q", "a", 1.0), ("r", "a", 0.0), ("s", "a", 0.0)]
    assert by_annotator(checks.same_labels(labelled(tie)))["x"] == {"same_label": 0.5, "majority_label": 1.0}
    assert by_annotator(checks.same_labels(labelled(tie)))["r"] == {"same_label": 0.25, "majority_label": 0.0}
    beaten = [*tie, ("t", "a", 0.0)]
    assert by_annotator(checks.same_labels(labelled(beaten)))["x"] == {"same_label": 0.4, "majority_label": 0.0}
    alone = [("x", "a", 1.0), ("y", "a", 0.0), ("z", "a", 2.0)]
    assert by_annotator(checks.same_labels(labelled(alone)))["x"] == {"same_label": 0.0, "majority_label": 0.0}


def test_labels_again_and_gold_labels_must_be_the_same():
    columns = ("annotator", "item", "question", "value")
    made = labelled([("x", "a", "1", 1.0), ("x", "a", "2", 1.0), ("x", "b", "3", 1.0), ("x", "b", "4", 2.0)], columns)
    assert by_annotator(checks.repeats(made)) == {"x": {"repeats": 2, "repeat_agreement": 0.5}}
    assert by_annotator(checks.gold_questions(made, {"a": "yes", "b": "maybe"})) == {
        "x": {"gold_asked": 4, "gold_right": 3}
    }


def test_style_of_labels():
    made = labelled([("x", "a", 1.0), ("x", "b", 1.0), ("x", "c", 0.0), ("x", "d", 1.0), ("y", "a", 2.0)])
    assert by_annotator(label_style(made)) == {
        "x": {"commonest": 0.75, "longest_run": 2},
        "y": {"commonest": 1.0, "longest_run": 1},
    }


# Best-worst


def test_choices_shared_with_others():
    """Question q is answered by two, p by one alone, who has nobody to agree with."""
    made = chosen([("q", "x", "abc", "a", "c"), ("q", "y", "abc", "a", "b"), ("p", "x", "abd", "a", "b")])
    found = by_annotator(checks.same_choices(made))
    assert found["x"] == {"same_best": 1.0, "same_worst": 0.0, "majority_best": 1.0, "majority_worst": 0.0}
    assert found == {"x": found["x"], "y": found["x"]}


def test_of_two_items_the_best_decides_all():
    made = chosen([("q", "x", "ab", "a", "b"), ("q", "y", "ba", "b", "a")])
    assert by_annotator(checks.same_choices(made))["x"] == {"same_best": 0.0, "majority_best": 0.0}
    assert by_annotator(choice_style(made)) == {
        "x": {"best_place": 1, "best_place_share": 1.0, "longest_run": 1},
        "y": {"best_place": 1, "best_place_share": 1.0, "longest_run": 1},
    }


def test_choices_again_count_half_each():
    rows = [
        ("q", "x", "abc", "a", "c"),
        ("r", "x", "cab", "a", "c"),
        ("s", "x", "abd", "a", "d"),
        ("t", "x", "dba", "b", "a"),
    ]
    assert by_annotator(checks.repeats(chosen(rows))) == {"x": {"repeats": 2, "repeat_agreement": 0.5}}
    half = [("q", "x", "abc", "a", "c"), ("r", "x", "cab", "a", "b"), ("r", "y", "cab", "a", "b")]
    assert by_annotator(checks.repeats(chosen(half))) == {"x": {"repeats": 1, "repeat_agreement": 0.5}}


def test_gold_choices_need_both():
    made = chosen(
        [
            ("q", "x", "abc", "a", "c"),
            ("q", "y", "abc", "a", "b"),
            ("q", "z", "abc", "b", "c"),
            ("p", "x", "abd", "a", "b"),
        ]
    )
    found = by_annotator(checks.gold_questions(made, {"q": ("a", "c")}))
    assert {name: row["gold_right"] for name, row in found.items()} == {"x": 1, "y": 0, "z": 0}
    assert {row["gold_asked"] for row in found.values()} == {1}
    for wrong in ({"q": ("a", "b", "c")}, {"q": "ab"}, {"q": ("a", "c"), "p": 1.0}, {"q": ("a",)}):
        with pytest.raises(InputError, match="made: gold answers to best-worst questions must be pairs"):
            checks.gold_questions(made, wrong)


def test_places_of_what_is_chosen():
    """x names the items at places 1, 1, 3 and 1 best, of which one is shown twice; worst at 3, 3, 1, 2."""
    rows = [
        ("1", "x", "abc", "a", "c"),
        ("2", "x", "bac", "b", "c"),
        ("3", "x", "cab", "b", "c"),
        ("4", "x", "abca", "a", "b"),
    ]
    found = by_annotator(choice_style(chosen([*rows, ("1", "y", "abc", "c", "a")])))
    assert found["x"] == {
        "best_place": 1, "best_place_share": 0.75, "worst_place": 3, "worst_place_share": 0.5, "longest_run": 2,
    }  # fmt: skip
    assert found["y"] == {
        "best_place": 3, "best_place_share": 1.0, "worst_place": 1, "worst_place_share": 1.0, "longest_run": 1,
    }  # fmt: skip


# Pace and style


def test_pace():
    """The median of 3, 9, 10 and 12 seconds is 9.5: below 3.17 is too fast; one answer was not timed."""
    columns = ("annotator", "item", "value", "seconds")
    rows = [
        ("x", "a", 1.0, 3.0),
        ("x", "b", 1.0, 9.0),
        ("x", "a", 2.0, None),
        ("y", "a", 1.0, 10.0),
        ("y", "b", 1.0, 12.0),
    ]
    assert by_annotator(pace(rated(rows, columns))) == {
        "x": {"answers": 3, "items": 2, "seconds": 6.0, "too_fast": 0.5, "impossible": 0.0},
        "y": {"answers": 2, "items": 2, "seconds": 11.0, "too_fast": 0.0, "impossible": 0.0},
    }
    # exactly a third is not too fast
    exact = [("x", "a", 1.0, 3.0), ("x", "b", 1.0, 9.0), ("y", "a", 1.0, 9.0)]
    assert by_annotator(pace(rated(exact, columns)))["x"]["too_fast"] == 0.0


def test_pace_counts_different_items_of_tuples():
    made = chosen([("1", "x", "abc", "a", "c"), ("2", "x", "abd", "a", "d")])
    assert by_annotator(pace(made)) == {
        "x": {"answers": 2, "items": 4, "seconds": None, "too_fast": None, "impossible": None}
    }


def test_ratings_at_either_end():
    made = rated([("x", "a", 0.0), ("x", "b", 5.0), ("x", "c", 4.9), ("x", "d", 0.1), ("x", "e", 1e-13)])
    assert by_annotator(rating_style(made)) == {"x": {"extremes": 0.6, "commonest": 0.4, "longest_run": 1}}


# Borders


def test_a_tenth_of_the_scale_is_more_on_a_wider_scale():
    columns = ("annotator", "item", "question", "value")
    rows = [("x", "a", "1", 1.0), ("x", "a", "2", 1.75), ("x", "b", "3", 2.0), ("x", "b", "4", 3.0)]
    wide = rated(rows, columns, scale=Scale(low=0, high=10))
    assert by_annotator(checks.repeats(wide)) == {"x": {"repeats": 2, "repeat_agreement": 0.5}}
    assert by_annotator(checks.repeats(rated(rows, columns)))["x"]["repeat_agreement"] == 0.0


def test_twelve_categories_are_listed():
    names = tuple("abcdefghijklm")
    made = rated([("x", "a", 1.0)], categories=names, scale=None)
    with pytest.raises(InputError, match=r"; one of a, b, c, d, e, f, g, h, i, j, k, l, \.\.\.$"):
        checks.gold_questions(made, {"a": "z"})
    with pytest.raises(InputError, match=r"; one of no, yes, maybe$"):
        checks.gold_questions(labelled([("x", "a", 1.0)]), {"a": "z"})


def test_random_clicks_are_looked_for_up_to_so_many_answers(monkeypatch: pytest.MonkeyPatch):
    rows = [(str(n), who, "abc", "abc"[n % 3], "bca"[n % 3]) for n in range(4) for who in "xy"]
    for most, has_attention in ((8, True), (7, False)):
        monkeypatch.setattr(annotator_table, "MOST_CLICKS", most)
        found = annotator_table.annotator_table(chosen(rows), resampling=NO_INTERVALS)
        assert ("attention" in found.columns) == ("random_clicking" in found.columns) == has_attention


def test_one_annotator_alone_has_a_table_without_random_clicks():
    found = annotator_table.annotator_table(chosen([("1", "x", "abc", "a", "c")]), resampling=NO_INTERVALS)
    assert found["annotator"].to_list() == ["x"]
    assert "attention" not in found.columns
