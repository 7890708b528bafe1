"""Vectors that come with texts: files of several kinds, and everything that may be wrong with them."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from similitude.data.reading.texts import read_vectors, unit_vectors
from similitude.data.reading.texts import vectors as module
from similitude.errors import ColumnError, FormatError, InputError

VALUES = np.array([[1.0, 2.0, 2.0], [0.0, 3.0, 4.0]], dtype=np.float32)


def saved(folder, kind):
    path = folder / f"v.{kind}"
    if kind == "npy":
        np.save(path, VALUES)
    elif kind == "npz":
        np.savez(path, other=np.zeros(3), embeddings=VALUES)
    elif kind == "safetensors":
        from safetensors.numpy import save_file

        save_file({"anything": VALUES}, path)
    elif kind == "parquet":
        pl.DataFrame({"vector": VALUES.tolist()}, schema={"vector": pl.List(pl.Float32)}).write_parquet(path)
    elif kind == "arrow":
        pl.DataFrame({"vector": VALUES}, schema={"vector": pl.Array(pl.Float32, 3)}).write_ipc(path)
    else:
        path.write_text("\n".join(json.dumps({"embedding": row}) for row in VALUES.tolist()))
    return path


@pytest.mark.parametrize("kind", ["npy", "npz", "safetensors", "parquet", "arrow", "jsonl"])
def test_files(tmp_path, kind):
    found = read_vectors(saved(tmp_path, kind), 2, width=3)
    assert found.tolist() == VALUES.tolist()


def test_a_npy_file_is_mapped(tmp_path):
    assert isinstance(read_vectors(saved(tmp_path, "npy"), 2), np.memmap)


def test_an_array_in_memory():
    assert read_vectors([[1, 0], [0, 1]], 2).tolist() == [[1, 0], [0, 1]]


def test_vectors_are_matched_by_id(tmp_path):
    path = tmp_path / "v.parquet"
    pl.DataFrame({"id": [3, 1, 2], "vector": [[3.0], [1.0], [2.0]]}).write_parquet(path)
    assert read_vectors(path, 2, ids=["1", "3"]).tolist() == [[1.0], [3.0]]
    with pytest.raises(InputError, match="no vector for 1 text, the first with id '9'"):
        read_vectors(path, 2, ids=["1", "9"])
    pl.DataFrame({"id": [1, 1], "vector": [[3.0], [1.0]]}).write_parquet(path)
    with pytest.raises(InputError, match=r"v\.parquet, row 2: id '1' has two vectors"):
        read_vectors(path, 1, ids=["1"])


@pytest.mark.parametrize(
    ("values", "rows", "width", "message"),
    [
        (VALUES, 3, None, "vectors: 2 vectors for 3 texts; give one vector for each text as it was read"),
        (VALUES, 1, None, "2 vectors for 1 text"),
        (VALUES, 2, 4, "vectors of 3 numbers, not of 4"),
        (np.zeros((2, 0)), 2, None, "vectors of 0 numbers, not of at least 1"),
        (np.zeros(4), 4, None, r"an array of shape \(4,\)"),
        (np.array([["a"], ["b"]]), 2, None, "an array of shape .* and type <U1"),
        ([[1, 0], [0, 0]], 2, None, "vectors, row 2: the vector is zero"),
        ([[1, 0], [np.nan, 1]], 2, None, "row 2: the vector holds a value that is not a finite number"),
        ([[np.inf, 0], [0, 1]], 2, None, "row 1: the vector holds a value that is not a finite number"),
    ],
)
def test_what_is_wrong_is_named(values, rows, width, message):
    with pytest.raises(InputError, match=message):
        read_vectors(values, rows, width=width)


def test_the_row_is_right_beyond_the_first_block(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 4)
    values = np.ones((10, 2))
    values[7] = 0
    with pytest.raises(InputError, match="row 8: the vector is zero"):
        read_vectors(values, 10)


def test_lists_of_different_widths(tmp_path):
    path = tmp_path / "v.jsonl"
    path.write_text('{"vector": [1, 2]}\n{"vector": [1, 2, 3]}\n')
    with pytest.raises(InputError, match=r"v\.jsonl, line 2: a vector of 3 numbers, and the first has 2"):
        read_vectors(path, 2)


def test_tables_and_archives_without_vectors(tmp_path):
    path = tmp_path / "v.parquet"
    pl.DataFrame({"x": [1.0]}).write_parquet(path)
    with pytest.raises(ColumnError, match="no column of vectors; columns there: x"):
        read_vectors(path, 1)
    with pytest.raises(InputError, match="column 'x' holds Float64, not lists of numbers"):
        read_vectors(path, 1, name="x")
    archive = tmp_path / "v.npz"
    np.savez(archive, one=VALUES, two=VALUES)
    with pytest.raises(FormatError, match="it is not known which array holds the vectors; arrays there: one, two"):
        read_vectors(archive, 2)
    assert read_vectors(archive, 2, name="two").tolist() == VALUES.tolist()


@pytest.mark.parametrize("kind", ["npy", "npz", "safetensors"])
def test_damaged_files(tmp_path, kind):
    path = saved(tmp_path, kind)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match=f"v.{kind}: the .* is damaged or cut off"):
        read_vectors(path, 2)


@pytest.mark.parametrize("kind", ["npy", "npz"])
def test_something_else_under_the_name_of_an_array(tmp_path, kind):
    path = tmp_path / f"v.{kind}"
    path.write_text("hello")
    with pytest.raises(FormatError, match=f"the name ends in .{kind}, but this is no file of NumPy's; write it"):
        read_vectors(path, 2)


def test_python_objects_are_not_loaded(tmp_path):
    path = tmp_path / "v.npy"
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(FormatError, match="it holds Python objects"):
        read_vectors(path, 1)


def test_unit_vectors_do_not_depend_on_blocks():
    values = np.random.default_rng(1).normal(size=(500, 33)).astype(np.float16)
    whole = unit_vectors(values)
    assert whole.dtype == np.float32
    parts = np.concatenate([unit_vectors(values[start : start + 7]) for start in range(0, 500, 7)])
    assert whole.tobytes() == parts.tobytes()
    assert unit_vectors(VALUES).tolist() == [pytest.approx([1 / 3, 2 / 3, 2 / 3]), pytest.approx([0, 0.6, 0.8])]
