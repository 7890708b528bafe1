"""Names that files of tasks may use: for columns, files, splits and classes."""

import json
from pathlib import Path

import pytest

from similitude.data.reading.format import GENERAL
from similitude.data.reading.source import BenchmarkSource
from similitude.errors import ArgumentError, ColumnError, ExtensionError, InputError, UnknownNameError
from similitude.evaluate.tasks.reading import open_card, open_task, read_task
from similitude.evaluate.tasks.reading.classes import RELATED, is_on
from similitude.evaluate.tasks.reading.kind import TASK_KINDS, TaskKind, TaskSource
from similitude.evaluate.tasks.reading.rows import read_rows


def table(path: Path, header: str, *rows: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


# Intents

UTTERANCES = ("play a song,music", "stop the song,music", "lights on please,lights", "lights off please,lights")


@pytest.mark.parametrize("name", ["text", "utterance", "question", "query", "sentence", "message"])
def test_columns_of_texts_with_an_intent(tmp_path: Path, name: str):
    found = read_task(table(tmp_path / "made.csv", f"{name},intent", *UTTERANCES))
    assert (found.kind, found.texts[0], found.labels[2]) == ("intent", "play a song", "lights")


@pytest.mark.parametrize("name", ["label", "intent", "answer_id", "faq_id", "category", "class", "answer"])
def test_columns_of_intents(tmp_path: Path, name: str):
    assert read_task(table(tmp_path / "made.csv", f"utterance,{name}", *UTTERANCES)).labels[0] == "music"


@pytest.mark.parametrize("file", ["utterances.csv", "intents.csv", "faq.csv"])
def test_files_of_intents(tmp_path: Path, file: str):
    table(tmp_path / "made" / file, "text,label", *UTTERANCES)
    assert read_task(tmp_path / "made").kind == "intent"


@pytest.mark.parametrize("train", ["train", "Training"])
@pytest.mark.parametrize("aside", ["dev", "val", "valid", "validation"])
def test_splits_of_intents(tmp_path: Path, train: str, aside: str):
    rows = [f"{row},{train}" for row in UTTERANCES[::2]] + [f"{row},test" for row in UTTERANCES[1::2]]
    found = read_task(table(tmp_path / "made.csv", "text,label,split", *rows, f"what,music,{aside}"))
    assert found.examples == ("play a song", "lights on please")
    assert found.texts == ("stop the song", "lights off please")
    assert found.notes == (f"1 rows of {aside} ignored",)
    assert not found.is_same.any()


def test_intents_without_split_are_their_own_examples(tmp_path: Path):
    found = read_task(table(tmp_path / "made.csv", "text,label", *UTTERANCES, UTTERANCES[0]))
    assert found.is_same.tolist() == [[row == column for column in range(5)] for row in range(5)]
    assert found.notes == ("2 texts are also among the examples, word for word",)
    with pytest.raises(InputError, match=r"made\.csv.*splits there: train; give both train"):
        read_task(table(tmp_path / "made.csv", "text,label,split", *(f"{row},train" for row in UTTERANCES)))


# Searches


@pytest.mark.parametrize("text", ["text", "document", "article", "question", "query", "body"])
@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("query", "document"),
        ("query_id", "document_id"),
        ("query-id", "corpus-id"),
        ("article", "related"),
        ("query", "doc_id"),
        ("query", "pool"),
        ("query", "answer"),
    ],
)
def test_columns_of_queries_and_links(tmp_path: Path, text: str, query: str, document: str):
    folder = tmp_path / "made"
    table(folder / "queries.csv", f"id,{text}", "q1,one cat", "q2,two dogs")
    table(folder / "pool.csv", f"id,{text}", "p1,a cat", "p2,some dogs", "q1,one cat", "q2,other words")
    table(folder / "related.csv", f"{query},{document}", "q1,p1", "q2,p2", "q2,p1")
    found = read_task(folder)
    assert found.kind == "find-related"
    assert (found.queries, found.pool[1]) == (("one cat", "two dogs"), "some dogs")
    assert found.is_related.tolist() == [[True, False, False, False], [True, True, False, False]]
    # the same id and the same text is the query itself; the same id alone is not
    assert found.is_same.tolist() == [[False, False, True, False], [False] * 4]


@pytest.mark.parametrize("name", ["related", "related_ids", "links"])
def test_columns_of_articles(tmp_path: Path, name: str):
    rows = ("1,one,2;3", "2,two,3 1", "3,three,", "4,four,")
    found = read_task(table(tmp_path / "made.csv", f"id,text,{name}", *rows))
    assert found.queries == ("one", "two")
    assert found.is_related.tolist() == [[False, True, True, False], [True, False, True, False]]
    assert found.is_same.tolist() == [[True, False, False, False], [False, True, False, False]]
    assert found.notes == ("2 articles name no related one and are only in the pool",)


# Pairs


@pytest.mark.parametrize("name", ["label", "class", "category", "gold"])
def test_columns_of_labels(tmp_path: Path, name: str):
    rows = ("a b,a c,cut", "d e,d f,cut", "g h,i j,non", "k l,m n,non")
    assert read_task(table(tmp_path / "made.csv", f"left,right,{name}", *rows)).kind == "text-reuse"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("related", "related"),
        ("is_related", "related"),
        ("duplicate", "deduplication"),
        ("is_duplicate", "deduplication"),
    ],
)
def test_columns_that_say_the_kind(tmp_path: Path, name: str, kind: str):
    rows = ("a b,a c,1", "d e,d f,1", "g h,i j,0", "k l,m n,0")
    found = read_task(table(tmp_path / "made.csv", f"left,right,{name}", *rows))
    assert found.kind == kind
    assert found.labels.tolist() == [1, 1, 0, 0]
    table(tmp_path / "folder" / "pairs.csv", f"left,right,{name}", *rows)
    assert read_task(tmp_path / "folder").kind == kind


@pytest.mark.parametrize("text", ["text", "document", "article", "answer"])
def test_columns_of_texts_by_id(tmp_path: Path, text: str):
    folder = tmp_path / "made"
    table(folder / "pairs.csv", "left,right,label", "1,2,related", "1,3,unrelated", "2,3,unrelated", "2,1,related")
    table(folder / "texts.csv", f"id,{text}", "1,one", "2,two", "3,three")
    found = read_task(folder)
    assert found.items.frame["right"].to_list() == ["two", "three", "three", "one"]


LADDERS = {
    "text-reuse": (
        "non|none|no reuse|non plagiarised|non plagiarized|not plagiarised|not plagiarized",
        "heavy|heavy revision",
        "light|light revision",
        "cut|near|copy|near copy|cut and paste",
    ),
    "related": ("unrelated|not related", "related"),
    "deduplication": (
        "different|distinct|unique|not duplicate|no duplicate|non duplicate",
        "duplicate|duplicates|same",
    ),
}


@pytest.mark.parametrize(
    ("kind", "rung", "name"),
    [
        (kind, rung, name)
        for kind, rungs in LADDERS.items()
        for rung, names in enumerate(rungs)
        for name in names.split("|")
    ],
)
def test_names_of_classes_say_the_kind_and_the_order(tmp_path: Path, kind: str, rung: int, name: str):
    order = [name if place == rung else names.split("|")[0] for place, names in enumerate(LADDERS[kind])]
    rows = [f"left {n},right {n},{label.replace(' ', '-').title()}" for n, label in enumerate([*reversed(order)] * 2)]
    found = read_task(table(tmp_path / "made.csv", "left,right,label", *rows))
    assert found.kind == kind
    assert [label.lower().replace("-", " ") for label in found.classes] == order
    assert found.labels.tolist() == [*reversed(range(len(order)))] * 2


@pytest.mark.parametrize(("no", "yes"), [("no", "yes"), ("n", "y"), ("false", "true")])
def test_truth_is_in_order_where_the_kind_is_said(tmp_path: Path, no: str, yes: str):
    rows = (f"a b,a c,{yes}", f"d e,d f,{yes}", f"g h,i j,{no}", f"k l,m n,{no}")
    found = read_task(table(tmp_path / "made.csv", "left,right,label", *rows), kind="related")
    assert found.classes == (no, yes)


# Files and cells

PLAIN = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather", ".xlsx")
PACKED = [f"{ending}{packed}" for ending in PLAIN[:5] for packed in (".gz", ".zst", ".xz", ".bz2")]


@pytest.mark.parametrize("ending", [*PLAIN, *PACKED])
def test_endings_of_tables(tmp_path: Path, ending: str):
    (tmp_path / f"pairs{ending}").touch()
    source = TaskSource(path=tmp_path, name="made", reading=BenchmarkSource(path=tmp_path))
    assert source.find("pairs") == tmp_path / f"pairs{ending}"
    assert source.main("texts", "pairs") == tmp_path / f"pairs{ending}"
    assert source.find("texts") is None


@pytest.mark.parametrize("ending", [".parquet.gz", ".arrow.zst", ".feather.xz", ".xlsx.bz2", ".txt"])
def test_what_packs_itself_is_not_packed_again(tmp_path: Path, ending: str):
    (tmp_path / f"pairs{ending}").touch()
    assert TaskSource(path=tmp_path, name="made", reading=BenchmarkSource(path=tmp_path)).find("pairs") is None


def test_two_files_for_one_role_are_refused(tmp_path: Path):
    for ending in (".tsv", ".csv"):
        (tmp_path / f"pairs{ending}").touch()
    with pytest.raises(
        InputError, match=r"two files may be the pairs: pairs\.csv and pairs\.tsv; name one in task\.toml: files\.pairs"
    ):
        TaskSource(path=tmp_path, name="made", reading=BenchmarkSource(path=tmp_path)).find("pairs")
    with pytest.raises(InputError, match=r"there is no texts\.csv or more\.csv; it holds .*files\.texts = 'NAME'"):
        TaskSource(path=tmp_path, name="made", reading=BenchmarkSource(path=tmp_path)).need("texts", "more")


def test_cells_of_any_kind_are_texts(tmp_path: Path):
    path = tmp_path / "made.jsonl"
    cells = ["a ", True, 3, 4.0, 2.5, ["x", 1, 2.0, None, ""], None]
    path.write_text("".join(json.dumps({"id": n, "cell": cell}) + "\n" for n, cell in enumerate(cells)))
    rows = read_rows(path, {"id": ("id",)}, {"cell": ("cell",)}, BenchmarkSource(path=path))
    assert rows["cell"] == ["a", "true", "3", "4", "2.5", "x;1;2", ""]
    assert rows["id"] == [str(n) for n in range(7)]
    assert (len(rows), "cell" in rows, "other" in rows) == (7, True, False)


def test_bad_rows_are_counted(tmp_path: Path):
    path = tmp_path / "made.jsonl"
    path.write_text(
        "".join(json.dumps({"id": n, "text": text}) + "\n" for n, text in enumerate(["a", "", {"b": 1}, " "]))
    )
    with pytest.raises(InputError, match=r"line 2.*column 'text' is blank \(and 2 more such rows\); fill it in"):
        read_rows(path, {"text": ("text",)}, None, BenchmarkSource(path=path))
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in ["a", {"b": 1}, {"b": 1}]))
    with pytest.raises(
        InputError, match=r"in column 'text' is not text \(and 1 more such row\); write a text or a number"
    ):
        read_rows(path, {"text": ("text",)}, None, BenchmarkSource(path=path))


def test_columns_that_do_not_belong_together_are_refused(tmp_path: Path):
    rows = ("a b,a c,1", "d e,d f,1", "g h,i j,0", "k l,m n,0")
    with pytest.raises(ColumnError) as caught:
        read_task(table(tmp_path / "made.csv", "query,sentence2,related", *rows))
    assert "columns 'query' and 'sentence2' are not known to belong together" in str(caught.value)
    assert "--column left=NAME --column right=NAME" in str(caught.value)


def test_own_kinds_are_tried_after_those_of_other_packages():
    kinds = {name: maker() for name, maker in TASK_KINDS.listed().makers.items()}
    assert {kind.priority for kind in kinds.values()} == {GENERAL}
    plain = TaskKind(name="plain", summary="", layouts=(), fits=lambda _: True, read=lambda _: None)
    assert plain.priority == 0 > GENERAL
    assert not plain.has_classes
    with_classes = {name for name, kind in kinds.items() if kind.has_classes}
    assert with_classes == {"text-reuse", "related", "deduplication"}
    assert set(kinds) - with_classes == {"find-related", "intent"}
    assert all(kind.layouts and kind.summary for kind in kinds.values())


def test_pairs_keep_their_ids_if_all_have_one(tmp_path: Path):
    rows = ("a b,a c,1,one", "d e,d f,1,two", "g h,i j,0,three", "k l,m n,0,{}")
    made = [
        read_task(table(tmp_path / f"made{last}.csv", "left,right,related,id", *(row.format(last) for row in rows)))
        for last in ("four", "")
    ]
    whole, part = (list(zip(each.items.frame["id"], each.items.frame["left"], strict=True)) for each in made)
    assert whole == [("one", "a b"), ("two", "d e"), ("three", "g h"), ("four", "k l")]
    assert len({name for name, _ in part} - {"one", "two", "three", ""}) == 4  # one lacks its id: all are numbered
    with pytest.raises(InputError, match="id 'one' is repeated"):
        read_task(table(tmp_path / "again.csv", "left,right,related,id", *(row.format("one") for row in rows)))


def test_a_task_is_opened_under_a_name_with_a_separator_and_columns(tmp_path: Path):
    rows = ("a b;a c;1", "d e;d f;1", "g h;i, j;0", "k l;m, n;0")
    path = table(tmp_path / "made.csv", "left;right;related", *rows)
    found = open_task(path, name="mine", separator=";")
    assert (found.name, found.kind) == ("mine", "related")
    assert open_task(path, separator=";").name == "made"
    with pytest.raises(InputError):
        open_task(path, kind="related", separator="|")
    folder = tmp_path / "search"
    table(folder / "queries.csv", "id,text", "q1,one cat", "q2,two dogs")
    table(folder / "pool.csv", "id,text", "p1,a cat", "p2,some dogs")
    table(folder / "related.csv", "asked,found", "q1,p1", "q2,p2")
    found = open_task(folder, columns={"query": "asked", "document": "found"})
    assert found.is_related.tolist() == [[True, False], [False, True]]


# Refusals, each with its place and its remedy


def refused(error: type[Exception], path: Path | str, **options) -> str:
    with pytest.raises(error) as caught:
        open_task(path, **options)
    return str(caught.value)


PAIRS = ("a b,a c,1", "d e,d f,1", "g h,i j,0", "k l,m n,0")


def test_a_named_column_that_is_not_there(tmp_path: Path):
    path = table(tmp_path / "made.csv", "left,right,related", *PAIRS)
    assert refused(ColumnError, path, columns={"left": "text"}) == (
        "made.csv: no column 'text' to be 'left'; columns there: left, right, related; "
        "name one of them: --column left=NAME"
    )
    with pytest.raises(UnknownNameError, match="no column of a task named 'lef'"):
        open_task(path, columns={"lef": "left"})
    with pytest.raises(UnknownNameError, match=r"known: document, id, .* right, split, text$") as error:
        open_task(path, columns={"nothing": "left"})
    assert "document, id, label, left, query, related, right, split, text" in str(error.value)
    for alias, kind in (("reuse", "text-reuse"), ("duplicates", "deduplication"), ("faq", "intent")):
        assert open_task(f"sample:{kind}", kind=alias).kind == kind


def test_articles_without_a_column_of_related_ones(tmp_path: Path):
    path = table(tmp_path / "made.csv", "id,text", "1,one", "2,two")
    assert refused(ColumnError, path, kind="find-related") == (
        "made.csv: no column 'related'; give the ids of related articles in it"
    )


def test_several_pairs_of_columns_that_can_be_the_texts(tmp_path: Path):
    rows = [f"{row},x {n},y {n}" for n, row in enumerate(PAIRS)]
    path = table(tmp_path / "made.csv", "left,right,related,sentence1,sentence2", *rows)
    assert refused(ColumnError, path) == (
        "made.csv: several pairs of columns can be the texts: left, right; sentence1, sentence2; "
        "name the two that you mean: --column left=NAME --column right=NAME"
    )
    named = open_task(path, columns={"left": "sentence1", "right": "sentence2"})
    assert named.items.frame["left"].to_list() == ["x 0", "x 1", "x 2", "x 3"]


def test_columns_that_do_not_belong_together_are_refused_where_they_are(tmp_path: Path):
    assert refused(ColumnError, table(tmp_path / "made.csv", "query,sentence2,related", *PAIRS)).startswith(
        "made.csv: columns 'query' and 'sentence2'"
    )


def test_a_letter_before_a_colon_is_a_drive(tmp_path: Path):
    path = table(tmp_path / "made.csv", "left,right,related", *PAIRS)
    assert "no such file" in refused(InputError, f"c:{path}")
    assert "no such file" in refused(InputError, f"unknown:{tmp_path / 'none.csv'}")
    assert "no kind of task named 'cc'" in refused(UnknownNameError, f"cc:{path}")


def test_the_card_of_a_folder(tmp_path: Path):
    (tmp_path / "task.toml").write_text('licence = "CC0-1.0"\nmade = "by hand"\n')
    assert open_card(tmp_path).licence == "CC0-1.0"
    assert open_card(str(tmp_path)).made == "by hand"
    assert open_card("sample:related").licence == "Apache-2.0"
    with pytest.raises(InputError, match="no such"):
        open_card(tmp_path / "other")


def test_a_task_of_the_sample_under_another_name():
    assert (open_task("sample:related", name="mine").name, open_task("sample:related").kind) == ("mine", "related")
    with pytest.raises(ArgumentError, match="classes do not fit 'intent'"):
        open_task("sample:related", kind="intent")
    with pytest.raises(InputError):
        open_task("sample:related", separator="|")


# Notes of reading, and what is recognised


def noted(path: Path, header: str, *rows: str) -> str:
    """Write rows under a key of a document that has another one; give back the note that reading makes of it."""
    names = header.split(",")
    document = {"rows": [dict(zip(names, row.split(","), strict=True)) for row in rows], "version": 1}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return f"{path.name}: the rows are those under 'rows'; not read: version"


def test_notes_of_reading_are_kept(tmp_path: Path):
    folder = tmp_path / "search"
    queries = noted(folder / "queries.json", "id,text", "q1,one cat", "q2,two dogs")
    pool = noted(folder / "pool.json", "id,text", "p1,a cat", "p2,some dogs")
    table(folder / "related.csv", "query,document", "q1,p1", "q2,p2")
    assert read_task(folder).notes == (queries, pool)
    articles = noted(tmp_path / "articles.json", "id,text,related", "1,one,2", "2,two,", "3,three,1")
    rest = "1 articles name no related one and are only in the pool"
    assert read_task(tmp_path / "articles.json").notes == (articles, rest)
    pairs = noted(tmp_path / "pairs.json", "left,right,related", *PAIRS, PAIRS[0])
    assert read_task(tmp_path / "pairs.json").notes == (pairs, "pairs.json: 1 pairs are repeated")
    intents = noted(tmp_path / "intents.json", "text,label", *UTTERANCES)
    assert read_task(tmp_path / "intents.json").notes == (intents,)
    rows = (*(f"{row},train" for row in UTTERANCES[::2]), *(f"{row},test" for row in UTTERANCES[1::2]))
    split = noted(tmp_path / "split.json", "text,label,split", *rows, "what,music,dev")
    assert read_task(tmp_path / "split.json").notes == (split, "1 rows of dev ignored")


def test_a_search_is_known_by_either_of_its_files(tmp_path: Path):
    for there, lacking in (("queries", "pool"), ("pool", "queries")):
        table(tmp_path / there / f"{there}.csv", "id,text", "1,one", "2,two")
        with pytest.raises(InputError, match=rf"there is no {lacking}\.csv; it holds {there}\.csv; add it"):
            read_task(tmp_path / there)
    table(tmp_path / "more" / "articles.csv", "id,text,related", "1,one,2", "2,two,1")
    assert read_task(tmp_path / "more").kind == "find-related"
    table(tmp_path / "most" / "articles.csv", "id,text,related", "1,one,2", "2,two,1")
    assert read_task(tmp_path / "most", kind="find-related").queries == ("one", "two")


def test_all_names_of_a_ladder_are_on_it():
    assert is_on(RELATED, ["related", "Unrelated", "not-related"])
    assert not is_on(RELATED, ["related", "unrelated", "not related", "other"])


def test_the_header_of_one_file_of_a_folder(tmp_path: Path):
    path = table(tmp_path / "made" / "x.csv", "1,2", "3,4")
    source = TaskSource(path=tmp_path / "made", name="made", reading=BenchmarkSource(path=tmp_path / "made"))
    assert source.header(path) == ["1", "2"]
    assert source.header(tmp_path) == source.header(None) == []
    assert source.has_columns(path, ("1",), ("2", "other"))
    assert not source.has_columns(path, ("1",), ("3",))
    assert not source.has_columns(None, ("1",))


def test_a_table_of_a_task_has_a_header_even_of_numbers(tmp_path: Path):
    path = table(tmp_path / "made" / "x.csv", "2019,2020", "3,4", "5,6")
    reading = BenchmarkSource(path=tmp_path / "made")
    assert TaskSource(path=path.parent, name="made", reading=reading).header(path) == ["2019", "2020"]
    assert read_rows(path, {"year": ("2019",)}, None, reading)["year"] == ["3", "5"]


def test_the_separator_is_the_one_that_gives_the_columns_that_are_wanted(tmp_path: Path):
    path = table(tmp_path / "made" / "x.csv", "alpha;beta,gamma", "1;2,3", "4;5,6")
    source = TaskSource(path=path.parent, name="made", reading=BenchmarkSource(path=path.parent))
    assert source.header(path, ("alpha",)) == ["alpha", "beta,gamma"]
    assert source.header(path, ("gamma",)) == ["alpha;beta", "gamma"]


def test_kinds_of_task_join_by_entry_points():
    assert (TASK_KINDS.kind, TASK_KINDS.group) == ("kind of task", "similitude.task_kinds")
    with pytest.raises(ExtensionError, match=r"is a str, not a similitude\.evaluate\.tasks\.reading\.kind\.TaskKind"):
        TASK_KINDS.register("odd")(lambda: "odd")
    odd = TaskKind(name="other", summary="", layouts=(), fits=lambda _: True, read=lambda _: None)
    with pytest.raises(ExtensionError, match="calls itself 'other': set name='odd'"):
        TASK_KINDS.register("odd")(lambda: odd)
    for alias, kind in (("duplicates", "deduplication"), ("reuse", "text-reuse"), ("faq", "intent")):
        assert TASK_KINDS.maker(alias)().name == kind
    assert list(TASK_KINDS)[:5] == ["find-related", "related", "deduplication", "text-reuse", "intent"]


def test_a_kind_is_told_how_to_read(tmp_path: Path):
    path, sources = table(tmp_path / "made.csv", "a,b", "1,2"), []

    def read(source: TaskSource) -> None:
        sources.append(source)

    probe = TaskKind(name="probe", summary="", layouts=(), fits=lambda _: False, read=read, has_classes=True)
    TASK_KINDS.register("probe")(lambda: probe)
    try:
        how = {"separator": ";", "decimal": ",", "encoding": "cp1252", "sheet": "second", "columns": {"left": "a"}}
        read_task(path, kind="probe", name="mine", missing=["-"], classes=["no", "yes"], **how)
        open_task(f"probe:{path}")
        open_task(path, kind="probe", encoding="cp1252")
    finally:
        del TASK_KINDS._makers["probe"]
    told, plain, encoded = sources
    assert {name: getattr(told.reading, name) for name in how} == how
    assert (told.name, told.classes, told.reading.missing, told.reading.path) == ("mine", ("no", "yes"), ("-",), path)
    assert (plain.name, plain.classes, plain.reading.encoding, plain.reading.decimal) == ("made", None, "utf-8", ".")
    assert (plain.reading.separator, plain.reading.sheet, plain.reading.missing) == (None, None, ())
    assert (encoded.reading.encoding, encoded.card.kind) == ("cp1252", None)
