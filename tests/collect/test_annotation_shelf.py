"""The shelf: many studies in one folder, on SQLite and on PostgreSQL, seen by several processes at once."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="needs the annotation store")

from similitude.collect.annotation import store
from similitude.collect.annotation.records import Entry
from similitude.collect.annotation.shelf import (
    StudyDatabases,
    StudyShelf,
    backup_folder,
    free_slug,
    is_slug,
    restore_folder,
)
from similitude.collect.annotation.store.refusals import Conflict, NotAdmitted, NotThere
from similitude.errors import ArgumentError, InputError

PLAN = 'name = "{name}"\ntask = "rating"\nitems = "items.csv"\njudgements = 2\n[access]\nopen = true\n'
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_numbers = itertools.count()


def execute(url: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


def write_study(folder: Path, name: str = "a study", items: int = 3) -> None:
    folder.mkdir(exist_ok=True)
    rows = "".join(f"i{number},left {number},right {number}\n" for number in range(items))
    (folder / "items.csv").write_text(f"id,left,right\n{rows}")
    (folder / "study.toml").write_text(PLAN.format(name=name))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def new_url(request: pytest.FixtureRequest) -> Iterator[Callable[[], str | None]]:
    """A way to name an empty database: None for files, or a new PostgreSQL database."""
    if request.param == "sqlite":
        yield lambda: None
        return
    import sqlalchemy as sa

    server: str = request.getfixturevalue("postgresql_url")
    made: list[str] = []

    def make() -> str:
        made.append(f"shelf_{next(_numbers)}")
        execute(server, f"CREATE DATABASE {made[-1]}")
        return sa.make_url(server).set(database=made[-1]).render_as_string(hide_password=False)

    yield make
    for name in made:
        execute(server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def make_shelf(tmp_path: Path, new_url: Callable[[], str | None]) -> Iterator[Callable[..., StudyShelf]]:
    """``make_shelf()``: a shelf on one folder; a second one is what another process has."""
    url, opened = new_url(), []

    def make(**options: Any) -> StudyShelf:
        opened.append(StudyShelf(tmp_path / "studies", url, clock=lambda: NOW, **options))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def answer(db: store.Database, value: str = "3") -> int:
    """Somebody comes in by the open link and answers everything; how many answers that were."""
    who = store.enter_open(db, language="en", now=NOW).annotator.id
    store.consent(db, who, agreed=True, now=NOW)
    batch = store.next_work(db, who, now=NOW).batch
    assert batch is not None
    for question in batch.questions:
        store.save_answer(
            db, who, batch.id, Entry(question.position, {"value": value}, f"n{question.position}"), now=NOW
        )
    store.send_batch(db, who, batch.id, now=NOW)
    return len(batch.questions)


def test_slugs_cannot_lead_out_of_the_folder() -> None:
    for name in ("..", ".", "../x", "a/b", "/etc", "a\\b", "", "A", "a b", "-a", "a" * 51, "ä", "a\n", ".hidden"):
        assert not is_slug(name), name
    assert all(is_slug(name) for name in ("a", "replies_2026-b", "a" * 50))
    assert free_slug("x" * 80, {"x" * 45}) == "x" * 45 + "-2"
    assert is_slug(free_slug("???"))


def test_studies_that_are_put_into_the_folder_appear_as_drafts(make_shelf: Callable[..., StudyShelf]) -> None:
    shelf = make_shelf()
    assert shelf.studies() == []
    write_study(shelf.folder / "one", "first")
    write_study(shelf.folder / "two", "second", items=5)
    (shelf.folder / "no-study").mkdir()
    write_study(shelf.folder / ".hidden")
    found = shelf.studies()
    assert [(each.slug, each.record.plan.name, each.record.state) for each in found if each.record] == [
        ("one", "first", "draft"),
        ("two", "second", "draft"),
    ]
    assert store.study_summary(shelf.database("two")).wanted == 10
    with pytest.raises(NotAdmitted):
        store.enter_open(shelf.database("one"), language="en", now=NOW)
    preview = store.enter_preview(shelf.database("one"), language="en", now=NOW, by="ada").annotator.id
    store.consent(shelf.database("one"), preview, agreed=True, now=NOW)
    assert store.next_work(shelf.database("one"), preview, now=NOW).batch is not None


def test_another_process_sees_new_studies_and_new_states(make_shelf: Callable[..., StudyShelf]) -> None:
    here, there = make_shelf(), make_shelf()
    here.create("fresh", write_study, by="ada")
    assert [each.slug for each in there.studies()] == ["fresh"]
    store.set_state(there.database("fresh"), "open", now=NOW, by="ada")
    assert here.look("fresh").record.state == "open"  # type: ignore[union-attr]
    assert answer(there.database("fresh")) == 3
    assert store.study_summary(here.database("fresh")).done == 3


def test_each_study_has_its_own_data(make_shelf: Callable[..., StudyShelf]) -> None:
    shelf = make_shelf()
    for slug in ("one", "two"):
        shelf.create(slug, lambda folder, slug=slug: write_study(folder, slug), by="ada", state="open")
    answer(shelf.database("one"))
    assert [store.study_summary(shelf.database(slug)).done for slug in ("one", "two")] == [3, 0]
    assert store.leaders(shelf.database("one")) == []
    assert {entry.what for entry in store.audit_log(shelf.database("two"))} == {"study_made", "questions_changed"}


def test_a_broken_study_breaks_no_other_and_is_read_again_once_it_is_repaired(
    make_shelf: Callable[..., StudyShelf],
) -> None:
    shelf = make_shelf()
    write_study(shelf.folder / "good")
    write_study(shelf.folder / "bad")
    (shelf.folder / "bad" / "items.csv").unlink()
    write_study(shelf.folder / "Bad Name")
    states = {each.slug: each for each in shelf.studies()}
    assert states["good"].problem == ""
    assert "items.csv" in states["bad"].problem
    assert "a-z" in states["Bad Name"].problem
    for slug in ("bad", "Bad Name", "nothing", "..", "good/../bad"):
        with pytest.raises(NotThere):
            shelf.database(slug)
    write_study(shelf.folder / "bad")
    assert shelf.look("bad").problem == ""
    assert shelf.database("bad")


def test_changed_files_of_a_draft_are_read_at_once_those_of_an_open_study_when_asked(
    make_shelf: Callable[..., StudyShelf],
) -> None:
    shelf, other = make_shelf(), make_shelf()
    shelf.create("s", write_study, by="ada")
    write_study(shelf.folder / "s", "renamed", items=4)
    assert other.look("s").record.plan.name == "renamed"  # type: ignore[union-attr]
    assert store.study_summary(shelf.database("s")).wanted == 8
    store.set_state(shelf.database("s"), "open", now=NOW, by="ada")
    write_study(shelf.folder / "s", "renamed", items=6)
    assert shelf.look("s").changed
    assert store.study_summary(shelf.database("s")).wanted == 8
    shelf.reload("s", by="ada")
    assert not other.look("s").changed
    assert store.study_summary(other.database("s")).wanted == 12
    (shelf.folder / "s" / "study.toml").write_text("name = 3")
    with pytest.raises(InputError):
        shelf.reload("s", by="ada")
    found = other.look("s")
    assert "name" in found.problem
    assert found.record is not None, "it goes on as it was"


def test_a_new_study_appears_whole_or_not_at_all(make_shelf: Callable[..., StudyShelf]) -> None:
    shelf = make_shelf()
    with pytest.raises(InputError):
        shelf.create("half", lambda folder: (folder / "study.toml").write_text("name = 3") and None, by="ada")
    assert shelf.slugs() == []
    assert [path.name for path in shelf.folder.iterdir() if path.is_dir()] == []
    shelf.create("whole", write_study, by="ada")
    with pytest.raises(Conflict):
        shelf.create("whole", write_study, by="ada")
    with pytest.raises(ArgumentError):
        shelf.create("../out", write_study, by="ada")
    assert not (shelf.folder.parent / "out").exists()


def test_a_new_study_inherits_nothing_from_an_older_one_of_its_name(make_shelf: Callable[..., StudyShelf]) -> None:
    shelf = make_shelf()
    for name in ("ada", "bob"):
        store.add_leader(shelf.console, name, "a long password", now=NOW, by="test")
    shelf.create("s", write_study, by="ada", owner="ada", state="open")
    link = store.invite_leader(shelf.console, slug="s", role="owner", now=NOW, by="ada")
    answer(shelf.database("s"))
    (shelf.folder / "s").rename(shelf.folder / ".gone")
    shelf.databases.drop("s")
    if shelf.databases.dialect == "postgresql":  # its answers are still there
        with pytest.raises(Conflict):
            shelf.create("s", write_study, by="bob", owner="bob")
        return
    shelf.create("s", write_study, by="bob", owner="bob")
    assert [each.name for each in store.members(shelf.console, "s")] == ["bob"]
    assert store.study_summary(shelf.database("s")).done == 0
    with pytest.raises(NotAdmitted):
        store.read_leader_invitation(shelf.console, str(link.token), now=NOW)


def test_many_threads_open_the_same_new_study_and_more_studies_than_stay_open(
    make_shelf: Callable[..., StudyShelf],
) -> None:
    shelf = make_shelf(most_open=2)
    for number in range(4):
        write_study(shelf.folder / f"s{number}")
    failed: list[BaseException] = []

    def look_at_all() -> None:
        try:
            for number in (*range(4), *range(4)):
                assert store.study_summary(shelf.database(f"s{number}")).wanted == 6
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=look_at_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(shelf.databases._open) == 2


def test_a_folder_that_was_replaced_is_a_new_study(tmp_path: Path) -> None:
    with closing(StudyShelf(tmp_path, clock=lambda: NOW)) as shelf:
        shelf.create("s", write_study, by="ada", state="open")
        answer(shelf.database("s"))
        (tmp_path / "s").rename(tmp_path / "old")
        with pytest.raises(NotThere):
            shelf.database("s")
        shelf.databases.drop("s")
        write_study(tmp_path / "s", "another")
        assert store.study_summary(shelf.database("s")).done == 0
        assert store.study_summary(shelf.database("old")).done == 3


def test_the_life_of_a_study(make_shelf: Callable[..., StudyShelf]) -> None:
    shelf = make_shelf()
    shelf.create("s", write_study, by="ada")
    db = shelf.database("s")
    steps = ("open", "paused", "open", "closed", "archived", "closed", "open")
    for state in steps:
        assert store.set_state(db, state, now=NOW, by="ada").state == state  # type: ignore[arg-type]
    for state in ("draft", "archived"):
        with pytest.raises(Conflict):
            store.set_state(db, state, now=NOW, by="ada")  # type: ignore[arg-type]
    logged = [entry.detail["to"] for entry in store.audit_log(db) if entry.what == "study_state"]
    assert tuple(reversed(logged)) == steps
    for state in ("closed", "archived"):
        store.set_state(db, state, now=NOW, by="ada")  # type: ignore[arg-type]
        with pytest.raises(NotAdmitted):
            store.enter_open(db, language="en", now=NOW)


def test_owners_members_and_admins(make_shelf: Callable[..., StudyShelf]) -> None:
    shelf = make_shelf()
    console = shelf.console
    admin = store.add_leader(console, "root", "a long password", now=NOW, by="test", admin=True)
    ada = store.add_leader(console, "ada", "a long password", now=NOW, by="test")
    bob = store.add_leader(console, "bob", "a long password", now=NOW, by="test")
    shelf.create("s", write_study, by="ada", owner="ada")
    store.add_member(console, "s", "bob", "member", now=NOW, by="ada")
    assert [store.role_in_study(console, who, "s") for who in (admin, ada, bob)] == ["admin", "owner", "member"]
    assert store.role_in_study(console, bob, "other") is None
    assert store.led_studies(console, bob) == {"s": "member"}
    for change in (
        lambda: store.remove_member(console, "s", "ada", now=NOW, by="ada"),
        lambda: store.add_member(console, "s", "ada", "member", now=NOW, by="ada"),
        lambda: store.set_admin(console, "root", False, now=NOW, by="root"),
    ):
        with pytest.raises(Conflict):
            change()
    store.add_member(console, "s", "bob", "owner", now=NOW, by="ada")
    store.remove_member(console, "s", "ada", now=NOW, by="bob")
    assert [(each.name, each.role) for each in store.members(console, "s")] == [("bob", "owner")]
    store.remove_leader(console, "bob", now=NOW, by="root")
    assert store.members(console, "s") == []


def test_links_for_leaders_work_once_and_end(make_shelf: Callable[..., StudyShelf]) -> None:
    shelf = make_shelf()
    console = shelf.console
    first = store.invite_first_leader(console, now=NOW, by="test")
    second = store.invite_first_leader(console, now=NOW, by="test")
    assert first is not None
    assert second is not None
    with pytest.raises(NotAdmitted):  # a second start makes a new link, and the old one ends
        store.read_leader_invitation(console, str(first.token), now=NOW)
    session = store.accept_leader_invitation(console, str(second.token), "root", "a long password", now=NOW)
    who = store.leader_of_session(console, session, now=NOW)
    assert who is not None
    assert who.admin
    assert store.invite_first_leader(console, now=NOW, by="test") is None
    with pytest.raises(NotAdmitted):
        store.accept_leader_invitation(console, str(second.token), "eve", "a long password", now=NOW)
    third = store.invite_leader(console, slug="s", role="member", now=NOW, by="root")
    with pytest.raises(Conflict):
        store.accept_leader_invitation(console, str(third.token), "root", "a long password", now=NOW)
    with pytest.raises(NotAdmitted):
        store.read_leader_invitation(console, str(third.token), now=NOW + timedelta(days=8))
    store.accept_leader_invitation(console, str(third.token), "bob", "a long password", now=NOW)
    assert [(each.name, each.role) for each in store.members(console, "s")] == [("bob", "member")]


def test_a_backup_of_the_folder_brings_everything_back(
    make_shelf: Callable[..., StudyShelf], tmp_path: Path, new_url: Callable[[], str | None]
) -> None:
    shelf = make_shelf()
    store.add_leader(shelf.console, "ada", "a long password", now=NOW, by="test", admin=True)
    for slug in ("one", "two"):
        shelf.create(slug, lambda folder, slug=slug: write_study(folder, slug), by="ada", owner="ada", state="open")
    answer(shelf.database("one"), "4")
    (shelf.folder / "broken").mkdir()
    (shelf.folder / "broken" / "study.toml").write_text("name = 3")
    written = backup_folder(shelf, tmp_path / "all.zip")
    url = new_url()
    assert restore_folder(tmp_path / "again", written, url) == ["broken", "one", "two"]
    with closing(StudyShelf(tmp_path / "again", url, clock=lambda: NOW)) as again:
        found = {each.slug: each for each in again.studies()}
        assert found["broken"].problem
        assert not found["one"].changed
        rows = [list(store.export_rows(each.database("one"))) for each in (shelf, again)]
        assert rows[0] == rows[1] != []
        assert store.log_in(again.console, "ada", "a long password", now=NOW)
        assert [each.role for each in store.members(again.console, "two")] == ["owner"]
    with pytest.raises(ArgumentError, match="not empty"):
        restore_folder(tmp_path / "again", written, url)


def test_what_is_no_backup_of_a_folder_is_refused(tmp_path: Path) -> None:
    import zipfile

    (tmp_path / "text.zip").write_text("no archive")
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("folder.json", '{"format": 1, "studies": ["s"]}')
        archive.writestr("s/files/../../../out.txt", "x")
    for number, name in enumerate(("text.zip", "evil.zip")):
        with pytest.raises(InputError, match="not a backup"):
            restore_folder(tmp_path / f"into{number}", tmp_path / name)
    assert not (tmp_path.parent / "out.txt").exists()
    with closing(StudyShelf(tmp_path / "studies")) as shelf, pytest.raises(ArgumentError, match=r"\.zip"):
        backup_folder(shelf, tmp_path / "all.db")


def test_a_study_without_a_database_is_not_made_by_looking(tmp_path: Path) -> None:
    write_study(tmp_path / "s")
    with closing(StudyDatabases(tmp_path)) as databases, pytest.raises(ArgumentError, match="no such database"):
        databases.study("s", create=False)
    assert not (tmp_path / "s" / "study.db").exists()
