"""Ctrl-C in every ``similitude annotate`` command: the database is as before or as after, and the command goes on."""

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from interruption import Trial, check_each_moment, check_that_it_goes_on, run

pytest.importorskip("sqlalchemy", reason="the extra 'annotate' is not installed")

from similitude.collect.annotation import store
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.records import Entry
from similitude.collect.annotation.shelf import StudyShelf

STUDY = """name = "{name}"
task = "rating"
items = "items.jsonl"
judgements = 2
[access]
open = true
keep_platform_ids = true
[access.prolific]
completion_url = "https://app.example.org"
[pay]
currency = "EUR"
per_person = 1.50
hourly = 12
"""
NOW = datetime(2026, 3, 2, tzinfo=UTC)
PASSWORD = "a long password\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """A study with answers of two people, its backups and exports, one without a database, and a folder of studies."""
    folder = tmp_path_factory.mktemp("files")
    for place in (folder, folder / "new", folder / "studies" / "a", folder / "studies" / "b"):
        place.mkdir(parents=True, exist_ok=True)
        rows = [{"id": f"i{n}", "left": f"l {n}", "right": f"r {n}"} for n in range(3)]
        (place / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (place / "study.toml").write_text(STUDY.format(name=place.name if place != folder else "s"))
    with closing(store.open_database(folder / "study.db")) as db:
        store.put_study(db, read_study(folder / "study.toml"), now=NOW)
        for name in ("one", "two"):
            _answer_all(db, name)
    for words in ("leader study.toml ada --password-stdin", "leader studies ada --password-stdin"):
        assert run(f"annotate {words}", folder, typed=PASSWORD).code == 0
    StudyShelf(folder / "studies").close()
    for words in (
        "export study.toml --out answers.jsonl",
        "backup study.toml backup.zip",
        "backup studies all.zip",
        "open studies/b",
        "close studies/b",
        "bonus study.toml 0.50 pid-two --reason thanks",
    ):
        ended = run(f"annotate {words}", folder)
        assert ended.code == 0, ended.err
    return folder


def _answer_all(db: store.Database, name: str) -> None:
    options = {"submission": f"session-{name}", "language": None, "now": NOW}
    who = store.enter_from_platform(db, "prolific", f"pid-{name}", **options).annotator.id
    store.consent(db, who, agreed=True, now=NOW)
    batch = store.next_work(db, who, now=NOW).batch
    assert batch is not None
    for question in batch.questions:
        store.save_answer(db, who, batch.id, Entry(question.position, {"value": "3"}, str(question.position)), now=NOW)
    store.send_batch(db, who, batch.id, now=NOW)
    store.finish(db, who, now=NOW)


def shown(*words: str):
    """What other commands say of a folder afterwards, without dates."""
    return lambda folder: [
        re.sub(r"\d{4}-\d\d-\d\dT[\d:.+]+", "", run(f"annotate {each}", folder).out) for each in words
    ]


def is_there(words: str):
    """Whether another command has anything to say: an interruption may leave one token or link more."""
    return lambda folder: bool(run(f"annotate {words}", folder).out)


PEOPLE = shown("people study.toml --csv -", "export study.toml --all")
AT_WORK = {
    "leader study.toml bob --password-stdin": {
        "shows": shown("leader study.toml"),
        "typed": PASSWORD,
        "refuses": "a leader 'bob' already exists",
    },
    "leader studies/a eve --member --password-stdin": {"shows": shown("leader studies/a"), "typed": PASSWORD},
    "invite new/study.toml": {"shows": is_there("check new/study.toml")},
    "token study.toml ada": {"shows": is_there("token study.toml")},
    "open studies/a": {},
    "pause study.toml": {},
    "resume studies/b": {},
    "close study.toml": {},
    "archive studies/b": {},
    "export study.toml --out out.jsonl": {"same": ["out.jsonl"]},
    "import new/study.toml answers.jsonl": {
        "shows": shown("export new/study.toml --all"),
        "refuses": "the study already has answers",
    },
    "import new/study.toml backup.zip": {
        "shows": shown("export new/study.toml --all"),
        "refuses": "the database is not empty",
    },
    "import again all.zip": {"shows": shown("check again", "leader again"), "refuses": "again: is not empty"},
    "backup study.toml copy.db": {"shows": shown("export study.toml --all --database copy.db")},
    "backup study.toml copy.zip": {},
    "backup studies copies.zip": {},
    "people study.toml --csv people.csv": {"same": ["people.csv"]},
    "approve study.toml pid-one": {"shows": PEOPLE},
    "reject study.toml pid-two --reason late --exclude": {"shows": PEOPLE},
    "bonus study.toml 0.75 pid-one --reason thanks": {"shows": PEOPLE},
    "bonus-lists study.toml --make bonus": {
        "shows": shown("bonus-lists study.toml 1"),
        "refuses": "no bonus is due for such a list",
    },
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("words", AT_WORK)
def test_the_same_command_gives_the_same_after_ctrl_c(words, files, tmp_path):
    trial = Trial(f"annotate {words}", files, tmp_path, **AT_WORK[words])
    is_new = trial.refuses or words.startswith("leader")  # so that the second call finds another state
    (check_each_moment if is_new else check_that_it_goes_on)(trial)
