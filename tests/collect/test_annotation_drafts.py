"""Drafts of studies: uploads, readings that are shown, templates, forms, estimates and changes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import polars as pl
import pytest
from small_workbook import small_workbook

from similitude.collect.annotation.drafts import settings_forms
from similitude.collect.annotation.drafts.draft import copy_study, read_draft
from similitude.collect.annotation.drafts.estimate import check_plan
from similitude.collect.annotation.drafts.form_fields import FormFields
from similitude.collect.annotation.drafts.new_study import Upload, fill_copy, fill_new
from similitude.collect.annotation.drafts.plan_changes import changes_of
from similitude.collect.annotation.drafts.reading_choices import choices_in
from similitude.collect.annotation.drafts.shown_reading import look_at
from similitude.collect.annotation.drafts.study_templates import TEMPLATES, template_plan, template_text
from similitude.collect.annotation.drafts.task_change import change_task
from similitude.collect.annotation.drafts.tuple_design import with_tuples
from similitude.collect.annotation.drafts.uploads import safe_name, store_upload
from similitude.collect.annotation.plan.models import BatchPlan, ReadingPlan, StudyPlan
from similitude.collect.annotation.plan.reader import read_study
from similitude.errors import InputError

PAIRS = "sentence1,sentence2\nA cat sits.,A cat is sitting.\nA dog,A bird\nIt rains.,It is wet.\n"
PLAIN = ReadingPlan()


def upload(text: str | bytes = PAIRS, name: str = "My pairs.csv") -> Upload:
    return Upload(io.BytesIO(text.encode() if isinstance(text, str) else text), name, 10**6)


def dialogues(groups: int = 2, replies: int = 5) -> str:
    rows = [
        {"id": f"{g}-{r}", "left": "By train.", "right": f"Reply {g} {r}", "context": ["Hello.", "By train."],
         "group": f"g{g}"}
        for g in range(groups) for r in range(replies)
    ]  # fmt: skip
    return "\n".join(map(json.dumps, rows))


ITEMS = {
    "pairs": (PAIRS, "a.csv"),
    "csts-conditions": (PAIRS, "a.csv"),
    "usts": (PAIRS, "a.csv"),
    "csts-verification": ("left,right,condition\nA cat,A dog,The animal\nA bird,A fish,The size\n", "a.csv"),
    "giccs": (dialogues(), "a.jsonl"),
}


class TestUploads:
    @pytest.mark.parametrize(
        ("sent", "stored"),
        [
            ("items.csv", "items.csv"),
            ("../../../etc/cron.d/x.csv", "x.csv"),
            ("..\\..\\boot.ini.tsv", "boot-ini.tsv"),
            ("/etc/passwd\0.csv", "passwd.csv"),
            ("=cmd|' /C calc'!A0.csv", "c-calc-a0.csv"),
            ("数据.xlsx", "items.xlsx"),
            ("." * 300 + ".parquet", "items.parquet"),
            ("a" * 500 + ".JSONL", "a" * 60 + ".jsonl"),
        ],
    )
    def test_names_are_made_safe(self, sent: str, stored: str) -> None:
        assert safe_name(sent) == stored

    @pytest.mark.parametrize(
        "sent", ["study.toml", "study.db", "a.zip", "a.csv.gz", "a.html", "a.py", "noending", "", "a.md"]
    )
    def test_other_endings_are_refused(self, sent: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="are not accepted"):
            store_upload(io.BytesIO(b"x"), sent, tmp_path, limit=10)
        assert not list(tmp_path.iterdir())

    def test_what_is_too_large_or_empty_leaves_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="more than"):
            store_upload(io.BytesIO(b"x" * 101), "a.csv", tmp_path, limit=100)
        with pytest.raises(InputError, match="empty"):
            store_upload(io.BytesIO(b""), "a.csv", tmp_path, limit=100)
        assert not list(tmp_path.iterdir())

    def test_it_is_stored_as_it_is(self, tmp_path: Path) -> None:
        content = b"left,right\n=1+1,@SUM(A1)\n"
        stored = store_upload(io.BytesIO(content), "f.csv", tmp_path, limit=100)
        assert stored.read_bytes() == content
        assert look_at(stored, PLAIN).first[0]["left"] == "=1+1"


def shown(tmp_path: Path, name: str, content: str | bytes, reading: ReadingPlan = PLAIN):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return look_at(path, reading)


class TestShownReading:
    def test_obvious_columns(self, tmp_path: Path) -> None:
        found = shown(tmp_path, "a.csv", PAIRS)
        assert (found.container, found.layout, found.rows, found.kept) == ("separated text", "csv", 3, 3)
        assert found.roles == {"left": "sentence1", "right": "sentence2"}
        assert found.columns[0].samples[0] == "A cat sits."
        assert found.details["separator"] == ","
        assert found.problem is None

    def test_each_container(self, tmp_path: Path) -> None:
        frame = pl.DataFrame({"left": ["a b", "c d"], "right": ["e f", "g h"]})
        sink = io.BytesIO()
        frame.write_parquet(sink)
        files = {
            "a.tsv": frame.write_csv(separator="\t"),
            "a.jsonl": frame.write_ndjson(),
            "a.json": frame.write_json(),
            "a.parquet": sink.getvalue(),
            "a.xlsx": small_workbook({"one": [frame.columns, *frame.rows()]}),
        }
        for name, content in files.items():
            found = shown(tmp_path, name, content)
            assert (name, found.problem, found.kept) == (name, None, 2)
            assert found.first[0]["left"] == "a b"

    def test_unknown_columns_are_listed_and_none_is_guessed(self, tmp_path: Path) -> None:
        found = shown(tmp_path, "a.csv", "eins,zwei\nA cat,A dog\nA bird,A fish\n")
        assert found.problem is not None
        assert [column.name for column in found.columns] == ["eins", "zwei"]
        assert found.choices == ()
        assert "--" not in found.problem.remedy
        again = look_at(tmp_path / "a.csv", PLAIN.model_copy(update={"columns": {"left": "eins", "right": "zwei"}}))
        assert again.kept == 2

    def test_a_file_without_header(self, tmp_path: Path) -> None:
        found = shown(tmp_path, "a.csv", "A cat sits.,A cat is sitting.\nB dog,C dog\n")
        assert found.choices[0].reading.header is False
        again = look_at(tmp_path / "a.csv", found.choices[0].reading)
        assert [column.name for column in again.columns] == ["1", "2"]

    def test_bad_rows_have_their_place_and_can_be_left_out(self, tmp_path: Path) -> None:
        found = shown(tmp_path, "a.csv", "sentence1,sentence2\nA cat sits.,\nB dog,C dog\n")
        assert found.problem is not None
        assert found.problem.where == "a.csv, line 2"
        again = look_at(tmp_path / "a.csv", found.choices[0].reading)
        assert (again.kept, again.rows, len(again.skipped)) == (1, 2, 1)

    def test_sheets_are_offered(self, tmp_path: Path) -> None:
        rows = [["left", "right"], ["a b", "c d"]]
        found = shown(tmp_path, "a.xlsx", small_workbook({"one": rows, "two": rows}))
        assert [choice.reading.sheet for choice in found.choices] == ["one", "two"]
        assert look_at(tmp_path / "a.xlsx", found.choices[1].reading).kept == 1

    def test_another_encoding_is_offered(self, tmp_path: Path) -> None:
        text = "sentence1,sentence2\nDas Café schließt.,Die Bäckerei öffnet.\n" * 1
        found = shown(tmp_path, "a.csv", text.encode("cp1252"))
        assert any(choice.reading.encoding != "utf-8" for choice in found.choices)

    @pytest.mark.parametrize("content", [b"PK\x03\x04 damaged", b"PAR1 no", b"\0\0\0", b"{", b"\xff\xfe\0", b"<html>"])
    def test_damaged_files_are_problems_not_crashes(self, content: bytes, tmp_path: Path) -> None:
        for name in ("a.csv", "a.xlsx", "a.parquet", "a.jsonl"):
            assert shown(tmp_path, name, content).problem is not None


def test_placeholders_are_no_choices() -> None:
    assert choices_in("name the format: --format NAME, or --column id=NAME", PLAIN) == []
    one = choices_in("name the columns: --header no --column left=NUMBER --column right=NUMBER", PLAIN)
    assert [choice.reading.header for choice in one] == [False]
    quoted = choices_in("name the separator: --separator ';' or --separator tab", PLAIN)
    assert [choice.reading.separator for choice in quoted] == [";", "\t"]


class TestTemplates:
    @pytest.mark.parametrize("name", TEMPLATES)
    def test_each_is_in_order_with_items_of_its_kind(self, name: str, tmp_path: Path) -> None:
        text, file = ITEMS[name]
        fill_new(tmp_path, upload(text, file), template=name, language="de")
        found = check_plan(tmp_path)
        assert found.problem is None
        study = read_study(tmp_path / "study.toml")
        assert study.plan.languages[0] == "de"
        kinds = {question.kind for question in study.questions}
        assert kinds == ({"work", "training", "qualification"} if name == "usts" else {"work"})

    @pytest.mark.parametrize("name", TEMPLATES)
    def test_each_speaks_every_language(self, name: str) -> None:
        plan = template_plan(name)
        assert plan.languages == ("en", "de", "zh")
        for language in plan.languages:
            assert plan.title[language]
            assert template_text(name, "guidelines", language)
            assert template_text(name, "consent", language)
            assert plan.scale is None or set(plan.scale.labels[language]) == set(plan.scale.labels["en"])
            assert not plan.example or plan.examples(language)

    def test_the_columns_choose_one(self, tmp_path: Path) -> None:
        for name, task in (("pairs", "rating"), ("csts-verification", "verification"), ("giccs", "best-worst")):
            folder = tmp_path / name
            folder.mkdir()
            fill_new(folder, upload(*ITEMS[name]))
            assert read_draft(folder).plan.task == task

    def test_dialogues_with_one_reply_each_are_rated(self, tmp_path: Path) -> None:
        fill_new(tmp_path, upload(dialogues(groups=3, replies=1), "a.jsonl"))
        assert read_draft(tmp_path).plan.task == "rating"
        assert check_plan(tmp_path).problem is None

    def test_few_replies_make_fewer_tuples(self, tmp_path: Path) -> None:
        """Four replies make C(4,3) = 4 triples, one per reply, not the usual two."""
        fill_new(tmp_path, upload(dialogues(groups=2, replies=4), "a.jsonl"))
        found = read_study(tmp_path / "study.toml")
        assert (found.plan.task, found.plan.questions, len(found.questions)) == ("best-worst", "plan.jsonl", 8)

    def test_a_file_that_cannot_be_read_yet_is_a_draft_all_the_same(self, tmp_path: Path) -> None:
        fill_new(tmp_path, upload("eins,zwei\nA cat,A dog\n"))
        assert read_draft(tmp_path).plan.items == "my-pairs.csv"
        assert check_plan(tmp_path).problem is not None


def made(tmp_path: Path, name: str = "pairs"):
    folder = tmp_path / name
    folder.mkdir()
    fill_new(folder, upload(*ITEMS[name]), template=name)
    return read_draft(folder)


class TestTaskChange:
    def test_untouched_texts_become_those_of_the_task(self, tmp_path: Path) -> None:
        draft = made(tmp_path)
        change = change_task(draft, "conditions")
        assert change.plan.scale is None
        assert change.plan.example == template_plan("csts-conditions").example
        assert change.texts["guidelines.en.md"] == template_text("csts-conditions", "guidelines", "en")
        assert not change.dropped

    def test_texts_of_ones_own_stay(self, tmp_path: Path) -> None:
        draft = made(tmp_path)
        (draft.folder / "guidelines.en.md").write_text("Mine.")
        draft = draft.save(draft.plan.model_copy(update={"title": {"en": "My title"}}))
        change = change_task(draft, "best-worst")
        assert change.plan.title == {"en": "My title"}
        assert "guidelines.en.md" not in change.texts
        assert "guidelines.de.md" in change.texts

    def test_what_no_longer_fits_is_named(self, tmp_path: Path) -> None:
        draft = made(tmp_path, "usts")
        change = change_task(draft, "conditions")
        assert set(change.dropped) == {"training", "second_round", "qualification"}
        assert change.plan.training is None

    def test_back_again_is_as_before(self, tmp_path: Path) -> None:
        draft = made(tmp_path)
        there = change_task(draft, "verification")
        there.write_texts(draft)
        back = change_task(draft.save(there.plan), "rating")
        assert back.plan == draft.plan


class TestForms:
    plan = StudyPlan(name="x", task="rating", items="a.csv", languages=("en", "de"))

    def test_columns(self) -> None:
        sent = {"column.left": "a", "column.right": "b", "column.group": ""}
        changed = settings_forms.read_columns(self.plan, FormFields(sent), {})
        assert changed.plan.reading.columns == {"left": "a", "right": "b"}
        same = settings_forms.read_columns(self.plan, FormFields(sent), {"left": "a", "right": "b"})
        assert same.plan.reading == PLAIN
        without = settings_forms.read_columns(
            self.plan, FormFields(sent), {"left": "a", "right": "b", "group": "topic"}
        )
        assert without.plan.reading.columns == {"group": ""}

    def test_columns_with_problems(self) -> None:
        sent = {"column.left": "a", "column.right": "", "column.id": "a"}
        changed = settings_forms.read_columns(self.plan, FormFields(sent), {})
        assert {name: problem.key for name, problem in changed.problems.items()} == {
            "column.right": "missing",
            "column.id": "twice",
        }
        assert changed.plan == self.plan

    def test_scale(self) -> None:
        sent = {"low": "1", "high": "3", "step": "1", "label.en.1": "no", "label.de.3": "ja", "label.en.9": "off"}
        changed = settings_forms.read_scale(self.plan, FormFields(sent))
        assert not changed.problems
        assert changed.plan.scale is not None
        assert changed.plan.scale.labels == {"en": {"1": "no"}, "de": {"3": "ja"}}

    @pytest.mark.parametrize(
        ("sent", "field", "key"),
        [
            ({"low": "5", "high": "5", "step": "1"}, "high", "not_above"),
            ({"low": "0", "high": "x", "step": "1"}, "high", "not_a_number"),
            ({"low": "0", "high": "5", "step": "2"}, "step", "invalid"),
            ({"low": "0", "high": "5", "step": "0"}, "step", "out_of_range"),
            ({"low": "0", "high": "inf", "step": "1"}, "high", "not_a_number"),
            ({"low": "", "high": "5", "step": "1"}, "low", "missing"),
        ],
    )
    def test_scale_with_problems(self, sent: dict[str, str], field: str, key: str) -> None:
        changed = settings_forms.read_scale(self.plan, FormFields(sent))
        assert changed.problems[field].key == key
        assert changed.plan == self.plan

    def test_labels_in_other_languages_stay(self) -> None:
        sent = {"low": "0", "high": "1", "step": "1", "label.en.0": "no"}
        both = settings_forms.read_scale(self.plan, FormFields({**sent, "label.de.0": "nein"})).plan
        english = both.model_copy(update={"languages": ("en",)})
        scale = settings_forms.read_scale(english, FormFields(sent)).plan.scale
        assert scale is not None
        assert scale.labels == {"en": {"0": "no"}, "de": {"0": "nein"}}

    def test_a_fine_scale_has_labels_at_whole_numbers(self) -> None:
        sent = {"low": "0", "high": "5", "step": "0.1", "label.en.5": "same"}
        scale = settings_forms.read_scale(self.plan, FormFields(sent)).plan.scale
        assert scale is not None
        assert settings_forms.labelled_points(scale) == ["0", "1", "2", "3", "4", "5"]
        assert scale.labels == {"en": {"5": "same"}}

    def test_design(self) -> None:
        sent = {"judgements": "3", "batch": "10", "minutes": "12,5", "repeat": "10", "most": "", "second": "yes",
                "spread": "0.7", "second_judgements": "9"}  # fmt: skip
        changed = settings_forms.read_design(self.plan, FormFields(sent))
        assert not changed.problems
        plan = changed.plan
        assert (plan.judgements, plan.batch.questions, plan.batch.minutes, plan.batch.repeat_share) == (
            3,
            10,
            12.5,
            0.1,
        )
        assert plan.second_round is not None
        assert (plan.second_round.spread, plan.second_round.judgements) == (0.7, 9)

    def test_design_with_problems(self) -> None:
        sent = {"judgements": "0", "batch": "3", "per_page": "5", "minutes": "-1", "repeat": "90"}
        problems = settings_forms.read_design(self.plan, FormFields(sent)).problems
        assert set(problems) == {"judgements", "per_page", "minutes", "repeat"}

    def test_people(self) -> None:
        sent = {"language.de": "yes", "language.zh": "yes", "first": "zh", "open": "yes", "limit": "9",
                "prolific": "yes", "completion_url": "https://app.prolific.com/x", "contact": " a@b.c "}  # fmt: skip
        plan = settings_forms.read_people(self.plan, FormFields(sent)).plan
        assert plan.languages == ("zh", "de")
        assert (plan.access.open, plan.access.limit, plan.contact) == (True, 9, "a@b.c")
        assert plan.access.prolific is not None
        assert plan.access.mturk is None

    def test_people_with_problems(self) -> None:
        problems = settings_forms.read_people(self.plan, FormFields({"prolific": "yes", "limit": "0"})).problems
        assert set(problems) == {"language", "completion_url", "limit"}


class TestEstimate:
    def test_ratings(self, tmp_path: Path) -> None:
        """3 pairs x 5 people = 15 answers; at 20 s that is 300 s = 1/12 h, at 12 an hour 1.00. Each has a minute."""
        estimate = check_plan(made(tmp_path).folder, seconds=20, pay=12).estimate
        assert estimate is not None
        assert (estimate.effort.judgements, estimate.extra, estimate.batches) == (15, 0, 5)
        assert estimate.effort.hours == pytest.approx(1 / 12)
        assert estimate.effort.cost == pytest.approx(1.0)
        assert estimate.batch_minutes == pytest.approx(1.0)
        assert (estimate.least_people, estimate.guarantees) == (5, None)

    def test_repeats_come_on_top(self, tmp_path: Path) -> None:
        """A quarter of repeats: 15 answers are three quarters of 20. At most 2 questions each: 15 / 2 -> 8 people."""
        draft = made(tmp_path)
        plan = draft.plan.model_copy(update={"batch": BatchPlan(questions=6, repeat_share=0.25, most=2)})
        estimate = check_plan(draft.folder, plan, seconds=36, pay=10).estimate
        assert estimate is not None
        assert (estimate.extra, estimate.batches, estimate.least_people) == (5, 8, 8)
        assert estimate.effort.cost == pytest.approx(20 * 36 / 3600 * 10)

    def test_tuples_have_guarantees(self, tmp_path: Path) -> None:
        """Two dialogues of 5 replies: C(5,3) = 10 triples each; every reply is in 6 of them, and every pair in 3."""
        draft = made(tmp_path, "giccs")
        estimate = check_plan(draft.folder).estimate
        assert estimate is not None
        guarantees = estimate.guarantees
        assert guarantees is not None
        assert (guarantees.tuples, guarantees.groups, guarantees.size) == (20, 2, 3)
        assert (guarantees.appearances_min, guarantees.appearances_max) == (6, 6)
        assert (guarantees.together_min, guarantees.together_max) == (3, 3)

    def test_a_design_with_fewer_tuples(self, tmp_path: Path) -> None:
        draft = made(tmp_path, "giccs")
        plan = with_tuples(draft, draft.plan, 1)
        estimate = check_plan(draft.folder, plan).estimate
        assert estimate is not None
        assert estimate.effort.questions == 10


class TestChanges:
    def test_only_what_changes_is_told(self, tmp_path: Path) -> None:
        draft = made(tmp_path)
        assert changes_of(draft.folder, draft.plan) == []
        changed = draft.plan.model_copy(update={"judgements": 7})
        files = changes_of(draft.folder, changed, {"guidelines.en.md": "Mine.\n"})
        assert [file.name for file in files] == ["study.toml", "guidelines.en.md"]
        told = [(line.kind, line.text.split("  #")[0]) for line in files[0].lines if line.kind in ("new", "gone")]
        assert told == [("gone", "judgements = 5"), ("new", "judgements = 7")]
        assert ("new", "Mine.") in [(line.kind, line.text) for line in files[1].lines]

    def test_a_plan_with_an_unknown_key_is_not_opened(self, tmp_path: Path) -> None:
        draft = made(tmp_path)
        path = draft.folder / "study.toml"
        path.write_text(f"colour = 'red'\n{path.read_text()}")
        with pytest.raises(InputError, match="'colour' is not a known key"):
            read_draft(draft.folder)

    def test_texts_outside_of_the_folder_are_not_read(self, tmp_path: Path) -> None:
        draft = made(tmp_path)
        goal = tmp_path / "copy"
        goal.mkdir()
        (tmp_path / "secret.md").write_text("secret")
        outside = draft.save(draft.plan.model_copy(update={"guidelines": {"en": "../secret.md"}}))
        with pytest.raises(InputError, match="outside of the study's folder"):
            outside.text("guidelines", "en")
        with pytest.raises(InputError, match="outside of the study's folder"):
            copy_study(draft.folder, goal)

    def test_a_trial_leaves_nothing_behind(self, tmp_path: Path) -> None:
        draft = made(tmp_path)
        before = sorted(path.name for path in draft.folder.iterdir())
        found = check_plan(draft.folder, draft.plan.model_copy(update={"items": "missing.csv"}))
        assert found.problem is not None
        assert sorted(path.name for path in draft.folder.iterdir()) == before
        assert read_draft(draft.folder).plan == draft.plan

    def test_a_copy_has_every_file_and_no_answers(self, tmp_path: Path) -> None:
        draft = made(tmp_path, "usts")
        (draft.folder / "study.db").write_bytes(b"answers")
        goal = tmp_path / "copy"
        goal.mkdir()
        fill_copy(goal, draft.folder, name="again")
        assert check_plan(goal).problem is None
        assert not (goal / "study.db").exists()
        assert read_draft(goal).plan == draft.plan.model_copy(update={"name": "again"})
