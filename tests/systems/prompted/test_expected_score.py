import numpy as np
import pytest

from similitude.data import Scale
from similitude.errors import ArgumentError
from similitude.models.language.protocol import ModelAnswer
from similitude.systems.prompted.expected_score import answer_log_probabilities, expected_scores, level_texts, levels_of


@pytest.mark.parametrize(
    ("scale", "texts"),
    [
        ("1..5", ("1", "2", "3", "4", "5")),
        ("0..5", ("0", "1", "2", "3", "4", "5")),
        ("0..9", tuple("0123456789")),
        ("0..1", tuple(f"{place / 10:.1f}" for place in range(11))),
    ],
)
def test_usual_levels(scale, texts):
    assert level_texts(levels_of(Scale.parse(scale))) == texts


@pytest.mark.parametrize("scale", ["0..10", "0..100", "-1..1", "0.5..4.5"])
def test_other_scales_want_their_levels_named(scale):
    with pytest.raises(ArgumentError, match=r"has no default levels.*scale=0..5"):
        levels_of(Scale.parse(scale))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((1, 10), "level '1' is a prefix of level '10'"),
        ((3,), "at least two distinct numbers"),
        ((3, 3), "distinct numbers"),
        ((0, 3), "level 0 is not on the scale 1..10"),
    ],
)
def test_levels_that_cannot_be(given, said):
    with pytest.raises(ArgumentError, match=said):
        levels_of(Scale(low=1, high=10), given)


def test_mean_and_spread():
    # 0.2, 0.1, 0.1 come to 1/2, 1/4, 1/4: mean (1 * 2 + 2 + 3) / 4 = 1.75, variance (2 * .5625 + .0625 + 1.5625) / 4
    found = expected_scores([1, 2, 3], np.log([[0.2, 0.1, 0.1]]))
    assert found.means == pytest.approx([1.75])
    assert found.sigmas == pytest.approx([np.sqrt(0.6875)])
    assert found.covered == pytest.approx([0.4])


def test_a_sure_answer_has_no_spread_and_tiny_probabilities_do_no_harm():
    found = expected_scores([1, 2], np.array([[-2000.0, -np.inf], [-2000.0, -2000.0]]))
    assert found.means.tolist() == [1, 1.5]
    assert found.sigmas.tolist() == [0, 0.5]


def test_no_level_at_all():
    found = expected_scores([1, 2], np.full((1, 2), -np.inf))
    assert np.isnan(found.means).all()
    assert found.covered.tolist() == [0]


def test_first_tokens_that_differ_in_spaces_count_together():
    first = (("4", np.log(0.2)), (" 4", np.log(0.1)), ("four", np.log(0.3)), ("5\n", np.log(0.1)))
    logs = answer_log_probabilities([ModelAnswer("4", first=first), ModelAnswer("x")], ["4", "5"])
    assert np.exp(logs) == pytest.approx(np.array([[0.3, 0.1], [0, 0]]))
