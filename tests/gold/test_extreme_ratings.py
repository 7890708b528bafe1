"""Ratings of any size end in a figure or in one clear error, and never in a warning (which are errors in tests)."""

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import SimilitudeError

METHODS = ("gaussian", "mean", "median", "trimmed-mean", "mixture", "annotator-aware")
LEVELS = ("nominal", "ordinal", "interval", "ratio")
LIKERT = np.clip(np.round(3 + np.random.default_rng(0).normal(size=(4, 12)) + np.linspace(-2, 2, 12)), 1, 5)

EXTREME = {
    "tiny": LIKERT * 1e-200,
    "tiniest": LIKERT * 1e-310,
    "huge": LIKERT * 1e300,
    "both ends": np.where(LIKERT > 3, 1e308, -1e308),
}
USUAL = {
    "small": LIKERT * 1e-12,
    "shifted": LIKERT + 1e12,
    "shifted beyond rounding": LIKERT + 1e15,
    "negative": -LIKERT,
    "two values": (LIKERT > 3) * 1.0,
    "constant": np.full((4, 12), 3.0),
    "one item": LIKERT[:, :1],
    "one rater": LIKERT[:1],
    "each rater the same": np.tile(np.arange(4.0)[:, None], (1, 12)),
    "each item the same": np.tile(np.arange(12.0), (4, 1)),
}


def frame(values: np.ndarray) -> pl.DataFrame:
    rater, item = np.indices(values.shape).reshape(2, -1).astype(str)
    return pl.DataFrame({"annotator": rater, "item": item, "value": values.ravel()})


@pytest.mark.parametrize("name", EXTREME)
def test_extreme_ratings_are_refused_in_one_line(name: str):
    values = EXTREME[name]
    scale = (float(values.min()), float(values.max()))
    for level in LEVELS:
        with pytest.raises(SimilitudeError, match=r"large|differ by"):
            sim.agreement.krippendorff_alpha(values, level)
    for method in METHODS:
        with pytest.raises(SimilitudeError) as raised:
            sim.aggregate(sim.read_judgements(frame(values), scale=scale), method)
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", USUAL)
def test_other_ratings_give_finite_scores_or_a_reason(name: str):
    values = USUAL[name]
    judgements = sim.read_judgements(frame(values), scale=(float(values.min()), float(values.max()) + 1))
    for method in METHODS:
        try:
            scores = sim.aggregate(judgements, method).frame["score"]
        except SimilitudeError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            assert scores.is_finite().all()
    for level in LEVELS:
        found = sim.agreement.krippendorff_alpha(values, level)
        assert np.isfinite(found.value) or found.reason


def test_alpha_and_spread_do_not_depend_on_shift_or_unit():
    plain = sim.agreement.krippendorff_alpha(LIKERT, "interval")
    for moved in (LIKERT + 1e12, LIKERT * 1e-12, LIKERT * 1e12):
        assert sim.agreement.krippendorff_alpha(moved, "interval").value == pytest.approx(plain.value)
    sigmas = [
        sim.aggregate(sim.read_judgements(frame(values), scale=(0, 6 * unit)), "gaussian").frame["sigma"].to_numpy()
        / unit
        for values, unit in ((LIKERT, 1.0), (LIKERT * 1e-12, 1e-12))
    ]
    np.testing.assert_allclose(sigmas[1], sigmas[0])
