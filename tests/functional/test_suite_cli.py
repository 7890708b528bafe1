"""Suites from the command line: several files, suites in files, packaged suites, joining, and users' mistakes."""

from __future__ import annotations

import csv
import html
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from similitude.cli import main  # noqa: F401  (the fixture calls it)

WORDS = [
    "man",
    "woman",
    "dog",
    "cat",
    "plays",
    "runs",
    "sleeps",
    "reads",
    "guitar",
    "book",
    "park",
    "house",
    "red",
    "old",
    "quickly",
    "slowly",
]
HEAD = "id\tsentence1\tsentence2\tlabel\n"
LEVENSHTEIN, JACCARD = ("-s", "levenshtein"), ("-s", "word-ngram-jaccard")


def rows(number: int, start: int = 0) -> list[tuple[str, str, float]]:
    """Pairs that differ in more and more words; the score falls with the number of other words."""
    found = []
    for place in range(start, start + number):
        left = [WORDS[(place * 3 + word * (1 + place % 5)) % len(WORDS)] for word in range(5)]
        changed = (place * 7) % 6
        right = [WORDS[(place + 11 * word) % len(WORDS)] if word < changed else left[word] for word in range(5)]
        found.append((f"{' '.join(left)} {place}", f"{' '.join(right)} {place + 1}", 5 - changed + (place % 3) / 10))
    return [(left, right, min(score, 5.0)) for left, right, score in found]


def write_csv(path: Path, number: int, start: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["left", "right", "score"])
        writer.writerows(rows(number, start))
    return path


@pytest.fixture
def three(tmp_path) -> Path:
    for place, name in enumerate("abc"):
        write_csv(tmp_path / f"{name}.csv", 20 + 5 * place, 100 * place)
    return tmp_path


def error_of(shown) -> str:
    assert shown.returncode == 2
    (line,) = shown.stderr.strip().splitlines()
    return line


def test_several_files_are_measured_and_averaged(similitude, three):
    shown = similitude("evaluate", "a.csv", "b.csv", "c.csv", *LEVENSHTEIN, *JACCARD)
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert "by mean spearman over 3 benchmarks" in lines[0]
    assert "a + b + c: 3 benchmarks, 75 items, spearman" in shown.stdout
    for word in ("mean ↑", "by pairs ↑", "Borda", "saved in runs/suite-a-b-c"):
        assert word in shown.stdout.replace("\u00a0", " ")
    record = json.loads((three / "runs" / "suite-a-b-c" / "suite.json").read_text(encoding="utf-8"))
    figures = {(row["benchmark"], row["system"]): row["value"] for row in record["figures"]}
    mean = sum(figures[name, "levenshtein"] for name in "abc") / 3
    systems = {row["system"]: row for row in record["averages"][0]["systems"]}
    assert systems["levenshtein"]["value"] == pytest.approx(mean)
    assert systems["levenshtein"]["low"] < mean < systems["levenshtein"]["high"]
    with (three / "runs" / "suite-a-b-c" / "results.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert {row["average"] for row in table} == {"", "mean", "by pairs", "borda", "borda rank", "mean rank"}
    assert len([row for row in table if row["benchmark"]]) == 6


def test_json_is_one_document_with_the_conclusion_first(similitude, three):
    shown = similitude("evaluate", "a.csv", "b.csv", *LEVENSHTEIN, *JACCARD, "-m", "pearson", "-m", "mae", "--json")
    record = json.loads(shown.stdout)
    assert next(iter(record)) == "conclusion"
    assert record["conclusion"]["sentence"]
    assert [average["name"] for average in record["averages"]] == ["mean", "by pairs", "mean"]
    assert [each["name"] for each in record["benchmarks"]] == ["a", "b"]


def test_at_eighty_columns_nothing_is_lost(program, three, tmp_path):
    for number in range(9):
        write_csv(tmp_path / f"benchmark-{number}.csv", 12, 1000 * number)
    names = [f"benchmark-{number}.csv" for number in range(9)]
    environment = {"COLUMNS": "80", "SIMILITUDE_CACHE": str(tmp_path.parent / "suite-cache")}
    shown = subprocess.run(
        [sys.executable, "-m", "similitude", "evaluate", *names, *LEVENSHTEIN, *JACCARD],
        cwd=tmp_path, capture_output=True, text=True, check=True, env=os.environ | environment,
    ).stdout  # fmt: skip
    assert max(map(len, shown.splitlines())) <= 80
    record = json.loads(next((tmp_path / "runs").rglob("suite.json")).read_text(encoding="utf-8"))
    for row in record["figures"]:
        assert f"{row['value']:.3f}".replace("0.", ".", 1) in shown


def test_a_later_call_adds_a_system_and_a_benchmark(similitude, three):
    similitude("evaluate", "a.csv", "b.csv", *LEVENSHTEIN, "--folder", "out")
    second = json.loads(similitude("evaluate", "a.csv", "b.csv", *JACCARD, "--folder", "out", "--json").stdout)
    assert second["systems"] == ["levenshtein", "word-ngram-jaccard"]
    third = json.loads(similitude("evaluate", "c.csv", *JACCARD, "--folder", "out", "--json").stdout)
    assert [each["name"] for each in third["benchmarks"]] == ["a", "b", "c"]
    assert third["missing"] == {}
    alone = similitude("evaluate", "c.csv", *JACCARD, "--folder", "out", "--no-join", "--json")
    assert json.loads(alone.stdout)["systems"] == ["word-ngram-jaccard"]


def test_report_opens_a_suite(similitude, three):
    similitude("evaluate", "a.csv", "b.csv", *LEVENSHTEIN, *JACCARD, "--folder", "out")
    assert similitude("report", "out").returncode == 0
    page = (three / "out" / "report.html").read_text(encoding="utf-8")
    assert "by mean spearman over 2 benchmarks" in page
    assert 'class="decision"' in page
    assert "http" not in page.replace("http-equiv", "")
    shown = similitude("report", "out", "--markdown", "-").stdout
    assert "| rank | system | mean" in shown.replace("\u00a0", " ")
    assert r"\begin{tabular}" in similitude("report", "out", "--latex", "-").stdout
    similitude("report", "out", "--mteb", "mteb")
    assert len(list((three / "mteb").rglob("[ab].json"))) == 4


def test_the_page_of_a_suite_has_the_command_that_made_it(similitude, three):
    options = ("--scale", "0..5", "--against", "levenshtein", "--folder", "out")
    words = ("evaluate", "a.csv", "b.csv", *LEVENSHTEIN, *JACCARD, *options)
    for _ in range(2):  # the second time, the folder holds what the same command made
        similitude(*words)
        similitude("report", "out")
        page = html.unescape((three / "out" / "report.html").read_text(encoding="utf-8"))
        (printed,) = re.findall(r"similitude \\\n? *evaluate[^<]*|similitude evaluate[^<]*", page)
        assert shlex.split(printed.replace("\\\n", " ")) == ["similitude", *words]
    similitude("evaluate", "c.csv", *JACCARD, "--folder", "out")
    similitude("report", "out")
    page = html.unescape((three / "out" / "report.html").read_text(encoding="utf-8"))
    assert "similitude evaluate a.csv b.csv c.csv -s levenshtein -s word-ngram-jaccard" in page


def test_parts_by_source(similitude, tmp_path):
    for name, start in (("x", 0), ("y", 200)):
        lines = [f"{left}\t{right}" for left, right, _ in rows(24, start)]
        for part, where in (("one", slice(0, 12)), ("two", slice(12, 24))):
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            (folder / f"STS.input.{part}.txt").write_text("\n".join(lines[where]) + "\n", encoding="utf-8")
            scores = [f"{score}" for *_, score in rows(24, start)[where]]
            (folder / f"STS.gs.{part}.txt").write_text("\n".join(scores) + "\n", encoding="utf-8")
    shown = similitude("evaluate", "x", "y", *LEVENSHTEIN, "--by", "source")
    assert shown.returncode == 0, shown.stderr
    assert "x by source, spearman" in shown.stdout
    assert "y by source, spearman" in shown.stdout
    assert "(12)" in shown.stdout
    record = json.loads(similitude("evaluate", "x", "y", *LEVENSHTEIN, "--by", "source", "--json").stdout)
    assert {(row["data"], row["part"]) for row in record["by"]} == {(a, b) for a in "xy" for b in ("one", "two")}


# --- mistakes -------------------------------------------------------------------------------------------------------


def test_mistakes_cost_one_line(similitude, three):
    (three / "mine.toml").write_text('name = "mine"\n[[benchmarks]]\nname = "a"\npath = "a.csv"\n', encoding="utf-8")
    for arguments, words in (
        (("a.csv", "a.csv"), "'a.csv' is named twice"),
        (("a.csv", "nowhere.csv"), "nowhere.csv"),
        (("a.csv", "b.csv", "-m", "spearmann"), "did you mean 'spearman'"),
        (("a.csv", "b.csv", "-s", "levenstein"), "did you mean 'levenshtein'"),
        (("a.csv", "mine.toml"), "'mine.toml' is a suite, and stands beside other data"),
        (("mine.toml", "--scale", "0..5"), "--scale would hold for every benchmark of the suite"),
        (("mine.toml", "--judgements", "a.csv"), "--judgements belong to one benchmark"),
        (("a.csv", "--skip-missing"), "--skip-missing is for suites"),
        (("a.csv", "--no-join"), "--no-join is for suites"),
        (("a.csv", "b.csv", "--data-folder", "."), "--data-folder is for suites"),
        (("a.csv", "b.csv", "--split", "test"), "has no split 'test'"),
        (("suite:klingon",), "no suite named 'klingon'"),
        (("mine.toml", "--against", "jaro"), "the baseline 'jaro' is none of the systems"),
    ):
        assert words in error_of(similitude("evaluate", *arguments, *LEVENSHTEIN)), arguments
    copied = three / "copy.csv"
    copied.write_text((three / "a.csv").read_text(encoding="utf-8"), encoding="utf-8")
    assert "'a' and 'copy' hold the same items" in error_of(similitude("evaluate", "a.csv", "copy.csv", *LEVENSHTEIN))
    similitude("evaluate", "a.csv", *LEVENSHTEIN, "--folder", "single")
    assert "holds the run of one benchmark" in error_of(
        similitude("evaluate", "a.csv", "b.csv", *LEVENSHTEIN, "--folder", "single")
    )


def test_a_system_that_fails_somewhere_gives_exit_code_1_and_says_where(similitude, three):
    (three / "mine.py").write_text(
        "class Picky:\n"
        "    def score(self, items):\n"
        "        if len(items) == 25:\n"
        "            raise ValueError('too many items')\n"
        "        return [len(item.left) for item in items]\n",
        encoding="utf-8",
    )
    shown = similitude("evaluate", "a.csv", "b.csv", "-s", "mine.py:Picky", *LEVENSHTEIN)
    assert shown.returncode == 1
    assert "score() raised ValueError: too many items" in " ".join(shown.stdout.split())
    assert "1 of 2 systems lack figures" in " ".join(shown.stdout.split())


def test_errors_on_different_scales_are_not_averaged(similitude, three):
    text = (three / "b.csv").read_text(encoding="utf-8").splitlines()
    scaled = [text[0], *(f"{line.rpartition(',')[0]},{float(line.rpartition(',')[2]) / 5}" for line in text[1:])]
    (three / "b.csv").write_text("\n".join(scaled) + "\n", encoding="utf-8")
    shown = similitude("evaluate", "a.csv", "b.csv", *LEVENSHTEIN, "-m", "mae")
    assert shown.stdout.startswith("there is no mean over the benchmarks: mae depends on the scale")
    assert similitude("evaluate", "a.csv", "b.csv", *LEVENSHTEIN, "--folder", "other").stdout.startswith("levenshtein")


# --- packaged suites, in the published layouts ----------------------------------------------------------------------


def semeval(folder: Path, parts: dict[str, int], start: int) -> None:
    folder.mkdir(parents=True)
    for name, number in parts.items():
        made = rows(number, start)
        texts = "".join(f"{left}\t{right}\n" for left, right, _ in made)
        (folder / f"STS.input.{name}.txt").write_text(texts, encoding="utf-8")
        (folder / f"STS.gs.{name}.txt").write_text("".join(f"{score}\n" for *_, score in made), encoding="utf-8")
        start += number


def tabs(path: Path, made: list[tuple], head: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + "".join("\t".join(map(str, row)) + "\n" for row in made), encoding="utf-8")


@pytest.fixture
def english(tmp_path) -> Path:
    folder = tmp_path / "data"
    semeval(folder / "STS12", {"MSRpar": 12, "MSRvid": 10}, 0)
    semeval(folder / "STS13-en-test", {"headlines": 12, "OnWN": 12}, 1000)
    (folder / "sts14-sts").mkdir()
    lines = [json.dumps({"sentence1": a, "sentence2": b, "score": c}) for a, b, c in rows(12, 2000)]
    (folder / "sts14-sts" / "test.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    semeval(folder / "test_evaluation_task2a", {"belief": 12}, 3000)
    semeval(folder / "sts2016-english-with-gs-v1.0", {"plagiarism": 12}, 4000)
    tabs(folder / "STS2017-extended" / "STS.en-en.txt", rows(12, 5000))
    benchmark = [("main-news", "headlines", "2015", "0001", f"{c}", a, b) for a, b, c in rows(12, 6000)]
    tabs(folder / "stsbenchmark" / "sts-test.csv", benchmark)
    sick = [(place, a, b, max(1.0, c), "NEUTRAL") for place, (a, b, c) in enumerate(rows(12, 7000))]
    head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    tabs(folder / "SICK" / "SICK_test_annotated.txt", sick, head)
    biosses = folder / "BIOSSES"
    biosses.mkdir()
    made = rows(12, 8000)
    with (biosses / "Annotation-Pairs.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("Sentence 1", "Sentence 2"), *((a, b) for a, b, _ in made)])
    with (biosses / "Annotator-Scores.csv").open("w", encoding="utf-8", newline="") as file:
        heads = ("Sentence No", *(f"Annotator {letter}" for letter in "ABCDE"))
        scores = ((place, *[min(4, int(c))] * 4, 2) for place, (*_, c) in enumerate(made))
        csv.writer(file).writerows([heads, *scores])
    return folder


def test_the_english_suite_reads_the_public_files_where_they_lie(similitude, english):
    shown = similitude("evaluate", "suite:english", "--data-folder", english, *LEVENSHTEIN, "--json")
    assert shown.returncode == 0, shown.stderr
    record = json.loads(shown.stdout)
    sizes = {each["name"]: each["items"] for each in record["benchmarks"]}
    assert sizes == {"STS12": 22, "STS13": 24, **{f"STS{year}": 12 for year in (14, 15, 16, 17)}, "STS-B": 12,
                     "SICK-R": 12, "BIOSSES": 12}  # fmt: skip
    scales = {each["name"]: each["scale"] for each in record["benchmarks"]}
    assert (scales["STS12"], scales["SICK-R"], scales["BIOSSES"]) == ("0..5", "1..5", "0..4")
    assert (record["name"], record["language"]) == ("english", "en")
    measured = {(row["benchmark"], row["measure"]) for row in record["figures"]}
    assert ("STS12", "mean_over_sources(spearman)") in measured
    assert Path("runs/english/STS-B/run.json").is_file()


def test_missing_files_are_listed_with_their_pages_or_skipped(similitude, english):
    import shutil

    shutil.rmtree(english / "SICK")
    (english / "stsbenchmark" / "sts-test.csv").unlink()
    line = error_of(similitude("evaluate", "suite:english", "--data-folder", english, *LEVENSHTEIN))
    assert "2 benchmarks of 9 not found" in line
    assert "published at marcobaroni.org/composes/sick.html" in line
    assert "--skip-missing" in line
    shown = similitude("evaluate", "suite:english", "--data-folder", english, "--skip-missing", *LEVENSHTEIN)
    assert shown.returncode == 0, shown.stderr
    assert "7 benchmarks" in shown.stdout
    assert "STS-B, SICK-R" in " ".join(shown.stdout.split())


def test_the_german_suite(similitude, tmp_path):
    folder = tmp_path / "data"
    (folder / "stsb-multi-mt" / "data").mkdir(parents=True)
    with (folder / "stsb-multi-mt" / "data" / "stsb-de-test.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([(f"{a}, und", b, c) for a, b, c in rows(12)])
    labels = [(place, a, f'{b} "quoted', int(c > 2)) for place, (a, b, c) in enumerate(rows(12, 500))]
    tabs(folder / "x-final" / "de" / "test_2k.tsv", labels, HEAD)
    tabs(folder / "STS2017-extended" / "STS.en-de.txt", rows(12, 900))
    shown = similitude("evaluate", "suite:german", "--data-folder", folder, *LEVENSHTEIN, "--json")
    assert shown.returncode == 0, shown.stderr
    record = json.loads(shown.stdout)
    assert [(each["name"], each["items"], each["scale"]) for each in record["benchmarks"]] == [
        ("STS-B-de", 12, "0..5"), ("PAWS-X-de", 12, "0..1"), ("STS17-en-de", 12, "0..5"),
    ]  # fmt: skip
    assert record["missing"] == {}


@pytest.mark.parametrize("layout", ["senteval_cn", "published", "C-MTEB"])
def test_the_chinese_suite_in_three_layouts(similitude, tmp_path, layout):
    folder = tmp_path / "data"
    for place, name in enumerate(("ATEC", "BQ", "LCQMC", "PAWSX", "STSB", "AFQMC")):
        made = [(f"{a}的", f"{b}吗", c if name == "STSB" else int(c > 2)) for a, b, c in rows(12, 100 * place)]
        objects = [{"sentence1": a, "sentence2": b} for a, b, _ in made]
        if layout == "C-MTEB":
            lines = [json.dumps(each | {"score": row[2]}) for each, row in zip(objects, made, strict=True)]
            split = "validation" if name == "AFQMC" else "test"
            (folder / "C-MTEB" / name).mkdir(parents=True)
            (folder / "C-MTEB" / name / f"{split}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        elif name == "AFQMC":
            lines = [json.dumps(each | {"label": str(row[2])}) for each, row in zip(objects, made, strict=True)]
            (folder / "afqmc_public").mkdir(parents=True)
            (folder / "afqmc_public" / "dev.json").write_text("\n".join(lines) + "\n", encoding="utf-8")
        elif layout == "senteval_cn":
            plain = "STS-B" if name == "STSB" else name
            tabs(folder / "senteval_cn" / plain / f"{plain}.test.data", made)
        else:
            published = {
                "ATEC": ("atec_nlp_sim_train.csv", lambda number, row: (number, *row), ""),
                "BQ": ("bq_corpus/test.tsv", lambda _, row: row, ""),
                "LCQMC": ("LCQMC/test.txt", lambda _, row: row, ""),
                "PAWSX": ("x-final/zh/test_2k.tsv", lambda number, row: (number, *row), HEAD),
                "STSB": ("cnsd-sts-test.txt", lambda number, row: ("||".join(map(str, (number, *row))),), ""),
            }  # fmt: skip
            file, line, head = published[name]
            tabs(folder / file, [line(number, row) for number, row in enumerate(made, 1)], head)
    shown = similitude("evaluate", "suite:chinese", "--data-folder", folder, *LEVENSHTEIN, "--json")
    assert shown.returncode == 0, shown.stderr
    record = json.loads(shown.stdout)
    assert [each["items"] for each in record["benchmarks"]] == [12] * 6
    assert {each["name"]: each["scale"] for each in record["benchmarks"]}["STSB"] == "0..5"
    assert record["missing"] == {}


def test_suites_are_listed_and_printed(similitude):
    shown = similitude("data", "suites").stdout
    for name in ("english", "german", "chinese"):
        assert name in shown
    text = similitude("data", "suites", "german").stdout
    assert 'name = "german"' in text
    assert "no suite named 'klingon'" in similitude("data", "suites", "klingon").stderr
    listed = json.loads(similitude("data", "suites", "--json").stdout)
    assert [each["name"] for each in listed] == ["chinese", "english", "german"]
