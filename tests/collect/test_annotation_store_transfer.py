"""Export, import, backup: complete, lossless, safe to open, and ready for the rest of Similitude."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import threading
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from similitude.collect.annotation.plan import Study, StudyPlan
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.store import (
    backup,
    exclude,
    export_csv,
    export_jsonl,
    export_rows,
    import_rows,
    judgements,
    open_database,
    parse_export,
    progress,
    put_study,
    read_export,
    restore,
    withdraw,
    write_export,
)
from similitude.collect.annotation.store.refusals import Conflict
from similitude.collect.annotation.store.spreadsheets import csv_lines, guarded, read_csv, unguarded
from similitude.data.judgement import BEST_WORST_SCHEMA, RATING_SCHEMA
from similitude.data.reading.judgements import read_judgements
from similitude.errors import ArgumentError, InputError
from similitude.gold.reliability.bootstrap import NO_INTERVALS

RATING = {"gold": 3, "batch": {"questions": 5, "gold_share": 0.2, "repeat_share": 0.2}}


def _busy_study(lab: Any) -> None:
    """Changes, gold, repeats, a second round, somebody excluded, somebody withdrawn, a batch left open."""
    lab.study(6, judgements=2, second_round={"spread": 0.5, "judgements": 2}, **RATING)
    people = [lab.annotator() for _ in range(5)]
    for number, who in enumerate(people[:3]):
        lab.later(seconds=3.25)
        batch = lab.work(who).batch
        lab.save(who, batch, 1, 5)
        lab.answer_all(who, batch, 2 * number)  # 0 and 2: a standard deviation of 1
        lab.work_off(who, 2 * number)
    exclude(lab.db, lab.pseudonym(people[1]), why="test", now=lab.now, by="test")
    withdraw(lab.db, people[2], now=lab.now)
    work = lab.work(people[3])
    if work.batch:
        lab.save(people[3], work.batch, 1, 5)


@pytest.mark.parametrize("everything", [False, True])
def test_exported_imported_and_exported_again_is_the_same(make_lab: Callable[[], Any], everything: bool) -> None:
    first, second = make_lab(), make_lab()
    _busy_study(first)
    rows = first.rows(everything=everything)
    assert {row["round"] for row in rows} == {"first", "second"} or not everything
    second.study(6, judgements=2, second_round={"spread": 0.5, "judgements": 2}, **RATING)
    assert import_rows(second.db, rows, now=second.now, by="test") == len(rows) > 0
    assert second.rows(everything=everything) == rows


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_files_bring_back_the_same_rows(lab: Any, tmp_path: Path, suffix: str) -> None:
    _busy_study(lab)
    path = tmp_path / f"export{suffix}"
    rows = lab.rows(everything=True)
    told = []
    listener = SimpleNamespace(progress=lambda *words: told.append(words))
    assert write_export(lab.db, path, everything=True, listener=listener) == len(rows)
    answers = len(rows) - sum(row["skipped"] is not None for row in rows)
    assert (told[0], told[-1]) == (("reading answers", 0, answers), ("reading answers", answers, answers))
    assert read_export(path) == rows
    lines = export_csv if suffix == ".csv" else export_jsonl
    assert "".join(lines(lab.db, everything=True)) == path.read_bytes().decode()


def test_the_plain_export_holds_what_counts(lab: Any) -> None:
    _busy_study(lab)
    rows = lab.rows()
    assert {(row["purpose"], row["current"], row["excluded"]) for row in rows} == {("work", True, False)}
    assert list(rows[0])[:6] == ["question", "annotator", "round", "seconds", "item", "value"]
    assert rows[0]["at"].endswith("+00:00")


def test_an_import_fills_slots_so_that_the_study_goes_on(make_lab: Callable[[], Any]) -> None:
    first, second = make_lab(), make_lab()
    first.study(4, judgements=2)
    first.work_off(first.annotator())
    second.study(4, judgements=2)
    import_rows(second.db, first.rows(), now=second.now, by="test")
    standing = progress(second.db, now=second.now)
    assert (standing.done, standing.free, standing.complete) == (4, 4, 0)
    assert second.work_off(second.annotator()).kind == "finished"
    assert Counter(row["question"] for row in second.rows()) == {f"work{number}": 2 for number in range(4)}
    with pytest.raises(Conflict):
        import_rows(second.db, first.rows(), now=second.now, by="test")


def test_a_second_round_goes_on_after_an_import(make_lab: Callable[[], Any]) -> None:
    plan = {"judgements": 2, "second_round": {"spread": 0.5, "judgements": 3}}
    first, second = make_lab(), make_lab()
    first.study(2, **plan)
    for value in (0, 5, 2):  # the third rates in the second round
        first.work_off(first.annotator(), value)
    second.study(2, **plan)
    import_rows(second.db, first.rows(), now=second.now, by="test")
    standing = progress(second.db, now=second.now)
    assert (standing.second_round, standing.done, standing.free) == (2, 6, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"question": "nothing"}, "no question 'nothing'"),
        ({"value": 9}, "value: off_scale"),
        ({"value": None}, "cannot be read"),
        ({"annotator": ""}, "no annotator"),
        ({"at": "yesterday"}, "cannot be read"),
        ({"at": "2026-01-01T00:00:00"}, "no time zone"),
        ({"round": "third"}, "'third' is not one of first, second"),
        ({"purpose": "preview"}, "'preview' is not one of"),
        ({"excluded": "no"}, "excluded is neither true nor false"),
        ({"batch": "x"}, "cannot be read"),
    ],
)
def test_rows_that_do_not_fit_are_told_by_line_and_nothing_is_imported(
    lab: Any, change: dict[str, Any], message: str
) -> None:
    lab.study(2)
    good = {"question": "work0", "annotator": "A", "value": 3, "at": "2026-01-01T00:00:00+00:00"}
    with pytest.raises(InputError, match=message) as caught:
        import_rows(lab.db, [good, {**good, "question": "work1", **change}], where="e.jsonl", now=lab.now, by="t")
    assert caught.value.where == "e.jsonl:2"
    assert lab.rows() == []


def test_files_that_are_no_exports(tmp_path: Path) -> None:
    for text, suffix, message in (
        ("{", ".jsonl", "not JSON"),
        ("[1]", ".jsonl", "not a JSON object"),
        ("question,value\nq,abc\n", ".csv", "a cell cannot be read"),
        ("question,current\nq,perhaps\n", ".csv", "a cell cannot be read"),
    ):
        with pytest.raises(InputError, match=message):
            parse_export(text, suffix, "x")
    binary = tmp_path / "x.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        read_export(binary)


def test_an_export_needs_a_name_that_says_how(lab: Any, tmp_path: Path) -> None:
    lab.study(2)
    with pytest.raises(ArgumentError, match=r"export\.xlsx"):
        write_export(lab.db, tmp_path / "export.xlsx")
    assert write_export(lab.db, tmp_path / "export.txt", format="jsonl") == 0


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "'quoted", "''", "'=x", "plain", "a=b", ""])
def test_no_cell_begins_like_a_formula_and_all_come_back(text: str) -> None:
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unguarded(guarded(text)) == text
    row = {"question": text or "q", "alike": text, "value": -1.5, "items": ["=a", "b"], "applies": None}
    again = read_csv("".join(csv_lines([row])))
    assert again == [{**row, "alike": text or None}]
    cells = list(csv.reader(io.StringIO("".join(csv_lines([row])), newline="")))[1]
    assert [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))] == []
    assert cells[2] == "-1.5"  # a number is no formula


def test_conditions_that_look_like_formulas_survive_csv(make_lab: Callable[[], Any]) -> None:
    from similitude.collect.annotation.plan import Study, StudyPlan
    from similitude.collect.annotation.records import Question
    from similitude.collect.annotation.store import put_study

    labs = [make_lab(), make_lab()]
    plan = StudyPlan.model_validate({"name": "c", "task": "conditions", "judgements": 1, "access": {"open": True}})
    asked = (Question(key="p", items=({"id": "p", "left": "a green ball", "right": "a small avocado", "group": "g"},)),)
    for lab in labs:
        put_study(lab.db, Study(plan=plan, questions=asked), now=lab.now)
    who = labs[0].annotator()
    labs[0].save(who, labs[0].work(who).batch, 1, alike='=HYPERLINK("http://x","colour")', differ="size, or “extent”")
    text = "".join(export_csv(labs[0].db))
    assert "\n=HYPERLINK" not in text
    assert ",=HYPERLINK" not in text
    import_rows(labs[1].db, parse_export(text, ".csv", "x.csv"), now=labs[1].now, by="t")
    assert labs[1].rows() == labs[0].rows()
    assert labs[1].rows()[0]["group"] == "g"
    assert judgements(labs[0].db) is None  # phrases have no figures


def test_ratings_become_judgements_for_the_same_figures(lab: Any, tmp_path: Path) -> None:
    from similitude.gold.reliability.agreement_figures import agreement_figures

    lab.study(6, judgements=3, scale={"low": 1, "high": 5, "step": 1})
    assert judgements(lab.db) is None
    people = [lab.annotator() for _ in range(3)]
    batches = [lab.work(who).batch for who in people]
    for number, (who, batch) in enumerate(zip(people, batches, strict=True)):
        lab.answer_all(who, batch, lambda question, number=number: 1 + (int(question.key[4:]) + (number == 2)) % 5)
    found = judgements(lab.db)
    assert found is not None
    assert found.frame.columns == RATING_SCHEMA.names()
    assert (len(found), found.kind, str(found.scale)) == (18, "rating", "1..5")
    assert len(found.judged) == 6
    assert found.items is not None
    assert found.items.height == 6
    assert agreement_figures(found, resampling=NO_INTERVALS)[0].estimate.is_defined
    for name in ("answers.jsonl", "answers.csv"):
        write_export(lab.db, tmp_path / name)
        again = read_judgements(tmp_path / name)  # what `similitude gold` reads
        assert (again.name, str(again.scale)) == ("study", "1..5")
        columns = ["question", "annotator", "round", "seconds", "item", "value"]
        assert again.frame.select(columns).equals(found.frame.select(columns))
        assert again.items is not None
        assert again.items["left"].to_list() == found.items["left"].to_list()


def test_ids_that_look_like_formulas_are_the_same_in_both_exports(lab: Any, tmp_path: Path) -> None:
    ids = ["-5", "@home", "=1+1", "'tis", "plain"]
    made = tuple(Question(key=each, items=({"id": each, "left": "l", "right": "r"},)) for each in ids)
    plan = StudyPlan.model_validate({"name": "odd", "task": "rating", "access": {"open": True}})
    put_study(lab.db, Study(plan=plan, questions=made), now=lab.now)
    lab.work_off(lab.annotator())
    for name in ("answers.jsonl", "answers.csv"):
        write_export(lab.db, tmp_path / name)
        assert sorted(read_judgements(tmp_path / name).frame["item"]) == sorted(ids)
    (tmp_path / "others.csv").write_text("annotator,item,value\na,'tis,3\nb,'tis,4\n")
    assert read_judgements(tmp_path / "others.csv").frame["item"].to_list() == ["'tis", "'tis"]


def test_best_worst_answers_become_judgements(lab: Any, tmp_path: Path) -> None:
    lab.tuples(4)
    for _ in range(2):
        who = lab.annotator()
        batch = lab.work(who).batch
        for question in batch.questions:
            ids = sorted(option.id for option in question.shown.options)
            lab.save(who, batch, question.position, best=ids[0], worst=ids[2])
        lab.send(who, batch)
    found = judgements(lab.db)
    assert found is not None
    assert found.frame.columns == BEST_WORST_SCHEMA.names()
    assert (len(found), found.kind, found.scale) == (8, "best-worst", None)
    path = tmp_path / "answers.jsonl"
    write_export(lab.db, path)
    assert read_judgements(path).frame.equals(found.frame)  # what `similitude gold` reads


def test_options_are_shuffled_for_each_annotator_unless_the_plan_says_no(make_lab: Callable[[], Any]) -> None:
    def orders(lab: Any, **plan: Any) -> set[tuple[str, ...]]:
        lab.tuples(8, judgements=4, **plan)
        batches = [lab.work(lab.annotator()).batch for _ in range(4)]
        shown = [
            tuple(option.id[-1] for option in question.shown.options)
            for batch in batches
            for question in batch.questions
        ]
        return set(shown)

    assert len(orders(make_lab())) > 3  # 32 draws of six orders
    assert orders(make_lab(), shuffle=False) == {("a", "b", "c")}


def test_a_backup_is_whole_and_can_be_served(lab: Any, tmp_path: Path) -> None:
    _busy_study(lab)
    target = backup(lab.db, tmp_path / "copy.zip")
    with zipfile.ZipFile(target) as archive:
        kept = [json.loads(line) for line in archive.read("judgements.jsonl").decode().splitlines()]
    assert kept == lab.rows(everything=True)
    restored = open_database(tmp_path / "restored.db")
    restore(restored, target)
    assert list(export_rows(restored, everything=True)) == kept
    assert progress(restored, now=lab.now) == progress(lab.db, now=lab.now)
    with pytest.raises(ArgumentError, match="not empty"):
        restore(restored, target)
    restored.close()


def test_a_backup_of_one_kind_is_restored_into_the_same_and_work_goes_on(
    make_lab: Callable[[], Any], tmp_path: Path
) -> None:
    first, second = make_lab(), make_lab()
    _busy_study(first)
    restore(second.db, backup(first.db, tmp_path / "copy.zip"))
    before = first.rows(everything=True)
    assert second.rows(everything=True) == before
    second.now = first.now
    second.work_off(second.annotator())
    assert second.rows(everything=True)[: len(before)] == before


def test_a_sqlite_backup_while_people_write_is_one_moment(lab: Any, tmp_path: Path) -> None:
    if lab.db.dialect != "sqlite":
        pytest.skip("concerns SQLite")
    lab.study(200, judgements=1, batch={"questions": 200})
    who = lab.annotator()
    batch = lab.work(who).batch
    over = threading.Event()

    def answer() -> None:
        for question in batch.questions:
            lab.save(who, batch, question.position)
        over.set()

    writer = threading.Thread(target=answer)
    writer.start()
    taken = []
    while not over.is_set() or not taken:
        taken.append(backup(lab.db, tmp_path / f"{len(taken)}.db"))
    writer.join()
    for path in taken:
        copy = sqlite3.connect(path)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        answers, done = (
            copy.execute(f"SELECT count(*) FROM {what}").fetchone()[0]
            for what in ("answer", "slot WHERE state = 'done'")
        )
        assert answers == done
        copy.close()
    assert not list(tmp_path.glob("*.tmp"))
    with pytest.raises(ArgumentError, match="itself"):
        backup(lab.db, lab.db.path)


def test_what_is_no_backup_is_refused(lab: Any, tmp_path: Path) -> None:
    wrong = tmp_path / "x.zip"
    wrong.write_text("hello")
    with pytest.raises(InputError, match="not a Similitude backup"):
        restore(lab.db, wrong)
    with zipfile.ZipFile(wrong, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"format": 99}))
    with pytest.raises(ArgumentError, match="format 99"):
        restore(lab.db, wrong)
