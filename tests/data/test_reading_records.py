"""The fast and the exact way through separated text must agree wherever the fast way is taken."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from similitude.data.reading import byte_blocks
from similitude.data.reading import records as records_module
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


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks and batches so small that quotes, line ends and rows fall on either side of their borders."""
    monkeypatch.setattr(byte_blocks, "BLOCK", 3)
    monkeypatch.setattr(records_module, "BATCH", 2)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from(list('ab,,"\n\n\r')), min_size=1, max_size=25), st.booleans())
def test_blocks_do_not_change_what_is_read(small_blocks, text, quoted):
    fast = regular_records(text.encode(), ",", quoted=quoted)
    if fast is None:
        return
    lines = text.split("\n")
    lines = lines[:-1] if not lines[-1] else lines
    plain = [line.removesuffix("\r") for line in lines]
    exact = quoted_records(lines, ",", "name") if quoted else unquoted_records(plain, ",")
    assert not exact.problems
    assert [[field or "" for field in row] for row in fast.frame.rows()] == [list(row) for row in exact.frame.rows()]
    assert fast.counts.tolist() == exact.counts.tolist()
    assert (fast.starts.tolist(), fast.ends.tolist()) == (exact.starts.tolist(), exact.ends.tolist())


@pytest.mark.parametrize("text", [",\nb\n,,", 'a,b\n"c"\n"d",,', "a,b\n\nc\nd,,"])
def test_an_empty_field_too_many_at_the_end_does_not_make_up_for_a_short_row(text):
    assert regular_records(text.encode(), ",", quoted=True) is None


@pytest.mark.parametrize("text", ["a,b,c\nd,e,", 'a,b,c\n"d\n",e,\nf,,'])
def test_an_empty_last_field_without_a_line_end_is_regular(text):
    records = regular_records(text.encode(), ",", quoted=True)
    assert records is not None
    assert records.counts.tolist() == [3] * len(records)


def test_the_line_of_an_error_is_right_deep_inside_a_file():
    quoted = 'p{},"a, ""b""\n\nc",d,1.5'
    rows = [quoted.format(number) for number in range(60_000)]
    whole = regular_records("\n".join(rows).encode(), ",", quoted=True)
    assert whole is not None
    assert (whole.starts[-1], whole.ends[-1]) == (3 * 59_999 + 1, 180_000)
    rows[50_001] = 'p50001,"a"b,d,1.5'
    broken = quoted_records("\n".join(rows).split("\n"), ",", "name")
    assert [problem.where for problem in broken.problems] == ["name, line 150004"]
    assert (len(broken), broken.starts[-1], broken.ends[-1]) == (59_999, 179_996, 179_998)


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
