import numpy as np
import pytest
from scipy.stats import binomtest

from similitude.data.benchmark import Benchmark
from similitude.errors import InputError, ScaleError
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.expert_check import expert_check


def scored(scores, scale="0..1") -> Benchmark:
    texts = [f"text {place}" for place in range(len(scores))]
    ids = [f"i{place}" for place in range(len(scores))]
    return Benchmark.from_columns("made", id=ids, left=texts, right=texts, score=scores, scale=scale)


def test_giccs_two_of_300_contradict():
    # GiCCS 4.3: 300 items, two do not match: 0.65 called low and 0.35 called high (Table 4)
    scores = [0.65, 0.35] + [0.9] * 149 + [0.1] * 149
    verdicts = {"i0": "low", "i1": "high"} | {f"i{n}": "high" if n < 151 else "low" for n in range(2, 300)}
    found = expert_check(scored(scores), verdicts)
    assert (found.border, found.checked, found.unasked, found.undecided) == (0.5, 300, 0, [])
    assert found.contradictions.select("item", "score", "expert").rows() == [("i0", 0.65, "low"), ("i1", 0.35, "high")]
    assert found.agreement.value == pytest.approx(298 / 300)
    # Wilson: (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n) with z = 1.959964
    assert (found.agreement.low, found.agreement.high) == pytest.approx((0.97602, 0.99817), abs=1e-5)
    # both sides call half of the items high: chance is 1/2
    assert found.kappa.value == pytest.approx((298 / 300 - 0.5) / 0.5)
    assert found.kappa.low < found.kappa.value <= found.kappa.high


def test_kappa_by_hand():
    # expert high high low low, score high low low low: agree 3/4; chance 1/2 * 1/4 + 1/2 * 3/4 = 1/2
    found = expert_check(
        scored([0.9, 0.2, 0.2, 0.2]), {"i0": ">", "i1": "above", "i2": "Low", "i3": "<"}, resampling=NO_INTERVALS
    )
    assert found.kappa.value == pytest.approx(0.5)
    assert np.isnan([found.kappa.low, found.kappa.high]).all()


def test_a_score_on_the_border_or_hidden_decides_nothing():
    found = expert_check(scored([3.0, None, 4.0, 1.0], "1..5"), {"i0": "high", "i1": "low", "i2": "high"})
    assert found.border == 3.0
    assert found.undecided == ["i0", "i1"]
    assert (found.checked, found.unasked) == (1, 1)
    assert found.kappa.reason == "score and expert give every item the same verdict, as chance alone would"


def test_nothing_to_check_is_undefined():
    found = expert_check(scored([0.5]), {"i0": "high"})
    assert np.isnan(found.agreement.value)
    assert "no item has both" in found.agreement.reason
    assert found.contradictions.is_empty()


def test_another_border():
    assert expert_check(scored([0.6]), {"i0": "low"}, border=0.7).contradictions.is_empty()


def test_mistakes_are_named():
    with pytest.raises(InputError, match="'x9', which is not an item"):
        expert_check(scored([0.6]), {"x9": "low"})
    with pytest.raises(InputError, match="'medium' about item 'i0' is not a verdict; write one of: high, low"):
        expert_check(scored([0.6]), {"i0": "medium"})
    without = Benchmark.from_columns("bare", left=["a"], right=["b"])
    with pytest.raises(ScaleError, match="declare it, or give a border"):
        expert_check(without, {"1": "low"})


def test_a_share_has_wilsons_interval_at_any_level():
    found = expert_check(
        scored([0.9, 0.2, 0.8]),
        {"i0": " Above", "i1": "below", "i2": "<"},
        resampling=Resampling(rng=np.random.default_rng(0), level=0.8),
    )
    expected = binomtest(2, 3).proportion_ci(0.8, method="wilson")
    assert found.agreement == pytest.approx((2 / 3, *expected, None))


def test_the_farthest_contradiction_comes_first():
    found = expert_check(
        scored([0.6, 0.1, 0.9, 0.4, 0.1], "0..1"),
        dict.fromkeys(["i0", "i2"], "low") | dict.fromkeys(["i1", "i3", "i4"], "high"),
    )
    assert found.contradictions.columns == ["item", "left", "right", "score", "expert", "distance"]
    assert found.contradictions["item"].to_list() == ["i1", "i2", "i4", "i0", "i3"]
    assert found.contradictions["distance"].to_list() == pytest.approx([0.4, 0.4, 0.4, 0.1, 0.1])
    assert found.contradictions["left"].to_list()[0] == "text 1"
    assert found.agreement.value == 0
    assert found.kappa.value == pytest.approx((0 - 12 / 25) / (1 - 12 / 25))


def test_nothing_to_check_says_so_of_kappa_too():
    found = expert_check(scored([0.5]), {"i0": "high"})
    assert found.kappa.reason == found.agreement.reason == "no item has both a verdict and a score off the border"
    assert found.undecided == ["i0"]
    assert found.checked == 0


def test_no_verdicts_check_nothing():
    found = expert_check(scored([0.9, 0.2]), {})
    assert (found.checked, found.unasked, found.contradictions.height) == (0, 2, 0)
    assert found.agreement.reason == "no item has both a verdict and a score off the border"
