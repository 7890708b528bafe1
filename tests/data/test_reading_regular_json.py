"""The fast and the exact way through JSON lines must agree wherever the fast way is taken."""

from __future__ import annotations

import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.data.reading import regular_json
from similitude.data.reading.regular_json import regular_columns

TEXTS = st.text(st.sampled_from(list('ab" \\/\n\r\tä蓝😀\u2028\x7f{}:,')), max_size=6)
VALUES = {
    "id": st.one_of(st.none(), st.integers(-(10**17), 10**17)),
    "left text": TEXTS,
    "score": st.one_of(st.none(), st.integers(-9, 9), st.floats(-1e6, 1e6)),
    'ö"key': st.floats(allow_nan=False, allow_infinity=False),
}
ROW = st.fixed_dictionaries(VALUES)


@settings(max_examples=200, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=4), st.booleans(), st.sampled_from([(",", ":"), (", ", ": ")]))
def test_both_ways_give_back_what_was_written(rows, ascii_only, separators):
    lines = [json.dumps(row, ensure_ascii=ascii_only, separators=separators).replace('"\\u00f6', '"ö') for row in rows]
    fast = regular_columns("\n".join(lines).encode())
    if fast is not None:
        assert {name: column.to_list() for name, column in fast.items()} == {
            name: [row[name] for row in rows] for name in VALUES
        }


@pytest.mark.parametrize("threads", [1, 4])
def test_plain_lines_take_the_fast_way_across_blocks(monkeypatch, threads):
    monkeypatch.setattr(pl, "thread_pool_size", lambda: threads)
    monkeypatch.setattr(regular_json, "BLOCK", 50)
    rows = [{"id": f"n{number}", "left": "ä\n", "score": number / 3} for number in range(20)]
    fast = regular_columns("".join(json.dumps(row) + "\r\n" for row in rows).encode())
    assert fast is not None
    assert fast["id"].to_list() == [row["id"] for row in rows]
    assert fast["score"].to_list() == [row["score"] for row in rows]


@pytest.mark.parametrize(
    "last",
    [
        '{"id": 7, "left": "x", "left": "y"}',
        '{"left": "x", "id": 7}',
        '{"id": 7, "left": "x", "more": 1}',
        '{"id": 7}',
        '{"id": 7.0, "left": "x"}',
        '{"id": "7", "left": "x"}',
        '{"id": 7, "left": 5}',
        '{"id": 7, "left": ["x"]}',
        '{"id": true, "left": "x"}',
        '{"id": 7, "left": "\\ud800"}',
        '{"id": 12345678901234567890, "left": "x"}',
        '{"id": 07, "left": "x"}',
        '{"id": 7, "left": "x"',
        '{"id": 7, "left": "x"} {}',
        '{"id": 7, "left": "\x01"}',
        '["id", "left"]',
        "",
    ],
)
def test_lines_of_another_shape_are_left_to_the_exact_way(last):
    first = '{"id": 1, "left": "a"}'
    assert regular_columns(f"{first}\n{first}".encode()) is not None
    assert regular_columns(f"{first}\n{last}\n{first}".encode()) is None
    many = "\n".join([first] * 150)
    assert regular_columns(f"{many}\n{last}\n{first}".encode()) is None


LINES = [
    '{"id":"n1","left":"a b","score":0.5,"n":3}',
    '{"id":"","left":"ä, c","score":4,"n":-7}',
    '{"id":"n3","left":"{}:,","score":null,"n":null}',
]
EDITS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.integers(0, 45),
        st.integers(0, 3),
        st.sampled_from([*'"{}:, 1.e-\\\t\n\r', "", '","', "null", '"id":"x",']),
    ),
    max_size=3,
)  # fmt: skip


def exact_rows(text: str) -> list[list[tuple[str, object]]]:
    """The keys and values of every line, in their order; a key that is there twice is listed twice."""
    return [json.loads(line, object_pairs_hook=list) for line in text.removesuffix("\n").split("\n")]


@settings(max_examples=1500, deadline=None)
@given(EDITS, st.permutations(range(3)), st.booleans())
def test_lines_that_are_split_at_quotes_are_what_json_says(edits, order, ended):
    lines = list(LINES)
    for line, at, length, insert in edits:
        lines[line] = lines[line][:at] + insert + lines[line][at + length :]
    text = "\n".join(lines[at] for at in order) + ("\n" if ended else "")
    fast = regular_columns(text.encode())
    if fast is not None:
        rows = exact_rows(text)
        assert [list(zip(fast, row, strict=True)) for row in zip(*fast.values(), strict=True)] == rows


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_lines_without_escapes_are_split_at_their_quotes(separators, monkeypatch):
    monkeypatch.setattr(regular_json, "_parse", lambda *_: pytest.fail("the block was parsed"))
    rows = [{"id": f"n{number}", "left": "ä" * number, "score": number / 3, "right": "x"} for number in range(20)]
    text = "".join(json.dumps(row, ensure_ascii=False, separators=separators) + "\n" for row in rows)
    fast = regular_columns(text.encode())
    assert {name: column.to_list() for name, column in (fast or {}).items()} == {
        name: [row[name] for row in rows] for name in rows[0]
    }
