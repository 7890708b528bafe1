"""``similitude annotate people|approve|reject|bonus|link`` on a study with two people."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from similitude.cli import app
from similitude.collect.annotation import store
from similitude.collect.annotation.payment.platform_lists import LISTS
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.signed_links import verify_link
from similitude.errors import SimilitudeError

STUDY = """name = "paid"
task = "rating"
items = "items.csv"
judgements = 2
[access]
keep_platform_ids = true
[access.prolific]
completion_url = "https://app.example.org"
{more}
[pay]
currency = "EUR"
per_person = 1.50
hourly = 12
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "items.csv").write_text("id,left,right\n1,a b,c d\n")
    path = tmp_path / "study.toml"
    path.write_text(STUDY.format(more=""))
    database = store.open_database(tmp_path / "study.db")
    now = datetime.now(UTC)
    store.put_study(database, read_study(path), now=now)
    for name in ("one", "two"):
        entered = store.enter_from_platform(
            database, "prolific", f"pid-{name}", submission=f"session-{name}", language=None, now=now
        )
        store.consent(database, entered.annotator.id, agreed=True, now=now)
        store.finish(database, entered.annotator.id, now=now)
    database.close()
    return path


def run(capsys: pytest.CaptureFixture[str], *words: Any) -> str:
    assert not app.run(["annotate", *map(str, words)])
    return capsys.readouterr().out


def refused(*words: Any) -> str:
    with pytest.raises(SimilitudeError) as caught:
        app.run(["annotate", *map(str, words)])
    return str(caught.value)


def table(capsys: pytest.CaptureFixture[str], study: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run(capsys, "people", study, "--csv", "-"))))


def test_people_are_listed_decided_about_and_handed_to_the_platform(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = table(capsys, study)
    assert (first["participant"], first["outcome"], first["pay"]) == ("pid-one", "early", "1.5")
    assert first["code"] in run(capsys, "people", study)
    run(capsys, "people", study, "--csv", study.with_name("people.csv"))
    assert len(study.with_name("people.csv").read_text().splitlines()) == 3
    assert "1 approved" in run(capsys, "approve", study, first["code"], "--leader", "anna")
    assert "1 rejected" in run(capsys, "reject", study, "pid-two", "--reason", "nothing was answered")
    assert "1 bonus set" in run(capsys, "bonus", study, "0.75", first["pseudonym"], "--reason", "thanks")
    assert run(capsys, "people", study, "--platform-list", "prolific-approve") == "session-one\n"
    assert run(capsys, "bonus-lists", study, "--make", "prolific-bonus") == "pid-one,0.75\n"
    assert "no bonus is due" in refused("bonus-lists", study, "--make", "bonus"), "it is on a list"
    assert run(capsys, "bonus-lists", study, "1") == "pid-one,0.75\n"
    assert "1 bonuses are due again" in run(capsys, "bonus-lists", study, "1", "--withdraw")
    run(capsys, "bonus-lists", study, "--make", "prolific-bonus")
    assert "1 bonuses handed over" in run(capsys, "bonus-lists", study, "2", "--handed-over")
    assert "list 2 is paid already" in refused("bonus-lists", study, "2", "--handed-over")
    assert "no list 9" in refused("bonus-lists", study, "9")
    assert "do not go together" in refused("bonus-lists", study, "--handed-over")
    assert [line.split()[5] for line in run(capsys, "bonus-lists", study).splitlines()] == ["paid", "withdrawn"]
    assert "pid-two,nothing was answered" in run(capsys, "people", study, "--platform-list", "prolific-reject")
    whole = json.loads(run(capsys, "people", study, "--json"))
    assert [row["decision"] for row in whole["people"]] == ["approved", "rejected"]
    assert (whole["pay"]["currency"], whole["pay"]["approved"]) == ("EUR", 2.25)
    [found] = json.loads(run(capsys, "people", study, "--json", "--search", "session-two"))["people"]
    assert (found["pseudonym"], found["reason"]) == (second["pseudonym"], "nothing was answered")
    run(capsys, "reject", study, "pid-one", "--reason", "a mistake of ours", "--exclude")
    assert [row["state"] for row in table(capsys, study)] == ["excluded", "finished"]


def test_commands_that_make_no_sense_say_so(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "'nobody' means no people" in refused("approve", study, "nobody")
    assert "nobody is named, or too many" in refused("approve", study)
    assert "'x' is no amount" in refused("bonus", study, "x", "pid-one", "--reason", "r")
    assert "no reason was given" in refused("reject", study, "pid-one", "--reason", " ")
    assert "the study has no secret" in refused("link", study, "anna")
    assert "0 approved" in run(capsys, "approve", study, "--finished"), "they have answered nothing"


def test_a_link_that_is_signed_is_accepted(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study.with_name("secret").write_text("sixteen letters and more")
    study.write_text(STUDY.format(more='secret_file = "secret"'))
    made = run(
        capsys, "link", study, "anna", "--session", "wave-1", "--public-url", "https://judge.example.org/"
    ).strip()
    assert made.startswith("https://judge.example.org/prolific?PROLIFIC_PID=anna&")
    sent = {name: values[0] for name, values in parse_qs(urlsplit(made).query).items()}
    access = read_study(study).plan.access.prolific
    assert access is not None
    link = verify_link(access, sent, now=datetime.now(UTC))
    assert (link.participant, link.submission) == ("anna", "wave-1")


def test_every_list_can_be_asked_for(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in LISTS:
        run(capsys, "people", study, "--platform-list", name)
