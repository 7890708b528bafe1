"""Evidence from its sources: blocks, what is learned and kept, and what is refused."""

import io
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.errors import ArgumentError, EstimationError, PredictionError, SimilitudeError, UnknownNameError
from similitude.registry import Spec
from similitude.systems.catalogue import SYSTEMS, make_system
from similitude.systems.encoders.pair_features import Comparisons, PairVectors
from similitude.systems.evidence import Evidence, fit_evidence
from similitude.systems.evidence.overlap import COMPARISONS, LENGTHS

WORDS = ["red", "car", "dog", "rain", "on", "a", "tin", "roof", "12", "sings", "汽车", "北京", "!"]


def some_items(count=80, seed=0):
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS, rng.integers(1, 7))) for _ in range(2 * count)]
    return Items.from_pairs(texts[:count], texts[count:])


def swapped(items):
    return Items(items.frame.rename({"left": "right", "right": "left"}))


@dataclass(frozen=True)
class Fake:
    """A system that answers from a table of functions, and remembers what it was asked."""

    summary: ClassVar[str] = "for tests"
    range = None

    reads: frozenset[str] = frozenset()
    model: str = "one"
    asked: list[Items] = field(default_factory=list)
    cache: object = None
    listener: object = None

    @property
    def identity(self):
        return Spec("fake")

    def model_fingerprint(self):
        return self.model

    def score(self, items):
        raise AssertionError("asked for scores, though it gives more than those")

    def with_cache(self, cache):
        return replace(self, cache=cache)

    def with_listener(self, listener):
        return replace(self, listener=listener)


class Scoring(Fake):
    def score(self, items):
        self.asked.append(items)
        return Predictions(np.array([float(left) if left != "?" else np.nan for left in items.lefts]))


class Comparing(Fake):
    names = ("first", "second")

    def comparisons(self, items):
        self.asked.append(items)
        firsts = np.array([len(left) for left in items.lefts], np.float32)
        return Comparisons(self.names, np.stack([firsts, np.full(len(items), 7, np.float32)], axis=1))


class Embedding(Fake):
    def pair_vectors(self, items):
        self.asked.append(items)
        return PairVectors(*(self._vectors(texts) for texts in (items.lefts, items.rights)))

    def _vectors(self, texts):
        points = {"x": (2, 0), "y": (0, 3), "": (0, 0)}
        return np.array([points[text] for text in texts], np.float32).reshape(-1, 2)


@pytest.fixture
def join(monkeypatch):
    """Registers a system as ``fake``."""

    def register(system):
        monkeypatch.setitem(SYSTEMS._makers, "fake", lambda: system)
        return system

    return register


def kept_and_back(evidence, **options):
    """Through a file, as training folders do it."""
    file = io.BytesIO()
    np.savez(file, other=np.ones(3), **evidence.arrays())
    file.seek(0)
    with np.load(file, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return Evidence.from_record(evidence.record(), arrays, **options)


def test_blocks_of_overlap_and_of_a_string_system():
    items = some_items()
    evidence = fit_evidence(["overlap", "jaccard"], items)
    assert evidence.written == ("overlap", "jaccard")
    assert evidence.widths == (len(COMPARISONS), len(LENGTHS), 1)
    assert len(evidence.names) == sum(evidence.widths) == len(set(evidence.names))
    assert evidence.names[-1] == "jaccard: score"
    rows = evidence.of(items)
    assert rows.dtype == np.float32
    assert rows.shape == (80, sum(evidence.widths))
    scores = make_system("jaccard").score(items).scores
    assert rows[:, -1] == pytest.approx((scores - scores.mean()) / scores.std(), abs=1e-5)
    inside = np.abs(rows).max(axis=0) < 5
    assert inside.sum() > 15
    assert rows[:, inside].mean(axis=0) == pytest.approx(0, abs=1e-5)
    assert rows[:, inside].std(axis=0) == pytest.approx(1, abs=1e-5)


def test_the_order_of_texts_and_of_items_does_not_matter():
    items, others = some_items(), some_items(seed=1)
    evidence = fit_evidence(["overlap", "jaccard", "containment(of=left)"], items)
    for some in (items, others):
        rows = evidence.of(some)
        np.testing.assert_array_equal(evidence.of(swapped(some)), rows)
        np.testing.assert_array_equal(evidence.of(some.take(np.arange(79, -1, -1))), rows[::-1])
        np.testing.assert_array_equal(evidence.of(some.take(np.array([17]))), rows[[17]])
    assert evidence.of(items.take(np.arange(0))).shape == (0, len(evidence.names))


def test_what_was_never_seen_is_finite_and_clipped():
    evidence = fit_evidence(["overlap", "jaccard"], some_items())
    strange = Items.from_pairs(["", "ψ", "x" * 5000, "\0", "😀"], ["", "ω", "x" * 5000, "y", "😀"])
    rows = evidence.of(strange)
    assert np.isfinite(rows).all()
    assert np.abs(rows).max() == 5


def test_a_number_that_never_changes_is_nothing():
    evidence = fit_evidence(["overlap"], Items.from_pairs(["ab", "ab"], ["cd", "dc"]))
    rows = evidence.of(Items.from_pairs(["ab", "abc"], ["cd", "abc"]))
    lengths = [place for place, name in enumerate(evidence.names) if "length" in name]
    np.testing.assert_array_equal(rows[:, lengths], np.zeros((2, 2)))


def test_each_pair_is_asked_for_once_in_one_order(join):
    system = join(Scoring())
    items = Items.from_pairs(["2", "1", "3", "1"], ["1", "2", "4", "5"])
    evidence = fit_evidence(["fake"], items)
    (asked,) = system.asked
    assert (asked.lefts, asked.rights) == (["1", "1", "3"], ["2", "5", "4"])
    # Scores 1, 1, 3, 1 of the items: mean 1.5, variance 0.75.
    expected = (np.array([1, 1, 3, 1]) - 1.5) / np.sqrt(0.75)
    assert evidence.of(items)[:, 0] == pytest.approx(expected)
    assert len(system.asked) == 1  # what it was fitted on is remembered
    assert evidence.of(Items.from_pairs(["9"], ["3"])) == pytest.approx((3 - 1.5) / np.sqrt(0.75))
    assert len(system.asked) == 2


def test_no_score_is_taken_for_the_mean(join):
    join(Scoring())
    evidence = fit_evidence(["fake"], Items.from_pairs(["1", "2", "?"], ["~", "~", "~"]))
    rows = evidence.of(Items.from_pairs(["1", "2", "?", "3"], ["~", "~", "~", "~"]))
    assert rows[:, 0].tolist() == [-1, 1, 0, 3]  # 1 and 2: mean 1.5, standard deviation 0.5


def test_a_system_that_compares(join):
    join(Comparing())
    items = Items.from_pairs(["a", "abc"], ["x", "x"])
    evidence = fit_evidence(["fake"], items)
    assert (evidence.names, evidence.widths) == (("fake: first", "fake: second"), (2,))
    assert evidence.of(items).tolist() == [[-1, 0], [1, 0]]  # lengths 1 and 3; the other number is always 7


def test_a_system_that_compares_otherwise_than_in_training(join):
    join(Comparing())
    items = Items.from_pairs(["a", "abc"], ["x", "x"])
    evidence = kept_and_back(fit_evidence(["fake"], items))
    object.__setattr__(evidence.sources[0].system, "names", ("first", "third"))
    with pytest.raises(ArgumentError, match="evidence 'fake': it computes other features than in training"):
        evidence.of(items)


def test_components_by_hand(join):
    # u and v at length 1. x and x: |u - v| = (0, 0), u * v = (1, 0); x and y: (1, 1) and (0, 0). The differences lie at
    # -+(0.5, 0.5) from their mean, -+1/sqrt(2) along (1, 1)/sqrt(2), and nowhere along the other component; scaled to
    # variance 1 they are -+1. The products lie at +-(0.5, 0), scaled +-1. A component's sign is free.
    join(Embedding())
    items = Items.from_pairs(["x", "x"], ["x", "y"])
    evidence = fit_evidence(["fake"], items)
    assert evidence.widths == (1, 4)
    assert evidence.names == tuple(
        f"fake: {name}" for name in ("cosine", "difference 1", "difference 2", "product 1", "product 2")
    )
    rows = evidence.of(items)
    assert rows[:, 0] == pytest.approx([1, -1])  # cosines 1 and 0
    assert np.abs(rows[:, 1:]) == pytest.approx(np.array([[1, 0, 1, 0]] * 2), abs=1e-6)
    assert rows[0, 1:] == pytest.approx(-rows[1, 1:], abs=1e-6)
    blank = evidence.of(Items.from_pairs([""], [""]))
    assert blank[0, 0] == 1  # two blank texts are the same
    assert np.isfinite(blank).all()


def test_vectors_of_another_length(join, monkeypatch):
    join(Embedding())
    items = Items.from_pairs(["x", "x"], ["x", "y"])
    evidence = kept_and_back(fit_evidence(["fake"], items))
    monkeypatch.setattr(Embedding, "_vectors", lambda self, texts: np.ones((len(texts), 3), np.float32))
    with pytest.raises(ArgumentError, match="vectors have 3 dimensions, not 2 as in training"):
        evidence.of(items)


def test_the_built_in_encoder():
    items = some_items(60)
    evidence = fit_evidence(["use"], items)
    assert evidence.widths == (1, 96)
    rows = evidence.of(items)
    scores = make_system("use").score(items).scores
    assert rows[:, 0] == pytest.approx((scores - scores.mean()) / scores.std(), abs=1e-4)
    for part in (rows[:, 1:49], rows[:, 49:]):
        assert part.mean(axis=0) == pytest.approx(0, abs=1e-5)
        variances = part.var(axis=0)
        assert variances[0] == pytest.approx(1, abs=1e-5)
        assert (np.diff(variances) < 1e-6).all()  # the largest first
        assert variances[-1] < 0.5  # they keep their sizes: not each brought to 1
    again = kept_and_back(evidence)
    for some in (items, swapped(items), Items.from_pairs(["", "rain"], ["", ""])):
        np.testing.assert_array_equal(again.of(some), evidence.of(some))
    alone = evidence.of(items.take(np.array([5])))
    assert alone[0] == pytest.approx(rows[5], abs=1e-4)


def test_fewer_items_than_components():
    rows = fit_evidence(["use"], some_items(5)).of(some_items(20, seed=3))
    assert (rows[:, 5:49] == 0).all()  # five points have four directions
    assert (rows[:, 1:5] != 0).any()


def test_kept_and_back(join):
    join(Comparing())
    items = some_items()
    evidence = fit_evidence(["overlap", "jaccard", "fake"], items)
    again = kept_and_back(evidence)
    assert (again.written, again.names, again.widths) == (evidence.written, evidence.names, evidence.widths)
    for some in (items, some_items(seed=2)):
        np.testing.assert_array_equal(again.of(some), evidence.of(some))
    assert again.fingerprint() == evidence.fingerprint()
    assert all(name.startswith("evidence_") for name in evidence.arrays())
    assert not any(array.dtype.hasobject for array in evidence.arrays().values())


def test_the_fingerprint_changes_with_texts_sources_and_models(join):
    join(Comparing())
    items = some_items()
    evidence = fit_evidence(["overlap", "fake"], items)
    assert fit_evidence(["overlap", "fake"], items).fingerprint() == evidence.fingerprint()
    join(Comparing(model="another"))
    prints = {
        evidence.fingerprint(),
        kept_and_back(evidence).fingerprint(),
        fit_evidence(["overlap", "fake"], some_items(seed=5)).fingerprint(),
        fit_evidence(["overlap"], items).fingerprint(),
    }
    assert len(prints) == 4


@pytest.mark.parametrize(
    "damage",
    [
        lambda record, arrays: arrays.pop("evidence_0_pairs"),
        lambda record, arrays: arrays.update(evidence_0_centres=arrays["evidence_0_centres"][1:]),
        lambda record, arrays: arrays.update(evidence_0_factors=arrays["evidence_0_factors"] * np.nan),
        lambda record, arrays: arrays.update(evidence_0_pair_counts=np.zeros(3, np.int32)),
        lambda record, arrays: arrays.update(evidence_1_centres=np.zeros(2)),
        lambda record, arrays: record["sources"][0].update(names=["another"]),
        lambda record, arrays: record["sources"][1].update(vectors=True),
        lambda record, arrays: record["sources"][0].pop("texts"),
        lambda record, arrays: record["sources"][0].update(source=3),
        lambda record, arrays: record.update(sources=None),
        lambda record, arrays: record.update(version=0),
        lambda record, arrays: record.clear(),
    ],
)
def test_what_is_damaged_is_refused(damage):
    evidence = fit_evidence(["overlap", "jaccard"], some_items(10))
    record, arrays = evidence.record(), evidence.arrays()
    damage(record, arrays)
    with pytest.raises(ArgumentError, match="train it again"):
        Evidence.from_record(record, arrays)


def test_cache_and_listener_reach_the_systems(join):
    join(Comparing())
    items = Items.from_pairs(["a", "abc"], ["x", "x"])
    evidence = fit_evidence(["fake"], items, cache="a cache", listener="an ear")
    assert (evidence.sources[0].system.cache, evidence.sources[0].system.listener) == ("a cache", "an ear")
    other = evidence.attached("another", "one more")
    assert (other.sources[0].system.cache, other.sources[0].system.listener) == ("another", "one more")
    back = kept_and_back(evidence, cache="a cache")
    assert (back.sources[0].system.cache, back.sources[0].system.listener) == ("a cache", None)


def test_an_item_with_context_keeps_its_order_where_context_is_read(join):
    frame = Items.from_pairs(["b", "d"], ["a", "c"]).frame
    frame = frame.with_columns(context=pl.Series([["z", "b"], None], dtype=pl.List(pl.String)))
    for reads, lefts in ((frozenset({"context"}), ["b", "c"]), (frozenset(), ["a", "c"])):
        system = join(Comparing(reads=reads))
        fit_evidence(["fake"], Items(frame))
        assert sorted(system.asked[0].lefts) == lefts


@pytest.mark.parametrize(
    ("written", "expected", "message"),
    [
        (["nonsense"], UnknownNameError, "no system named 'nonsense'.*use-multilingual.*overlap"),
        (["overlap", "overlap"], ArgumentError, "'overlap' is named twice; name each source once"),
        (["use", "use-multilingual"], ArgumentError, "'use-multilingual' is named twice, first as 'use'"),
        (["overlap(n=3)"], ArgumentError, "overlap takes no arguments"),
        (["tfidf"], ArgumentError, "'tfidf-cosine' must be fitted on a collection's texts"),
        (["jaccard(n=9)"], SimilitudeError, "n"),
    ],
)
def test_sources_that_are_refused(written, expected, message):
    with pytest.raises(expected, match=message):
        fit_evidence(written, some_items(5))


def test_too_few_items():
    with pytest.raises(EstimationError, match="at least two distinct items"):
        fit_evidence(["overlap"], Items.from_pairs(["a", "b"], ["b", "a"]))


def test_a_system_that_leaves_items_out(join, monkeypatch):
    join(Scoring())
    monkeypatch.setattr(Scoring, "score", lambda self, items: Predictions(np.zeros(1)))
    with pytest.raises(PredictionError, match="1 x 1 numbers for 5 items"):
        fit_evidence(["fake"], some_items(5))
