"""`sim.gold`, `sim.aggregate` and `sim.reliability` with answers in frames."""

import numpy as np
import pandas as pd
import pytest

import similitude as sim
from similitude.errors import InputError, UnknownKeyError

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
    with pytest.raises(UnknownKeyError, match="no figure named 'kappa'"):
        found["kappa"]


def test_an_assessment_is_short_in_print_and_a_table_of_figures():
    found = sim.reliability(RATINGS, resamples=0, targets={"mean_error": 0.1})
    said = "<Assessment of Judgements 'sample:opinions': 600 rating answers about 60 items; "
    assert repr(found) == f"{said}Krippendorff's alpha, interval 0.824>"
    table = found.to_polars()
    assert table.height == len(found.agreement) + len(found.opinions)
    assert table["name"][0] == "Krippendorff's alpha, interval"
    assert found.to_dict() == found.record()


def test_gold_answers_in_a_frame_or_a_mapping():
    item = RATINGS.judged[0]
    by_mapping = sim.reliability(RATINGS, resamples=0, gold_answers={item: 3.0})
    by_frame = sim.reliability(RATINGS, resamples=0, gold_answers=pd.DataFrame({"item": [item], "value": [3.0]}))
    assert by_mapping.annotators.equals(by_frame.annotators)
    unasked = sim.reliability(RATINGS, resamples=0, gold_answers={"nothing": 3.0})
    assert any("1 gold question was not answered by anybody: nothing" in note for note in unasked.notes)
