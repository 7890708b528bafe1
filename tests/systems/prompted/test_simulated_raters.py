import numpy as np
import pytest

from similitude.data import Items, Predictions, Scale
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation import make_gold
from similitude.systems.prompted.simulated_raters import judgements_of, rater_names, read_personas, summarise

FIVE = Scale(low=1, high=5)
PAIRS = Items.from_pairs(["a", "b"], ["c", "d"])


def test_ratings_are_added_up_as_those_of_people_are():
    samples = np.array([[1.0, 2.0, 4.0], [5.0, np.nan, 4.0]])
    found = summarise(samples)
    made = make_gold(judgements_of(PAIRS, Predictions(found.means, samples=samples), scale=FIVE, name="a model"))
    # (1 + 2 + 4) / 3 and (5 + 4) / 2; population standard deviations sqrt(14/9) and 1/2
    assert found.means == pytest.approx([7 / 3, 4.5])
    assert found.sigmas == pytest.approx([np.sqrt(14 / 9), 0.5])
    assert made.gold.scores == pytest.approx(found.means)
    assert made.gold.sigmas == pytest.approx(found.sigmas)
    assert made.is_simulated


def test_judgements_say_who_rated_what():
    made = judgements_of(
        PAIRS, Predictions(np.zeros(2), samples=np.array([[1, np.nan], [9, 5.0]])), scale=FIVE, name="a model"
    )
    assert made.frame.select("annotator", "item", "value").rows() == [
        ("simulated-01", "1", 1.0),
        ("simulated-02", "2", 5.0),
    ]
    assert made.provenance.notes == ("1 rating off the scale 1..5 was left out",)


def test_predictions_without_samples_are_no_ratings():
    with pytest.raises(ArgumentError, match="have no samples"):
        judgements_of(PAIRS, Predictions(np.zeros(2)), scale=FIVE, name="a model")


def test_an_item_that_nobody_rated_has_no_mean():
    found = summarise(np.full((1, 3), np.nan))
    assert np.isnan(found.means).all()
    assert found.missing.tolist() == [1]


def test_names_sort_as_they_count():
    assert rater_names(120)[:2] == ["simulated-001", "simulated-002"]


def test_personas_from_a_file(tmp_path):
    path = tmp_path / "people.txt"
    path.write_text("# mine\na nurse\n\n  a judge  \n", encoding="utf-8")
    assert read_personas(str(path)) == ("a nurse", "a judge")
    path.write_text("# nobody\n")
    with pytest.raises(InputError, match="no persona"):
        read_personas(str(path))
    with pytest.raises(InputError, match="cannot be read"):
        read_personas(str(tmp_path / "none.txt"))
