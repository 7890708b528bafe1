"""Every mistake in a file: the message names file, line and remedy; skipping records it."""

from __future__ import annotations

import json

import polars as pl
import pytest

from similitude.data.reading import read, recognise
from similitude.data.reading.judgements import read_judgements
from similitude.errors import ArgumentError, ColumnError, FormatError, InputError, ScaleError

HEADER = "id,left,right,score\n"


def message(path, **options) -> str:
    with pytest.raises(InputError) as raised:
        read(path, **options)
    text = str(raised.value)
    assert "\n" not in text
    assert raised.value.remedy
    return text


# --- paths ------------------------------------------------------------------------------------------------------------


def test_missing_file_suggests_names_that_come_near(make_file, tmp_path):
    make_file("sts-train.csv", "x")
    shown = message(tmp_path / "sts-trian.csv")
    assert "sts-trian.csv: no such file; did you mean sts-train.csv?" in shown


def test_missing_file_lists_the_folder_where_nothing_comes_near(make_file, tmp_path):
    make_file("a.csv", "x")
    assert f"no such file; {tmp_path} holds a.csv" in message(tmp_path / "quite-different.jsonl")


def test_missing_folder(tmp_path):
    assert "there is no folder" in message(tmp_path / "gone" / "a.csv")


def test_a_name_that_is_too_long(tmp_path):
    assert "cannot be read" in message(tmp_path / ("x" * 300))


@pytest.mark.parametrize(
    ("format", "missing"),
    [
        ("usts", "the folder has no train.json, dev.json or test.json"),
        ("semeval-pair", "the folder has no STS.input."),
        ("huggingface", "the folder has no Parquet"),
    ],
)
def test_folder_that_lacks_the_files_of_its_format(make_file, tmp_path, format, missing):
    make_file("stuff/notes.txt", "x")
    assert f"stuff: {missing}" in message(tmp_path / "stuff", format=format)


@pytest.mark.parametrize("format", [None, "csv", "parquet"])
def test_folder_of_no_known_layout(make_file, tmp_path, format):
    make_file("stuff/notes.txt", "x")
    shown = message(tmp_path / "stuff", format=format)
    assert "this folder has no known layout" in shown
    assert "it holds notes.txt" in shown
    assert "pass one file in it" in shown


def test_no_file_at_all():
    with pytest.raises(ArgumentError, match="no file to read"):
        read([])


# --- whole files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
@pytest.mark.parametrize("format", [None, "csv", "jsonl", "stsb"])
def test_empty_file(make_file, content, format):
    assert "a.csv: the file is empty" in message(make_file("a.csv", content), format=format)


def test_header_only(make_file):
    assert "a.csv: there are no rows below the header id, left, right, score" in message(make_file("a.csv", HEADER))


def test_parquet_without_rows(tmp_path):
    pl.DataFrame({"left": [], "right": []}).write_parquet(tmp_path / "a.parquet")
    assert "a.parquet: there are no rows" in message(tmp_path / "a.parquet")


@pytest.mark.parametrize(
    ("opening", "what"),
    [(b"\x1f\x8b\x08\x00", "gzip"), (b"PK\x03\x04", "ZIP"), (b"\x28\xb5\x2f\xfd", "zstd")],
)
@pytest.mark.parametrize("format", [None, "csv"])
def test_packed_files(make_file, opening, what, format):
    assert what in message(make_file("a.csv", opening + b"rest"), format=format)


def test_damaged_parquet(make_file):
    assert "a.parquet: not a valid Parquet file" in message(make_file("a.parquet", b"PAR1 and nothing more"))


def test_unrecognised_file_says_what_was_seen_and_how_to_name_it(make_file):
    with pytest.raises(FormatError) as raised:
        recognise(make_file("a.csv", "alpha,beta,gamma\n1,2,3\n"))
    shown = str(raised.value)
    assert "a.csv: format not recognised; the columns are: alpha, beta, gamma" in shown
    assert "--format NAME" in shown
    assert "--column left=NAME" in shown
    assert "similitude data formats" in shown
    assert "--column left=NAME" in shown


TICKETS = "Ticket,Text of it,Text of other,Is duplicate,Priority\n7,a printer,the printer,1,3\n9,b c,d e,0,2\n"


def test_no_column_is_guessed_in_a_remedy(make_file):
    shown = message(make_file("a.csv", TICKETS))
    assert (
        "Is duplicate, Priority; name the columns: --column left=NAME --column right=NAME --column score=NAME, or"
        in shown
    )


def test_columns_of_one_name_are_to_be_renamed_before_they_are_named(make_file):
    shown = message(make_file("a.csv", TICKETS.replace("Text of other", "Text of it")))
    assert "; rename one of the columns 'Text of it', and name the columns: --column left=NAME" in shown


def test_columns_of_texts_alone_lack_a_score(make_file):
    found = read(make_file("a.csv", "left,right,duplicate\na,b,yes\n"))
    what = (
        "a: no column was recognised as the score; columns that were not used: duplicate; name it with --column score="
    )
    with pytest.raises(InputError, match=what):
        found.select(with_gold=True)
    with pytest.raises(InputError, match=r"a: no item has gold; use a split .*, or data with a column of scores"):
        read(make_file("a.csv", "left,right,score,note\na,b,,c\n")).select(with_gold=True)
    with pytest.raises(InputError, match="b, c; name it with --column score=NAME; if these are the ratings of several"):
        read(make_file("a.csv", "left,right,b,c\nx,y,1,2\n")).select(with_gold=True)
    with pytest.raises(InputError, match="ratings are there; make it of the ratings with 'similitude gold'"):
        read(make_file("a.jsonl", '{"left": "a", "right": "b", "ratings": [3, 4]}\n')).select(with_gold=True)


def test_unrecognised_json_document(make_file):
    shown = message(make_file("a.json", json.dumps({"1": {"alpha": 1}}, indent=1)))
    assert "the columns are: id, alpha" in shown
    assert "--column left=NAME" in shown


def test_json_array(make_file):
    shown = message(make_file("a.json", '[{"alpha": "a", "beta": "b"}]'))
    assert "the columns are: alpha, beta; name the columns: --column left=NAME" in shown


def test_a_picture(make_file):
    assert "a.png: is an image" in message(make_file("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff"))


def test_list_column_of_numbers_in_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"left": ["a"], "right": ["b"], "raters": [[[1]]]}).write_parquet(path)
    assert "a.parquet, row 1: '[[1]]' in column 'raters' is not a list of texts" in message(path)


def test_a_format_that_does_not_fit(make_file):
    assert "a.csv, line 1: 1 field, not 7 or 9" in message(make_file("a.csv", HEADER + "1,a,b,3\n"), format="stsb")


# --- columns ----------------------------------------------------------------------------------------------------------


def test_missing_column_lists_those_there_are(make_file):
    path = make_file("a.csv", "sentence1,other,score\na,b,1\n")
    shown = message(path)
    assert shown == (
        "a.csv: no column for right; columns there: sentence1, other, score; name it with --column right=NAME"
    )
    with pytest.raises(ColumnError):
        read(path)


def test_named_column_that_is_not_there(make_file):
    shown = message(make_file("a.csv", "sentence1,sentence2\na,b\n"), columns={"score": "goldd"})
    assert "no column 'goldd' (wanted for score); columns there: sentence1, sentence2" in shown
    assert "--column score=NAME" in shown


def test_column_that_we_do_not_have(make_file):
    with pytest.raises(ArgumentError, match=r"'middle' is not a column of a benchmark; .*left"):
        read(make_file("a.csv", "left,right\na,b\n"), columns={"middle": "left"})


def test_two_columns_of_one_name(make_file):
    shown = message(make_file("a.csv", "left,right,score,score\na,b,1,2\n"))
    assert shown == "a.csv: two columns are named 'score'; rename one of them"


# --- rows -------------------------------------------------------------------------------------------------------------

BAD_ROWS = {
    "too few fields": (
        "2,c,d\n",
        "line 3: 3 fields, not 4; give the row all fields; quote texts that contain a line break",
    ),
    "too many fields": ("2,c,d,1,9\n", "line 3: 5 fields, not 4"),
    "not a number": ("2,c,d,much\n", "line 3: 'much' in column 'score' is not a number; write a number with a decimal"),
    "decimal comma": ('2,c,d,"3,5"\n', "line 3: '3,5' in column 'score' is not a number; write it with a"),
    "nan": ("2,c,d,nan\n", "line 3: nan in column 'score' is not a finite number; leave it empty"),
    "infinite": ("2,c,d,-inf\n", "line 3: -inf in column 'score' is not a finite number"),
    "off the scale": ("2,c,d,7\n", "line 3: score 7 is off the scale 0..5; correct it, or declare the scale"),
    "blank left": ("2,,d,1\n", "line 3: column 'left' is blank; every item needs both texts"),
    "white right": ("2,c, \t,1\n", "line 3: column 'right' is blank"),
    "NUL": ("2,c\0c,d,1\n", "line 3: the line has a NUL byte; the file may be damaged"),
    "repeated id": ("1,c,d,1\n", "line 3: id '1' is already used at line 2; make ids unique"),
    "blank id": (",c,d,1\n", "line 3: the id is blank"),
    "text after quote": ('2,"c" d,e,1\n', "line 3: text after a closing quote; double the quotes"),
    "long line": (f"2,{'c' * 1_000_001},d,1\n", "line 3: the line has 1,000,0"),
}  # fmt: skip


WRITTEN = {
    "yes and no": (["yes", "no", "yes"], "; write 1 for the label that means similar and 0 for the other: yes, no"),
    "True and False": (["True", "", "False"], "; write 1 for the label that means similar and 0 for the other: True"),
    "one word": (["5", "much", "much"], "; if much means that it is missing: --missing much"),
    "a code with a slash": (["5", "N/A", "3"], "; if N/A means that it is missing: --missing 'N/A'"),
    "a code that a shell expands": (["5", "?", "3"], "; if ? means that it is missing: --missing '?'"),
    "percent": (["50%", "20%", "3%"], "'50%' in column 'score' is not a number (and 2 more rows have problems); write "
                "the number without the sign of percent"),
    "thousands": (['"1,500"', "80", "0"], "; write it without separators of thousands; if the comma stands "
                  "before decimals: --decimal ','"),
    "millions": (['"1,500,000"', "80", "0"], "; write it without separators of thousands, or leave"),
}  # fmt: skip


@pytest.mark.parametrize(("cells", "expected"), WRITTEN.values(), ids=WRITTEN.keys())
def test_scores_that_are_written_otherwise(make_file, cells, expected):
    rows = "".join(f"{at},a {at},b {at},{cell}\n" for at, cell in enumerate(cells))
    assert expected in message(make_file("a.csv", HEADER + rows))


@pytest.mark.parametrize("suffix", ["jsonl", "frame"])
def test_scores_that_are_true_or_false(make_file, suffix):
    rows = [{"left": f"a {at}", "right": "b", "score": at == 1} for at in range(3)]
    data = pl.DataFrame(rows) if suffix == "frame" else make_file("a.jsonl", "\n".join(map(json.dumps, rows)))
    assert "; write 1 for the label that means similar and 0 for the other: False, True" in message(data)


@pytest.mark.parametrize(("row", "expected"), BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_bad_row_in_csv(make_file, row, expected):
    path = make_file("a.csv", HEADER + "1,a,b,5\n" + row + "9,e,f,0\n")
    shown = message(path, scale="0..5")
    assert f"a.csv, {expected}" in shown
    assert "or leave such rows out with --on-error skip" in shown


@pytest.mark.parametrize(("row", "expected"), BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_bad_row_in_csv_skipped(make_file, row, expected):
    benchmark = read(make_file("a.csv", HEADER + "1,a,b,5\n" + row + "9,e,f,0\n"), scale="0..5", on_error="skip")
    assert benchmark.items.ids == ["1", "9"]
    (skipped,) = benchmark.provenance.skipped
    assert skipped.where == "a.csv, line 3"
    assert skipped.why in expected or expected.removeprefix("line 3: ") in skipped.why


BAD_OBJECTS = {
    "broken": ('{"left": "c", "right": }', "line 2, column 24: broken JSON (expected value); write one JSON object"),
    "cut short": ('{"left": "c"', "line 2, column 12: broken JSON"),
    "array": ('["c", "d"]', "line 2: \"['c', 'd']\" is not a JSON object"),
    "number": ("5", "line 2: '5' is not a JSON object"),
    "text is a number": ('{"id": 2, "left": 5, "right": "d"}', "line 2: '5' in column 'left' is not text"),
    "text is missing": ('{"id": 2, "left": "c"}', "line 2: column 'right' is blank"),
    "score is true": ('{"id": 2, "left": "c", "right": "d", "score": true}', "'True' in column 'score' is not a n"),
    "NaN": ('{"id": 2, "left": "c", "right": "d", "score": NaN}', "nan in column 'score' is not a finite number"),
    "half a character": ('{"id": 2, "left": "\\ud800", "right": "d"}', "line 2, column "),
    "escaped NUL": ('{"id": 2, "left": "c\\u0000", "right": "d"}', "line 2: column 'left' holds a NUL character"),
    "ratings are text": ('{"id": 2, "left": "c", "right": "d", "ratings": "[1, x]"}', "is not a list of numbers"),
    "rating off scale": ('{"id": 2, "left": "c", "right": "d", "ratings": [9]}', "a rating is off the scale 0..5"),
    "rating null": ('{"id": 2, "left": "c", "right": "d", "ratings": [1, null]}', "line 2: "),
    "uneven raters": ('{"id": 2, "left": "c", "right": "d", "ratings": [1], "raters": ["x", "y"]}', "one entry for"),
    "negative sigma": ('{"id": 2, "left": "c", "right": "d", "sigma": -1}', "line 2: sigma -1.0 is below 0"),
    "repeated id": ('{"id": 1, "left": "c", "right": "d"}', "line 2: id '1' is already used at line 1"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), BAD_OBJECTS.values(), ids=BAD_OBJECTS.keys())
def test_bad_row_in_jsonl(make_file, line, expected):
    good = (
        '{"id": %d, "left": "a", "right": "b", "score": 4.5, "ratings": [4, 5], "raters": ["x", "y"], "sigma": 0.5}\n'
    )
    path = make_file("a.jsonl", good % 1 + line + "\n" + good % 9)
    shown = message(path, scale="0..5")
    assert shown.startswith("a.jsonl, line 2")
    assert expected in shown
    benchmark = read(path, scale="0..5", on_error="skip")
    assert benchmark.items.ids == ["1", "9"]
    assert [skipped.where.split(", column")[0] for skipped in benchmark.provenance.skipped] == ["a.jsonl, line 2"]


def test_bad_row_in_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"left": ["a", None], "right": ["b", "c"], "score": [1.0, float("inf")]}).write_parquet(path)
    assert "a.parquet, row 2: column 'left' is blank" in message(path)
    assert read(path, on_error="skip").items.lefts == ["a"]


def test_text_column_of_numbers_in_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"left": [1], "right": ["b"]}).write_parquet(path)
    assert "a.parquet, row 1: '1' in column 'left' is not text" in message(path)


def test_lists_of_texts_in_one_row_are_columns_of_a_document(tmp_path, make_file):
    """The pair classification of MTEB."""
    columns = {"sent1": ["a", "c"], "sent2": ["b", "d"], "labels": [0, 1]}
    path = tmp_path / "a.parquet"
    pl.DataFrame({name: [values] for name, values in columns.items()}).write_parquet(path)
    for there in (path, make_file("a.jsonl", json.dumps(columns))):
        assert "give each pair a row of its own; lists that are whole columns are read from a JSON" in message(there)
    assert read(make_file("a.json", json.dumps(columns))).items.lefts == ["a", "c"]


def test_the_first_of_several_problems_counts_the_others(make_file):
    path = make_file("a.csv", HEADER + "1,a,b,5\n2,,d,1\n3,e,f,x\n4,g,,\n5,h,i,1\n")
    assert "a.csv, line 3: column 'left' is blank (and 2 more rows have problems)" in message(path)
    benchmark = read(path, on_error="skip")
    assert [skipped.where for skipped in benchmark.provenance.skipped] == [
        "a.csv, line 3",
        "a.csv, line 4",
        "a.csv, line 5",
    ]


def test_a_row_with_two_problems_is_skipped_once(make_file):
    benchmark = read(make_file("a.csv", HEADER + "1,a,b,5\n2,,,x\n"), on_error="skip")
    assert len(benchmark.provenance.skipped) == 1


def test_nothing_left(make_file):
    shown = message(make_file("a.csv", HEADER + "1,,b,5\n2,,d,1\n"), on_error="skip")
    assert "a.csv: no row is left; 2 were skipped; the first: a.csv, line 2: column 'left' is blank" in shown


@pytest.mark.parametrize("content", ['{"left": \n', HEADER + "1,a\n2,b\n"])
def test_every_row_broken(make_file, content):
    path = make_file("a.jsonl", content)
    format = "jsonl" if content.startswith("{") else "csv"  # noqa: A001
    assert message(path, format=format).startswith("a.jsonl, line ")
    assert "no row is left" in message(path, format=format, on_error="skip")


def test_skipping_is_spelt_right(make_file):
    with pytest.raises(ArgumentError, match="on_error='ignore' is not known; known: stop, skip"):
        read(make_file("a.csv", HEADER + "1,a,b,5\n"), on_error="ignore")


# --- quotes -----------------------------------------------------------------------------------------------------------

OPEN_QUOTES = {
    "to the end": '1,a,b,5\n2,"c,d,1\n3,e,f,2\n',
    "into another quote": '1,a,b,5\n2,"c,d,1\n3,"e, e",f,2\n',
    "in a later field of a long row": '1,a,b,5\n"2",c,"d,1\n3,e,f,2\n',
    "after a text of two lines": '1,"a\na",b,5\n2,"c,d,1\n3,e,f,2\n',
}


@pytest.mark.parametrize("rows", OPEN_QUOTES.values(), ids=OPEN_QUOTES.keys())
def test_open_quote_names_the_line_where_it_opens(make_file, rows):
    line = (HEADER + rows).split("\n").index(
        next(row for row in rows.split("\n") if "2" in row[:2] and "d,1" in row)
    ) + 1
    path = make_file("a.csv", HEADER + rows)
    assert f"a.csv, line {line}: a quote opens here and does not close" in message(path)
    benchmark = read(path, on_error="skip")
    assert benchmark.items.ids == ["1", "3"]
    assert benchmark.provenance.skipped[0].where == f"a.csv, line {line}"


def test_quote_that_opens_on_the_second_line_of_a_row(make_file):
    path = make_file("a.csv", HEADER + '1,"a\nb","c,5\n2,d,e,1\n')
    assert "a.csv, line 3: a quote opens here and does not close" in message(path)


def test_open_quote_in_the_header(make_file):
    shown = message(make_file("a.csv", 'id,left,"right,score\n1,a,b,5\n'), format="csv")
    assert "a.csv, line 1: a quote opens here and does not close" in shown


@pytest.mark.slow
def test_field_of_many_short_lines_is_an_open_quote(make_file):
    path = make_file("a.csv", HEADER + '1,"a,b,5\n' + "2,c,d,1\n" * 200_000)
    assert "a.csv, line 2: a quote opens here and does not close" in message(path, columns={"id": ""})


def test_carriage_return_in_an_unquoted_text(make_file):
    assert "a.csv, line 3: an unquoted text contains a carriage return" in message(
        make_file("a.csv", HEADER + "1,a,b,5\n2,c\rc,d,1\n")
    )


# --- bytes ------------------------------------------------------------------------------------------------------------


def test_latin_1_names_line_byte_and_remedy(make_file):
    path = make_file("a.csv", HEADER + "1,a,b,5\n2,grün,d,1\n3,e,schön,2\n", encoding="latin-1")
    shown = message(path)
    assert "a.csv, line 3: byte 0xfc at byte 5 is not UTF-8 (and 1 more row has a problem)" in shown
    assert "--encoding latin-1" in shown
    assert read(path, encoding="latin-1").items.lefts[1] == "grün"
    skipped = read(path, on_error="skip")
    assert skipped.items.ids == ["1"]
    assert [each.where for each in skipped.provenance.skipped] == ["a.csv, line 3", "a.csv, line 4"]


def test_bad_bytes_inside_a_text_of_several_lines_spoil_the_whole_row(make_file):
    content = (HEADER + '1,a,b,5\n2,"c\n').encode() + b"\xff\xfe" + b'\nc",d,1\n3,e,f,2\n'
    benchmark = read(make_file("a.csv", content), on_error="skip")
    assert benchmark.items.ids == ["1", "3"]
    assert benchmark.provenance.skipped[0].where == "a.csv, line 4"


def test_bad_bytes_in_the_header(make_file):
    path = make_file("a.csv", b"id,left,right,sc\xffre\n1,a,b,5\n")
    assert "a.csv, line 1: byte 0xff at byte 17 is not UTF-8" in message(path, on_error="skip")


def test_bad_bytes_in_a_json_document(make_file):
    content = json.dumps({"1": {"s1": "a", "s2": "b", "raw_annotation": [1], "mean_score": 1}}, indent=1).encode()
    path = make_file("a.json", content.replace(b'"a"', b'"\xe4"'))
    assert "a.json, line 3: byte 0xe4" in message(path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_byte_order_marks(make_file, encoding, suffix):
    content = {"csv": HEADER + "1,grün,蓝,5\n", "jsonl": '{"id": 1, "left": "grün", "right": "蓝", "score": 5}\n'}
    benchmark = read(make_file(f"a.{suffix}", content[suffix], encoding=encoding))
    assert benchmark.items[0].left == "grün"
    assert benchmark.items[0].right == "蓝"


def test_utf_16_without_a_mark_is_hinted_at(make_file):
    path = make_file("a.csv", HEADER + "1,a,b,5\n", encoding="utf-16-le")
    assert "--encoding utf-16-le" in message(path, format="csv")
    assert read(path, encoding="utf-16-le").items.ids == ["1"]


def test_utf_16_with_bad_bytes(make_file):
    content = "\ufeff".encode("utf-16-le") + (HEADER + "1,a,b,5\n2,").encode("utf-16-le") + b"\x00\xd8"
    path = make_file("a.csv", content + ",d,1\n3,e,f,2\n".encode("utf-16-le"))
    assert "a.csv, line 3: byte 0x00" in message(path)
    assert read(path, on_error="skip").items.ids == ["1", "3"]


def test_unknown_encoding(make_file):
    with pytest.raises(ArgumentError, match="no encoding named 'utf-99'"):
        read(make_file("a.csv", HEADER + "1,a,b,5\n"), encoding="utf-99")


def test_a_line_of_100_megabytes_is_refused_at_once(tmp_path):
    path = tmp_path / "a.csv"
    with path.open("wb") as file:
        file.write(HEADER.encode() + b"1,a,b,5\n2,")
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b",d,1\n3,e,f,2\n")
    shown = message(path)
    assert "a.csv, line 3: the line has 100,000,006 bytes" in shown
    assert read(path, on_error="skip").items.ids == ["1", "3"]


def test_a_json_document_may_have_long_lines(make_file):
    entry = {"s1": "长" * 500_000, "s2": "b", "raw_annotation": [1, 2], "mean_score": 1.5, "std": 0.5, "source": "x"}
    assert len(read(make_file("dev.json", json.dumps({"1": entry}, ensure_ascii=False)), format="usts")) == 1


def test_broken_json_document_names_line_and_column(make_file):
    entry = '"1": {"s1": "a", "s2": "b", "raw_annotation": [1], "mean_score": 1, "std": 0, "source": "x"}'
    shown = message(make_file("dev.json", "{\n" + entry + ",\n" + '"2": oops\n}'))
    assert "dev.json, line 3, column 6: broken JSON (Expecting value)" in shown


def test_json_that_breaks_in_its_first_entry(make_file):
    assert "dev.json, line 2, column" in message(make_file("dev.json", '{"1": {"s1": "a",\n"s2" oops}}'))


def test_json_nested_without_end(make_file):
    assert "nested too deeply" in message(make_file("dev.json", "[" * 100_000))


# --- what must not break rows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85"])
@pytest.mark.parametrize("format", ["csv", "jsonl", "semeval-tsv"])
def test_only_line_feeds_end_rows(make_file, odd, format):
    text = f"one{odd}two"
    content = {
        "csv": f"left,right,score\n{text},b,5\n",
        "jsonl": json.dumps({"left": text, "right": "b", "score": 5}, ensure_ascii=False) + "\n",
        "semeval-tsv": f"5\t{text}\tb\n",
    }
    if odd < " " and format == "jsonl":
        content["jsonl"] = json.dumps({"left": text, "right": "b", "score": 5}) + "\n"
    assert read(make_file("a.txt", content[format]), format=format).items.lefts == [text]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems(make_file, ends):
    rows = ["left,right,score", "a,b,5", '"c, c",d,0']
    benchmark = read(make_file("a.csv", ends.join(rows) + ends))
    assert benchmark.items.lefts == ["a", "c, c"]
    assert benchmark.frame["score"].to_list() == [5.0, 0.0]


def test_windows_line_ends_in_unquoted_files(make_file):
    benchmark = read(make_file("a.tsv", "5\ta\tb\r\n\tc\td\r\n"), format="semeval-tsv")
    assert benchmark.items.rights == ["b", "d"]


def test_blank_lines_are_no_rows(make_file):
    path = make_file("a.csv", "\n" + HEADER + "\n1,a,b,5\n\n\n2,c,d,1\n\n")
    assert read(path).items.ids == ["1", "2"]
    path = make_file("b.csv", "\n" + HEADER + '\n1,a "quoted" text,b,5\n\n\n2,c,,1\n\n')
    assert "b.csv, line 7: column 'right' is blank" in message(path)


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_empty_gold_is_hidden(make_file, format):
    content = {
        "csv": HEADER + "1,a,b,\n2,c,d, \n3,e,f,2\n",
        "jsonl": '{"left": "a", "right": "b", "score": null}\n{"left": "c", "right": "d", "score": ""}\n'
        '{"left": "e", "right": "f", "score": "2"}\n',
    }
    benchmark = read(make_file("a.txt", content[format]), format=format)
    assert benchmark.frame["score"].to_list() == [None, None, 2.0]


# --- scales -----------------------------------------------------------------------------------------------------------


def test_declared_scale_comes_first(make_file):
    path = make_file("a.csv", "left,right,score,scale\na,b,1,0..5\n")
    benchmark = read(path, scale="0..10")
    assert str(benchmark.scale) == "0..10"
    assert "scale declared as 0..10 though a.csv says 0..5" in benchmark.provenance.notes


def test_scale_column_that_is_no_scale(make_file):
    path = make_file("a.csv", "left,right,score,scale\na,b,1,0..5\nc,d,1,Likert\n")
    with pytest.raises(ScaleError, match=r"a.csv: column 'scale' holds '0..5; Likert'"):
        read(path)
    assert str(read(path, scale="0..5").scale) == "0..5"


def test_off_scale_is_a_scale_error(make_file):
    with pytest.raises(ScaleError, match=r"a.csv, line 2: score 6 is off the scale 0..5"):
        read(make_file("a.csv", "left,right,score\na,b,6\n"), scale="0..5")


def test_no_scores_no_scale(make_file):
    benchmark = read(make_file("a.csv", "left,right\na,b\n"))
    assert benchmark.scale is None
    assert "a.csv: 1 of 1 items have no gold (hidden or missing)" in benchmark.provenance.notes


@pytest.mark.parametrize("above", ["Table 1: similarity\n\n", "# made in 2024\n# by us\n", "// one, two\n"])
@pytest.mark.parametrize("format", [None, "csv"])
def test_lines_above_the_header_are_named(make_file, above, format):
    path = make_file("a.csv", above + "sentence1,sentence2,score\na b,c d,3\ne f,g h,4\n")
    begins = above.count("\n") + 1
    shown = message(path, format=format)
    assert "a.csv, line 1: this is no header: " in shown
    assert f"the table seems to begin at line {begins}: remove the lines above it" in shown


def test_unusual_separator_is_suggested(make_file):
    path = make_file("a.txt", "sentence1^sentence2^score\na b^c d^3\ne f^g h^4\n")
    assert "--separator '^' splits every row into 3 fields" in message(path)
    assert read(path, separator="^").frame["score"].to_list() == [3, 4]


@pytest.mark.parametrize("format", [None, "csv"])
def test_separator_that_is_nowhere(make_file, format):
    path = make_file("a.csv", "sentence1,sentence2,score\na b,c d,3\ne f,g h,4\n")
    assert "the separator ';' is " in message(path, separator=";", format=format)
    with pytest.raises(ArgumentError, match="'' cannot separate fields"):
        read(path, separator="")


def test_a_table_without_header_is_asked_for_numbers_of_columns(make_file):
    path = make_file("a.tsv", "1\t4.5\ta man\tthe man\n2\t1.0\ta dog\ta cat\n3\t3.5\tx y\tz\n")
    flags = "--header no --column left=NUMBER --column right=NUMBER --column score=NUMBER"
    assert f"1 '1', 2 '4.5', 3 'a man', 4 'the man'; name the columns: {flags}" in message(path)
    columns = {"id": "1", "left": "3", "right": "4", "score": "2"}
    assert read(path, header=False, columns=columns).frame["score"].to_list() == [4.5, 1, 3.5]


def test_header_that_was_denied(make_file):
    path = make_file("a.csv", "sentence1,sentence2,score\na b,c d,3\ne f,g h,4\n")
    assert "a.csv, line 1: this looks like names of columns: sentence1" in message(path, header=False)


@pytest.mark.parametrize("content", ["[]", "{}", '{"data": []}', '{"data": [], "version": 2}'])
def test_json_without_rows(make_file, content):
    assert "a.json: there are no rows" in message(make_file("a.json", content))


def test_numbers_alone_are_no_header(make_file):
    path = make_file("a.csv", "1,2,3\n4,5,4\n2,2,3\n5,5,4\n")
    with pytest.raises(FormatError, match="--column raters=A,B,C"):
        read_judgements(path)
    with pytest.raises(FormatError, match="--header yes or --header no"):
        read_judgements(path, columns={"raters": "1,2,3"})
    assert len(read_judgements(path, header=False, columns={"raters": "1,2,3"})) == 12


@pytest.mark.parametrize(("name", "content", "what"), [
    ("a.parquet", b"PAR", "not a Parquet file: cut off or damaged"),
    ("a.xlsx", b"PK", "not a workbook: cut off or damaged"),
    ("a.csv", b"\0" * 600, "holds nothing but NUL bytes"),
])  # fmt: skip
def test_files_that_are_lost(make_file, name, content, what):
    assert f"{name}: {what}" in message(make_file(name, content))
