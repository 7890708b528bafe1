"""Cuts of scores, and thresholds learned on the other folds: by hand, and against a plain loop."""

import numpy as np
import pytest

from similitude.stats import Counts, Cuts, FoldedCuts, best_cuts, grouped_folds, held_out_counts, named_folds, scattered


def f1(counts: Counts) -> np.ndarray:
    return 2 * counts.hits / np.maximum(counts.hits + counts.false + counts.positives, 1e-300)


def accuracy(counts: Counts) -> np.ndarray:
    return counts.hits - counts.false


def whole(cuts: Cuts, labels: np.ndarray) -> Counts:
    """Counts of all items above every cut."""
    above = np.arange(cuts.segments + 1)[:, None] > cuts.segment
    hits, false = (above & labels).sum(axis=1), (above & ~labels).sum(axis=1)
    return Counts(*(each[:, None].astype(float) for each in (hits, false)), *map(float, (hits[-1], false[-1])))


def learned_plainly(scores, labels, folds, criterion):
    """The answers of a plain loop over folds and thresholds."""
    said = np.zeros(scores.size, dtype=bool)
    for fold in np.unique(folds):
        train, test = folds != fold, folds == fold
        values = np.unique(scores[train])[::-1]
        borders = [np.inf, *((values[1:] + values[:-1]) / 2), -np.inf]
        yes = [scores[train] > border for border in borders]
        made = [
            criterion(
                Counts(
                    *(np.array(float(one.sum())) for one in (each & labels[train], each & ~labels[train])),
                    float(labels[train].sum()),
                    float((~labels[train]).sum()),
                )
            )
            for each in yes
        ]
        said[test] = scores[test] > borders[int(np.argmax(made))] + 1e-12
    return said


def test_cuts_of_tied_scores():
    cuts = Cuts.of(np.array([2.0, 5.0, 2.0, 3.0]))
    assert cuts.segment.tolist() == [2, 0, 2, 1]
    assert cuts.thresholds.tolist() == [np.inf, 4.0, 2.5, -np.inf]
    assert cuts.segments == 3


ALIKE = np.ones(1000, dtype=bool)


def test_many_scores_have_cuts_at_equal_distances_if_they_are_thinned():
    cuts = Cuts.of(np.arange(1000.0)).thinned(ALIKE, 10)
    assert np.bincount(cuts.segment).tolist() == [100] * 10
    assert cuts.thresholds[1:-1].tolist() == [899.5 - 100 * place for place in range(9)]
    for number in (10, 11):
        assert Cuts.of(np.arange(number * 1.0)).thinned(ALIKE[:number], 10).segments == 10
    assert Cuts.of(np.array([0.0] * 6 + list(range(1, 10)))).thinned(ALIKE[:15], 10).segments == 10


def test_a_tie_is_never_cut_even_if_there_are_many_scores():
    scores = np.array([0.0] * 500 + list(range(1, 501)))
    cuts = Cuts.of(scores).thinned(ALIKE, 10)
    assert np.unique(cuts.segment[:500]).size == 1
    assert cuts.segments == 6


def test_the_best_cuts_are_kept():
    """Of F1, of accuracy, and of costs, on labels that the scores sort badly."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=3000)
    labels = rng.random(3000) < 1 / (1 + np.exp(-scores))
    every = Cuts.of(scores)
    few = every.thinned(labels, 20)
    assert few.segments < 100
    for figure in (f1, accuracy, lambda counts: counts.hits - 0.2 * counts.false):
        best = []
        for cuts in (every, few):
            sums = np.cumsum(cuts.sums(np.ones((3000, 1)), labels.astype(int), 2), axis=1)
            false, hits = np.concatenate([np.zeros_like(sums[:, :1]), sums], axis=1)
            best.append(figure(Counts(hits, false, hits[-1], false[-1])).max())
        assert best[0] == best[1]


def test_the_best_cut_by_hand():
    # From the top, labels are 1 0 1 1 0. F1 above each cut: 0, 2/4, 2/5, 4/6, 6/7, 6/8.
    scores, labels = np.array([0.9, 0.8, 0.6, 0.3, 0.1]), np.array([1, 0, 1, 1, 0]) > 0
    cuts = Cuts.of(scores)
    places, thresholds = best_cuts(cuts, whole(cuts, labels), f1)
    assert (places.tolist(), thresholds.tolist()) == ([4], [0.2])


def test_of_equally_good_cuts_the_highest_counts():
    # Right answers minus wrong ones: 0, 1, 0, 1, 0: as good above 3 as above 1.
    scores, labels = np.array([4.0, 3.0, 2.0, 1.0]), np.array([1, 0, 1, 0]) > 0
    cuts = Cuts.of(scores)
    assert best_cuts(cuts, whole(cuts, labels), accuracy)[1].tolist() == [3.5]


def test_nothing_or_everything_may_be_above():
    labels = np.array([0, 0, 1]) > 0
    falling, rising = Cuts.of(np.array([3.0, 2.0, 1.0])), Cuts.of(np.array([1.0, 1.0, 1.0]))
    assert best_cuts(falling, whole(falling, labels), accuracy)[1].tolist() == [np.inf]
    assert best_cuts(rising, whole(rising, labels), f1)[1].tolist() == [-np.inf]


def test_thresholds_of_folds_by_hand():
    # Without fold 0 (0.90 and 0.75): learned on 0.5 | 0.96, half-way 0.73, so 0.75 is called positive: one false.
    # Without fold 1: learned on 0.75 | 0.90, half-way 0.825: right.
    scores = np.array([0.90, 0.75, 0.96, 0.5])
    labels, folds = np.array([1, 0, 1, 0]) > 0, np.array([0, 0, 1, 1])
    found = held_out_counts(Cuts.of(scores), labels, folds, np.ones((1, 4)), accuracy)
    assert [each.tolist() for each in found.counts] == [[2.0], [1.0], [2.0], [2.0]]
    assert found.thresholds[:, 0] == pytest.approx([0.73, 0.825])
    assert found.is_learned.tolist() == [True]


def test_an_item_exactly_on_the_threshold_is_not_above():
    # Without fold 1, learned on 1 | 3, half-way 2: the positive item with 2 is missed.
    scores, labels = np.array([1.0, 3.0, 2.0, 0.0]), np.array([0, 1, 1, 0]) > 0
    found = held_out_counts(Cuts.of(scores), labels, np.array([0, 0, 1, 1]), np.ones((1, 4)), accuracy)
    assert (found.counts.hits.tolist(), found.counts.false.tolist()) == ([1.0], [0.0])


@pytest.mark.parametrize("criterion", [f1, accuracy])
@pytest.mark.parametrize("seed", range(20))
def test_folds_and_weights_do_what_a_plain_loop_does(seed: int, criterion):
    rng = np.random.default_rng(seed)
    labels, folds = rng.random(40) < 0.4, rng.integers(0, 3, 40)
    scores = (rng.normal(size=40) + labels).round(int(rng.integers(0, 3)))
    counts = rng.integers(1, 3, 40)
    found = held_out_counts(Cuts.of(scores), labels, folds, counts[None].astype(float), criterion)
    repeated = np.repeat(np.arange(40), counts)
    said = learned_plainly(scores[repeated], labels[repeated], folds[repeated], criterion)
    assert found.counts.hits.tolist() == [(said & labels[repeated]).sum()]
    assert found.counts.false.tolist() == [(said & ~labels[repeated]).sum()]


def test_a_fold_that_holds_all_of_a_label_cannot_be_learned_for():
    labels, folds = np.array([1, 1, 0, 0]) > 0, np.array([0, 0, 0, 1])
    weights = np.array([[1.0, 1, 1, 1], [1, 1, 1, 0]])
    found = held_out_counts(Cuts.of(np.arange(4.0)), labels, folds, weights, f1)
    assert found.is_learned.tolist() == [False, False]
    spare = held_out_counts(
        Cuts.of(np.arange(5.0)), np.append(labels, True), np.array([0, 1, 0, 1, 2]), np.eye(5)[4:] < 1, f1
    )
    assert spare.is_learned.tolist() == [True]
    assert np.isnan(spare.thresholds[:, 0]).tolist() == [False, False, True]
    spread = held_out_counts(Cuts.of(np.arange(4.0)), labels, np.array([0, 1, 0, 1]), np.ones((1, 4)), f1)
    assert spread.is_learned.tolist() == [True]


def test_chunks_do_not_change_anything(monkeypatch):
    rng = np.random.default_rng(0)
    labels, folds = rng.random(50) < 0.5, np.arange(50) % 5
    cuts, weights = Cuts.of(rng.normal(size=50)), rng.multinomial(50, np.full(50, 0.02), 20).astype(float)
    once = held_out_counts(cuts, labels, folds, weights, f1)
    monkeypatch.setattr("similitude.stats.cuts._CELLS", 100)
    again = held_out_counts(cuts, labels, folds, weights, f1)
    np.testing.assert_array_equal(once.thresholds, again.thresholds)
    np.testing.assert_array_equal(once.counts.hits, again.counts.hits)


def test_folds_hold_every_label_evenly_and_keep_groups_together():
    values = np.array([0.0] * 40 + [1.0] * 10)
    folds = grouped_folds(values, np.arange(50), scattered(np.arange(50)), 5)
    assert np.bincount(folds).tolist() == [10] * 5
    assert np.bincount(folds[40:]).tolist() == [2] * 5
    groups = np.arange(50) // 4
    folds = grouped_folds(values, groups, scattered(groups), 5)
    assert all(np.unique(folds[groups == group]).size == 1 for group in range(13))


def test_each_run_of_groups_is_dealt_in_the_order_of_keys():
    # Runs of two by value: items 0 and 1, then 2 and 3. By their keys, 1 comes before 0 and 3 before 2.
    keys = np.array([9, 1, 5, 2], dtype=np.uint64)
    assert grouped_folds(np.arange(4.0), np.arange(4), keys, 2).tolist() == [1, 0, 1, 0]


def test_there_are_no_more_folds_than_groups():
    assert sorted(grouped_folds(np.zeros(3), np.arange(3), scattered(np.arange(3)), 5).tolist()) == [0, 1, 2]


def test_named_folds_do_not_depend_on_the_order_of_rows():
    names, values = [f"item {place // 2}" for place in range(60)], np.arange(60) % 2.0
    order = np.random.default_rng(0).permutation(60)
    folds = named_folds(values, names, 5)
    assert named_folds(values[order], [names[place] for place in order], 5).tolist() == folds[order].tolist()
    assert (folds[::2] == folds[1::2]).all()
    assert np.unique(folds).size == 5


def test_scattered_numbers_are_distinct_and_far_apart():
    found = scattered(np.arange(1000))
    assert np.unique(found).size == 1000
    assert abs(np.corrcoef(np.arange(1000), found.astype(float))[0, 1]) < 0.1


def test_what_counts_as_rounding_is_relative_to_the_largest_score():
    # Beside 1e12, scores count as equal up to 1: neither 1.0 nor 1.5 is above 0.5 by more, but 2.0 is.
    thresholds = np.array([0.5, -0.25, np.inf, -np.inf, 2e11])
    assert Cuts.of(np.array([1e12, 2.0, 1.0])).cut_at(thresholds).tolist() == [2, 3, 0, 3, 1]
    assert Cuts.of(np.array([1e12, 1.5, 1.0])).cut_at(thresholds).tolist() == [1, 3, 0, 3, 1]
    assert Cuts.of(np.array([2.0, 1.0, -1e12])).cut_at(thresholds).tolist() == [1, 2, 0, 3, 0]


def test_scattered_numbers_are_those_of_splitmix64():
    # The first three numbers of the published generator from seed 0, whose state grows by the same step each time.
    step = 0x9E3779B97F4A7C15
    states = np.array([0, step, 2 * step % 2**64], dtype=np.uint64)
    assert scattered(states).tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_every_score_is_a_cut_and_no_more_than_a_thousand_are_tried_in_resamples():
    scores = np.arange(1001.0)
    assert Cuts.of(scores).segments == 1001
    assert Cuts.of(scores).thinned(scores > 2000).segments == 1000


def test_rounding_is_relative_to_the_scores():
    tiny = Cuts.of(np.array([1e-13, 2e-13]))
    assert tiny.cut_at(np.array([0.5e-13, 1.5e-13, 2.5e-13])).tolist() == [2, 1, 0]


def test_other_weights_get_counts_of_their_own():
    """All items are above the threshold of a criterion that likes every item; weights say how many they are."""
    cuts, labels, folds = Cuts.of(np.array([1.0, 2, 3, 4])), np.array([0, 1, 0, 1]) > 0, np.array([0, 0, 1, 1])
    folded = FoldedCuts(cuts, labels, folds)
    ones, twos = np.ones((1, 4)), np.full((1, 4), 2.0)
    found = [folded.held_out(weights, lambda counts: counts.hits + counts.false) for weights in (ones, twos, ones)]
    assert [each.counts.hits.tolist() for each in found] == [[2], [4], [2]]
    assert folded._remembered_sums(cuts, ones) is folded._remembered_sums(cuts, ones)


def test_positives_and_negatives_are_told_apart():
    """Three negative items and a positive one, the lowest; the criterion is told of those on the other folds."""
    told = []

    def criterion(counts: Counts) -> np.ndarray:
        told.append((counts.positives.tolist(), counts.negatives.tolist()))
        return counts.hits

    cuts, labels, folds = Cuts.of(np.array([4.0, 3, 2, 1])), np.array([0, 0, 0, 1]) > 0, np.array([0, 1, 1, 1])
    found = held_out_counts(cuts, labels, folds, np.array([[1.0, 1, 1, 5]]), criterion)
    assert told == [([5], [2]), ([0], [1])]
    assert (found.counts.positives.tolist(), found.counts.negatives.tolist()) == ([5], [3])


def test_resamples_are_learned_one_by_one():
    """Fold 0 has nothing positive to learn from in the first resample; fold 2 is empty in the second."""
    cuts, labels = Cuts.of(np.array([1.0, 2, 3, 4, 5, 6])), np.array([0, 1, 0, 1, 0, 1]) > 0
    weights = np.array([[1.0, 1, 1, 0, 1, 0], [1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]])
    found = held_out_counts(cuts, labels, np.array([0, 0, 1, 1, 2, 2]), weights, accuracy)
    assert found.is_learned.tolist() == [False, True, True]
    assert np.isnan(found.thresholds).T.tolist() == [[True, False, False], [False, False, True], [False] * 3]


def test_many_resamples_are_cut_a_few_at_a_time(monkeypatch):
    rng = np.random.default_rng(0)
    cuts, labels, folds = Cuts.of(np.arange(12.0)), rng.random(12) < 0.5, np.arange(12) % 3
    weights = rng.integers(0, 3, (7, 12)).astype(float)
    whole = held_out_counts(cuts, labels, folds, weights, f1)
    for cells in (1, 24):  # one resample at a time, two at a time
        monkeypatch.setattr("similitude.stats.cuts._CELLS", cells)
        pieces = held_out_counts(cuts, labels, folds, weights, f1)
        np.testing.assert_array_equal(pieces.counts, whole.counts)
        np.testing.assert_array_equal(pieces.thresholds, whole.thresholds)
        np.testing.assert_array_equal(pieces.is_learned, whole.is_learned)


def test_sums_by_class_and_segment():
    """Scores 3, 1, 3: the first and the last share the upper segment; classes 0, 1, 1; two resamples."""
    cuts = Cuts.of(np.array([3.0, 1.0, 3.0]))
    counts = np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]])
    found = cuts.sums(counts, np.array([0, 1, 1]), 2)
    assert found.tolist() == [[[1, 2], [0, 0]], [[100, 200], [10, 20]]]
