"""Readers of tasks: every layout, what is recognised, and one clear line for what is wrong."""

import gzip
import json

import numpy as np
import polars as pl
import pytest
from pydantic import ValidationError

from similitude.errors import ArgumentError, ColumnError, FormatError, InputError, UnknownNameError
from similitude.evaluate.tasks.pair_tasks import Deduplication, Related, TextReuse
from similitude.evaluate.tasks.reading import (
    TASK_KINDS,
    TaskKind,
    describe_task_kinds,
    open_task,
    read_card,
    read_task,
)
from similitude.evaluate.tasks.search_tasks import FindRelated, IntentMatching
from similitude.python_words import in_python

FOUR = "left,right,label\na,b,cut\nc,d,light\ne,f,heavy\ng,h,non\na2,b,cut\nc2,d,light\ne2,f,heavy\ng2,h,non\n"
TWO = "left,right,label\na,b,{yes}\nc,d,{no}\ne,f,{yes}\ng,h,{no}\n"


@pytest.fixture
def make(tmp_path):
    """Write files given as name=content into a folder and give back the folder."""

    def write(folder="made", **files):
        whole = tmp_path / folder
        for name, content in files.items():
            path = whole / name.replace("__", "/").replace("_csv", ".csv").replace("_toml", ".toml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return whole

    return write


def message(error, path, **options):
    with pytest.raises(error) as caught:
        read_task(path, **options)
    return str(caught.value)


def test_pairs_in_four_classes_are_text_reuse(make):
    task = read_task(make(pairs_csv=FOUR) / "pairs.csv")
    assert isinstance(task, TextReuse)
    assert task.name == "pairs"
    assert task.classes == ("non", "heavy", "light", "cut")
    assert task.labels.tolist() == [3, 2, 1, 0] * 2
    assert task.items.lefts == ["a", "c", "e", "g", "a2", "c2", "e2", "g2"]
    assert task.items.rights == ["b", "d", "f", "h"] * 2


@pytest.mark.parametrize(
    ("no", "yes", "kind"),
    [("unrelated", "related", Related), ("different", "duplicate", Deduplication), ("none", "Near_Copy", TextReuse)],
)
def test_two_classes_are_recognised_by_their_names(make, no, yes, kind):
    task = read_task(make(pairs_csv=TWO.format(no=no, yes=yes)) / "pairs.csv")
    assert type(task) is kind
    assert task.classes == (no, yes)
    assert task.labels.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(("no", "yes"), [("no", "yes"), ("0", "1"), ("false", "True"), ("1", "2.5")])
def test_answers_that_say_nothing_of_the_kind_need_it_said(make, no, yes):
    path = make(pairs_csv=TWO.format(no=no, yes=yes)) / "pairs.csv"
    assert "state it: KIND:PATH" in message(FormatError, path)
    for kind, made in (("related", Related), ("deduplication", Deduplication)):
        task = open_task(f"{kind}:{path}")
        assert type(task) is made
        assert task.classes == (no, yes)
        assert task.labels.tolist() == [1, 0, 1, 0]


def test_the_name_of_the_label_column_says_the_kind(make):
    rows = "sentence1\tsentence2\t{}\na\tb\t1\nc\td\t0\ne\tf\t1\ng\th\t0\n"
    assert type(read_task(make(x_csv=rows.format("is_duplicate")) / "x.csv")) is Deduplication
    assert type(read_task(make(x_csv=rows.format("related")) / "x.csv")) is Related


def test_json_lines_with_true_and_false(make):
    rows = [f'{{"left": "l{n}", "right": "r{n}", "duplicate": {"true" if n % 2 else "false"}}}' for n in range(4)]
    task = read_task(make(x_csv="\n".join(rows)) / "x.csv")
    assert type(task) is Deduplication
    assert task.labels.tolist() == [0, 1, 0, 1]


def test_numbers_are_in_order_of_size_not_of_writing(make):
    rows = "left,right,label\n" + "".join(f"a{n},b{n},{n % 3 + 9}\n" for n in range(6))  # 9, 10, 11
    assert read_task(make(x_csv=rows) / "x.csv").classes == ("9", "10", "11")


def test_the_order_of_other_classes_has_to_be_said(make):
    path = make(x_csv="left,right,label\na,b,far\nc,d,near\ne,f,far\ng,h,near\n") / "x.csv"
    said = message(FormatError, path, kind="related")
    assert said.startswith("x.csv: the order of the classes is unknown: far, near; state it, least similar first")
    assert read_task(path, kind="related", classes=["near", "far"]).labels.tolist() == [1, 0, 1, 0]


def test_a_folder_with_ids_and_texts(make):
    texts = "id,text\n1,one\n2,two\n3,three\n"
    folder = make(
        pairs_csv="left,right,label\n1,2,related\n2,3,unrelated\n1,3,unrelated\n3,2,related\n", texts_csv=texts
    )
    task = read_task(folder)
    assert task.name == "made"
    assert (task.items[1].left, task.items[1].right) == ("two", "three")
    (folder / "pairs.csv").write_text("left,right,label\n1,2,related\n2,9,unrelated\n8,3,unrelated\n3,2,related\n")
    assert message(InputError, folder) == (
        "pairs.csv, line 3: there is no text '9' in texts.csv (and 1 more such row); add it there"
    )
    (folder / "texts.csv").write_text(texts + "2,again\n")
    (folder / "pairs.csv").write_text("left,right,label\n1,2,related\n2,3,unrelated\n1,3,unrelated\n3,2,related\n")
    assert message(InputError, folder) == (
        "texts.csv, line 5: id '2' is repeated, first on texts.csv, line 3; make ids unique"
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("a,b,related\n , d,unrelated\n", "x.csv, line 3: column 'left' is blank; fill it in, or remove the row"),
        ("a,b,related\nc,d,\n", "x.csv, line 3: column 'label' is blank; fill it in, or remove the row"),
        ("a,b,related\nc,d,related\n", "x.csv: all rows are of one class, related; give members of at least two"),
        ("a,b,related\nc,d,unrelated\ne,f,related\n", "x.csv, line 3: class 'unrelated' has one member, which cannot"),
        ("a,b,no\nc,d,n\ne,f,yes\ng,h,yes\n", "x.csv: 'no' and 'n' mean the same class; use one name"),
        (
            "a,b,0\nc,d,1\ne,f,2\ng,h,0\ni,j,1\nk,l,2\n",
            "x.csv: 3 classes (0, 1, 2); related has two: unrelated and rel",
        ),
        ("a,b,no\nc,d,yes\na,b,yes\ng,h,no\n", "x.csv, line 4: the pair has another label on x.csv, line 2; keep one"),
        ("a,b,c,no\nc,d,yes\n", "x.csv, line 2: 4 fields, not 3"),
    ],
)
def test_bad_pairs(make, rows, said):
    assert message(InputError, make(x_csv="left,right,label\n" + rows) / "x.csv", kind="related").startswith(said)


def test_labels_beyond_those_chosen_and_classes_without_members(make):
    path = make(x_csv=TWO.format(no="no", yes="yes")) / "x.csv"
    said = message(InputError, path, kind="related", classes=["never", "no"])
    assert said == "x.csv, line 2: 'yes' is not one of the classes (and 1 more such row); known: never, no"
    said = message(InputError, path, kind="related", classes=["never", "no", "yes"])
    assert said == "x.csv: class 'never' has no member; remove it from classes"


def test_pairs_that_come_back_are_noted(make):
    task = read_task(make(x_csv=TWO.format(no="unrelated", yes="related") + "a,b,related\n") / "x.csv")
    note = "x.csv: 1 pairs are repeated"
    assert task.notes == (note,)
    assert note in task.outcome(np.linspace(0, 1, 5)[None], np.random.default_rng(0)).notes


CATEGORIES = (
    "File,Task,Category\ng0pA_taska.txt,a,non\ng0pA_taskb.txt,b,cut\ng0pB_taska.txt,a,cut\ng0pB_taskb.txt,b,non\n"
)


@pytest.fixture
def corpus(make):
    """The layout of the corpus of plagiarised short answers."""
    folder = make(table_csv=CATEGORIES + "orig_taska.txt,a,orig\n")
    for name, text in {
        "g0pA_taska.txt": b"own\r\nwords",
        "g0pA_taskb.txt": b"the \x93second\x94 original",  # cp1252 quotes
        "g0pB_taska.txt": "the first öriginal".encode(),
        "g0pB_taskb.txt": b"something else",
        "orig_taska.txt": "the first öriginal".encode(),
        "orig_taskb.txt": b"the second original\n",
    }.items():
        (folder / name).write_bytes(text)
    return folder


def test_short_answers(corpus):
    task = read_task(corpus)
    assert isinstance(task, TextReuse)
    assert task.items.ids == ["g0pA_taska.txt", "g0pA_taskb.txt", "g0pB_taska.txt", "g0pB_taskb.txt"]
    assert task.items.lefts[:2] == ["own\nwords", "the “second” original"]
    assert task.items.rights == ["the first öriginal", "the second original"] * 2
    assert task.classes == ("non", "cut")
    assert task.labels.tolist() == [0, 1, 1, 0]
    assert task.notes == ("1 file was not UTF-8 and read as cp1252: g0pA_taskb.txt",)


def test_short_answers_in_a_folder_below_the_table(corpus):
    below = corpus / "texts"
    below.mkdir()
    for file in corpus.glob("*.txt"):
        file.rename(below / file.name)
    assert len(read_task(corpus).items) == 4


def test_short_answers_that_lack_something(corpus):
    (corpus / "g9pZ_taska.txt").write_text("not in the table")
    assert "not in table.csv and not used: g9pZ_taska.txt" in read_task(corpus).notes
    (corpus / "orig_taskb.txt").unlink()
    assert message(InputError, corpus).startswith(
        "table.csv, line 3: there is no original 'orig_taskb.txt' for 'g0pA_taskb.txt' (and 1 more such row); add"
    )
    (corpus / "g0pB_taska.txt").unlink()
    (corpus / "orig_taskb.txt").write_text("back")
    assert message(InputError, corpus).startswith("table.csv, line 4: there is no file 'g0pB_taska.txt' in made; add")
    (corpus / "g0pB_taska.txt").write_text("  \n")
    assert message(InputError, corpus).startswith("g0pB_taska.txt: the file is empty")
    (corpus / "g0pB_taska.txt").write_bytes(b"neither \x81 nor")
    assert message(InputError, corpus).startswith("g0pB_taska.txt, line 1: byte 0x81 at byte 9 is not CP1252")


def test_short_answers_whose_table_is_a_spreadsheet_or_not_there(corpus):
    (corpus / "table.csv").rename(corpus / "corpus-final09.xls")
    assert message(FormatError, corpus).endswith(
        "in a spreadsheet, corpus-final09.xls; save the sheet with File and Category as CSV beside it"
    )
    (corpus / "corpus-final09.xls").unlink()
    assert "there is no table with the columns File and Category" in message(InputError, corpus)


QUERIES = {
    "queries_csv": "id,text\n1,first question\n2,second question\n",
    "pool_csv": "id,text\n1,first answer\n2,second question\n3,second answer\n",
    "related_csv": "query,document\n1,1\n2,3\n2,2\n",
}


def test_queries_and_a_pool(make):
    task = read_task(make(**QUERIES))
    assert isinstance(task, FindRelated)
    assert task.queries == ("first question", "second question")
    assert len(task.pool) == 3
    assert task.is_related.tolist() == [[True, False, False], [False, True, True]]
    assert task.is_same.tolist() == [[False] * 3, [False, True, False]]  # same id alone is not the same text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"related_csv": "query,document\n1,1\n7,3\n"}, "related.csv, line 3: there is no query '7' in queries.csv"),
        ({"related_csv": "query,document\n1,9\n2,3\n"}, "related.csv, line 2: there is no document '9' in pool.csv"),
        ({"related_csv": "query,document\n1,1\n"}, "queries.csv, line 3: query '2' has no related text in the pool"),
        (
            {"related_csv": "query,document\n1,1\n2,2\n"},
            "queries.csv, line 3: query '2' has no related text in the pool",
        ),
        ({"pool_csv": "id,text\n1,a\n1,b\n"}, "pool.csv, line 3: id '1' is repeated, first on pool.csv, line 2"),
        ({"pool_csv": "id,text\n1,a\n2, \n3,c\n"}, "pool.csv, line 3: column 'text' is blank"),
        (
            {"pool_csv": "number,text\n1,a\n"},
            "pool.csv: no column 'id'; columns there: number, text; name it with --column id=NAME, or call",
        ),
        ({"pool_csv": " "}, "pool.csv: the file is empty"),
    ],
)
def test_bad_queries(make, changes, said):
    assert message(InputError, make(**QUERIES | changes)).startswith(said)


def test_a_folder_without_one_of_its_files(make):
    folder = make(**QUERIES)
    (folder / "related.csv").unlink()
    said = message(InputError, folder)
    assert "there is no related.csv; it holds pool.csv, queries.csv; add it" in said


def test_articles_that_name_each_other(make):
    path = make(a_csv="id,text,related\nx,one,y; z\ny,two,x\nz,three,\n") / "a.csv"
    task = read_task(path)
    assert isinstance(task, FindRelated)
    assert task.queries == ("one", "two")
    assert task.pool == ("one", "two", "three")
    assert task.is_related.tolist() == [[False, True, True], [True, False, False]]
    assert task.is_same.tolist() == [[True, False, False], [False, True, False]]
    assert task.notes == ("1 articles name no related one and are only in the pool",)


def test_articles_as_json_lines_with_lists(make):
    rows = '{"id": 1, "text": "one", "related": [2]}\n{"id": 2, "text": "two", "related": ["1"]}\n'
    assert read_task(make(a_csv=rows) / "a.csv").is_related.tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("x,one,y\ny,two,q\n", "a.csv, line 3: there is no article 'q'; correct the id, or add it"),
        ("x,one,x\ny,two,x\n", "a.csv, line 2: article 'x' names itself as related; remove it"),
        ("x,one,\ny,two,\n", "a.csv: no article names a related one; fill in the column 'related'"),
    ],
)
def test_bad_articles(make, rows, said):
    assert message(InputError, make(a_csv="id,text,related\n" + rows) / "a.csv") == said


def test_intents_without_split_are_compared_with_all_others(make):
    task = read_task(make(x_csv="text,label\na,on\nb,on\nc,off\nd,off\n") / "x.csv")
    assert isinstance(task, IntentMatching)
    assert task.texts == task.examples == ("a", "b", "c", "d")
    np.testing.assert_array_equal(task.is_same, np.eye(4, dtype=bool))
    assert task.notes == ()


def test_intents_with_split(make):
    rows = "utterance,intent,split\na,on,train\nb,off,train\nc,off,test\nd,on,dev\na,on,test\n"
    task = read_task(make(x_csv=rows) / "x.csv")
    assert (task.texts, task.labels) == (("c", "a"), ("off", "on"))
    assert (task.examples, task.example_labels) == (("a", "b"), ("on", "off"))
    assert not task.is_same.any()
    assert task.notes == ("1 rows of dev ignored", "1 texts are also among the examples, word for word")


def test_frequent_questions_and_folders_with_train_and_test(make):
    faq = read_task(make(x_csv="question,answer_id\na,1\nb,1\nc,2\nd,2\n") / "x.csv")
    assert faq.labels == ("1", "1", "2", "2")
    folder = make("two", train_csv="text,category\na,on\nb,off\n", test_csv="text,category\nc,off\n")
    task = read_task(folder)
    assert (task.texts, task.examples) == (("c",), ("a", "b"))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("a,on,\nb,on,\nc,off,\n", "x.csv, line 4: label 'off' has no other example; give every label"),
        (
            "a,on,train\nb,off,train\nc,up,test\n",
            "x.csv, line 4: label 'up' has no other example; give it",
        ),
        ("a,on,train\nb,off,train\n", "x.csv: splits there: train; give both train (the examples) and test"),
        ("a,on,train\nb,off,fold2\n", "x.csv, line 3: split 'fold2' is unknown; name it train or test"),
        ("a,on,\nb,on,\n", "x.csv: all examples have one label, on; give examples of at least two labels"),
        ("a,on,\n,on,\n", "x.csv, line 3: column 'text' is blank"),
    ],
)
def test_bad_intents(make, rows, said):
    assert message(InputError, make(x_csv="text,label,split\n" + rows) / "x.csv").startswith(said)


def test_a_card_says_what_a_folder_is(make):
    card = """
        kind = "deduplication"
        name = "ours"
        classes = ["b", "a"]
        licence = "CC0-1.0"
        made = "by hand"
        files = { pairs = "below/odd.csv" }
    """
    folder = make(task_toml=card, below__odd_csv=TWO.format(no="a", yes="b"))
    for path in (folder, folder / "task.toml"):
        task = read_task(path)
        assert type(task) is Deduplication
        assert (task.name, task.classes) == ("ours", ("b", "a"))
    assert read_task(folder, kind="related", name="mine", classes=["a", "b"]).classes == ("a", "b")
    assert read_card(folder).licence == "CC0-1.0"
    with pytest.raises(ValidationError, match="frozen"):
        read_card(folder).licence = "other"
    (folder / "below" / "odd.csv").unlink()
    assert "odd.csv: no such file" in message(InputError, folder)


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ('kind = "related', "task.toml, line 1: not valid TOML: "),
        (
            'sort = "related"',
            "task.toml, line 1: 'sort' is not a known key; known: kind, name, classes, licence, made, files",
        ),
        ("classes = 3", "task.toml, line 1: classes = 3: input should be a list in brackets"),
    ],
)
def test_bad_cards(make, card, said):
    assert said in message(InputError, make(task_toml=card, pairs_csv=FOUR))


def test_kinds_that_are_not_known(make):
    path = make(pairs_csv=FOUR) / "pairs.csv"
    with pytest.raises(UnknownNameError, match="no kind of task named 'relatd'; did you mean 'related'"):
        open_task(f"relatd:{path}")
    with pytest.raises(UnknownNameError, match="did you mean 'text-reuse'"):
        read_task(path, kind="textreuse")
    with pytest.raises(UnknownNameError, match="no kind of task named 'relate'"):
        read_task(make("other", task_toml='kind = "relate"'))


def test_what_is_not_there_or_not_a_task(make, tmp_path):
    folder = make(notes_csv="a,b\n1,2\n")
    assert "the kind of task was not recognised; it holds notes.csv; state it" in message(FormatError, folder)
    said = message(FormatError, folder / "notes.csv")
    assert "it holds the columns a, b; state it" in said
    assert "related, deduplication, text-reuse: a table with left, right and label" in said
    assert "intent: a table with text, label and optionally split" in said
    assert "there is no pairs.csv; it holds notes.csv; add it" in message(InputError, folder, kind="related")
    with pytest.raises(InputError, match=r"no such file; did you mean notes\.csv"):
        open_task(str(folder / "note.csv"))
    with pytest.raises(InputError, match="no such file"):
        open_task(f"related:{tmp_path / 'nothing.csv'}")
    with pytest.raises(UnknownNameError, match="no task of the sample named 'intents'; did you mean 'intent'"):
        open_task("sample:intents")


def test_a_file_whose_name_has_a_colon(make):
    path = make(pairs_csv=FOUR) / "pairs.csv"
    odd = path.rename(path.parent / "related:x.csv")
    assert type(open_task(odd)) is TextReuse


def test_columns_and_classes_that_do_not_fit(make):
    intents = make(x_csv="text,label\na,on\nb,on\nc,off\nd,off\n") / "x.csv"
    assert message(ArgumentError, intents, classes=["on", "off"]) == "x: classes do not fit 'intent'; leave them out"
    assert message(ArgumentError, intents, classes=["on", 1]).startswith("classes holds 1, which is no name")
    assert message(ColumnError, intents, kind="related").startswith(
        "x.csv: no column 'left'; columns there: text, label"
    )
    assert message(ColumnError, intents, kind="find-related").startswith("x.csv: no column 'id'")


def test_other_encodings(make):
    rows = TWO.format(no="unrelated", yes="related").replace("a,b", "ä,ö")
    path = make(x_csv=rows.encode("cp1252")) / "x.csv"
    assert "is not UTF-8; --encoding" in message(InputError, path)
    assert read_task(path, encoding="cp1252").items[0].left == "ä"


ROWS = [{"left": f"l{n}", "right": f"r{n}", "label": "related" if n % 2 else "unrelated"} for n in range(4)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", "left;right;label\n" + "".join(f"l{n};r{n};{ROWS[n]['label']}\n" for n in range(4))),
        ("x.txt", "left|right|label\n" + "".join(f"l{n}|r{n}|{ROWS[n]['label']}\n" for n in range(4))),
        ("x.json", json.dumps(ROWS)),
        ("x.json", json.dumps({key: [row[key] for row in ROWS] for key in ROWS[0]})),
        ("x.tsv.gz", gzip.compress(("text_a\ttext_b\tlabel\n" + "".join(
            f"l{n}\tr{n}\t{ROWS[n]['label']}\n" for n in range(4))).encode(), mtime=0)),
    ],
    ids=["semicolons", "bars", "array", "columns", "gzip"],
)  # fmt: skip
def test_every_container_holds_the_same_task(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    task = read_task(path)
    assert type(task) is Related
    assert task.items.lefts == ["l0", "l1", "l2", "l3"]
    assert task.labels.tolist() == [0, 1, 0, 1]


def test_parquet_and_a_folder_of_it(tmp_path):
    pl.DataFrame(ROWS).write_parquet(tmp_path / "pairs.parquet")
    assert read_task(tmp_path / "pairs.parquet").labels.tolist() == [0, 1, 0, 1]
    assert read_task(tmp_path).labels.tolist() == [0, 1, 0, 1]
    (tmp_path / "pairs.csv").write_text("left,right,label\n")
    said = message(InputError, tmp_path)
    assert "two files may be the pairs: pairs.csv and pairs.parquet; name one in task.toml: files.pairs" in said


def test_numbers_as_ids_fit_however_they_are_stored(tmp_path):
    pl.DataFrame({"id": [1.0, 2.0, 3.0], "text": ["one", "two", "three"]}).write_parquet(tmp_path / "texts.parquet")
    (tmp_path / "pairs.csv").write_text("left,right,label\n1,2,related\n2,3,unrelated\n1,3,unrelated\n3,2,related\n")
    assert read_task(tmp_path).items[0].right == "two"


@pytest.mark.parametrize(
    ("labels", "code"),
    [
        (("0", "1", "-1"), "-1"),
        (("0", "1", "99"), "99"),
        (("1", "2", "-999"), "-999"),
        (("0.0", "1.0", "-1.0"), "-1.0"),
    ],
)
def test_codes_among_labels_are_refused_unless_they_are_classes(make, labels, code):
    rows = "left,right,label\n" + "".join(f"a{n},b{n},{labels[n % 3]}\n" for n in range(6))
    path = make(x_csv=rows) / "x.csv"
    said = message(InputError, path, kind="text-reuse")
    assert said.startswith(f"x.csv, line 4: label '{code}' (2 rows) looks like a code for a label that is hidden")
    assert "classes =" in said
    ordered = sorted(labels, key=float)
    assert read_task(path, kind="text-reuse", classes=ordered).classes == tuple(ordered)


def test_minus_one_and_one_are_two_classes(make):
    task = read_task(make(x_csv=TWO.format(no="-1", yes="1")) / "x.csv", kind="related")
    assert task.classes == ("-1", "1")


def test_a_number_in_two_ways_is_not_two_classes(make):
    rows = "left,right,label\na,b,0\nc,d,1\ne,f,1.0\ng,h,0\ni,j,1.0\n"
    said = message(InputError, make(x_csv=rows) / "x.csv", kind="text-reuse")
    assert said == "x.csv: '1' and '1.0' are the same number; write each label in one way"


def test_nan_is_no_label(make):
    rows = "left,right,label\na,b,0\nc,d,1\ne,f,nan\ng,h,0\ni,j,1\nk,l,nan\n"
    assert "the order of the classes is unknown: 0, 1, nan" in message(
        FormatError, make(x_csv=rows) / "x.csv", kind="text-reuse"
    )


def test_a_nul_character_in_a_text(tmp_path):
    rows = [{**row, "left": "a\0b"} for row in ROWS]
    (tmp_path / "x.json").write_text(json.dumps(rows))
    assert "column 'left' holds a NUL character" in message(InputError, tmp_path / "x.json")


def test_other_packages_can_add_a_kind(make):
    made = TaskKind(
        name="always",
        summary="for this test",
        layouts=("anything called always.csv",),
        fits=lambda source: source.path.name == "always.csv",
        read=lambda source: read_task(source.path, kind="text-reuse", name="from elsewhere"),
    )
    TASK_KINDS.register("always")(lambda: made)
    try:
        assert open_task(f"always:{make(x_csv=FOUR) / 'x.csv'}").name == "from elsewhere"
        assert open_task(make(always_csv=FOUR) / "always.csv").name == "from elsewhere"  # before ours, which fit too
        assert "always" in [name for name, _, _ in describe_task_kinds()]
    finally:
        del TASK_KINDS._makers["always"]


@pytest.mark.parametrize("header", ["left,right,label", "premise,hypothesis,label"])
def test_the_order_of_numbered_classes_is_asked_for_where_it_is_in_doubt(tmp_path, header):
    """1 often means yes and 2 no; in inference, 0 is entailment."""
    path = tmp_path / "pairs.csv"
    path.write_text(f"{header}\na,b,1\nc,d,2\ne,f,1\ng,h,2\n")
    with pytest.raises(FormatError, match=r"order of the classes is unknown: 1, 2; .*classes = \['1', '2'\]"):
        open_task(f"related:{path}")


def test_refusals_of_short_answers_word_by_word(corpus):
    (corpus / "table.csv").rename(corpus / "Final.XLSX")
    assert message(FormatError, corpus) == (
        f"{corpus}: the categories are in a spreadsheet, Final.XLSX; "
        "save the sheet with File and Category as CSV beside it"
    )
    (corpus / "Final.XLSX").rename(corpus / "a.ods")
    assert "in a spreadsheet, a.ods;" in message(FormatError, corpus)
    (corpus / "a.ods").unlink()
    said = message(InputError, corpus)
    assert said.startswith(f"{corpus}: there is no table with the columns File and Category; it holds ")
    assert said.endswith("; add categories.csv, with one row per answer")


def test_the_table_of_short_answers_may_have_other_names(corpus):
    table = corpus / "table.csv"
    rows = table.read_text()
    table.unlink()
    (corpus / "aaa.csv").write_text("some,other\n1,2\n")  # without the columns
    for name, header in (("UPPER.TSV", "filename\tTask\tlabel"), ("x.csv", "name,Task,class")):
        text = rows.replace("File,Task,Category", header)
        (corpus / name).write_text(text.replace(",", "\t") if "TSV" in name else text)
        assert len(read_task(corpus).items) == 4
        (corpus / name).unlink()
    (corpus / "zzz.csv").write_text(rows)
    (corpus / "categories.csv").write_text(rows.replace("cut", "light"))
    assert read_task(corpus).classes == ("non", "light")  # the one that is named so


def test_short_answers_in_another_encoding_and_beside_the_table(corpus):
    below = corpus / "below"
    below.mkdir()
    (below / "g0pA_taska.txt").write_text("another one of the same name")
    assert read_task(corpus).items.lefts[0] == "own\nwords"  # the file beside the table comes first
    for name in ("g0pB_taskb.txt", "orig_taska.txt"):
        (corpus / name).write_bytes(b"\x93quoted\x94")
    task = read_task(corpus)
    assert task.notes[0] == (
        "3 files were not UTF-8 and read as cp1252: g0pA_taskb.txt, g0pB_taskb.txt, orig_taska.txt"
    )
    for number in range(7):
        (corpus / f"g{number}pX_taska.txt").write_text("more")
    assert read_task(corpus).notes[1] == (
        "not in table.csv and not used: g0pX_taska.txt, g1pX_taska.txt, g2pX_taska.txt, g3pX_taska.txt, "
        "g4pX_taska.txt, 2 more"
    )


def test_repeated_answers_are_refused(corpus):
    (corpus / "table.csv").write_text(CATEGORIES + "g0pA_taska.txt,a,cut\n")
    assert message(InputError, corpus) == (
        "table.csv, line 6: id 'g0pA_taska.txt' is repeated, first on table.csv, line 2; make ids unique"
    )


def test_refusals_word_by_word(make, tmp_path):
    folder = make(notes_csv="a,b\n1,2\n")
    assert message(InputError, folder, kind="related") == (
        f"{folder}: there is no pairs.csv; it holds notes.csv; add it (also .tsv, .jsonl, .parquet), or name it in "
        "task.toml: files.pairs = 'NAME'"
    )
    assert message(FormatError, folder).startswith(f"{folder}: the kind of task was not recognised; it holds notes.csv")
    said = message(ColumnError, folder / "notes.csv", kind="intent")
    assert said == (
        "notes.csv: no column 'text'; columns there: a, b; "
        "name it with --column text=NAME, or call it one of: text, utterance, question, query, sentence, message"
    )
    three = make("three", x_csv="left,right,label\na,b,0\nc,d,1\ne,f,2\ng,h,0\ni,j,1\nk,l,2\n") / "x.csv"
    assert message(InputError, three, kind="deduplication") == (
        "x.csv: 3 classes (0, 1, 2); deduplication has two: different and duplicate; more are read as text-reuse"
    )
    assert message(InputError, three, kind="related").endswith(
        "related has two: unrelated and related; more are read as text-reuse"
    )
    same = make("same", x_csv="left,right,label\na,b,no\nc,d,n\ne,f,yes\ng,h,yes\n") / "x.csv"
    assert message(InputError, same, kind="related") == (
        "x.csv: 'no' and 'n' mean the same class; use one name, or state the order of the classes"
    )
    one = make("one", x_csv="left,right,label\na,b,yes\nc,d,no\ne,f,yes\n") / "x.csv"
    assert message(InputError, one, kind="related") == (
        "x.csv, line 3: class 'no' has one member, which cannot be both trained on and tested; "
        "add members to that class, or remove it"
    )
    all_one = make("all", x_csv="left,right,label\na,b,yes\nc,d,yes\n") / "x.csv"
    assert message(InputError, all_one, kind="related") == (
        "x.csv: all rows are of one class, yes; give members of at least two classes"
    )
    odd = make("odd", x_csv="left,right,label\na,b,far\nc,d,near\ne,f,far\ng,h,near\n") / "x.csv"
    assert message(FormatError, odd, kind="related") == (
        "x.csv: the order of the classes is unknown: far, near; state it, least similar first: "
        "classes = ['far', 'near'] in task.toml, or --classes 'far,near'"
    )
    assert in_python("or --classes '1,2'") == "or classes=['1', '2']"


def test_notes_of_the_table_of_short_answers_are_kept(corpus):
    names = [f"g{number}pC_taska.txt" for number in range(6)]
    rows = [row.split(",") for row in CATEGORIES.split()[1:]] + [[name, "a", "non"] for name in names]
    listed = [{"File": name, "Category": label} for name, _, label in rows]
    (corpus / "table.csv").unlink()
    (corpus / "categories.json").write_text(json.dumps({"answers": listed, "version": 1}))
    for name in names:
        (corpus / name).write_bytes(b"\x93own words\x94")
    assert read_task(corpus).notes == (
        "categories.json: the rows are those under 'answers'; not read: version",
        "7 files were not UTF-8 and read as cp1252: g0pA_taskb.txt, g0pC_taska.txt, g1pC_taska.txt, g2pC_taska.txt, "
        "g3pC_taska.txt, 2 more",
    )


def test_classes_of_inference_and_codes_are_listed_by_number(make):
    rows = "".join(f"a{n},b{n},{(9, 10)[n % 2]}\n" for n in range(4))
    said = message(FormatError, make(x_csv="premise,hypothesis,label\n" + rows) / "x.csv", kind="related")
    assert said.startswith("x.csv: the order of the classes is unknown: 9, 10; state it")
    for header in ("premise,text_b,label", "text_a,hypothesis,label"):
        path = make(x_csv=f"{header}\n" + rows) / "x.csv"
        named = {"left": header.split(",")[0], "right": header.split(",")[1]}
        assert read_task(path, kind="related", columns=named).classes == ("9", "10")
    rows = "left,right,label\n" + "".join(f"a{n},b{n},{(2, 10, -999)[n % 3]}\n" for n in range(6))
    assert "classes = ['-999', '2', '10'] in task.toml" in message(InputError, make(x_csv=rows) / "x.csv")


def test_three_classes_in_a_folder_and_two_files(make, tmp_path):
    folder = make(pairs_csv="left,right,label\na,b,0\nc,d,1\ne,f,2\ng,h,0\ni,j,1\nk,l,2\n")
    assert message(InputError, folder, kind="related").startswith("pairs.csv: 3 classes (0, 1, 2); related has two")
    (folder / "pairs.tsv").write_text("left\tright\tlabel\n")
    assert message(InputError, folder, kind="related").startswith(f"{folder}: two files may be the pairs")


def test_a_file_that_cannot_be_read_says_why(make):
    assert message(InputError, make(x_csv="a,b\n1,2\n1,2,3\n") / "x.csv").startswith("x.csv, line 3: 3 fields, not 2")


def test_intents_that_lack_something(make):
    assert "not recognised" in message(FormatError, make("one", train_csv="text,category\na,on\nb,off\n"))
    rows = "text,label,split\na,on,train\nb,off,train\nc,off,test\nd,on,\n"
    assert message(InputError, make(x_csv=rows) / "x.csv").startswith("x.csv, line 5: split '' is unknown; name it")
    assert message(InputError, make(x_csv="text,label\na,on\n") / "x.csv") == (
        "x.csv: all examples have one label, on; give examples of at least two labels"
    )
