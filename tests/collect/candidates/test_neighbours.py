"""Neighbours by vectors: exact and by cells, under restrictions, the same under each engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from unit_vector_clusters import assert_same_lists, by_sorting, clusters, found, unit

from similitude.collect.candidates.neighbours import (
    NeighbourLists,
    Restrictions,
    SearchSettings,
    exact_pairs,
    open_lists,
    pair_recall,
)
from similitude.collect.candidates.neighbours import cells as cells_module
from similitude.collect.candidates.neighbours.cells import clustered_cells, exact_cells, joined_cells
from similitude.collect.candidates.neighbours.directed_pairs import PAIR, BestPairs, best_pairs, pair_array
from similitude.collect.candidates.neighbours.kmeans import kmeans_centroids
from similitude.collect.candidates.neighbours.pieces import OneAfterAnother
from similitude.collect.candidates.neighbours.unit_vectors import pair_cosines
from similitude.collect.candidates.neighbours.visits import nearest_centroids, needed_visits
from similitude.data.texts import Texts
from similitude.errors import ArgumentError, InputError, UnknownNameError


class TestExactSearch:
    def test_three_vectors_by_hand(self, tmp_path: Path) -> None:
        # In the plane at 0, 60 and 90 degrees: cosines 1/2 (0 and 1), 0 (0 and 2), sqrt(3)/2 (1 and 2).
        angles = np.radians([0, 60, 90])
        lists = found(np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32), tmp_path, k=2)
        assert lists.others.tolist() == [[1, 2], [2, 0], [1, 0]]
        assert lists.similarities[0].tolist() == pytest.approx([0.5, 0.0], abs=1e-6)
        assert lists.similarities[2].tolist() == pytest.approx([0.866025, 0.0], abs=1e-6)
        assert lists.facts == {"search": "exact"}
        assert lists.notes == ()

    @pytest.mark.parametrize("count", [511, 512, 513, 1500])
    def test_lists_are_those_of_sorting_all_cosines(self, tmp_path: Path, count: int) -> None:
        vectors = clusters(count)
        assert_same_lists(found(vectors, tmp_path, k=7), vectors, by_sorting(vectors, 7))

    def test_k_above_the_number_of_others_is_noted(self, tmp_path: Path) -> None:
        vectors = clusters(4)
        lists = found(vectors, tmp_path, k=5)
        assert sorted(lists.others[0].tolist()) == [1, 2, 3]
        assert lists.notes == ("k is 5, but 4 of 4 texts may be paired with fewer others; they have all of those",)

    def test_a_k_beyond_all_bounds_takes_no_memory(self, tmp_path: Path) -> None:
        assert found(clusters(4), tmp_path, k=10**12).others.shape == (4, 3)

    def test_no_ranks_are_no_pairs(self, tmp_path: Path) -> None:
        lists = found(clusters(4), tmp_path, k=3)
        assert len(lists.pairs(ranks=range(3, 3)).left) == 0
        assert len(lists.pairs(range(2, 2)).left) == 0

    def test_k_equal_to_the_number_of_others_is_not(self, tmp_path: Path) -> None:
        assert found(clusters(4), tmp_path, k=3).notes == ()

    @pytest.mark.parametrize("count", [0, 1])
    def test_too_few_texts_have_no_neighbours(self, tmp_path: Path, count: int) -> None:
        lists = found(clusters(5)[:count], tmp_path, k=2)
        assert lists.others.tolist() == [[-1]] * count
        assert len(lists.pairs().left) == 0

    def test_equal_vectors_are_sorted_by_row(self, tmp_path: Path) -> None:
        lists = found(np.repeat(clusters(1), 6, axis=0), tmp_path, k=3)
        assert lists.others.tolist()[:2] == [[1, 2, 3], [0, 2, 3]]
        assert (lists.similarities == 1).all()

    def test_what_was_written_opens_again(self, tmp_path: Path) -> None:
        lists = found(clusters(50), tmp_path, k=3)
        again = open_lists(tmp_path)
        assert np.array_equal(again.others, lists.others)
        assert np.array_equal(again.similarities, lists.similarities)
        assert (again.facts, again.notes) == (lists.facts, lists.notes)
        assert not (tmp_path / "work").exists()


class TestSearchByCells:
    def test_recall_is_what_was_asked_for(self, tmp_path: Path) -> None:
        vectors = clusters(6000)
        lists = found(vectors, tmp_path, k=10, exact=False, recall=0.95)
        expected = by_sorting(vectors, 10)
        pairs = pair_array(np.repeat(np.arange(6000), 10), expected.ravel(), np.zeros(60_000, np.float32))
        recall = pair_recall(pairs, lists.others)
        assert 0.94 < recall < 0.999
        assert lists.facts["recall"] == pytest.approx(recall, abs=0.02)
        assert lists.facts["search"] == "approximate"
        assert lists.facts["sample"] == 250
        assert (lists.others >= 0).all()

    def test_more_recall_takes_more_visits(self, tmp_path: Path) -> None:
        vectors = unit(np.random.default_rng(0).normal(size=(3000, 24)))
        low, high = (found(vectors, tmp_path / str(r), exact=False, recall=r) for r in (0.7, 0.99))
        assert low.facts["cells visited"] < high.facts["cells visited"]  # type: ignore[operator]
        assert low.facts["recall"] < 0.9 < 0.97 < high.facts["recall"]  # type: ignore[operator]

    def test_bytes_do_not_depend_on_workers(self, tmp_path: Path) -> None:
        vectors = clusters(5000, 48)
        for workers in (1, 2, 3):
            found(vectors, tmp_path / str(workers), workers=workers, exact=False)
        first, *others = (
            (tmp_path / str(workers) / "others.npy").read_bytes()
            + (tmp_path / str(workers) / "similarities.npy").read_bytes()
            for workers in (1, 2, 3)
        )
        assert all(other == first for other in others)

    def test_another_seed_makes_other_cells(self, tmp_path: Path) -> None:
        vectors = unit(np.random.default_rng(0).normal(size=(3000, 24)))
        one, two = (found(vectors, tmp_path / str(s), exact=False, seed=s, recall=0.6).others for s in (0, 1))
        assert not np.array_equal(one, two)

    def test_copies_of_one_text_do_not_crowd_the_search(self, tmp_path: Path) -> None:
        # 4,000 equal vectors would fill one cell, with 16 million cosines. In chunks each meets few others.
        vectors = np.concatenate([np.repeat(clusters(1), 4000, axis=0), clusters(2000, seed=3)])
        lists = found(vectors, tmp_path, k=5, exact=False)
        assert (lists.similarities[:4000] == 1).all()
        assert (lists.others >= 0).all()

    def test_sizes_decide_unless_exact_is_given(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("similitude.collect.candidates.neighbours.settings.EXACT_ROWS", 2500)
        kinds = {
            (count, exact): found(clusters(count), tmp_path / f"{count}{exact}", exact=exact).facts["search"]
            for count, exact in ((2500, None), (2501, None), (2501, True), (2500, False), (2000, False))
        }
        assert list(kinds.values()) == ["exact", "approximate", "exact", "approximate", "exact"]


class TestRestrictions:
    def texts(self, count: int = 300) -> Texts:
        rng = np.random.default_rng(1)
        columns = {name: rng.integers(size, size=count).astype(str) for name, size in (("domain", 3), ("group", 60))}
        frame = pl.DataFrame({"id": np.arange(count).astype(str), "text": ["x"] * count, **columns})
        return Texts(frame.with_columns(document=pl.when(pl.arange(count) % 2 == 0).then(pl.lit("one"))))

    @pytest.mark.parametrize("exact", [True, False])
    def test_lists_hold_allowed_pairs_only(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exact: bool) -> None:
        monkeypatch.setattr("similitude.collect.candidates.neighbours.index_build.FEWEST", 50)
        texts, vectors = self.texts(), clusters(300)
        rules = Restrictions.of(texts, within="domain", never_same=["group", "document"])
        lists = found(vectors, tmp_path, rules, k=4, exact=exact, recall=1.0)
        left, right = lists.pairs()
        domain, group, document = (texts.frame[name].to_numpy() for name in ("domain", "group", "document"))
        assert (domain[left] == domain[right]).all()
        assert (group[left] != group[right]).all()
        assert not ((document[left] == "one") & (document[right] == "one")).any()
        if exact:
            assert_same_lists(lists, vectors, by_sorting(vectors, 4, rules))

    def test_across_leaves_out_texts_without_a_value(self, tmp_path: Path) -> None:
        texts = self.texts(40)
        frame = texts.frame.with_columns(source=pl.Series(["a", "b", None, "a"] * 10))
        rules = Restrictions.of(Texts(frame), across="source")
        lists = found(clusters(40), tmp_path, rules, k=2)
        left, right = lists.pairs()
        source = frame["source"].to_numpy()
        assert set(map(tuple, np.column_stack([source[left], source[right]]).tolist())) == {("a", "b"), ("b", "a")}
        assert (lists.others[2::4] == -1).all()
        assert lists.notes == ("10 of 40 texts have no value in the columns of 'within' or 'across': not paired",)

    def test_missing_documents_are_not_the_same(self) -> None:
        rules = Restrictions.of(self.texts(4), never_same=["document"])
        assert rules.allow(np.array([1, 0, 0]), np.array([3, 2, 1])).tolist() == [True, False, True]

    def test_errors_name_the_column(self) -> None:
        with pytest.raises(UnknownNameError, match=r"no column named 'domian'; did you mean 'domain'\?"):
            Restrictions.of(self.texts(), within="domian")
        with pytest.raises(ArgumentError, match="within and across name the same column, 'domain'"):
            Restrictions.of(self.texts(), within="domain", across="domain")
        with pytest.raises(ArgumentError, match="column 'context' holds lists"):
            Restrictions.of(self.texts(), across="context")

    def test_many_small_parts(self, tmp_path: Path) -> None:
        vectors = clusters(900)
        rules = Restrictions(np.arange(900) // 3, (), np.ones(900, bool))
        lists = found(vectors, tmp_path, rules, k=2)
        assert np.array_equal(np.sort(lists.others[::3], axis=1), np.arange(900).reshape(300, 3)[:, 1:])


class TestBadVectors:
    def test_rows_that_do_not_fit(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="3 x 24 numbers for 4 texts; give one vector, a row, for each text"):
            found(clusters(3), tmp_path, Restrictions.none(4))

    @pytest.mark.parametrize(("value", "length"), [(0.0, "0"), (np.nan, "nan"), (2.0, "9.79796")])
    def test_lengths_that_are_not_one(self, tmp_path: Path, value: float, length: str) -> None:
        vectors = clusters(5)
        vectors[3] = value
        with pytest.raises(InputError, match=rf"row 4: the vector has length {length}, not 1"):
            found(vectors, tmp_path)

    def test_settings(self) -> None:
        with pytest.raises(ArgumentError, match="k is 0"):
            SearchSettings(k=0)
        with pytest.raises(ArgumentError, match="recall is 0"):
            SearchSettings(recall=0)
        with pytest.raises(ArgumentError, match="sample is 1"):
            SearchSettings(sample=1)
        assert SearchSettings(recall=1, sample=2, k=1).k == 1

    def test_a_device_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(ArgumentError, match=r"device 'cuda:77'.*leave --search-device out to search on the CPU"):
            found(clusters(5), tmp_path, device="cuda:77")


class TestResume:
    def test_finished_pieces_are_used_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from similitude.collect.candidates.neighbours import search

        vectors = clusters(3000)
        whole = found(vectors, tmp_path / "whole", exact=False)
        monkeypatch.setattr(search, "best_pairs", lambda pairs, k: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            found(vectors, tmp_path / "cut", exact=False)
        monkeypatch.undo()
        monkeypatch.setattr(search, "cell_pairs", lambda index, cells, k: 1 / 0)
        again = found(vectors, tmp_path / "cut", exact=False)
        assert np.array_equal(again.others, whole.others)


class TestParts:
    def test_best_pairs_by_hand(self) -> None:
        pairs = np.array([(1, 5, 0.2), (0, 3, 0.5), (1, 4, 0.9), (0, 3, 0.5), (0, 2, -0.5), (1, 6, 0.2)], PAIR)
        assert best_pairs(pairs, 2).tolist() == [
            (0, 3, np.float32(0.5)),
            (0, 2, np.float32(-0.5)),
            (1, 4, np.float32(0.9)),
            (1, 5, np.float32(0.2)),
        ]
        assert len(best_pairs(pairs[:0], 2)) == 0

    def test_pairs_that_are_dropped_early_are_not_the_best(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("similitude.collect.candidates.neighbours.directed_pairs.HELD", 10)
        rng = np.random.default_rng(0)
        text, cosine = rng.integers(4, size=200), rng.random(200).astype(np.float32)
        best = BestPairs(3)
        for start in range(0, 200, 7):
            part = slice(start, start + 7)
            best.add(text[part], np.arange(200)[part], cosine[part])
        assert best.best().tolist() == best_pairs(pair_array(text, np.arange(200), cosine), 3).tolist()

    def test_exact_pairs_of_some_rows(self) -> None:
        vectors = clusters(5000)
        rows = np.array([17, 4999, 0])
        pairs = exact_pairs(vectors, rows, 4, Restrictions.none(5000))
        assert pairs["text"].tolist() == [0] * 4 + [17] * 4 + [4999] * 4
        assert np.array_equal(pairs["other"].reshape(3, 4), by_sorting(vectors, 4)[[0, 17, 4999]])

    def test_recall_by_hand(self) -> None:
        exact = np.array([(0, 1, 0), (0, 2, 0), (3, 0, 0)], PAIR)
        # {0, 1} stands in the list of 0, {0, 2} in that of 2, {3, 0} in neither.
        assert pair_recall(exact, np.array([[1], [3], [0], [1]], np.int32)) == pytest.approx(2 / 3)
        assert np.isnan(pair_recall(exact[:0], np.zeros((2, 1), np.int32)))

    def test_centroids_lie_in_the_middle(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("similitude.collect.candidates.neighbours.kmeans.PIECE", 64)
        rng = np.random.default_rng(0)
        middles = np.eye(3)
        vectors = unit(np.repeat(middles, 50, axis=0) + 0.05 * rng.normal(size=(150, 3)))
        told: list[tuple[str, int, int]] = []
        centroids = kmeans_centroids(
            vectors, 3, np.random.default_rng(8), tmp_path, OneAfterAnother(), lambda *each: told.append(each)
        )
        assert told[-1] == ("cells, round 5 of 5", 3, 3)
        assert np.allclose(np.linalg.norm(centroids, axis=1), 1, atol=1e-6)
        assert (centroids @ middles.T).max(axis=0) == pytest.approx(1, abs=0.01)

    def test_nearest_centroids(self) -> None:
        centroids = unit(np.array([[1.0, 0.0], [1.0, 0.2], [0.0, 1.0], [-1.0, 0.0]]))
        vectors = unit(np.array([[0.1, 1.0], [1.0, 0.19]]))
        assert nearest_centroids(vectors, centroids, 1).tolist() == [[2], [1]]
        assert nearest_centroids(vectors, centroids, 2).tolist() == [[2, 1], [1, 0]]
        assert nearest_centroids(vectors, centroids, 4).tolist() == [[2, 0, 1, 3], [1, 0, 2, 3]]

    def test_needed_visits_by_hand(self) -> None:
        # On the circle, centroids at 0, 90 and 180 degrees; texts at 10, 40, 80 and 170 lie in cells 0, 0, 1 and 2.
        angles = np.radians([10, 40, 80, 170])
        vectors = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
        centroids = np.array([[1, 0], [0, 1], [-1, 0]], np.float32)
        # (0, 1) share a cell: one visit. 1 visits the cell of 2 as its second. 0 and 3 go to each other as their third.
        exact = np.array([(0, 1, 0), (1, 2, 0), (0, 3, 0)], PAIR)
        # With one visit text 0 has half of its pairs and text 1 none: 1/3, less 0.25 / sqrt(2) = 0.157. With two visits
        # text 1 has its pair: 2/3, less 0.25 / sqrt(2) = 0.490. With three all pairs meet.
        needed = [needed_visits(vectors, centroids, exact, share) for share in (0.156, 0.157, 0.489, 0.490, 1.0)]
        assert needed == [1, 2, 2, 3, 3]

    def test_exact_cells_by_hand(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cells_module, "EXACT_CELL", 2)
        cells = exact_cells(np.array([9, 8, 7, 6, 5]), np.array([0, 0, 0, 1, 1]))
        assert cells.starts.tolist() == [0, 2, 3, 5]
        assert cells.ends.tolist() == [3, 3, 5]
        # Two members and one behind them: 2 x 3; one member alone; two members and none behind them.
        assert cells.comparisons().tolist() == [6, 1, 4]

    def test_clustered_cells_by_hand(self) -> None:
        visits = np.array([[1, 0], [0, 1], [1, 2], [2, 0]], np.int32)
        cells = clustered_cells(np.array([10, 11, 12, 13]), visits, 3)
        assert cells.rows.tolist() == [11, 10, 12, 13]
        assert cells.starts.tolist() == [0, 1, 3, 4]
        lists = np.split(cells.visitors, cells.visitor_starts[1:-1])
        # Text 10 (position 1) and 13 (3) visit cell 0, 11 (0) visits cell 1, 12 (2) visits cell 2.
        assert [part.tolist() for part in lists] == [[1, 3], [0], [2]]
        both = joined_cells([cells, cells])
        assert both.starts.tolist() == [0, 1, 3, 4, 5, 7, 8]
        assert both.visitors.tolist() == [1, 3, 0, 2, 5, 7, 4, 6]

    def test_cosines_do_not_depend_on_other_pairs(self) -> None:
        vectors = clusters(50, 100)
        left, right = np.arange(40), np.arange(40) + 10
        together = pair_cosines(vectors, left, right)
        assert [pair_cosines(vectors, left[i : i + 1], right[i : i + 1])[0] for i in range(40)] == together.tolist()

    def test_pairs_of_rows_and_ranks(self) -> None:
        lists = NeighbourLists(np.array([[1, 2], [0, -1], [1, 0]], np.int32), np.zeros((3, 2), np.float32))
        assert [side.tolist() for side in lists.pairs()] == [[0, 0, 1, 2, 2], [1, 2, 0, 1, 0]]
        assert [side.tolist() for side in lists.pairs(range(1, 3), ranks=range(1, 2))] == [[2], [0]]
