"""Pairs worth asking about: ranked by expected disagreement, written with ids and expectations, read without them."""

import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, PredictionError
from similitude.registry import Spec
from similitude.study.disagreement_ranking import expect_disagreement, write_expectation

THREE_POINT = sim.Scale(low=0, high=2)
SIGMAS = {"a": 0.2, "b": 0.9, "c": 0.5, "d": 0.9}


@dataclass(frozen=True)
class Doubting:
    """Says 1 of every item on 0..2, and is as unsure as it is told to be."""

    sigmas: tuple[float, ...] | None = tuple(SIGMAS.values())
    range: sim.Scale | None = THREE_POINT
    summary: ClassVar[str] = "doubts"
    reads: ClassVar[frozenset[str]] = frozenset()

    @property
    def identity(self) -> Spec:
        return Spec("doubting")

    def score(self, items: sim.Items) -> sim.Predictions:
        sigmas = None
        if self.sigmas is not None:
            known = dict(zip(SIGMAS, self.sigmas, strict=True))
            sigmas = np.array([known[name] for name in items.ids])
        return sim.Predictions(np.ones(len(items)), sigmas)


@pytest.fixture
def pool() -> sim.Benchmark:
    """Four pairs that nobody has judged."""
    return sim.Benchmark.from_columns("pool", id=list(SIGMAS), left=list("wxyz"), right=list("stuv"))


def test_the_most_contentious_first_and_ties_in_order(pool):
    expected = expect_disagreement(pool, Doubting())
    assert expected.table["id"].to_list() == ["b", "d", "c", "a"]
    assert expected.table["rank"].to_list() == [1, 2, 3, 4]
    assert expected.table["expected_sigma"].to_list() == [0.9, 0.9, 0.5, 0.2]
    assert expected.table["left"].to_list() == ["x", "z", "y", "w"]
    # A tenth of 0..2 is 0.2, and only what lies above it is contentious.
    assert (str(expected.scale), expected.contentious, expected.asked) == ("0..2", 3, 4)


def test_on_the_scale_of_the_data_where_it_has_one(pool):
    expected = expect_disagreement(replace(pool, scale=sim.Scale(low=0, high=5)), Doubting())
    assert expected.table["expected_mean"].to_list() == [2.5] * 4
    assert expected.table["expected_sigma"][0] == pytest.approx(2.25)


def test_the_first_or_those_above(pool):
    assert expect_disagreement(pool, Doubting(), top=1).table["id"].to_list() == ["b"]
    assert expect_disagreement(pool, Doubting(), above=0.5).table["id"].to_list() == ["b", "d"]
    assert expect_disagreement(pool, Doubting(), above=0.3, top=9).table.height == 3
    with pytest.raises(ArgumentError, match=r"no item has an expected sigma above 2; the highest is 0\.9"):
        expect_disagreement(pool, Doubting(), above=2)


def test_a_system_without_doubt_is_refused(pool):
    for system in (Doubting(sigmas=None), "levenshtein", Doubting(sigmas=(np.nan,) * 4)):
        with pytest.raises(ArgumentError, match=r"does not predict how far people differ; .* uncertain\(FOLDER\)"):
            expect_disagreement(pool, system)


def test_a_sigma_that_is_no_number_is_named(pool):
    with pytest.raises(PredictionError, match="gave no number for item 'c'"):
        expect_disagreement(pool, Doubting(sigmas=(0.1, 0.2, np.nan, 0.3)))


def test_files_hold_everything_and_are_read_back_as_items_without_gold(pool, tmp_path):
    expected = expect_disagreement(pool, Doubting(), top=2)
    table = pl.read_csv(write_expectation(expected, tmp_path / "ask.csv"))
    assert table.columns == ["rank", "id", "left", "right", "expected_mean", "expected_sigma"]
    lines = write_expectation(expected, tmp_path / "ask.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["b", "d"]
    for name in ("ask.csv", "ask.jsonl"):
        items = sim.read(tmp_path / name)
        assert items.items.ids == ["b", "d"]
        assert items.frame["score"].null_count() == 2, "what a system expects is not gold"
        assert items.frame["sigma"].null_count() == 2
    with pytest.raises(ArgumentError, match=r"end the name in \.csv or \.jsonl"):
        write_expectation(expected, tmp_path / "ask.xlsx")
