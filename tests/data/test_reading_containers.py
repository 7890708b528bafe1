"""Containers: the same rows, whatever holds them, are the same benchmark; what can be read in two ways is refused."""

import json
import time
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from similitude.data.reading import read
from similitude.data.reading.containers import read_table
from similitude.data.reading.containers.dialects import find_dialect
from similitude.data.reading.containers.table import USUAL_NAMES
from similitude.data.reading.json_keys import repeated_keys
from similitude.data.reading.recognition import layout_of
from similitude.data.reading.rival_columns import rivals
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.errors import ArgumentError, ColumnError, FormatError, InputError

ROWS = [
    {"sentence1": "A man, tall, plays.", "sentence2": "He plays; well.", "condition": "the man", "label": 3},
    {"sentence1": 'A dog "runs".', "sentence2": "It runs", "condition": "the speed", "label": -1},
    {"sentence1": "Schöne Wörter", "sentence2": "z", "condition": "c", "label": 5},
]
NAMES = list(ROWS[0])
FRAME = pl.DataFrame(ROWS)
LISTS = FRAME.to_dict(as_series=False)


def joined(separator):
    return "\n".join(separator.join(map(str, row)) for row in [NAMES, *FRAME.rows()]) + "\n"


def text(content):
    return lambda path: path.write_text(content, encoding="utf-8")


def document(value, indent=None):
    return text(json.dumps(value, indent=indent))


def lines(rows):
    return text("".join(json.dumps(row) + "\n" for row in rows))


CONTAINERS = {
    "commas": ("a.csv", lambda path: FRAME.write_csv(path), "separated text"),
    "tabs": ("a.tsv", lambda path: FRAME.write_csv(path, separator="\t"), "separated text"),
    "semicolons": ("a.csv", lambda path: FRAME.write_csv(path, separator=";"), "separated text"),
    "bars": ("a.txt", lambda path: FRAME.write_csv(path, separator="|"), "separated text"),
    "double bars": ("a.txt", text(joined("||")), "separated text"),
    "double colons": ("a.txt", text(joined("::")), "separated text"),
    "spaces": ("a.txt", text(joined("   ")), "separated text"),
    "other order": ("a.csv", lambda path: FRAME.select(reversed(NAMES)).write_csv(path), "separated text"),
    "more columns": ("a.csv", lambda path: FRAME.with_columns(note=pl.lit("x")).write_csv(path), "separated text"),
    "other case": ("a.csv", lambda path: FRAME.rename({"label": "Label"}).write_csv(path), "separated text"),
    "JSON lines": ("a.jsonl", lines(ROWS), "JSON lines"),
    "a list": ("a.json", document(ROWS), "JSON document"),
    "an indented list": ("a.json", document(ROWS, indent=2), "JSON document"),
    "columns": ("a.json", document(LISTS), "JSON document"),
    "columns of pandas": (
        "a.json",
        document({name: {str(at): value for at, value in enumerate(LISTS[name])} for name in NAMES}),
        "JSON document",
    ),
    "columns apart": (
        "a.json",
        document({"columns": NAMES, "index": [0, 1, 2], "data": [list(row) for row in FRAME.rows()]}),
        "JSON document",
    ),
    "rows under a key": ("a.json", document({"version": 1, "data": ROWS}), "JSON document"),
    "lists with a header": ("a.json", document([NAMES, *map(list, FRAME.rows())]), "JSON document"),
    "entries": ("a.json", document({str(at): row for at, row in enumerate(ROWS, start=1)}), "JSON document"),
    "Parquet": ("a.parquet", lambda path: FRAME.write_parquet(path), "Parquet"),
    "Arrow": ("a.feather", lambda path: FRAME.write_ipc(path), "Arrow file"),
    "Arrow stream": ("a.arrows", lambda path: FRAME.write_ipc_stream(path), "Arrow stream"),
    "workbook": ("a.xlsx", lambda path: FRAME.write_excel(path), "workbook"),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_the_same_rows_in_any_container_are_the_same_benchmark(name, tmp_path):
    file, write, container = CONTAINERS[name]
    write(tmp_path / file)
    benchmark = read(tmp_path / file)
    assert benchmark.frame["score"].to_list() == [3.0, None, 5.0]  # -1 is hidden
    assert benchmark.frame["left"].to_list() == LISTS["sentence1"]
    assert benchmark.frame["condition"].to_list() == LISTS["condition"]
    assert benchmark.frame["id"].to_list() == ["1", "2", "3"]
    assert (str(benchmark.scale), benchmark.scale.origin) == ("1..5", "format")
    assert benchmark.provenance.readings[0].container == container
    assert Sniffer(tmp_path / file).container == container


def frames():
    import datasets
    import pandas
    import pyarrow

    dataset = datasets.Dataset.from_list(ROWS)
    return {
        "pandas": pandas.DataFrame(ROWS),
        "pandas with numbers": pandas.DataFrame(ROWS, index=[7, 3, 5]),
        "categories": pandas.DataFrame(ROWS).astype({"condition": "category", "label": "Int64"}),
        "polars": FRAME,
        "lazy": FRAME.lazy(),
        "pyarrow": pyarrow.Table.from_pylist(ROWS),
        "batch": pyarrow.RecordBatch.from_pylist(ROWS),
        "dataset": dataset,
        "splits": datasets.DatasetDict(test=dataset),
        "columns": LISTS,
        "arrays": {name: np.array(values) for name, values in LISTS.items()},
        "series": {name: pandas.Series(values) for name, values in LISTS.items()},
        "records": ROWS,
        "iterator": iter(ROWS),
    }


@pytest.mark.parametrize("name", frames())
def test_the_same_rows_in_memory_are_the_same_benchmark(name):
    benchmark = read(frames()[name])
    assert benchmark.frame["score"].to_list() == [3.0, None, 5.0]
    assert benchmark.frame["left"].to_list() == LISTS["sentence1"]
    assert benchmark.frame["id"].to_list() == ["1", "2", "3"]
    assert (str(benchmark.scale), benchmark.provenance.format) == ("1..5", "csts")


@dataclass
class Pair:
    left: str
    right: str
    score: float | None


def examples():
    from sentence_transformers import InputExample

    return [InputExample(texts=["a", "b"], label=0.5), InputExample(texts=["c", "d"], label=0.25)]


@pytest.mark.parametrize(
    "records",
    [
        [("a", "b", 0.5), ("c", "d", 0.25)],
        [["a", "b", 0.5], ["c", "d", 0.25]],
        zip(["a", "c"], ["b", "d"], [0.5, 0.25], strict=True),
        examples(),
        [Pair("a", "b", 0.5), Pair("c", "d", 0.25)],
        [{"left": "a", "right": "b", "score": np.float32(0.5)}, {"right": "d", "left": "c", "score": 0.25}],
    ],
    ids=["tuples", "lists", "zip", "examples", "dataclasses", "mappings"],
)
def test_records_in_memory(records):
    frame = read(records).frame
    assert frame.select("left", "right", "score").rows() == [("a", "b", 0.5), ("c", "d", 0.25)]


def test_every_kind_of_missing_value_is_null():
    import pandas

    scores = pandas.Series([1.5, None, float("nan"), pandas.NA, pandas.NaT, 4.0], dtype=object)
    frame = pandas.DataFrame({"left": list("abcdef"), "right": list("ghijkl"), "score": scores})
    assert read(frame).frame["score"].to_list() == [1.5, None, None, None, None, 4.0]


def test_an_index_with_names_is_a_column_of_ids():
    import pandas

    frame = pandas.DataFrame({"left": ["a", "b"], "right": ["c", "d"]}, index=["q1", "q2"])
    benchmark = read(frame)
    assert benchmark.frame["id"].to_list() == ["q1", "q2"]
    assert benchmark.provenance.readings[0].details["index"] == "read as column index"


def test_classes_of_a_dataset_are_not_taken_for_scores():
    import datasets

    features = datasets.Features(
        left=datasets.Value("string"), right=datasets.Value("string"), label=datasets.ClassLabel(names=["no", "yes"])
    )
    dataset = datasets.Dataset.from_dict({"left": ["a", "b"], "right": ["c", "d"], "label": [0, 1]}, features=features)
    with pytest.raises(InputError, match=r"Dataset, row 1: 'no' in column 'label' is not a number"):
        read(dataset)


def strange_objects():
    import datasets
    import pandas

    return {
        "ragged": ({"left": ["a", "b"], "right": ["c"]}, InputError, "different lengths: left 2, right 1"),
        "single": ({"left": ["a"], "right": ["c"], "score": 3}, ArgumentError, "'3' under 'score' is not a column"),
        "twice": (pandas.DataFrame([["a", "b", "c"]], columns=["left", "right", "left"]), ColumnError, "'left'"),
        "as text": ({1: ["a"], "1": ["b"]}, ColumnError, "the same name as text"),
        "stream": (datasets.Dataset.from_list(ROWS).to_iterable_dataset(), ArgumentError, "has no length"),
        "array": (np.zeros((2, 2)), ArgumentError, "no names of columns"),
        "numbers": ([1, 2], ArgumentError, "list of int is not a table"),
        "mixed": ([{"left": "a", "right": "b"}, ("c", "d")], InputError, "row 2: .* is not a dict like the first"),
        "wide": ([("a", "b", 1, 2)], ArgumentError, "a row of 4 values has no names"),
        "empty": (FRAME.clear(), InputError, "there are no rows"),
        "number": (3.5, ArgumentError, "a value of type float is no data"),
    }


@pytest.mark.parametrize("name", strange_objects())
def test_objects_that_are_refused(name):
    data, error, message = strange_objects()[name]
    with pytest.raises(error, match=message):
        read(data)


# --- separators and headers -------------------------------------------------------------------------------------------

DIALECTS = {
    "left,right\na;b,c;d\n": (",", True),
    "left;right\na,b;c,d\n": (";", True),
    "4.5\tA man, tall\tB\n2\tC, d\tE\n": ("\t", False),
    "a||b||1\nc||d||2\n": ("||", False),
    "x::y::2.5\nz::w::1\n": ("::", False),
    "one  two words  3\nfoo  bar baz  4\n": ("  +", False),
    "left\tright\t2.5\nup\tdown\t1\n": ("\t", None),
    "left\tright\t2020\nup\tdown\t1\n": ("\t", True),
    "left\tport\t2.5\nup\tdown\t1\n": ("\t", None),
    '"one, two",b,3\n"three",d,4\n': (",", False),
    "name,value\na,1\nb,2\n": (",", True),
    ",ann,bob\nq1,3,4\nq2,2,1\n": (",", True),
    "ann,bob\nyes,no\nyes,yes\nno,no\nno,yes\n": (",", True),
    "yes,no\nyes,yes\nno,no\nno,yes\nyes,no\n": (",", False),
    "first,second\nA man plays it.,A dog runs on.\n": (",", True),
    "A man plays the guitar.\tHe does so.\nA dog runs in it.\tIt runs.\n": ("\t", False),
    "a,b\nc,d\n": (",", None),
    "who,1,2,3\nann,4,5,1\n": (",", None),
}


@pytest.mark.parametrize(("content", "expected"), DIALECTS.items())
def test_separator_and_header_are_found_out(content, expected):
    found = find_dialect(content, USUAL_NAMES)
    assert (found.separator, found.header, found.rivals) == (*expected, ())


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("1;2,5\n3;4,5\n5;6,7\n", {}, "--separator"),
        ("score;text,label\n1;a,2\n", {}, "both .* split every row .*--separator"),
        ("a,b\nc,d\n", {}, "line 1: cannot tell whether the first row names the columns: a, b; say so: --header yes"),
        ("left,right,score\na,b,1\nleft,right,score\nc,d,2\n", {}, "line 3: the row repeats the header"),
        ("left||right\na||b||c\n", {}, r"line 2: 3 fields, not 2; .*\('\|\|'\)"),
        ("left,right,left\na,b,c\n", {}, "two columns are named 'left'"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(content, options, message, make_file):
    with pytest.raises(InputError, match=message):
        read(make_file("a.csv", content), format="csv", **options)


@pytest.mark.parametrize(
    ("content", "options", "left"),
    [
        ("1;2,5\n3;4,5\n", {"separator": ";", "columns": {"left": "1", "right": "2"}}, "1"),
        ("a,b\nc,d\n", {"header": False, "columns": {"left": "1", "right": "2"}}, "a"),
        ("a,b\nc,d\n", {"header": True, "columns": {"left": "a", "right": "b"}}, "c"),
        ("a~~b\nc~~d\n", {"separator": "~~", "header": False, "columns": {"left": "1", "right": "2"}}, "a"),
        ("a b\nc d\n", {"separator": " ", "header": False, "columns": {"left": "2", "right": "1"}}, "b"),
        ("left\tright\na\tb\n", {"separator": "tab"}, "a"),
        ("1\ta b\tc\n2\td e\tf\n", {"columns": {"id": "1", "left": "2", "right": "3"}}, "a b"),
        ("3.5\ta b\tc\n2\td e\tf\n", {"header": False, "columns": {"left": "2", "right": "3"}}, "a b"),
    ],
)
def test_the_user_decides_on_separator_and_header(content, options, left, make_file):
    assert read(make_file("a.txt", content), **options).frame["left"][0] == left


def test_columns_without_header_are_numbers(make_file):
    table = read_table(BenchmarkSource(path=make_file("a.tsv", "a b\tc\t1.5\nd e\tf\t2.5\n")))
    assert list(table.columns) == ["1", "2", "3"]
    said = {"separator": "tab", "quotes": "enclose fields", "header": "no", "encoding": "utf-8"}
    assert table.details == {**said, "found out": "separator, header"}


# --- JSON -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"left": ["a", "b"], "right": ["c"]}', "the columns differ in length: left 2, right 1"),
        ('{"a": [{"left": "x"}], "b": [{"left": "y"}]}', "several keys hold lists of objects: a, b"),
        ('[{"left": "a", "right": "b"}, 3]', "entry 2: '3' is not a JSON object"),
        ('[{"left": "a", "right": "b", "left": "c"}]', "two entries are named 'left'"),
        ('{"columns": ["left", "right"], "data": [["a", "b"], ["c"]]}', "entry 2: 1 values, not 2"),
        ("[" * 100_000, "nested too deeply|broken JSON"),
        ("[]", "no rows"),
    ],
)
def test_documents_that_are_refused(content, message, make_file):
    with pytest.raises(InputError, match=message):
        read(make_file("a.json", content), format="json")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"a":1,"a":2}', "a"),
        ('{"a" :1,"a":2}', "a"),
        ('{"b":{"c":1,"c":2}}', "c"),
        ('{"a":1,"\\u0061":2}', "a"),
        ('{"a\\\\":1,"a\\\\":2}', "a\\\\"),
        ('{"a":"x\\":","b":1}', None),
        ('{"a":[{"b":1},{"b":2}]}', None),
        ('{"a":"\\\\","b":"\\":"}', None),
    ],
)
def test_a_key_given_twice_is_found(line, key):
    found = repeated_keys([line.encode()], [json.loads(line)], "a.jsonl")
    assert [problem.what for problem in found] == ([] if key is None else [f"the key '{key}' is there twice"])


def test_a_key_given_twice_is_a_problem_of_its_line(make_file):
    content = '{"left":"a","right":"b"}\n{"left":"c","right":"d","left":"e"}\n'
    with pytest.raises(FormatError, match=r"a\.jsonl, line 2: the key 'left' is there twice"):
        read(make_file("a.jsonl", content))
    assert read(make_file("a.jsonl", content), on_error="skip").frame["left"].to_list() == ["a"]


def test_a_list_for_each_split(make_file):
    rows = [{"left": "a", "right": "b"}]
    benchmark = read(make_file("a.json", json.dumps({"train": rows, "test": rows})))
    assert benchmark.frame["split"].to_list() == ["train", "test"]


# --- workbooks --------------------------------------------------------------------------------------------------------


@pytest.fixture
def make_workbook(tmp_path):
    import xlsxwriter

    def make(**sheets):
        path = tmp_path / "a.xlsx"
        with xlsxwriter.Workbook(path) as book:
            for name, rows in sheets.items():
                sheet = book.add_worksheet(name)
                for at, row in enumerate(rows):
                    sheet.write_row(at, 0, row)
        return path

    return make


PAIRS = [["id", "left", "right", "score"], [1, "a", "b", 4.5], [2, "007", "d", 3]]


def test_numbers_of_a_workbook_keep_their_looks(make_workbook):
    benchmark = read(make_workbook(One=PAIRS, Empty=[]))
    assert benchmark.frame.select("id", "left", "score").rows() == [("1", "a", 4.5), ("2", "007", 3.0)]
    assert benchmark.provenance.readings[0].details["sheet"] == "One"


def test_several_sheets_with_rows(make_workbook):
    path = make_workbook(One=PAIRS, Two=PAIRS[:2])
    with pytest.raises(FormatError, match=r"2 sheets have rows: One, Two; name one with --sheet"):
        read(path, format="workbook")
    assert len(read(path, sheet="two")) == 1
    with pytest.raises(ArgumentError, match=r"no sheet 'Three'; sheets there: One, Two"):
        read(path, sheet="Three", format="workbook")


def test_bad_cells_of_a_workbook_are_named_by_their_row(make_workbook):
    with pytest.raises(InputError, match=r"a\.xlsx, row 4: 'n/a' in column 'score' is not a number"):
        read(make_workbook(One=[*PAIRS, [3, "e", "f", "n/a"]]))
    with pytest.raises(ColumnError, match="two columns are named 'left'"):
        read(make_workbook(One=[["left", "right", "left"], ["a", "b", "c"]]), format="workbook")


def test_merged_cells_hold_their_value_in_each_row(tmp_path):
    import xlsxwriter

    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        sheet = book.add_worksheet()
        for at, row in enumerate([["group", "left", "right"], ["", "a", "b"], ["", "c", "d"]]):
            sheet.write_row(at, 0, row)
        sheet.merge_range(1, 0, 2, 0, "g1")
    assert read(tmp_path / "a.xlsx").frame["group"].to_list() == ["g1", "g1"]


# --- folders ----------------------------------------------------------------------------------------------------------


def test_a_folder_of_files_of_one_kind_is_read_together(tmp_path):
    for name in ("train.csv", "test.csv"):
        (tmp_path / name).write_text("left,right,score\na,b,1\n")
    (tmp_path / "README.md").write_text("about")
    (tmp_path / ".hidden.csv").write_text("nothing")
    benchmark = read(tmp_path)
    assert benchmark.frame["split"].to_list() == ["test", "train"]
    assert f"{tmp_path.name}: 2 files are read together; not read: README.md is about the data" in (
        benchmark.provenance.notes
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.csv": "left,right,x\na,b,c\n", "b.csv": "left,right,y\na,b,c\n"}, "the files have different columns"),
        ({"a.csv": "left,right\na,b\n", "b.jsonl": '{"left":"a","right":"b"}'}, "data files of several kinds"),
        ({"notes.txt": "x"}, "this folder has no known layout"),
    ],
)
def test_folders_that_are_refused(files, message, tmp_path):
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read(tmp_path)


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("premise", "hypothesis"),
        ("question1", "question2"),
        ("text_a", "text_b"),
        ("sent1", "sent2"),
        ("anchor", "positive"),
        ("query", "document"),
        ("ref", "hyp"),
        ("Headline 1", "Headline 2"),
        ("word1", "word2"),
    ],
)
def test_usual_names_of_the_texts(names, make_file):
    left, right = names
    frame = read(make_file("a.csv", f"{right},{left},score\nb,a,1.5\nd,c,2\n")).frame
    assert frame.select("left", "right", "score").rows() == [("a", "b", 1.5), ("c", "d", 2.0)]


def test_names_that_do_not_belong_together(make_file):
    with pytest.raises(ColumnError, match="'query' and 'sentence2' are not known to belong together"):
        read(make_file("a.csv", "query,sentence2,score\na,b,1\n"))


def test_classes_of_inference_are_no_scores(make_file):
    path = make_file("a.csv", "premise,hypothesis,label\na,b,0\nc,d,2\n")
    with pytest.raises(ColumnError, match=r"usually a class of inference, not a score.*--column score=NAME"):
        read(path)
    assert read(path, columns={"score": "label"}).frame["score"].to_list() == [0.0, 2.0]


def test_rivals_of_a_score():
    columns = {"score": [1.0, 2.0], "label": ["1", "2"], "sim": [0.1, 0.2], "gold_label": ["yes", "no"]}
    assert rivals(columns, {"score": "score"}) == ["sim"]  # label has the same values, gold_label no numbers


def test_layouts_are_known_by_names_alone():
    assert layout_of(["idx", "Label", "sentence2", "sentence1", "condition"]).name == "csts"
    assert layout_of(["sentence_A", "sentence_B", "relatedness_score", "id"]).name == "sick"
    assert layout_of(["left", "right", "score"]) is None


def test_ten_thousand_columns_take_no_longer_than_their_cells(tmp_path):
    names = [f"x{at}" for at in range(10_000)]
    path = tmp_path / "a.csv"
    rows = [["sentence1", "sentence2", "score", *names], *([f"a {n}", f"b {n}", str(n), *names] for n in (0, 3, 5))]
    path.write_text("\n".join(",".join(row) for row in rows))
    begun = time.process_time()
    assert read(path).frame["score"].to_list() == [0, 3, 5]
    assert time.process_time() - begun < 3
