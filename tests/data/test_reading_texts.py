"""Texts from files, folders and objects: what is a row, what is a dialogue, and what is refused."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from similitude.data.item import Items
from similitude.data.reading import mapped_text
from similitude.data.reading.texts import read_pairs, read_texts
from similitude.data.texts import SPEAKERS, TEXT_SCHEMA, Texts
from similitude.errors import ArgumentError, ColumnError, FormatError, InputError


def json_lines(*records: object) -> str:
    return "\n".join(json.dumps(record) for record in records) + "\n"


class TestLines:
    def test_each_line_is_a_row_and_blank_lines_are_empty_texts(self, make_file):
        texts = read_texts(make_file("a.txt", 'A cat, black\n\nHe said "no\n  spaced  \nlast'))
        assert texts.texts == ["A cat, black", "", 'He said "no', "  spaced  ", "last"]
        assert texts.ids == ["1", "2", "3", "4", "5"]
        assert texts.provenance.readings[0].container == "lines of text"

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_any_line_end(self, make_file, end):
        assert read_texts(make_file("a.txt", f"one{end}two{end}")).texts == ["one", "two"]

    def test_a_large_file_is_read_as_a_small_one(self, make_file, monkeypatch):
        lines = ["one, two", "", 'a "quote', "tab\there", "ünïcode", "last"] * 50
        path = make_file("a.txt", "\n".join(lines) + "\n")
        small = read_texts(path)
        monkeypatch.setattr(mapped_text, "LEAST", 1)
        large = read_texts(path)
        assert small.texts == large.texts == lines

    def test_a_large_file_with_windows_line_ends(self, make_file, monkeypatch):
        monkeypatch.setattr(mapped_text, "LEAST", 1)
        assert read_texts(make_file("a.txt", "one\r\n\r\nthree\r\n")).texts == ["one", "", "three"]

    def test_prose_with_tabs_and_commas_is_no_table(self, make_file):
        lines = ["first, second", "third, fourth", "fifth, sixth"]
        assert read_texts(make_file("a.txt", "\n".join(lines))).texts == lines

    def test_a_header_that_is_known_makes_a_table_of_a_text_file(self, make_file):
        texts = read_texts(make_file("a.txt", "id\ttext\n7\tA cat\n8\tA dog\n"))
        assert (texts.ids, texts.texts) == (["7", "8"], ["A cat", "A dog"])

    def test_packed(self, tmp_path):
        path = tmp_path / "a.txt.gz"
        path.write_bytes(gzip.compress(b"one\ntwo\n"))
        assert read_texts(path).texts == ["one", "two"]

    def test_a_bad_byte_names_the_line(self, make_file):
        path = make_file("a.txt", b"good\nb\xe4d\n")
        with pytest.raises(InputError, match=r"a\.txt, line 2: byte 0xe4 at byte 2 is not UTF-8"):
            read_texts(path)
        skipped = read_texts(path, on_error="skip")
        assert skipped.texts == ["good"]
        assert skipped.provenance.skipped[0].where == "a.txt, line 2"
        assert read_texts(path, encoding="latin-1").texts == ["good", "bäd"]

    def test_a_line_of_more_than_a_megabyte_is_refused_by_number(self, make_file):
        path = make_file("a.txt", "short\n" + "x" * 1_000_001 + "\nshort again\n")
        with pytest.raises(InputError, match=r"a\.txt, line 2: the line has 1,000,001 bytes, more than 1,000,000"):
            read_texts(path)
        assert read_texts(path, on_error="skip").texts == ["short", "short again"]

    def test_an_empty_file(self, make_file):
        with pytest.raises(InputError, match="the file is empty; give at least one text"):
            read_texts(make_file("a.txt", ""))


class TestTables:
    def test_usual_names_and_further_columns(self, make_file):
        path = make_file("a.csv", 'uuid,caption,image_id,lang,stars\nx,"A dog, brown",9,en,4\ny,,9,en,5\n')
        texts = read_texts(path)
        assert texts.frame.select("id", "text", "group", "language", "stars").rows() == [
            ("x", "A dog, brown", "9", "en", "4"),
            ("y", "", "9", "en", "5"),
        ]
        assert texts.frame.columns == [*TEXT_SCHEMA, "stars"]
        assert "columns matched: text=caption, id=uuid, group=image_id, language=lang" in texts.provenance.notes[0]

    def test_columns_that_the_user_names(self, make_file):
        path = make_file("a.jsonl", json_lines({"text": "no", "mine": "yes", "place": 3}))
        texts = read_texts(path, columns={"text": "mine", "document": "place"})
        assert texts.frame.select("text", "document").rows() == [("yes", "3")]
        assert "columns not used, because another was named for them: text" in " ".join(texts.provenance.notes)

    def test_the_only_column_holds_the_texts(self):
        assert read_texts(pl.DataFrame({"whatever": ["a", "b"]})).texts == ["a", "b"]

    def test_values_of_several_types_are_kept_as_json(self, make_file):
        path = make_file("a.jsonl", json_lines({"text": "a", "x": [1, "b"]}, {"text": "b", "x": {"k": "ü"}}))
        assert read_texts(path).frame["x"].to_list() == ['[1, "b"]', '{"k": "ü"}']

    def test_parquet_keeps_types(self, tmp_path):
        path = tmp_path / "a.parquet"
        pl.DataFrame({"sentence": ["a", None], "weight": [0.5, 1.5]}).write_parquet(path)
        texts = read_texts(path)
        assert texts.texts == ["a", ""]
        assert texts.frame["weight"].to_list() == [0.5, 1.5]

    def test_no_column_of_texts(self):
        with pytest.raises(
            ColumnError, match=r"no column is known to hold texts; columns there: x, y; .*--column text="
        ):
            read_texts({"x": ["a"], "y": ["b"]})

    @pytest.mark.parametrize(
        "pair", [("sentence1", "sentence2"), ("premise", "hypothesis"), ("left", "right"), ("Text A", "Text B")]
    )
    def test_pairs_are_refused_with_the_remedy(self, make_file, pair):
        path = make_file("a.tsv", "\t".join(pair) + "\nA cat\tA dog\nA cow\tA hen\n")
        with pytest.raises(FormatError, match=r"hold pairs of texts.*data = \"a\.tsv\" under \[pairs\]") as caught:
            read_texts(path)
        assert str(caught.value).endswith("or take one column: --column text=NAME")
        assert read_texts(path, columns={"text": pair[0]}).texts == ["A cat", "A cow"]

    def test_numbers_are_no_texts(self):
        with pytest.raises(InputError, match=r"dict, row 2: '7' in column 'text' is not text"):
            read_texts({"text": ["a", 7, None]})

    def test_repeated_and_blank_ids(self):
        with pytest.raises(InputError, match="row 3: id 'x' is already used at row 1"):
            read_texts({"id": ["x", "y", "x"], "text": ["a", "b", "c"]})
        kept = read_texts({"id": ["x", "y", "x"], "text": ["a", "b", "c"]}, on_error="skip")
        assert kept.ids == ["x", "y"]
        with pytest.raises(InputError, match="row 2: the id is blank"):
            read_texts({"id": ["x", None], "text": ["a", "b"]})
        assert read_texts({"id": ["x", "x"], "text": ["a", "b"]}, columns={"id": ""}).ids == ["1", "2"]

    def test_unknown_role(self):
        with pytest.raises(ArgumentError, match="'left' is not a column of a table of texts"):
            read_texts({"a": ["x"]}, columns={"left": "a"})
        with pytest.raises(ArgumentError, match="both turns and context"):
            read_texts({"a": ["x"]}, columns={"turns": "a", "context": "a"})


class TestJsonWithoutNames:
    @pytest.mark.parametrize(
        ("name", "content", "texts"),
        [
            ("a.json", '["A cat", "A dog", null]', ["A cat", "A dog", ""]),
            ("a.jsonl", '"A cat"\n\n"A dog"\n', ["A cat", "A dog"]),
            ("a.json", '[["Hi", "Yes?"], ["No"]]', ["Yes?", "No"]),
            ("a.jsonl", '["Hi", "Yes?"]\n["No"]\n', ["Yes?", "No"]),
        ],
    )
    def test_lists(self, make_file, name, content, texts):
        found = read_texts(make_file(name, content))
        assert found.texts == texts
        assert (found.frame["context"].null_count() == 0) == ("Hi" in content)

    def test_a_value_of_another_kind_names_its_place(self, make_file):
        with pytest.raises(InputError, match=r"a\.jsonl, line 3: '7' is not of the kind of the first value"):
            read_texts(make_file("a.jsonl", '"A cat"\n\n7\n'))
        with pytest.raises(InputError, match=r"a\.json, entry 2: .*not of the kind"):
            read_texts(make_file("a.json", '["A cat", ["A dog"]]'))

    def test_broken_json_names_its_place(self, make_file):
        with pytest.raises(InputError, match=r"a\.jsonl, line 2: broken JSON"):
            read_texts(make_file("a.jsonl", '"A cat"\n"A dog\n'))
        with pytest.raises(FormatError, match=r"a\.json, line 1, column 10: broken JSON"):
            read_texts(make_file("a.json", '["A cat" "A dog"]'))

    def test_a_text_that_begins_with_a_bracket_is_no_json(self, make_file):
        lines = ['["Stop!" he said]', "and left"]
        assert read_texts(make_file("a.txt", "\n".join(lines))).texts == lines


class TestSeveralFiles:
    def test_a_folder_of_lines_names_source_and_document(self, make_file):
        make_file("talks/b.txt", "three\n")
        folder = make_file("talks/a.txt", "one\ntwo\n").parent
        texts = read_texts(folder)
        assert texts.texts == ["one", "two", "three"]
        assert texts.frame["document"].to_list() == texts.frame["source"].to_list() == ["a", "a", "b"]
        assert texts.ids == ["1", "2", "3"]

    def test_wildcards(self, make_file):
        make_file("part-1.jsonl", json_lines({"text": "one"}))
        make_file("part-2.jsonl", json_lines({"text": "two"}))
        other = make_file("other.jsonl", json_lines({"text": "no"}))
        texts = read_texts(str(other.parent / "part-*.jsonl"))
        assert texts.texts == ["one", "two"]
        assert texts.frame["document"].null_count() == 2
        with pytest.raises(InputError, match="no such file"):
            read_texts(str(other.parent / "none-*.jsonl"))

    def test_ids_that_files_share_get_the_name_of_the_file(self, make_file):
        one = make_file("one.csv", "id,text\n1,a\n")
        two = make_file("two.csv", "id,text\n1,b\n")
        assert read_texts([one, two]).ids == ["one-1", "two-1"]
        three = make_file("three.csv", "id,text\n9,b\n")
        assert read_texts([one, three]).ids == ["1", "9"]

    def test_a_list_of_strings_that_are_all_files_is_read(self, make_file):
        one, two = str(make_file("one.txt", "a\n")), str(make_file("two.txt", "b\n"))
        assert read_texts([one, two]).texts == ["a", "b"]
        assert read_texts([one, "no file"]).texts == [one, "no file"]


class TestDatasets:
    def test_a_saved_dataset_with_its_splits(self, tmp_path):
        datasets = pytest.importorskip("datasets")
        parts = {"train": {"sentence": ["a", "b"]}, "test": {"sentence": ["c"]}}
        made = datasets.DatasetDict({name: datasets.Dataset.from_dict(part) for name, part in parts.items()})
        made.save_to_disk(tmp_path / "saved")
        texts = read_texts(tmp_path / "saved")
        assert texts.texts == ["a", "b", "c"]
        assert texts.frame["split"].to_list() == ["train", "train", "test"]
        assert read_texts(made["train"]).texts == ["a", "b"]

    def test_a_folder_of_parquet_shards(self, tmp_path):
        for number, text in enumerate(("a", "b")):
            pl.DataFrame({"text": [text]}).write_parquet(tmp_path / f"train-0000{number}-of-00002.parquet")
        assert read_texts(tmp_path).texts == ["a", "b"]


class TestObjects:
    @pytest.mark.parametrize(
        "data",
        [
            ["a", None],
            ("a", None),
            pd.Series(["a", None]),
            pl.Series(["a", None]),
            pd.DataFrame({"text": ["a", None]}),
            pl.DataFrame({"text": ["a", None]}),
            pl.LazyFrame({"text": ["a", None]}),
            [{"text": "a"}, {"text": None}],
        ],
    )
    def test_texts_in_memory(self, data):
        assert read_texts(data).texts == ["a", ""]

    def test_numpy(self):
        assert read_texts(np.array(["a", "b"])).texts == ["a", "b"]

    def test_texts_come_back_as_they_are(self):
        texts = Texts.from_list(["a"])
        assert read_texts(texts, columns={}) is texts
        with pytest.raises(
            ArgumentError, match="<Texts: 1> has its own layout, and columns=, header= would change nothing"
        ):
            read_texts(texts, columns={"text": "x"}, header=True)
        with pytest.raises(ArgumentError, match="sample:dialogues has its own layout, and separator="):
            read_texts("sample:dialogues", separator="tab")

    @pytest.mark.parametrize("bad", [None, 7, {"a"}, np.zeros((2, 2))])
    def test_no_data(self, bad):
        with pytest.raises(ArgumentError):
            read_texts(bad)

    def test_an_empty_list(self):
        with pytest.raises(InputError, match="there are no rows; give at least one text"):
            read_texts([])

    def test_mixed_kinds_name_the_row(self):
        with pytest.raises(ArgumentError, match="list, row 2: '3' is not a text"):
            read_texts(["a", 3])
        with pytest.raises(ArgumentError, match="list, row 2: 'b' is not a list of turns"):
            read_texts([["a"], "b"])

    def test_the_distinct_texts_of_items(self):
        texts = read_texts(Items.from_pairs(["a", "b", "a"], ["b", "c", "a"]))
        assert texts.texts == ["a", "b", "c"]

    def test_samples(self):
        dialogues = read_texts("sample:dialogues").frame
        with_turns = dialogues.filter(pl.col("context").is_not_null())
        assert with_turns.height == with_turns["group"].n_unique() == 12
        assert (with_turns["context"].list.last() == with_turns["text"]).all()
        assert dialogues.filter(pl.col("context").is_null())["group"].null_count() == 60


class TestDialogues:
    def test_lists_of_turns(self):
        texts = read_texts([["Hi.", "Yes?"], ["A table."], []])
        assert texts.frame["context"].to_list() == [["Hi.", "Yes?"], ["A table."], None]
        assert texts.texts == ["Yes?", "A table.", ""]

    def test_objects_with_speakers(self, make_file):
        turns = [{"role": "user", "content": "Hi"}, {"role": "bot", "content": "Yes?"}]
        texts = read_texts(make_file("a.jsonl", json_lines({"id": "d", "messages": turns})))
        assert texts.frame.select("id", "text", "context", SPEAKERS).rows() == [
            ("d", "Yes?", ["Hi", "Yes?"], ["user", "bot"])
        ]

    def test_json_in_a_cell(self, make_file):
        path = make_file("a.csv", 'id,turns\nd,"[""Hi"", ""Yes?""]"\n')
        assert read_texts(path).frame["context"].to_list() == [["Hi", "Yes?"]]

    @pytest.mark.parametrize("cell", ["Hi there", '{"a": 1}', "[1, 2]", '[{"who": "me"}]'])
    def test_a_cell_without_turns_names_the_row(self, cell):
        with pytest.raises(InputError, match=r"row 2: .* is not a list of texts; write"):
            read_texts({"turns": ['["a"]', cell]})

    def test_a_text_that_continues_its_dialogue_is_added(self):
        turns = [{"speaker": "u", "text": "Hi"}]
        texts = read_texts([{"context": turns, "text": "Yes?"}, {"context": turns, "text": "Hi"}])
        assert texts.frame["context"].to_list() == [["Hi", "Yes?"], ["Hi"]]
        assert texts.frame[SPEAKERS].to_list() == [["u", None], ["u"]]
        assert any("1 text continues its dialogue" in note for note in texts.provenance.notes)

    def test_a_row_for_each_turn(self, make_file):
        path = make_file(
            "a.csv",
            "dialogue_id,turn,speaker,text,domain\n"
            "A,10,bot,Bye,tv\nB,1,user,Hello,fax\nA,2,bot,Yes?,tv\nA,1,user,Hi,tv\n",
        )
        frame = read_texts(path).frame
        assert frame.select("id", "text", "context", "group", "domain", SPEAKERS).rows() == [
            ("A", "Bye", ["Hi", "Yes?", "Bye"], "A", "tv", ["user", "bot", "bot"]),
            ("B", "Hello", ["Hello"], "B", "fax", ["user"]),
        ]

    def test_turns_without_numbers_stay_in_order(self):
        rows = {"dialogue": ["A", "A", "B"], "speaker": ["u", "b", "u"], "text": ["z", "a", "m"]}
        assert read_texts(rows).frame["context"].to_list() == [["z", "a"], ["m"]]

    def test_a_dialogue_without_turn_or_speaker_is_a_group(self):
        frame = read_texts({"dialogue_id": ["A", "A"], "text": ["x", "y"]}).frame
        assert frame.select("text", "context", "group").rows() == [("x", None, "A"), ("y", None, "A")]
        asked = read_texts({"d": ["A", "A"], "text": ["x", "y"]}, columns={"dialogue": "d"})
        assert asked.frame["context"].to_list() == [["x", "y"]]

    def test_bad_turns(self):
        good = {"dialogue": ["A", "A"], "text": ["x", "y"]}
        with pytest.raises(InputError, match="row 2: turn 1 of dialogue 'A' is there twice"):
            read_texts({**good, "turn": [1, 1]})
        with pytest.raises(InputError, match="row 2: 'two' in column 'turn' is not a number"):
            read_texts({**good, "turn": ["1", "two"]})
        with pytest.raises(InputError, match="row 1: column 'dialogue' is blank"):
            read_texts({"dialogue": [None, "A"], "turn": [1, 2], "text": ["x", "y"]})


class TestGivenPairs:
    def test_rows_of_distinct_texts_and_further_columns(self, make_file):
        path = make_file("a.tsv", "premise\thypothesis\tlabel1\tlang\nA\tB\t0\ten\nB\tA\t2\ten\nC\tC\t1\tde\n")
        found = read_pairs(path)
        assert found.texts.texts == ["A", "B", "C"]
        assert found.texts.frame["language"].to_list() == ["en", "en", "de"]
        assert (found.left.tolist(), found.right.tolist()) == ([0, 1, 2], [1, 0, 2])
        assert {name: list(values) for name, values in found.columns.items()} == {"label1": ["0", "2", "1"]}

    def test_named_columns(self):
        found = read_pairs({"q": ["a"], "d": ["b"], "score": [0.5]}, columns={"left": "q", "right": "d"})
        assert (found.texts.texts, found.columns["score"].tolist()) == (["a", "b"], [0.5])

    def test_what_is_refused(self):
        with pytest.raises(ColumnError, match="no two columns are known to hold pairs"):
            read_pairs({"x": ["a"], "y": ["b"]})
        with pytest.raises(InputError, match="row 2: column 'right' is blank; every pair needs both texts"):
            read_pairs({"left": ["a", "b"], "right": ["c", None]})
