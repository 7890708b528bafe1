"""What decisions, contrasts and kinds of tasks are called where users read them."""

import math

from similitude.evaluate.significance.contrast import Contrast
from similitude.evaluate.significance.decision import Decision
from similitude.evaluate.significance.effect import Effect
from similitude.evaluate.tasks.classifiers import BUCKETS
from similitude.evaluate.tasks.reading import TASK_KINDS
from similitude.evaluate.tasks.reading.reader import COLUMNS
from similitude.stats import Interval

PLAIN = Contrast(
    system=1,
    difference=0.25,
    interval=Interval(0.125, 0.5),
    p_value=0.04,
    is_floor=False,
    verdict="better",
)


def test_a_contrast_in_json():
    assert PLAIN.record(0.95) == {
        "difference": 0.25,
        "p_value": 0.04,
        "not_worse_p_value": None,
        "equivalent_p_value": None,
        "low": 0.125,
        "high": 0.5,
        "is_floor": False,
        "verdict": "better",
        "is_not_worse": None,
        "is_equivalent": None,
        "effect": None,
        "more_units": None,
    }


def test_a_contrast_with_a_margin_and_an_effect_in_json():
    full = Contrast(
        system=0,
        difference=0.0,
        interval=Interval(math.nan, math.nan, "why"),
        p_value=1.0,
        is_floor=True,
        verdict="undecided",
        effect=Effect("q", 0.5),
        more_units=40,
        not_worse_p_value=0.05,
        equivalent_p_value=0.06,
    ).record(0.95)
    assert (full["low"], full["high"], full["is_floor"], full["more_units"]) == (None, None, True, 40)
    assert (full["not_worse_p_value"], full["equivalent_p_value"]) == (0.05, 0.06)
    assert (full["is_not_worse"], full["is_equivalent"]) == (0.05 <= 1 - 0.95, False)
    assert full["effect"] == {"name": "q", "value": 0.5}


def test_a_decision_in_json():
    decision = Decision(
        level=0.9,
        may_be_best=(1, 0),
        more_units=7,
        baseline=2,
        contrasts=(PLAIN,),
        margin=0.01,
        near_best=(1,),
        near_best_p_values=(0.2, 0.01, math.nan),
    )
    found = decision.record(["a", "b", "c"])
    (contrast,) = found.pop("contrasts")
    assert contrast == {"system": "b", **PLAIN.record(0.9)}
    assert found == {
        "level": 0.9,
        "may_be_best": ["b", "a"],
        "more_units": 7,
        "against": "c",
        "margin": 0.01,
        "near_best": ["b"],
        "near_best_p_values": [0.2, 0.01, None],
    }


def test_names_that_users_write_in_task_files():
    assert COLUMNS == ("left", "right", "label", "id", "text", "split", "related", "query", "document")
    assert TASK_KINDS.make("reuse").name == TASK_KINDS.make("text-reuse").name == "text-reuse"
    assert BUCKETS == (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64), "each about four thirds or three halves of the last"
