import json

import polars as pl
import pytest

from similitude import __version__


def last_line(text: str) -> str:
    return text.strip().splitlines()[-1]


def test_version_and_help(program):
    assert program("--version").stdout.strip() == f"similitude {__version__}"
    shown = program("--help")
    assert shown.returncode == 0
    for command in ("demo", "evaluate", "measure", "measures", "report", "systems", "data"):
        assert command in shown.stdout


@pytest.mark.slow
def test_demo_shows_real_pairs_first_and_says_which_judgements_are_simulated(similitude, tmp_path):
    shown = similitude("demo")
    assert shown.returncode == 0, shown.stderr
    real, said, simulated = shown.stdout.partition("SIMULATED judgements")
    assert said
    assert "1,127 pairs of German utterances" in real.splitlines()[0]
    assert "CC BY 4.0" in real
    assert "Lass uns spielen" in real
    assert "use-multilingual is best by spearman (0.780), significantly better than all 4 others" in real
    assert real.count(" [0.") == 5 * 2  # five systems on two measures, each with its interval
    assert all(f"sample:{part}" in simulated for part in ("dialogues", "conditions", "opinions"))
    for part in ("home-de", "dialogues", "conditions", "opinions"):
        record = json.loads((tmp_path / "runs" / "demo" / part / "run.json").read_text())
        assert ("simulated" in record["data"]["judged_by"]) == (part != "home-de")
        predictions = list((tmp_path / "runs" / "demo" / part / "predictions").glob("*.parquet"))
        assert len(predictions) == len(record["systems"]) >= 5


def test_evaluate_shows_a_table_and_saves_the_run(similitude, pairs, tmp_path):
    shown = similitude(
        "evaluate", "pairs.csv", "-s", "char-ngram-cosine(n=3)", "-s", "levenshtein", "-m", "pearson", "-m", "ndcg@3"
    )
    assert shown.returncode == 0, shown.stderr
    assert "char-ngram-cosine" in shown.stdout
    assert "ndcg@3 ↑" in shown.stdout
    assert "scale 0..5 (inferred)" in shown.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    assert str(folder.relative_to(tmp_path)) in shown.stdout


def test_evaluate_without_names_uses_the_built_in_encoder(similitude, pairs):
    record = json.loads(similitude("evaluate", "pairs.csv", "--scale", "0..5", "--json").stdout)
    assert [system["identity"] for system in record["systems"]] == ["use-multilingual"]
    figures = {figure["measure"]: figure["value"] for figure in record["figures"]}
    assert figures["pearson"] > 0.8
    assert record["data"]["scale_origin"] == "declared"


def test_json_is_all_there_is_on_standard_output(similitude, pairs):
    shown = similitude("evaluate", "pairs.csv", "-s", "jaro", "-m", "f1_low", "-m", "kl", "--json")
    record = json.loads(shown.stdout)
    assert [figure["value"] for figure in record["figures"]][1] is None
    assert record["figures"][1]["undefined_because"] == "gold has no standard deviations"


def test_other_columns(similitude, tmp_path):
    path = tmp_path / "faq.csv"
    path.write_text("q1,q2,human\nhow are you,how do you do,4\nwho is it,where is it,1\nwhat now,what then,2\n")
    shown = similitude(
        "evaluate", "faq.csv", "-s", "jaro", "--column", "left=q1", "--column", "right=q2", "--column", "score=human"
    )
    assert shown.returncode == 0, shown.stderr


def test_measure_predictions_made_elsewhere(similitude, pairs, tmp_path):
    gold = pl.read_csv(pairs)["score"]
    tmp_path.joinpath("perfect.txt").write_text("\n".join(map(str, gold)) + "\n")
    table = pl.DataFrame({"id": [str(i) for i in range(8, 0, -1)], "score": gold.reverse(), "sigma": [0.5] * 8})
    assert similitude("data", "convert", "pairs.csv", "--out", "p.jsonl").returncode == 0
    own_ids = [json.loads(line)["id"] for line in tmp_path.joinpath("p.jsonl").read_text().splitlines()]
    table.with_columns(id=pl.Series(own_ids[::-1])).write_csv(tmp_path / "by_id.csv")
    shown = similitude(
        "measure", "pairs.csv", "perfect.txt", "by_id.csv", "--scale", "0..5", "-m", "mae", "-m", "nlpd", "--json"
    )
    record = json.loads(shown.stdout)
    values = {(f["system"], f["measure"]): f["value"] for f in record["figures"]}
    assert values["perfect.txt", "mae"] == values["by_id.csv", "mae"] == 0
    assert values["perfect.txt", "nlpd"] is None
    # every gold score lies on its mean, so NLPD is 0.5 ln(2 pi) + ln(0.5)
    assert values["by_id.csv", "nlpd"] == pytest.approx(0.9189385332046727 - 0.6931471805599453)


def test_measure_a_split_by_predictions_for_it_alone_or_for_all(similitude, tmp_path):
    rows = ["id,left,right,score,split", "a,x,y,1,train", "b,x,z,2,test", "c,y,z,4,test"]
    (tmp_path / "data.csv").write_text("\n".join(rows))
    (tmp_path / "alone.csv").write_text("id,score\nb,2\nc,5\n")
    (tmp_path / "all.csv").write_text("id,score\na,0\nb,2\nc,5\n")
    shown = similitude(
        "measure", "data.csv", "alone.csv", "all.csv", "--split", "test", "--scale", "0..5", "-m", "mae", "--json"
    )
    assert [figure["value"] for figure in json.loads(shown.stdout)["figures"]] == [0.5, 0.5]
    missing = similitude("measure", "data.csv", "alone.csv", "--split", "train", "--scale", "0..5", "-m", "mae")
    assert missing.returncode != 0


def test_measure_maps_a_declared_range(similitude, pairs, tmp_path):
    tmp_path.joinpath("unit.txt").write_text("".join(f"{score / 5}\n" for score in pl.read_csv(pairs)["score"]))
    shown = similitude("measure", "pairs.csv", "unit.txt", "--scale", "0..5", "--range", "0..1", "-m", "mae", "--json")
    assert json.loads(shown.stdout)["figures"][0]["value"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\n2\n3\n", "3 predictions for 8 items"),
        ("id,score\n1,2\n", "no prediction for"),
        ("name,colour\n1,2\n", "no column of scores"),
        ("score\n" + "1\n" * 7 + "x\n", "line 9: 'x' in column 'score' is not a number"),
        ("", "the file is empty"),
    ],
)
def test_predictions_that_do_not_fit(similitude, pairs, tmp_path, content, message):
    tmp_path.joinpath("bad.csv").write_text(content)
    shown = similitude("measure", "pairs.csv", "bad.csv")
    assert shown.returncode == 2
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr


def test_nan_prediction_names_the_item_and_can_be_skipped(similitude, pairs, tmp_path):
    tmp_path.joinpath("nan.txt").write_text("1\nnan\n3\n4\n5\n1\n2\n3\n")
    shown = similitude("measure", "pairs.csv", "nan.txt", "-m", "mae")
    assert (shown.returncode, "gave nan for item" in shown.stderr) == (2, True)
    skipped = similitude("measure", "pairs.csv", "nan.txt", "-m", "mae", "--on-error", "skip")
    assert skipped.returncode == 0
    assert "left out: 1" in skipped.stdout


def test_listings(similitude):
    measures = similitude("measures").stdout
    for name in ("pearson", "ndcg", "f1_low", "hmean(pearson, f1)", "ece_wang2022", "sigma_spearman"):
        assert name in measures
    systems = {line["name"]: line for line in json.loads(similitude("systems", "--json").stdout)}
    assert len(systems) >= 16
    assert systems["use-multilingual"]["default"]
    assert json.loads(similitude("measures", "--json").stdout)[0]["name"] == "pearson"
    assert "csts" in similitude("data", "formats").stdout


def test_recipes_are_listed_and_printed_to_copy(similitude, tmp_path):
    listed = similitude("data", "recipes").stdout
    for words in ("semrel2024", "0..1", "GPL-3.0", "Hada et al. (2021)"):
        assert words in listed
    names = {recipe["name"] for recipe in json.loads(similitude("data", "recipes", "--json").stdout)}
    assert {"grade", "biosses", "mteb-sts12"} <= names
    (tmp_path / "mine.toml").write_text(similitude("data", "recipes", "cnsd-stsb").stdout, encoding="utf-8")
    (tmp_path / "mine.txt").write_text("1||A dog.||A cat.||2.5\n2||He.||She.||0\n", encoding="utf-8")
    shown = similitude("data", "show", "mine.txt")
    assert shown.returncode == 0, shown.stderr
    assert "read as cnsd-stsb" in shown.stdout
    unknown = similitude("data", "recipes", "semrel")
    assert unknown.returncode != 0
    assert "did you mean 'semrel2024'" in unknown.stderr


def test_data_show(similitude, pairs):
    shown = similitude("data", "show", "pairs.csv")
    assert shown.returncode == 0, shown.stderr
    for words in ("8 items", "scale inferred as 0..5", "A man plays a guitar."):
        assert words in shown.stdout
    assert json.loads(similitude("data", "show", "pairs.csv", "--json").stdout)["items"] == 8
    without_rows = similitude("data", "show", "pairs.csv", "--rows", "0")
    assert (without_rows.returncode, "8 items" in without_rows.stdout, "guitar" in without_rows.stdout) == (
        0,
        True,
        False,
    )


@pytest.mark.parametrize("target", ["out.jsonl", "out.parquet", "out.csv"])
def test_data_convert_and_back(similitude, pairs, target):
    assert similitude("data", "convert", "pairs.csv", "--out", target, "--scale", "0..5").returncode == 0
    before = json.loads(similitude("data", "show", "pairs.csv", "--scale", "0..5", "--json").stdout)
    after = json.loads(similitude("data", "show", target, "--json").stdout)
    assert after["fingerprint"] == before["fingerprint"]


def test_data_check_finds_gold_in_row_order(similitude, tmp_path):
    """A file like C-STS: each pair twice, the higher label first."""
    rows = ["sentence1,sentence2,condition,label"]
    for number in range(120):
        high, low = 3 + number % 3, 1 + number % 3
        rows += [
            f"text {number} a,text {number} b,The colour of {number},{max(high, low)}",
            f"text {number} a,text {number} b,The size of {number},{min(high, low)}",
        ]
    tmp_path.joinpath("csts.csv").write_text("\n".join(rows) + "\n")
    shown = similitude("data", "check", "csts.csv")
    assert shown.returncode == 1
    assert "row" in shown.stdout
    assert "Spearman" in shown.stdout
    codes = [f["code"] for f in json.loads(similitude("data", "check", "csts.csv", "--json").stdout)["findings"]]
    assert any("row-order" in code for code in codes)


def test_data_check_of_sound_data_exits_with_0(similitude):
    shown = similitude("data", "check", "sample:opinions")
    assert shown.returncode == 0, shown.stdout


def test_interrupting_keeps_what_is_done(similitude, pairs):
    """A second call with one more system finds the first one's predictions."""
    first = json.loads(similitude("evaluate", "pairs.csv", "-s", "jaro", "-m", "mae", "--json").stdout)
    both = json.loads(similitude("evaluate", "pairs.csv", "-s", "jaro", "-s", "damerau", "-m", "mae", "--json").stdout)
    assert both["systems"][0] == first["systems"][0]  # the time taken included: it was not run again


@pytest.mark.parametrize("flags", [("--column", "group=domain"), ("--scale", "0..1")])
def test_how_to_read_a_sample_is_refused_and_not_ignored(similitude, flags):
    done = similitude("evaluate", "sample:opinions", "-s", "levenshtein", *flags)
    assert done.returncode == 2
    assert f"a sample is no file, and {flags[0]} would change nothing" in done.stderr
