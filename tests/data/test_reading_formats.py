"""Every format, on rows shaped like those of the real files, oddities included."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import polars as pl
import pytest

from similitude.data.reading import FORMATS, describe_formats, read, recognise
from similitude.errors import (
    ArgumentError,
    ExtensionError,
    FormatError,
    InputError,
    MissingExtraError,
    UnknownNameError,
)
from similitude.extend import Format, RawTable, numbered
from similitude.python_words import in_python

STSB = (
    'main-captions\tMSRvid\t2012test\t0001\t5.000\tA plane is "taking off.\tAn air plane takes off.\n'
    "main-captions\tMSRvid\t2012test\t0004\t3.800\tA man plays.\tA man is playing a flute.\n"
    "main-forums\tanswers\t2015\t0001\t0.250\t\"Who?\tI 'd say so.\thttp://a\thttp://b\n"
    "main-news\tMSRvid\t2012test\t0001\t\tShares rose.\tShares fell.\n"
)
GLUE_HEADER = "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2"
SICK = (
    "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tentailment_AB\tentailment_BA\t"
    "sentence_A_original\tsentence_B_original\tsentence_A_dataset\tsentence_B_dataset\tSemEval_set\n"
    "1\tA group plays\tKids play\tNEUTRAL\t4.5\tx\ty\to1\to2\tFLICKR\tFLICKR\tTRAIN\n"
    "4\tTwo dogs\tNo dogs\tCONTRADICTION\t1\tx\ty\to1\to2\tSEMEVAL\tFLICKR\tTRIAL\n"
    "9\tA boy runs\tA girl runs\tNEUTRAL\t3.2\tx\ty\to1\to2\tFLICKR\tFLICKR\tTEST\n"
)
CSTS = (
    "sentence1,sentence2,condition,label\n"
    '"A dog, brown, runs.",A cat sits.,the kind of animal,4\n'
    '"A dog, brown, runs.",A cat sits.,The action.,1\n'
    '"He said ""hi"".",She waved.,,3\n'
    '"He said ""hi"".",She waved.,number of people,-1\n'
)


def usts_entry(ratings: list[float], **more: object) -> dict[str, object]:
    mean = sum(ratings) / len(ratings)
    spread = math.sqrt(sum((rating - mean) ** 2 for rating in ratings) / len(ratings))
    entry = {"s1": "一只狗在跑", "s2": "有狗", "raw_annotation": ratings, "mean_score": round(mean, 2)}
    return {**entry, "std": round(spread, 2), "source": "ted-x", **more}


# --- stsb and stsb-glue ---------------------------------------------------------------------------------------------


def test_stsb_rows_of_seven_and_nine_fields_with_stray_quotes(make_file):
    path = make_file("sts-dev.csv", STSB)
    assert recognise(path) == "stsb"
    benchmark = read(path)
    assert benchmark.items.lefts == ['A plane is "taking off.', "A man plays.", '"Who?', "Shares rose."]
    assert benchmark.items.rights[2] == "I 'd say so."
    assert benchmark.frame["score"].to_list() == [5.0, 3.8, 0.25, None]
    assert str(benchmark.scale) == "0..5"
    assert benchmark.scale.origin == "format"
    assert benchmark.frame["domain"].to_list() == ["main-captions", "main-captions", "main-forums", "main-news"]
    assert benchmark.frame["source"].to_list() == ["MSRvid", "MSRvid", "answers", "MSRvid"]


def test_stsb_ids_are_made_unique(make_file):
    ids = read(make_file("sts-dev.csv", STSB)).items.ids
    assert ids == ["MSRvid-2012test-0001", "MSRvid-2012test-0004", "answers-2015-0001", "MSRvid-2012test-0001-2"]


def test_stsb_with_all_rows_alike_reads_the_same(make_file):
    """Rows of one width go the fast way; the result must not depend on the way."""
    rows = STSB.split("\n")
    fast = read(make_file("fast.csv", "\n".join(rows[:2])))
    slow = read(make_file("slow.csv", STSB))
    assert fast.frame.equals(slow.frame.head(2))


def test_stsb_with_another_number_of_fields_names_the_line(make_file):
    path = make_file("sts-dev.csv", STSB + "main-news\tx\t2012\t1\t3.0\tonly one\n")
    with pytest.raises(FormatError, match=r"sts-dev.csv, line 5: 6 fields, not 7 or 9") as raised:
        read(path)
    assert "--on-error skip" in str(raised.value)


def test_glue_with_scores(make_file):
    row = '10\tmain-news\tMSRpar\t2012\t7\tnone\tnone\tHe said "no.\tHe refused.'
    path = make_file("dev.tsv", f"{GLUE_HEADER}\tscore\n{row}\t2.5\n")
    assert recognise(path) == "stsb-glue"
    benchmark = read(path)
    assert benchmark.items[0].id == "10"
    assert benchmark.items[0].left == 'He said "no.'
    assert (benchmark.items[0].domain, benchmark.items[0].source) == ("main-news", "MSRpar")
    assert benchmark.frame["score"].to_list() == [2.5]
    assert str(benchmark.scale) == "0..5"


def test_glue_test_file_has_no_scores(make_file):
    path = make_file("test.tsv", f"{GLUE_HEADER}\n0\tmain-news\tMSRpar\t2012\t7\tnone\tnone\tOne.\tTwo.\n")
    benchmark = read(path)
    assert benchmark.frame["score"].to_list() == [None]
    assert str(benchmark.scale) == "0..5"
    assert "test.tsv: 1 of 1 items have no gold (hidden or missing)" in benchmark.provenance.notes


# --- semeval ----------------------------------------------------------------------------------------------------------


def semeval(make_file, name="headlines", task="STS", texts='Cat sits\tA "cat\nOne\tTwo\nUp\tDown\n', gold="4.2\n\n0\n"):
    make_file(f"{task}.gs.{name}.txt", gold)
    return make_file(f"{task}.input.{name}.txt", texts)


@pytest.mark.parametrize("part", ["input", "gs"])
def test_semeval_pair_from_either_file(make_file, tmp_path, part):
    semeval(make_file)
    path = tmp_path / f"STS.{part}.headlines.txt"
    assert recognise(path) == "semeval-pair"
    benchmark = read(path)
    assert benchmark.frame["score"].to_list() == [4.2, None, 0.0]
    assert benchmark.items.rights == ['A "cat', "Two", "Down"]
    assert benchmark.items.ids == ["headlines-1", "headlines-2", "headlines-3"]
    assert set(benchmark.frame["source"]) == {"headlines"}
    assert benchmark.provenance.files == ("STS.input.headlines.txt", "STS.gs.headlines.txt")


def test_semeval_pair_with_sources_of_2016(make_file):
    path = semeval(make_file, task="STS2016", texts="One\tTwo\thttp://a\thttp://b\n", gold="3\n")
    assert read(path).items.lefts == ["One"]


def test_semeval_folder_reads_all_pairs(make_file, tmp_path):
    semeval(make_file, name="OnWN")
    semeval(make_file, name="surprise.SMT", gold="1\n2\n3\n")
    make_file("correlation.pl", "print")
    assert recognise(tmp_path) == "semeval-pair"
    benchmark = read(tmp_path)
    assert benchmark.frame["source"].unique(maintain_order=True).to_list() == ["OnWN", "surprise.SMT"]
    assert len(benchmark) == 6


def test_semeval_counts_that_differ(make_file):
    path = semeval(make_file, gold="4.2\n1\n")
    with pytest.raises(InputError, match=r"STS.input.headlines.txt: 3 lines, but STS.gs.headlines.txt has 2"):
        read(path)


def test_semeval_texts_without_gold_are_hidden(make_file):
    benchmark = read(make_file("STS.input.new.txt", "One\tTwo\n"))
    assert benchmark.frame["score"].to_list() == [None]
    assert any("no STS.gs file beside it" in note for note in benchmark.provenance.notes)


def test_semeval_gold_without_texts(make_file):
    with pytest.raises(InputError, match=r"texts that belong to STS.gs.new.txt are missing; put STS.input.new.txt"):
        read(make_file("STS.gs.new.txt", "1\n"))


def test_semeval_bad_score_names_the_line(make_file):
    with pytest.raises(InputError, match=r"STS.gs.headlines.txt, line 2: 'high' is not a number"):
        read(semeval(make_file, gold="4.2\nhigh\n0\n"))


def test_semeval_tsv(make_file):
    path = make_file("2012.tsv", '4.5\tA "dog\tThe dog\n\tOne\tTwo\n0\tUp\tDown\n')
    assert recognise(path) == "semeval-tsv"
    benchmark = read(path)
    assert benchmark.frame["score"].to_list() == [4.5, None, 0.0]
    assert str(benchmark.scale) == "0..5"


def test_semeval_tsv_within_zero_and_one_is_pointed_out(make_file):
    path = make_file("unit.tsv", "0.5\tA\tB\n1\tC\tD\n")
    assert any("use --scale 0..1" in note for note in read(path).provenance.notes)
    assert str(read(path, scale="0..1").scale) == "0..1"


# --- sick -------------------------------------------------------------------------------------------------------------


def test_sick(make_file):
    path = make_file("SICK.txt", SICK)
    assert recognise(path) == "sick"
    benchmark = read(path)
    assert benchmark.items.ids == ["1", "4", "9"]
    assert benchmark.splits == ["train", "dev", "test"]
    assert benchmark.frame["score"].to_list() == [4.5, 1.0, 3.2]
    assert str(benchmark.scale) == "1..5"


def test_sick_older_version(make_file):
    header = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    benchmark = read(make_file("SICK_train.txt", header + "1\tA dog\tA cat\t3.6\tNEUTRAL\r\n"))
    assert benchmark.frame["score"].to_list() == [3.6]
    assert benchmark.splits == []


# --- csts -------------------------------------------------------------------------------------------------------------


def test_csts(make_file):
    path = make_file("csts_validation.csv", CSTS)
    assert recognise(path) == "csts"
    benchmark = read(path)
    assert benchmark.items.lefts[0] == "A dog, brown, runs."
    assert benchmark.frame["score"].to_list() == [4.0, 1.0, 3.0, None]
    assert benchmark.items.conditions == ["the kind of animal", "The action.", None, "number of people"]
    groups = benchmark.frame["group"].to_list()
    assert groups[0] == groups[1] != groups[2] == groups[3]
    assert str(benchmark.scale) == "1..5"
    assert "csts_validation.csv: 1 of 4 conditions are blank" in benchmark.provenance.notes
    assert "csts_validation.csv: 1 of 4 items have no gold (hidden or missing)" in benchmark.provenance.notes


def test_csts_groups_of_several_files_do_not_run_together(make_file):
    other = "sentence1,sentence2,condition,label\nNew.,Text.,colour,2\nNew.,Text.,size,1\n"
    benchmark = read([make_file("csts_train.csv", CSTS), make_file("csts_validation.csv", other)])
    assert benchmark.frame["group"].n_unique() == 3
    assert benchmark.splits == ["train", "validation"]


# --- usts -------------------------------------------------------------------------------------------------------------


def test_usts_keeps_ratings_as_they_are_and_names_the_rounds(make_file):
    ratings = [0.49999999999999994, 1.0, 2.0, 3.0, 4.0, 5.0]
    path = make_file("dev.json", json.dumps({"77": usts_entry(ratings)}))
    assert recognise(path) == "usts"
    benchmark = read(path)
    row = benchmark.frame.row(0, named=True)
    assert row["ratings"] == ratings
    assert row["rounds"] == ["second", "second", "first", "first", "first", "first"]
    assert row["raters"] is None
    assert (row["id"], row["language"], row["domain"]) == ("77", "zh", "ted-x")
    assert (row["score"], row["sigma"]) == (2.58, 1.59)
    assert str(benchmark.scale) == "0..5"


def test_usts_with_four_ratings_has_one_round(make_file):
    path = make_file("dev.json", json.dumps({"1": usts_entry([1.0, 2.0, 2.0, 1.5])}, indent=4))
    assert read(path).frame["rounds"].to_list() == [["first"] * 4]


def test_usts_mean_that_is_not_the_mean_is_noted(make_file):
    entries = {"1": usts_entry([1.0, 2.0], mean_score=1.6), "2": usts_entry([1.0, 1.01], mean_score=1.0)}
    notes = read(make_file("dev.json", json.dumps(entries))).provenance.notes
    assert notes == ("dev.json: 1 published means differ from the mean of their ratings by more than 0.006",)


def test_usts_folder(make_file, tmp_path):
    for number, split in enumerate(["train", "dev", "test"]):
        make_file(f"ustsu/{split}.json", json.dumps({str(number): usts_entry([1.0, 2.0, 3.0, 4.0])}))
    assert recognise(tmp_path / "ustsu") == "usts"
    benchmark = read(tmp_path / "ustsu")
    assert benchmark.splits == ["train", "dev", "test"]
    assert benchmark.name == "ustsu"


def test_usts_entry_that_is_no_object(make_file):
    path = make_file("dev.json", json.dumps({"1": usts_entry([1.0]), "2": [1, 2], "3": usts_entry([2.0])}))
    with pytest.raises(FormatError, match=r"dev.json, entry '2': '\[1, 2\]' is not a JSON object"):
        read(path)
    benchmark = read(path, on_error="skip")
    assert benchmark.items.ids == ["1", "3"]
    assert benchmark.provenance.skipped[0].where == "dev.json, entry '2'"


def test_usts_rating_that_is_not_a_number(make_file):
    path = make_file(
        "dev.json", json.dumps({"1": usts_entry([1.0]), "9": {**usts_entry([1.0]), "raw_annotation": ["x"]}})
    )
    with pytest.raises(InputError, match=r"entry '9': .* in column 'raw_annotation' is not a list of numbers"):
        read(path)


def test_usts_entry_twice(make_file):
    entry = json.dumps(usts_entry([1.0]))
    with pytest.raises(InputError, match=r"dev.json: two entries are named '1'"):
        read(make_file("dev.json", f'{{"1": {entry}, "1": {entry}}}'))


def test_usts_groups(make_file):
    entry = {
        "split": "usts-u",
        "zh": {"s1": "甲", "s2": "乙", "Chinese native": [1.0, 2.0, 3.0, 4.0, 5.0]},
        "en": {"s1": "a", "s2": "b", "English native": [1.0, 2.0], "Translator": [3.0]},
    }
    path = make_file("groups.json", json.dumps({"8862": entry}))
    assert recognise(path) == "usts-groups"
    benchmark = read(path)
    zh, en = benchmark.frame.rows(named=True)
    assert (zh["id"], en["id"], zh["group"], en["group"]) == ("8862-zh", "8862-en", "8862", "8862")
    assert (zh["language"], en["language"], en["source"]) == ("zh", "en", "usts-u")
    assert en["ratings"] == [1.0, 2.0, 3.0]
    assert en["raters"] == ["English native/1", "English native/2", "Translator/1"]
    assert en["score"] == 2.0
    assert en["sigma"] == pytest.approx(math.sqrt(2 / 3))  # population: (1 + 0 + 1) / 3
    assert zh["rounds"] == ["second", "first", "first", "first", "first"]


# --- sentence-transformers --------------------------------------------------------------------------------------------


def test_sentence_transformers_csv(make_file):
    path = make_file("train.csv", 'sentence1,sentence2,score\n"a, b",c,0.9\nd,e,0.1\n')
    assert recognise(path) == "sentence-transformers"
    benchmark = read(path)
    assert str(benchmark.scale) == "0..1"
    note = "scale inferred as 0..1 from scores 0.1 to 0.9; declare it with --scale"
    assert note in benchmark.provenance.notes


def test_sentence_transformers_jsonl(make_file):
    path = make_file("train.jsonl", '{"sentence1": "a", "sentence2": "b", "score": 4.8}\n')
    assert recognise(path) == "sentence-transformers"
    assert read(path).frame["score"].to_list() == [4.8]


@pytest.mark.parametrize("content", ["anchor,positive\na,b\n", '{"anchor": "a", "positive": "b", "negative": "c"}\n'])
def test_training_pairs_are_not_similarity_data(make_file, content):
    with pytest.raises(FormatError, match="training pairs without scores, not similarity data") as raised:
        read(make_file("pairs.data", content))
    assert in_python(raised.value.remedy).endswith("columns={'left': 'NAME', 'right': 'NAME'}")


def test_training_pairs_can_be_read_by_naming_the_columns(make_file):
    path = make_file("pairs.csv", "anchor,positive\na,b\n")
    assert read(path, columns={"left": "anchor", "right": "positive"}).items.rights == ["b"]


# --- huggingface ------------------------------------------------------------------------------------------------------


@pytest.fixture
def datasets(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    return pytest.importorskip("datasets")


def test_folder_saved_by_datasets(datasets, tmp_path):
    rows = {"sentence1": ["a", "c"], "sentence2": ["b", "d"], "label": [4.5, 0.0]}
    splits = {name: datasets.Dataset.from_dict(rows) for name in ("train", "test")}
    datasets.DatasetDict(splits).save_to_disk(tmp_path / "saved")
    assert recognise(tmp_path / "saved") == "huggingface"
    benchmark = read(tmp_path / "saved")
    assert benchmark.splits == ["train", "test"]
    assert benchmark.items.ids == ["train/1", "train/2", "test/1", "test/2"]
    assert str(benchmark.scale) == "0..5"


def test_single_dataset_saved(datasets, tmp_path):
    datasets.Dataset.from_dict({"text1": ["a"], "text2": ["b"]}).save_to_disk(tmp_path / "saved")
    assert read(tmp_path / "saved").items.lefts == ["a"]


def test_labels_that_are_all_minus_one_are_hidden(datasets, tmp_path):
    rows = {"sentence1": ["a", "c"], "sentence2": ["b", "d"], "label": [-1.0, -1.0], "idx": [0, 1]}
    datasets.Dataset.from_dict(rows).save_to_disk(tmp_path / "saved")
    benchmark = read(tmp_path / "saved")
    assert benchmark.frame["score"].to_list() == [None, None]
    assert benchmark.scale is None


def test_hub_name_of_a_local_folder_goes_through_load_dataset(datasets, make_file, tmp_path):
    make_file("pairs/train.csv", "sentence1,sentence2,score\na,b,3\nc,d,0\n")
    make_file("pairs/test.csv", "sentence1,sentence2,score\ne,f,5\n")
    benchmark = read(f"hf:{tmp_path}/pairs", scale="0..5")
    assert benchmark.splits == ["train", "test"]
    assert read(f"hf:{tmp_path}/pairs#test", scale="0..5").items.lefts == ["e"]


def test_hub_errors_are_one_line(datasets, tmp_path):
    with pytest.raises(InputError, match="datasets cannot load it") as raised:
        read(f"hf:{tmp_path}/nowhere")
    assert "\n" not in str(raised.value)


def test_hub_name_that_cannot_be_read():
    with pytest.raises(ArgumentError, match=r"write hf:owner/name\[:config\]\[#split\]"):
        read("hf:#test")


def test_without_datasets(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "datasets", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[huggingface\]'"):
        read("hf:owner/name")


def test_folder_of_parquet_shards(tmp_path):
    (tmp_path / "data").mkdir()
    for split in ("test", "train"):
        frame = pl.DataFrame({"sentence1": [f"{split} a"], "sentence2": ["b"], "score": [1.0]})
        frame.write_parquet(tmp_path / "data" / f"{split}-00000-of-00001.parquet")
    assert recognise(tmp_path) == "huggingface"
    benchmark = read(tmp_path, scale="0..5")
    assert dict(zip(benchmark.items.lefts, benchmark.frame["split"], strict=True)) == {
        "test a": "test",
        "train a": "train",
    }


# --- native: jsonl, parquet, csv --------------------------------------------------------------------------------------


def test_jsonl_with_all_columns(make_file):
    row = {"id": 7, "left": "b", "right": "c", "context": ["a", "b"], "condition": "colour", "group": "g",
           "language": "en", "score": 3, "sigma": 0.5, "ratings": [3, 3.5], "raters": ["x", "y"],
           "rounds": ["first", "first"], "scale": "0..4", "benchmark": "mine", "licence": "CC0",
           "judged_by": "simulated annotators", "aggregation": "mean"}  # fmt: skip
    path = make_file("rows.jsonl", json.dumps(row) + "\n\n")
    assert recognise(path) == "jsonl"
    benchmark = read(path)
    item, gold = next(iter(benchmark))
    assert (item.id, item.context, item.condition) == ("7", ("a", "b"), "colour")
    assert (gold.score, gold.ratings, gold.raters) == (3.0, (3.0, 3.5), ("x", "y"))
    assert (benchmark.name, benchmark.licence, str(benchmark.scale)) == ("mine", "CC0", "0..4")
    assert benchmark.is_simulated
    assert benchmark.provenance.aggregation == "mean"


def test_parquet(tmp_path):
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"Sentence 1": ["a"], "Sentence 2": ["b"], "similarity": [2], "pair_id": [12]}).write_parquet(path)
    assert recognise(path) == "parquet"
    benchmark = read(path)
    assert benchmark.items[0].id == "12"
    assert benchmark.frame["score"].to_list() == [2.0]


def test_parquet_whose_name_looks_like_a_pattern(tmp_path):
    path = tmp_path / "rows[1]*.parquet"
    pl.DataFrame({"left": ["a"], "right": ["b"]}).write_parquet(path)
    assert read(path).items.lefts == ["a"]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_csv_cut_at_what_makes_sense_of_the_header(make_file, separator):
    rows = [["uuid", "text1", "text2", "gold"], ["x", "eins, zwei; drei", "vier", "4.0"]]
    lines = [separator.join(f'"{field}"' for field in row) for row in rows]
    path = make_file("rows.csv", "\n".join(lines))
    assert recognise(path) == "csv"
    benchmark = read(path)
    assert benchmark.items[0].left == "eins, zwei; drei"
    assert "columns matched: id=uuid, left=text1, right=text2, score=gold" in benchmark.provenance.notes


def test_csv_lists_are_json_in_a_cell(make_file):
    path = make_file("rows.csv", 'left,right,score,ratings,context\na,b,1,"[1, 1.5]","[""z"", ""a""]"\nc,d,2,,\n')
    frame = read(path).frame
    assert frame["ratings"].to_list() == [[1.0, 1.5], None]
    assert frame["context"].to_list() == [["z", "a"], None]


def test_tsv_with_quotes_that_do_not_match_is_read_unquoted(make_file):
    path = make_file("rows.tsv", 'sentence1\tsentence2\tscore\n"Who goes\tthere?\t3\n"Yes," he said\tno\t1\n')
    benchmark = read(path)
    assert benchmark.items.lefts == ['"Who goes', '"Yes," he said']
    assert any("quotes do not enclose fields" in note for note in benchmark.provenance.notes)


def test_tsv_with_quotes_that_match_is_read_quoted(make_file):
    path = make_file("rows.tsv", 'sentence1\tsentence2\tscore\n"a ""b""\tc"\td\t3\n')
    assert read(path).items.lefts == ['a "b"\tc']


def test_columns_are_mapped(make_file):
    path = make_file("qa.csv", "qid,q,a,closeness\n1,one,two,3\n")
    columns = {"left": "q", "right": "a", "score": "closeness", "id": "qid"}
    benchmark = read(path, columns=columns, scale="0..5", split="dev", name="qa-pairs")
    assert benchmark.items[0].left == "one"
    assert benchmark.splits == ["dev"]
    assert benchmark.name == "qa-pairs"


def test_a_chosen_column_is_not_matched_again(make_file):
    path = make_file("rows.csv", "sentence1,sentence2,score,label\na,b,1,4\n")
    benchmark = read(path, columns={"score": "label"})
    assert benchmark.frame["score"].to_list() == [4.0]
    assert "columns not used: score" in benchmark.provenance.notes


def test_an_empty_name_leaves_a_column_out(make_file):
    path = make_file("rows.csv", "id,left,right\nx,a,b\nx,c,d\n")
    assert read(path, columns={"id": ""}).items.ids == ["1", "2"]


def test_judgements_beside_a_file(make_file):
    path = make_file("items.csv", "id,left,right\n1,a,b\n2,c,d\n")
    judgement = {"question": "q1", "annotator": "ann", "round": "first", "seconds": 2, "items": ["1", "2"],
                 "best": "1", "worst": "2"}  # fmt: skip
    make_file("items.judgements.jsonl", json.dumps(judgement) + "\n")
    judgements = read(path).judgements
    assert judgements is not None
    assert judgements.row(0, named=True) == {**judgement, "seconds": 2.0}


def test_judgements_that_lack_a_column(make_file):
    path = make_file("items.csv", "id,left,right\n1,a,b\n")
    make_file("items.judgements.jsonl", '{"question": "q1"}\n')
    with pytest.raises(InputError, match=r"items.judgements.jsonl: no column 'annotator'; columns there: question"):
        read(path)


# --- the registry -----------------------------------------------------------------------------------------------------


def test_every_format_describes_itself():
    described = describe_formats()
    assert [name for name, _, _ in described] == FORMATS.names()
    assert all(name and how and what for name, how, what in described)
    assert set(FORMATS.names()) == {
        "stsb", "stsb-glue", "semeval-pair", "semeval-tsv", "sick", "csts", "usts", "usts-groups",
        "sentence-transformers", "huggingface", "jsonl", "json", "parquet", "arrow", "workbook", "csv",
    }  # fmt: skip


def test_unknown_format(make_file):
    with pytest.raises(UnknownNameError, match="no format named 'semevaltsv'; did you mean 'semeval-tsv'"):
        read(make_file("a.csv", "left,right\na,b\n"), format="semevaltsv")


def test_a_format_can_be_named_against_the_looks(make_file):
    path = make_file("odd.txt", "sentence1,sentence2,score\na,b,0.5\n")
    assert read(path, format="csv").provenance.format == "csv"


def test_reading_imports_no_heavy_packages():
    import subprocess
    import sys

    code = "import sys, similitude.data.reading; print({'datasets', 'pyarrow', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# --- real files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("folder", "pairs", "raters"), [("ustsu", 8_900, 4), ("ustsc", 6_051, 19)])
@pytest.mark.slow
def test_real_usts(evidence: Path, folder: str, pairs: int, raters: int):
    benchmark = read(evidence / "usts" / folder)
    assert len(benchmark) == pairs
    assert set(benchmark.frame["ratings"].list.len()) == {raters}
    rounds = benchmark.frame["rounds"].to_list()
    assert all(names == ["second"] * (raters - 4) + ["first"] * 4 for names in rounds)
    assert benchmark.splits == ["train", "dev", "test"]
    assert str(benchmark.scale) == "0..5"
    assert benchmark.provenance.notes == ()


def test_real_usts_groups(evidence: Path):
    benchmark = read(evidence / "usts" / "usts_multilingual_case_study_examples.json.bz2")
    assert len(benchmark) == 400
    assert benchmark.frame["group"].n_unique() == 200
    assert benchmark.frame["language"].value_counts()["count"].to_list() == [200, 200]


def test_real_nlu(evidence: Path):
    benchmark = read(evidence / "nlu-de" / "NLU-Data-Home-Domain-similarity-de.csv.bz2")
    assert len(benchmark) == 1_127
    assert str(benchmark.scale) == "0..5"
    assert benchmark.items[0].id == "42962254-4c83-46cb-8e69-eb7e25b8d39a"


def test_real_file_without_texts_is_refused(evidence: Path):
    with pytest.raises(FormatError, match="comment_id, post_id, offensiveness_score"):
        read(evidence / "ruddit" / "Ruddit.csv.bz2")


@pytest.mark.parametrize(
    ("fits", "tables", "told"),
    [
        (lambda seen: seen.nothing, None, "AttributeError: 'Sniffer' object has no attribute 'nothing'"),
        (lambda seen: True, lambda source: 3, "TypeError: 'int' object is not iterable"),
        (lambda seen: True, lambda source: {}["left"], "KeyError: 'left'"),
        (
            lambda seen: True,
            lambda source: [RawTable(file="x", columns={"left": ["a"]}, starts=numbered(2), ends=numbered(2))],
            "ValueError: left has 1 values, and starts has 2",
        ),
    ],
)
def test_a_format_of_another_package_that_fails_is_one_error(tmp_path, monkeypatch, fits, tables, told):
    (tmp_path / "b.txt").write_text("#bars\na | b\n")
    made = Format(name="bars", summary="s", recognised="r", fits=fits, tables=tables)
    monkeypatch.setattr(FORMATS, "_makers", {"bars": lambda: made} | FORMATS._makers)
    with pytest.raises(ExtensionError, match=re.escape(f"b.txt: format 'bars' cannot read it: {told}; ")):
        read(tmp_path / "b.txt")
