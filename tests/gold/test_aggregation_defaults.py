"""What aggregations do when nothing is said, and what they hand on: defaults, generators, joins, counts."""

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import InputError
from similitude.gold.aggregation import (
    Mean,
    accept_items,
    aggregate_judgements,
    annotator_plackett_luce,
    effective_components,
    make_aggregation,
    make_gold,
)
from similitude.gold.aggregation.annotator_plackett_luce import fitted_annotators
from similitude.gold.aggregation.mixture import least_sigma
from similitude.gold.aggregation.rated_items import rated_items
from similitude.gold.aggregation.round_order import rounds_in_order
from similitude.stats.utility_scores import margins

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


MIXED = chosen(
    ("x", "abc", "a", "c"), ("y", "abc", "a", "b"), ("z", "abc", "b", "c"), ("x", "abd", "a", "d"),
    ("y", "abd", "d", "b"), ("z", "bcd", "c", "d"), ("x", "bcd", "b", "d"), ("y", "acd", "a", "c"),
)  # fmt: skip


def test_the_usual_priors_and_ends():
    for name in ("plackett-luce", "annotator-plackett-luce"):
        assert make_aggregation(name) == make_aggregation(f"{name}(prior=0.1, normalised=false)")
    for method in ("plackett-luce", "annotator-plackett-luce"):
        assert str(aggregate_judgements(MIXED, method).scale) == "-1..1"


def test_scores_with_annotators_are_mean_margins_over_the_other_items():
    """Under the max-diff model one item beats another with log odds of twice the difference of their utilities."""
    found = aggregate_judgements(MIXED, "annotator-plackett-luce").frame
    np.testing.assert_allclose(found["score"], margins(found["utility"].to_numpy(), 1.0), atol=1e-9)


def test_annotators_alone_are_those_of_the_aggregation():
    assert fitted_annotators(MIXED).equals(aggregate_judgements(MIXED, "annotator-plackett-luce").annotators)
    stray = Judgements(name="made", frame=MIXED.frame.with_columns(best=pl.lit("z")))
    with pytest.raises(InputError, match="not among the items shown"):
        fitted_annotators(stray)


def test_twenty_clickers_are_listed_at_most_and_one_seems_to_click(monkeypatch: pytest.MonkeyPatch):
    names = [f"p{number:02}" for number in range(22)]
    fit, clicking = annotator_plackett_luce.fit_annotators, np.full(22, 0.95)
    monkeypatch.setattr(
        annotator_plackett_luce, "fit_annotators", lambda *a, **k: fit(*a, **k)._replace(random_clicking=clicking)
    )
    answers = chosen(*[(name, "abc", "a", "c") for name in names])
    clicking[21] = 0.5
    (note,) = (each for each in aggregate_judgements(answers, "annotator-plackett-luce").notes if "click" in each)
    assert note.startswith("21 annotators seem to click at random (probability): p00 (0.95), ")
    assert note.endswith("p19 (0.95), ...; --json lists all")
    clicking[1:] = 0.5
    (note,) = (each for each in aggregate_judgements(answers, "annotator-plackett-luce").notes if "click" in each)
    assert note == "1 annotator seems to click at random (probability): p00 (0.95); --json lists all"


def test_two_ratings_have_a_spread_once_biases_are_removed():
    rows = [("x", "a", 1.0), ("y", "a", 2.0), ("x", "b", 3.0), ("y", "b", 3.5), ("x", "c", 4.0)]
    found = aggregate_judgements(rated(rows), "annotator-aware")
    bias = dict(found.annotators.select("annotator", "bias").iter_rows())
    apart = bias["y"] - bias["x"]
    expected = [abs(1.0 - apart) / 2, abs(0.5 - apart) / 2]
    assert found.frame["sigma"].to_list() == [*map(pytest.approx, expected), None]


def test_two_appearances_have_a_standard_error():
    """Best once, and neither once: 1 and 0 have mean 1/2, and its standard error is sqrt(1/2) / sqrt(2)."""
    found = aggregate_judgements(chosen(("x", "ab", "a", "b"), ("x", "acd", "c", "d")), "counting").frame
    assert dict(found.select("id", "standard_error").iter_rows()) == {"a": 0.5, "b": None, "c": None, "d": None}


def test_labels_come_with_their_categories():
    rows = [("x", "a", 0.0), ("y", "a", 0.0), ("x", "b", 1.0), ("y", "b", 1.0)]
    labels = rated(rows, categories=("no", "yes"), scale=None)
    for method in ("dawid-skene", "majority"):
        assert aggregate_judgements(labels, method).categories == ("no", "yes")


def test_effective_components_of_new_items_need_all_ratings_too():
    matrix = np.random.default_rng(0).normal(0, 1, (12, 2))
    gap = matrix.copy()
    gap[3, 1] = np.nan
    for given, training in ((gap, matrix), (matrix, gap), (gap, None)):
        with pytest.raises(InputError, match="every rater's rating of every item"):
            effective_components(given, 2, np.random.default_rng(0), fitted_to=training)


def test_the_step_of_ratings_is_counted_from_the_low_end():
    """1, 4 and 10 on 1..25 are 0, 3 and 9 steps of 1 from the end: half a step of 3 is 1.5, below 24 / 8."""
    scale = Scale(low=1, high=25)
    ratings = rated_items(rated([("x", "a", 1.0), ("y", "a", 4.0), ("z", "a", 10.0)], scale=scale))
    assert least_sigma(ratings, 0.02) == pytest.approx(1.5)


def test_an_item_without_a_rating_stays_in_a_mixture_without_one():
    rows = [(f"r{n}", "a", float(n)) for n in range(4)] + [("r0", "b", None)]
    frame = aggregate_judgements(rated(rows), "mixture").frame
    assert frame.select("id", "score", "components").rows() == [("a", 1.5, 1), ("b", None, None)]


def test_rounds_count_from_zero():
    assert rounds_in_order(pl.Series(["round 1", "round 0"])) == ["round 0", "round 1"]


# What gold hands on


@dataclass(frozen=True, repr=False)
class Drawn(Mean):
    """A mean that tells what its generator draws."""

    def aggregate(self, judgements, rng):
        found = super().aggregate(judgements, rng)
        return type(found)(frame=found.frame, scale=found.scale, how=str(rng.random()), notes=found.notes)


TWO = [("x", "a", 1.0), ("y", "a", 2.0)]
TEXTS = pl.DataFrame({"id": ["a", "b", "c"], "left": ["l", "m", "n"], "right": ["r", "s", "t"]})


def test_methods_draw_from_the_generator_that_is_given_or_from_one_seeded_with_0():
    given = rated(TWO, items=TEXTS)
    assert aggregate_judgements(given, Drawn()).how == str(np.random.default_rng(0).random())
    assert make_gold(given, Drawn()).provenance.aggregation == str(np.random.default_rng(0).random())
    seeded = make_gold(given, Drawn(), rng=np.random.default_rng(7)).provenance.aggregation
    assert seeded == str(np.random.default_rng(7).random())
    assert make_gold(given, Drawn(), seed=7).provenance.aggregation == seeded


def test_missing_texts_are_said_before_anything_is_estimated():
    """One rater is too few for annotator-aware, which would be said later."""
    with pytest.raises(InputError, match="the texts of the items are unknown"):
        make_gold(rated([("x", "a", 1.0)]), "annotator-aware")


def verified(rows) -> Judgements:
    schema = {"annotator": pl.String, "item": pl.String, "applies": pl.Boolean, "value": pl.Float64}
    return Judgements(name="made", frame=pl.DataFrame(rows, schema=schema, orient="row"), scale=FIVE, items=TEXTS)


def test_an_item_of_which_nobody_said_whether_it_applies_is_kept():
    rows = [("x", "a", True, 1.0), ("y", "a", True, 2.0), ("x", "b", None, 3.0), ("y", "b", None, 4.0)]
    frame = aggregate_judgements(verified(rows), "mean").frame
    assert frame.select("id", "score", "applies_share").rows() == [("a", 1.5, 1.0), ("b", 3.5, None)]


def test_earlier_answers_about_rejected_items_go_with_them():
    rows = [("x", "a", True, 1.0), ("x", "b", False, None), ("y", "b", False, None)]
    earlier = pl.DataFrame({"annotator": ["x", "y"], "item": ["a", "b"], "value": [4.0, 5.0]})
    given = verified(rows)
    given = Judgements(name="made", frame=given.frame, scale=FIVE, items=TEXTS, superseded=earlier)
    kept = accept_items(given).judgements
    assert kept.superseded.select("annotator", "item", "value").rows() == [("x", "a", 4.0)]
    assert kept.items["id"].to_list() == ["a", "c"]
    assert accept_items(given, keep_rejected=True).judgements.superseded.height == 2
