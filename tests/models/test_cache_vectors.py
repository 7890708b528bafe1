import os
import sqlite3

import numpy as np
import pytest

from similitude.data.protocols import ModelKey
from similitude.errors import ArgumentError
from similitude.models.cache import VectorStore, cache_folder, cache_limit, usual_cache
from similitude.models.cache import vector_store as store

MODEL, OTHER = ModelKey("encoder(model)", "f" * 64), ModelKey("encoder(other)", "e" * 64)
TEXTS = [f"text {i}" for i in range(50)]
ROWS = np.random.default_rng(0).normal(size=(50, 7)).astype(np.float32)


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path, notes) -> VectorStore:
    return VectorStore(tmp_path / "cache" / "vectors.sqlite", note=notes.append)


def change(cache: VectorStore, statement: str, *values) -> None:
    connection = sqlite3.connect(cache.path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def test_rows_come_back_to_the_bit_and_what_is_missing_is_none(cache):
    odd = np.array([[np.nan, np.inf, -0.0, 1e-45, 3.4e38]], np.float32)
    cache.put(MODEL, ["odd \ud800"], odd)
    cache.put(MODEL, TEXTS, ROWS)
    found = cache.get(MODEL, ["odd \ud800", *TEXTS[::-1], "unknown"])
    assert found[0].tobytes() == odd[0].tobytes()
    np.testing.assert_array_equal(np.stack(found[1:-1]), ROWS[::-1])
    assert found[-1] is None
    assert cache.get(MODEL, []) == []


def test_models_do_not_see_each_others_rows(cache):
    cache.put(MODEL, TEXTS, ROWS)
    cache.put(OTHER, TEXTS[:1], ROWS[1:2])
    assert cache.get(OTHER, TEXTS[1:2]) == [None]
    np.testing.assert_array_equal(cache.get(OTHER, TEXTS[:1])[0], ROWS[1])
    np.testing.assert_array_equal(cache.get(MODEL, TEXTS[:1])[0], ROWS[0])
    assert cache.get(ModelKey("encoder(model)", "d" * 64), TEXTS[:1]) == [None]


def test_looking_writes_nothing(cache):
    assert cache.get(MODEL, TEXTS) == [None] * 50
    assert cache.recall("?") is None
    assert (cache.size, cache.models(), cache.clear()) == (0, [], 0)
    assert not cache.path.parent.exists()


def test_many_texts_at_once(cache):
    texts = [f"{i}" for i in range(5000)]
    rows = np.arange(5000, dtype=np.float32)[:, None]
    cache.put(MODEL, texts, rows)
    np.testing.assert_array_equal(np.stack(cache.get(MODEL, texts)), rows)


def test_putting_again_replaces(cache):
    cache.put(MODEL, TEXTS[:2], ROWS[:2])
    cache.put(MODEL, TEXTS[:2], ROWS[5:7])
    np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS[:2])), ROWS[5:7])


def test_answers_are_remembered(cache):
    cache.remember("hash of a", "1")
    cache.remember("hash of a", "2")
    assert cache.recall("hash of a") == "2"
    assert cache.recall("hash of b") is None


class TestDamage:
    def test_a_damaged_entry_is_dropped_and_reported(self, cache, notes):
        cache.put(MODEL, TEXTS, ROWS)
        address = store._address(TEXTS[3])
        blob = ROWS[3].tobytes()
        change(cache, "UPDATE entry SET row = ? WHERE text = ?", b"\x01" + blob[1:], address)
        change(cache, "UPDATE entry SET row = ? WHERE text = ?", blob[:-4], store._address(TEXTS[8]))
        found = cache.get(MODEL, TEXTS)
        assert [i for i, row in enumerate(found) if row is None] == [3, 8]
        assert notes == [f"2 damaged entries of the cache ({cache.path}) were deleted and will be computed again"]
        cache.put(MODEL, TEXTS[3:4], ROWS[3:4])
        np.testing.assert_array_equal(cache.get(MODEL, TEXTS[3:4])[0], ROWS[3])
        assert len(notes) == 1

    def test_an_entry_under_the_wrong_text_is_damaged_too(self, cache, notes):
        cache.put(MODEL, TEXTS[:2], ROWS[:2])
        one, two = map(store._address, TEXTS[:2])
        change(cache, "DELETE FROM entry WHERE text = ?", one)
        change(cache, "UPDATE entry SET text = ? WHERE text = ?", one, two)
        assert cache.get(MODEL, TEXTS[:1]) == [None]
        assert len(notes) == 1

    @pytest.mark.parametrize("keep", [0, 100, 5000])
    def test_a_file_that_cannot_be_read_is_set_aside(self, cache, notes, keep):
        cache.put(MODEL, TEXTS, ROWS)
        content = cache.path.read_bytes()
        cache.path.write_bytes(content[:keep] + b"garbage" * 3000)
        assert cache.get(MODEL, TEXTS) == [None] * 50
        assert "renamed to" in notes[0]
        assert cache.path.with_suffix(".damaged").exists()
        cache.put(MODEL, TEXTS, ROWS)
        np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS)), ROWS)
        assert len(notes) == 1

    def test_a_place_that_cannot_be_written_costs_the_cache_and_nothing_else(self, tmp_path, notes):
        (tmp_path / "file").write_text("")
        cache = VectorStore(tmp_path / "file" / "vectors.sqlite", note=notes.append)
        for _ in range(3):
            cache.put(MODEL, TEXTS, ROWS)
            assert cache.get(MODEL, TEXTS) == [None] * 50
        assert len(notes) == 1
        assert "cannot be written" in notes[0]
        assert "continuing without it" in notes[0]

    def test_an_entry_under_the_wrong_model_is_damaged_too(self, cache, notes):
        cache.put(MODEL, TEXTS[:2], ROWS[:2])
        cache.put(OTHER, TEXTS[2:3], ROWS[2:3])
        change(cache, "UPDATE entry SET model = 2 WHERE text = ?", store._address(TEXTS[0]))
        assert cache.get(OTHER, TEXTS[:1]) == [None]
        assert notes == [f"1 damaged entries of the cache ({cache.path}) were deleted and will be computed again"]

    def test_every_byte_of_a_row_counts(self, cache, notes):
        cache.put(MODEL, TEXTS[:1], ROWS[:1])
        blob = ROWS[0].tobytes()
        for place in range(len(blob)):
            wrong = blob[:place] + bytes([blob[place] ^ 1]) + blob[place + 1 :]
            change(cache, "UPDATE entry SET row = ?", wrong)
            assert cache.get(MODEL, TEXTS[:1]) == [None]
            cache.put(MODEL, TEXTS[:1], ROWS[:1])
        assert len(notes) == len(blob)

    @pytest.mark.parametrize("wrong", ["entry", "model", "fact"])
    def test_a_file_with_other_tables_is_set_aside(self, cache, notes, wrong):
        cache.put(MODEL, TEXTS, ROWS)
        change(cache, f"DROP TABLE {wrong}")
        change(cache, f"CREATE TABLE {wrong} (other INTEGER)")
        assert wrong == "fact" or cache.get(MODEL, TEXTS) == [None] * 50
        cache.remember("a", "b")
        cache.put(MODEL, TEXTS, ROWS)
        assert cache.recall("a") == "b"
        np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS)), ROWS)
        assert len(notes) == 1
        assert "renamed to" in notes[0]

    @pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
    def test_a_truncated_file(self, cache, notes, share):
        cache.put(MODEL, TEXTS, ROWS)
        cache.size  # noqa: B018  (closes the file, so that nothing waits in the log)
        os.truncate(cache.path, int(share * cache.path.stat().st_size))
        found = cache.get(MODEL, TEXTS)
        for row, right in zip(found, ROWS, strict=True):
            assert row is None or np.array_equal(row, right)
        cache.put(MODEL, TEXTS, ROWS)
        np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS)), ROWS)
        assert len(notes) == any(row is None for row in found)

    def test_rows_are_stored_even_if_the_damage_is_found_while_storing(self, cache, notes):
        cache.put(MODEL, TEXTS[:1], ROWS[:1])
        cache.path.write_bytes(b"garbage" * 3000)
        cache.put(MODEL, TEXTS, ROWS)
        np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS)), ROWS)
        assert len(notes) == 1

    def test_random_damage_never_gives_a_wrong_row(self, cache):
        cache.put(MODEL, TEXTS, ROWS)
        whole, rng = cache.path.read_bytes(), np.random.default_rng(0)
        for _ in range(60):
            torn = np.frombuffer(whole, np.uint8).copy()
            torn[rng.integers(100, len(torn), 40)] = rng.integers(0, 256, 40)
            for suffix in ("-wal", "-shm"):
                cache.path.with_name(cache.path.name + suffix).unlink(missing_ok=True)
            cache.path.write_bytes(torn.tobytes())
            for row, right in zip(cache.get(MODEL, TEXTS), ROWS, strict=True):
                assert row is None or np.array_equal(row, right)

    def test_a_file_of_an_older_version_is_emptied(self, cache, notes):
        cache.put(MODEL, TEXTS, ROWS)
        change(cache, "PRAGMA user_version = 0")
        assert cache.get(MODEL, TEXTS) == [None] * 50
        assert cache.models() == []
        cache.put(MODEL, TEXTS, ROWS)
        np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS)), ROWS)
        assert notes == []

    def test_a_file_of_a_newer_version_is_left_alone(self, cache, notes):
        cache.put(MODEL, TEXTS, ROWS)
        change(cache, "PRAGMA user_version = 99")
        assert cache.get(MODEL, TEXTS) == [None] * 50
        cache.put(MODEL, TEXTS, ROWS)
        (note,) = notes
        assert "newer version of Similitude" in note
        change(cache, "PRAGMA user_version = 2")
        np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS)), ROWS)


class TestLimit:
    def test_what_was_not_used_for_longest_goes_first(self, tmp_path, monkeypatch):
        cache = VectorStore(tmp_path / "vectors", limit=1_000_000)
        now = 1_000_000.0
        monkeypatch.setattr(store.time, "time", lambda: now)
        rows = np.ones((100, 500), np.float32)  # 200 kB
        for block in range(4):
            cache.put(MODEL, [f"{block} {i}" for i in range(100)], rows)
            now += 10_000
        kept = [f"0 {i}" for i in range(100)]
        assert None not in [row if row is None else 1 for row in cache.get(MODEL, kept)]  # used again: now the youngest
        now += 10_000
        for block in range(4, 6):
            cache.put(MODEL, [f"{block} {i}" for i in range(100)], rows)
            now += 10_000
        assert cache.size <= 1_000_000
        left = {
            block: sum(row is not None for row in cache.get(MODEL, [f"{block} {i}" for i in range(100)]))
            for block in range(6)
        }
        assert left[0] == left[4] == left[5] == 100
        assert left[1] < 100

    def test_the_file_shrinks(self, tmp_path):
        cache = VectorStore(tmp_path / "vectors", limit=300_000)
        for block in range(20):
            cache.put(MODEL, [f"{block} {i}" for i in range(50)], np.ones((50, 300), np.float32))
        assert cache.path.stat().st_size < 600_000
        assert cache.size <= 300_000

    def test_a_limit_that_nothing_fits_into(self, tmp_path):
        cache = VectorStore(tmp_path / "vectors", limit=1)
        cache.put(MODEL, TEXTS, ROWS)
        assert cache.get(MODEL, TEXTS) == [None] * 50


class TestClearing:
    def test_by_model_and_all(self, cache):
        cache.put(MODEL, TEXTS, ROWS)
        cache.put(OTHER, TEXTS[:5], ROWS[:5])
        cache.remember("hash of a", "1")
        # The model used last comes first, to the second, so the order depends on the clock here.
        assert sorted((kept.name, kept.entries, kept.size) for kept in cache.models()) == [
            ("encoder(model)", 50, 50 * 28),
            ("encoder(other)", 5, 5 * 28),
        ]
        assert cache.clear([OTHER.fingerprint]) == 5
        assert cache.get(OTHER, TEXTS[:1]) == [None]
        assert cache.get(MODEL, TEXTS[:1])[0] is not None
        assert cache.recall("hash of a") == "1"
        assert cache.clear() == 50
        assert cache.models() == []
        assert cache.recall("hash of a") is None


class TestLocation:
    def test_the_environment_says_where(self, tmp_path, monkeypatch):
        assert cache_folder({"SIMILITUDE_CACHE": str(tmp_path)}) == tmp_path
        assert cache_folder({"XDG_CACHE_HOME": "/x"}).parts[-1] == "similitude"
        assert cache_folder({"SIMILITUDE_CACHE": "off"}) is None
        monkeypatch.setenv("SIMILITUDE_CACHE", str(tmp_path))
        monkeypatch.setenv("SIMILITUDE_CACHE_LIMIT", "20 MB")
        assert usual_cache() == VectorStore(tmp_path / "vectors.sqlite", limit=20_000_000)
        monkeypatch.setenv("SIMILITUDE_CACHE_LIMIT", "0")
        assert usual_cache() is None

    @pytest.mark.parametrize(
        ("written", "size"),
        [
            ("", 5_000_000_000),
            ("1000", 1000),
            ("2kB", 2000),
            ("1.5GB", 1_500_000_000),
            ("3 GiB", 3_000_000_000),
            ("1t", 10**12),
        ],
    )
    def test_sizes(self, written, size):
        assert cache_limit({"SIMILITUDE_CACHE_LIMIT": written}) == size

    @pytest.mark.parametrize("written", ["much", "-1", "5 apples"])
    def test_what_is_no_size(self, written):
        with pytest.raises(ArgumentError, match="give a size such as 500MB or 5GB"):
            cache_limit({"SIMILITUDE_CACHE_LIMIT": written})
