"""`sim.gold`, `sim.aggregate` and `sim.reliability` with answers in frames."""

from inspect import signature

import numpy as np
import pandas as pd
import pytest

import similitude as sim
from similitude.errors import ArgumentError, InputError, UnknownKeyError
from similitude.gold.aggregation import make_gold
from similitude.gold.reliability.assessment import assess

TUPLES = sim.read_judgements("sample:dialogues")
RATINGS = sim.read_judgements("sample:opinions")


@pytest.mark.parametrize("method", ["counting", "plackett-luce"])
def test_gold_of_a_frame_is_gold_of_the_judgements(method):
    expected = sim.gold(TUPLES, method)
    made = sim.gold(TUPLES.to_pandas(), method=method, items=TUPLES.items.to_pandas())
    assert made.fingerprint == expected.fingerprint
    assert made.judgements.equals(expected.judgements)


def test_texts_are_needed_for_a_benchmark_and_not_for_scores():
    frame = TUPLES.to_pandas()
    with pytest.raises(InputError, match=r"the texts of the items are unknown; .*items=, .*similitude.aggregate"):
        sim.gold(frame)
    found = sim.aggregate(frame)
    assert repr(found) == "<Aggregated: 60 items, counting: (#best - #worst) / #appearances>"
    assert found.to_pandas()["id"].tolist() == found.frame["id"].to_list()


def test_the_seed_counts_and_is_that_of_the_generator():
    by_seed = sim.aggregate(RATINGS, "mixture", seed=1).frame
    assert by_seed.equals(sim.aggregate(RATINGS, "mixture", rng=np.random.default_rng(1)).frame)
    assert sim.gold(RATINGS, "mixture", seed=1).frame["mixture_means"].equals(by_seed["mixture_means"])


def test_an_assessment_of_a_frame_with_everything_said_in_plain_values():
    found = sim.reliability(
        TUPLES.to_pandas(), items=TUPLES.items, by="language", resamples=0, halving={"repeats": 7}, quiet=True
    )
    assert found.halving.repeats == 7
    assert set(found.by_label) == {"de", "en", "overall"}
    same = sim.reliability(TUPLES, by=["language"], resamples=0, halving={"repeats": 7})
    assert found.record()["agreement"] == same.record()["agreement"]
    assert found["split-half, Spearman"] == same["split-half, Spearman"]
    assert [one.estimate for one in found.agreement if one.name == "split-half, Spearman"] == [
        found["split-half, Spearman"]
    ]
    with pytest.raises(UnknownKeyError, match="no figure named 'kappa'"):
        found["kappa"]


def test_an_assessment_is_short_in_print_and_a_table_of_figures():
    found = sim.reliability(RATINGS, resamples=0, targets={"mean_error": 0.1})
    said = "<Assessment of Judgements 'sample:opinions': 600 rating answers about 60 items; "
    assert repr(found) == f"{said}Krippendorff's alpha, interval 0.824>"
    table = found.to_polars()
    assert table.height == len(found.agreement) + len(found.opinions)
    assert table["name"][0] == "Krippendorff's alpha, interval"
    assert table.columns[:3] == ["part", "label", "name"]
    assert table["part"].to_list() == ["agreement"] * len(found.agreement) + ["opinions"] * len(found.opinions)
    assert table["label"].null_count() == table.height
    assert found.opinions[0].estimate == found[found.opinions[0].name]
    assert found.to_dict() == found.record()
    assert signature(assess).parameters["quiet"].default is False  # a bar is shown unless it is not wanted


def test_gold_answers_in_a_frame_or_a_mapping():
    item = RATINGS.judged[0]
    by_mapping = sim.reliability(RATINGS, resamples=0, gold_answers={item: 3.0})
    by_frame = sim.reliability(RATINGS, resamples=0, gold_answers=pd.DataFrame({"item": [item], "value": [3.0]}))
    assert by_mapping.annotators.equals(by_frame.annotators)
    unasked = sim.reliability(RATINGS, resamples=0, gold_answers={"nothing": 3.0})
    assert any("1 gold question was not answered by anybody: nothing" in note for note in unasked.notes)


def test_a_table_of_figures_names_labels():
    by = sim.reliability(TUPLES, by="language", resamples=0, halving={"repeats": 2})
    rows = [row for row in by.rows() if row["label"] is not None]
    assert {(row["part"], row["label"]) for row in rows} == {("agreement", name) for name in ("de", "en", "overall")}
    assert [row["name"] for row in rows if row["label"] == "de"] == [one.name for one in by.by_label["de"]]
    figures = [one.estimate.value for each in by.by_label.values() for one in each]
    assert [row["value"] for row in rows] == pytest.approx(figures)


def test_the_package_has_the_arguments_of_the_function():
    assert signature(sim.gold) == signature(make_gold)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": "high"}, "level='high' is not a number; give a number for level"),
        ({"reliability": "high"}, "reliability='high' is not a number; give a number for reliability"),
        ({"resamples": 1.5}, "resamples=1.5 is not a whole number from 0; give 0, 1, 2, ... for resamples"),
        ({"seed": None}, "seed=None would give other figures every time; give a whole number, as in seed=0"),
        ({"by": [3]}, 'by holds 3, which is no name; give names, as in by=["..."]'),
        ({"targets": 3}, "targets is 3, not options by name; give a dict with some of mean_error, "),
        ({"halving": 3}, "halving is 3, not options by name; give a dict with some of repeats, "),
    ],
)
def test_arguments_of_an_assessment_are_checked_first(options, said):
    with pytest.raises(ArgumentError) as caught:
        assess(RATINGS, **options)
    assert str(caught.value).startswith(said)


def test_arguments_of_gold_are_checked_first():
    with pytest.raises(ArgumentError, match=r"^name"):
        make_gold(RATINGS, name=3)
    with pytest.raises(ArgumentError, match="seed=-1 is not a whole number from 0"):
        sim.aggregate(RATINGS, seed=-1)
    with pytest.raises(ArgumentError, match="seed=None would give other figures every time"):
        sim.aggregate(RATINGS, seed=None)
