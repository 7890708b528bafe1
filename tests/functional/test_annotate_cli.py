"""``similitude annotate``: from a TOML file to links, leaders, answers and backups, on the command line."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

import pytest
from patience import SECONDS, until

from similitude.collect.annotation.records import Entry
from similitude.errors import ArgumentError, InputError, SimilitudeError

NOW = datetime(2026, 3, 2, tzinfo=UTC)
STUDY = 'name = "s"\ntask = "rating"\nitems = "items.jsonl"\njudgements = 1\n[access]\nopen = true\n'


@pytest.fixture
def call(run_command):
    def run(*arguments: object, typed: str = "") -> str:
        ran = run_command("annotate", *arguments, typed=typed)
        assert ran.exit_code == 0, ran.stderr
        return ran.stdout

    return run


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "items.jsonl").write_text(
        "".join(json.dumps({"id": f"i{n}", "left": f"l {n}", "right": f"r {n}"}) + "\n" for n in range(4))
    )
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path / "study.toml"


def answer_everything(study: Path, database: str | None = None) -> None:
    from similitude.collect.annotation import store

    db = store.open_database(database or study.with_suffix(".db"), create=False)
    who = store.enter_open(db, language="en", now=NOW).annotator.id
    store.consent(db, who, agreed=True, now=NOW)
    batch = store.next_work(db, who, now=NOW).batch
    assert batch is not None
    for question in batch.questions:
        store.save_answer(db, who, batch.id, Entry(question.position, {"value": "3"}, str(question.position)), now=NOW)
    store.send_batch(db, who, batch.id, now=NOW)
    db.close()


def test_check_says_what_is_there_and_what_is_wrong(call, study: Path) -> None:
    assert "'s' (rating) is in order: questions: 4 work; 4 judgements wanted" in call("check", study)
    assert json.loads(call("check", study, "--json"))["questions"] == {"work": 4}
    assert not study.with_suffix(".db").exists()
    study.write_text(STUDY.replace("judgements", "judgments"))
    with pytest.raises(
        InputError, match=r"study.toml, line 4: 'judgments' is not a known key; did you mean 'judgements'"
    ):
        call("check", study)


def test_leaders_and_links_can_be_made_before_anything_is_served(call, study: Path) -> None:
    assert call("leader", study, "anna", "--password-stdin", typed="a long password 1\n") == "anna leads this study\n"
    call("leader", study, "anna", "--reset", "--password-stdin", typed="a long password 2\n")
    assert call("leader", study) == "anna\n"
    links = call("invite", study, "-n", "2", "--public-url", "https://study.example.org/").split()
    assert all(re.fullmatch(r"https://study\.example\.org/join/[\w-]{43}", link) for link in links)
    assert len(set(links)) == 2
    made = json.loads(call("invite", study, "--uses", "0", "--days", "7", "--json"))
    assert made[0]["id"] == 3
    token = call("token", study, "anna", "--note", "nightly").strip()
    assert len(token) == 43
    assert "nightly" in call("token", study)
    call("token", study, "--revoke", "1")
    assert "revoked" in call("token", study)
    call("leader", study, "anna", "--remove")
    assert call("leader", study) == ""
    with pytest.raises(ArgumentError, match="password has 5 characters"):
        call("leader", study, "ben", "--password-stdin", typed="short\n")


def test_answers_go_out_and_come_in_again(call, study: Path, tmp_path: Path) -> None:
    call("invite", study)
    answer_everything(study)
    assert "4 answers written" in call("export", study, "--out", tmp_path / "a.jsonl")
    assert call("export", study) == (tmp_path / "a.jsonl").read_text()
    assert call("export", study, "--out-format", "csv").startswith("question,annotator,round,seconds,item,value,")
    other = tmp_path / "other.db"
    assert "4 answers imported" in call("import", study, tmp_path / "a.jsonl", "--database", other)
    assert call("export", study, "--database", other) == call("export", study)
    with pytest.raises(SimilitudeError, match="already has answers"):
        call("import", study, tmp_path / "a.jsonl", "--database", other)


def test_backups_and_pauses(call, study: Path, tmp_path: Path) -> None:
    call("invite", study)
    answer_everything(study)
    before = call("export", study, "--all")
    call("backup", study, tmp_path / "copy.db")
    assert call("export", study, "--all", "--database", tmp_path / "copy.db") == before
    call("backup", study, tmp_path / "copy.zip")
    call("import", study, tmp_path / "copy.zip", "--database", tmp_path / "restored.db")
    assert call("export", study, "--all", "--database", tmp_path / "restored.db") == before
    assert call("pause", study) == "'s' is paused\n"
    assert call("pause", study, "--close") == "'s' is closed\n"
    assert call("resume", study) == "'s' is open\n"


@pytest.fixture
def folder(call, study: Path, tmp_path: Path) -> Path:
    """A folder with the studies a and b, which were served before, and their leader ada."""
    from similitude.collect.annotation.shelf import StudyShelf

    made = tmp_path / "studies"
    for name in ("a", "b"):
        (made / name).mkdir(parents=True)
        (made / name / "study.toml").write_text(STUDY.replace('"s"', f'"{name}"'))
        (made / name / "items.jsonl").write_bytes((tmp_path / "items.jsonl").read_bytes())
    StudyShelf(made).close()
    assert call("leader", made, "ada", "--password-stdin", typed="a long password\n") == "ada leads studies here\n"
    return made


def test_a_folder_of_studies(call, folder: Path, tmp_path: Path) -> None:
    a = folder / "a"
    assert call("check", folder) == "a: in order\nb: in order\n"
    assert call("leader", folder) == "ada  admin\n"
    assert "leads 'a'" in call("leader", a, "bob", "--member", "--password-stdin", typed="another password\n")
    assert call("leader", a) == "bob  member\n"
    assert "leads 'b'" in call("leader", folder / "b", "bob")
    assert call("leader", folder / "b") == "bob  owner\n"
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/s/a/join/[\w-]{43}\n", call("invite", a))
    assert re.fullmatch(r"[\w-]{43}\n", call("token", a, "bob"))
    assert "bob" in call("token", folder)
    assert call("open", a) == "'a' is open\n"
    answer_everything(a / "study.toml")
    before = call("export", a)
    assert len(before.splitlines()) == 4
    assert call("pause", a) == "'a' is paused\n"
    assert call("resume", a) == "'a' is open\n"
    assert call("close", a) == "'a' is closed\n"
    assert call("archive", a) == "'a' is archived\n"
    with pytest.raises(SimilitudeError, match="cannot become"):
        call("pause", a)
    call("backup", folder, tmp_path / "all.zip")
    assert "a, b" in call("import", tmp_path / "again", tmp_path / "all.zip")
    assert call("export", tmp_path / "again" / "a") == before
    assert call("leader", tmp_path / "again" / "a") == "bob  member\n"


def test_where_a_study_is(tmp_path: Path) -> None:
    from similitude.cli.annotation_place import find_place

    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "study.toml").write_text(STUDY)
    alone = find_place(tmp_path / "a")
    assert (alone.folder, alone.slug, alone.url) == (None, "", str(tmp_path / "a" / "study.db"))
    remote = find_place(tmp_path / "a", "postgresql://host/name")  # a schema, as in a console
    assert (remote.folder, remote.slug) == (tmp_path, "a")
    (tmp_path / "console.db").touch()
    assert (find_place(tmp_path / "a").folder, find_place(tmp_path).plan) == (tmp_path, None)
    assert find_place(tmp_path / "a" / "study.toml").folder is None, "the file itself is always a study of its own"


def test_mistakes_with_a_folder_of_studies(call, folder: Path, tmp_path: Path) -> None:
    for command in ("invite", "export", "pause"):
        with pytest.raises(ArgumentError, match="is a folder of studies"):
            call(command, folder)
    with pytest.raises(ArgumentError, match="for a folder of studies"):
        call("leader", folder, "--database", tmp_path / "x.db")
    with pytest.raises(ArgumentError, match="2 workers on SQLite"):
        call("serve", folder, "--workers", 2)
    with pytest.raises(ArgumentError, match="not empty"):
        call("import", folder, _some_backup(call, folder, tmp_path))
    (folder / "b" / "study.toml").write_text("name = 3")
    with pytest.raises(InputError, match="1 of 2 studies"):
        call("check", folder)


def _some_backup(call, folder: Path, tmp_path: Path) -> Path:
    call("backup", folder, tmp_path / "some.zip")
    return tmp_path / "some.zip"


def test_mistakes_make_no_database(call, study: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        call("invite", tmp_path / "stdy.toml")
    with pytest.raises(ArgumentError, match="no such database"):
        call("pause", study)
    with pytest.raises(ArgumentError, match="2 workers on SQLite"):
        call("serve", study, "--workers", 2)
    assert not list(tmp_path.glob("stdy*"))


@pytest.mark.slow
def test_serving_answers_and_stops_when_told(call, study: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "similitude", "annotate", "serve", str(study), "--port", str(port)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert _status(f"http://127.0.0.1:{port}/healthz", server) == 200
        with pytest.raises(ArgumentError, match="cannot listen"):
            call("serve", study, "--port", port)
    finally:
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=SECONDS)
    assert "nobody leads this study yet" in errors
    assert "Traceback" not in errors


@pytest.mark.slow
def test_serving_a_folder_that_is_made_and_its_first_leader(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "similitude", "annotate", "serve", "--port", str(port)]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment, "cwd": tmp_path}
    server = subprocess.Popen(command, **options)
    try:
        assert _status(f"http://127.0.0.1:{port}/healthz", server) == 200
        assert (tmp_path / "studies" / "console.db").exists()
        assert _status(f"http://127.0.0.1:{port}/leader/login", server) == 200
    finally:
        server.send_signal(signal.SIGINT)
        said, errors = server.communicate(timeout=SECONDS)
    assert str(tmp_path / "studies") in said
    assert re.search(rf"http://127\.0\.0\.1:{port}/leader/welcome/[\w-]{{43}}\n", said)
    assert "Traceback" not in errors


def _status(url: str, server: subprocess.Popen[str]) -> int:
    def answer() -> int:
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:
                return int(reply.status)
        except OSError:
            assert server.poll() is None, server.communicate()[1]
            return 0

    return until(answer, "the server answers")


def test_the_survey_is_exported_apart(call, study: Path, tmp_path: Path) -> None:
    from similitude.collect.annotation import store

    asked = '[[survey.before]]\nid = "native"\nkind = "language"\ntext = "Your native language?"\n'
    study.write_text(STUDY + asked)
    call("invite", study)
    answer_everything(study)
    db = store.open_database(study.with_suffix(".db"), create=False)
    who = store.annotator_rows(db, now=NOW)[0].annotator
    store.save_survey(db, who.id, "before", {"native": "Deutsch"}, now=NOW)
    db.close()
    assert json.loads(call("export", study, "--survey"))["value"] == "Deutsch"
    assert "1 answer to the survey written" in call("export", study, "--survey", "--out", tmp_path / "survey.csv")
    header, row = (tmp_path / "survey.csv").read_text().splitlines()
    assert header == "annotator,part,question,value,at,current"
    assert row.startswith(f"{who.pseudonym},before,native,Deutsch,")
    assert "Deutsch" not in call("export", study, "--all")
