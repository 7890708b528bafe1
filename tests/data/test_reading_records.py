"""The fast and the exact way through separated text must agree wherever the fast way is taken."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.data.reading.quoted_rows import quoted_records, unquoted_records
from similitude.data.reading.regular_rows import regular_records

FIELDS = st.text(st.sampled_from(list('ab," \n\r\t;äß蓝\u2028\x0b#')), max_size=6)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(FIELDS, min_size=width, max_size=width), min_size=1, max_size=5)
)


def written(rows, separator, ends, quoting):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator=ends, quoting=quoting).writerows(rows)
    return text.getvalue()


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(TABLES, st.sampled_from(",\t;"), st.sampled_from(["\n", "\r\n"]))
def test_both_ways_give_back_what_was_written(rows, separator, ends):
    text = written(rows, separator, ends, csv.QUOTE_ALL)
    fast = regular_records(text.encode(), separator, quoted=True)
    lines = text.split("\n")[:-1]
    exact = quoted_records(lines, separator, "name")
    assert fast is not None
    assert [list(row)[: len(rows[0])] for row in exact.frame.rows()] == rows
    assert [[field or "" for field in row] for row in fast.frame.rows()] == rows
    assert fast.starts.tolist() == exact.starts.tolist()
    assert fast.ends.tolist() == exact.ends.tolist()
    assert not exact.problems


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from(list('ab,"\n\r ')), min_size=1, max_size=25))
def test_any_text_whatever_is_read_alike_or_left_to_the_exact_way(text):
    fast = regular_records(text.encode(), ",", quoted=True)
    if fast is None:
        return
    lines = text.split("\n")
    lines = lines[:-1] if not lines[-1] else lines
    exact = quoted_records(lines, ",", "name")
    assert not exact.problems
    width = fast.frame.width
    assert [[field or "" for field in row] for row in fast.frame.rows()] == [
        list(row)[:width] for row in exact.frame.rows()
    ]
    assert fast.counts.tolist() == exact.counts.tolist()
    assert fast.starts.tolist() == exact.starts.tolist()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.lists(st.text(st.sampled_from(list('ab" ,')), max_size=5), min_size=3, max_size=3), min_size=1, max_size=5
    )
)
def test_unquoted_text_is_cut_at_separators_alone(rows):
    text = "\n".join("\t".join(row) for row in rows)
    exact = unquoted_records(text.split("\n"), "\t")
    fast = regular_records(text.encode(), "\t", quoted=False)
    assert [list(row)[:3] for row in exact.frame.rows()] == rows
    assert fast is not None
    assert [[field or "" for field in row] for row in fast.frame.rows()] == rows


def test_one_row_of_very_many_fields_costs_nothing():
    lines = ["a,b", "c,d", "," * 900_000, "e,f"]
    records = unquoted_records(lines, ",")
    assert records.counts.tolist() == [2, 2, 900_001, 2]
    assert records.frame.width == 2
