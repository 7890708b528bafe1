"""New studies and settings over HTTP: steps that can be left and resumed, field errors, hostile uploads."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_workbook import small_workbook

pytest.importorskip("fastapi", reason="needs the annotation server")

from starlette.testclient import TestClient

from similitude.collect.annotation import store
from similitude.collect.annotation.drafts.draft import read_draft
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.web import ServerOptions
from similitude.collect.annotation.web.console import create_console
from similitude.collect.annotation.web.security.csrf import form_token

PASSWORD = "correct horse battery"
CSV = "sentence1,sentence2\nA cat sits.,A cat is sitting.\nA dog barks.,A bird sings.\nIt rains.,It is wet.\n"
ODD = "eins;zwei;art\nEine Katze.;Ein Hund.;x\nEin Haus.;Eine Hütte.;y\n"
OPTIONS = ServerOptions(secure_cookies=False, largest_body=200_000)


def parquet_bomb(*, rows: int, letters: int) -> bytes:
    """A table of one text, which a dictionary holds once."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * letters]))
    written = io.BytesIO()
    pq.write_table(pa.table({"left": column, "right": column}), written)
    return written.getvalue()


def now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Somebody:
    """A leader with a browser, whose forms carry our token."""

    client: TestClient
    page: Any = field(default=None)

    def get(self, address: str) -> Any:
        self.page = self.client.get(address)
        return self.page

    def post(self, address: str, fields: dict[str, str] | None = None, **options: Any) -> Any:
        token = form_token(self.client.cookies.get("leader", ""))
        self.page = self.client.post(address, data={"csrf": token, **(fields or {})}, **options)
        return self.page

    def upload(self, content: str | bytes = CSV, file: str = "pairs.csv", **fields: str) -> Any:
        content = content.encode() if isinstance(content, str) else content
        return self.post("/leader/new", fields, files={"file": (file, io.BytesIO(content))})

    def fields(self) -> dict[str, str]:
        """The fields of the settings on the page, as a browser would send them."""
        form = re.search(r'<form[^>]*class="settings">(.*?)</form>', self.page.text, re.DOTALL)
        assert form is not None, self.page.text[-2000:]
        found = {}
        for tag in re.findall(r"<input[^>]*>", form[1]):
            name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
            picked = 'type="checkbox"' not in tag and 'type="radio"' not in tag
            if name and value and (picked or " checked" in tag):
                found[name[1]] = value[1]
        for name, inside in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form[1], re.DOTALL):
            chosen = re.search(r"<option(?=[^>]* selected)[^>]*value=\"([^\"]*)\"", inside)
            found[name] = chosen[1] if chosen else ""
        for name, text in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>(.*?)</textarea>', form[1], re.DOTALL):
            found[name] = text
        return found

    def change(self, slug: str, step: str, do: str = "next", **changes: str) -> Any:
        """Open a page of settings, change some fields and send it."""
        address = f"/leader/edit/{slug}/step/{step}"
        assert self.get(address).status_code == 200, self.page.text
        return self.post(address, {**self.fields(), "do": do, **{k.replace("__", "."): v for k, v in changes.items()}})

    @property
    def problems(self) -> list[str]:
        return re.findall(r'class="field-error" id="([^"]*)-problem"', self.page.text)


@pytest.fixture
def shelf(tmp_path) -> Iterator[StudyShelf]:
    made = StudyShelf(tmp_path / "studies")
    for name in ("anna", "bert"):
        store.add_leader(made.console, name, PASSWORD, now=now(), by="test")
    yield made
    made.close()


@pytest.fixture
def app(shelf) -> Any:
    return create_console(shelf, settings=OPTIONS)


def login(app: Any, name: str) -> Somebody:
    person = Somebody(TestClient(app, follow_redirects=True))
    page = person.get("/leader/login")
    token = re.search(r'name="csrf" value="([^"]+)"', page.text)[1]
    person.client.post("/leader/login", data={"csrf": token, "name": name, "password": PASSWORD})
    return person


@pytest.fixture
def anna(app) -> Somebody:
    return login(app, "anna")


def folder_of(shelf: StudyShelf, slug: str = "pairs") -> Path:
    return shelf.folder / slug


def plan_of(shelf: StudyShelf, slug: str = "pairs") -> Any:
    return read_draft(folder_of(shelf, slug)).plan


class TestUpload:
    def test_obvious_columns_lead_to_a_study_that_can_be_opened(self, anna, shelf):
        page = anna.upload()
        assert page.url.path == "/leader/edit/pairs/check"
        assert "The study is ready." in page.text
        assert {path.name for path in folder_of(shelf).iterdir()} >= {"study.toml", "pairs.csv", "guidelines.en.md"}
        assert read_study(folder_of(shelf) / "study.toml").plan.task == "rating"
        assert shelf.look("pairs").record.state == "draft"

    def test_another_study_of_the_same_name_gets_another_folder(self, anna, shelf):
        anna.upload()
        assert anna.upload().url.path == "/leader/edit/pairs-2/check"

    @pytest.mark.parametrize("name", ["pairs.xlsx", "../../pairs.xlsx", "C:\\x\\pairs.xlsx"])
    def test_a_workbook_under_any_name_stays_in_its_folder(self, name, anna, shelf):
        rows = [["left", "right"], ["=1+1", "two"], ["@SUM(A1)", "three"]]
        anna.upload(small_workbook({"one": rows}), name)
        assert plan_of(shelf).items == "pairs.xlsx"
        assert [path.name for path in shelf.folder.parent.iterdir()] == ["studies"]
        texts = [question.items[0]["left"] for question in read_study(folder_of(shelf) / "study.toml").questions]
        assert texts == ["=1+1", "@SUM(A1)"]

    @pytest.mark.parametrize(
        ("content", "name"),
        [(CSV, "a.exe"), (CSV, "study.toml"), (CSV, "a.zip"), ("", "a.csv"), (CSV, "x.db"), (CSV, ".csv.html")],
    )
    def test_what_is_no_table_is_refused_and_leaves_nothing(self, content, name, anna, shelf):
        assert anna.upload(content, name).status_code == 422
        assert 'class="notice bad"' in anna.page.text
        assert shelf.slugs() == []
        assert [path.name for path in shelf.folder.iterdir() if path.name.startswith(".new")] == []

    def test_what_is_too_large_is_refused(self, anna, shelf):
        assert anna.upload("a" * 300_000, "a.csv").status_code == 413
        assert shelf.slugs() == []

    def test_no_file_at_all(self, anna, shelf):
        assert anna.post("/leader/new", {"template": "pairs"}).status_code == 422
        assert anna.upload(template="nonsense").status_code == 422
        assert shelf.slugs() == []

    @pytest.mark.parametrize("content", [b"PK\x03\x04 damaged", b"\0" * 50, b"{", b"\xff\xfe\xff", b'a,b\n"unclosed'])
    def test_a_damaged_file_is_a_draft_that_cannot_be_opened(self, content, anna, shelf):
        page = anna.upload(content, "odd.csv")
        assert page.url.path == "/leader/edit/odd/step/data"
        assert "The file cannot be read like this" in page.text
        assert anna.post("/leader/edit/odd/open").status_code == 422
        assert shelf.look("odd").record is None

    @pytest.mark.slow
    def test_a_bomb_ends_in_one_line_and_leaves_nothing(self, anna, shelf):
        """A dictionary of one text, and three million rows that point to it: 4 GB from 140 kB."""
        bomb = parquet_bomb(rows=3_000_000, letters=200)
        assert len(bomb) < OPTIONS.largest_body
        assert anna.upload(bomb, "bomb.parquet").status_code == 422
        assert "more than 1 GB of memory" in anna.page.text or "an upload at most 100,000" in anna.page.text
        assert [each.name for each in shelf.folder.iterdir() if each.is_dir()] == []
        assert anna.upload().url.path == "/leader/edit/pairs/check", "the server goes on"

    def test_a_bomb_in_place_of_a_file_leaves_the_file(self, anna, shelf):
        anna.upload()
        bomb = {"file": ("pairs.csv", "sentence1,sentence2\n" + "a,b\n" * 100_001)}
        page = anna.post("/leader/edit/pairs/file", files={"file": ("pairs.csv", "a,b\n" * 49_000)})
        assert page.status_code == 200
        kept = (folder_of(shelf) / "pairs.csv").read_bytes()
        page = anna.post("/leader/edit/pairs/file", files=bomb)
        assert page.status_code in (413, 422)
        assert (folder_of(shelf) / "pairs.csv").read_bytes() == kept
        assert [each.name for each in folder_of(shelf).iterdir() if each.name.startswith(".")] == []

    def test_a_template_is_laid_out_with_its_questions(self, anna, shelf):
        anna.upload(template="usts", name="Wie ähnlich?")
        assert shelf.slugs() == ["wie-ahnlich"]
        study = read_study(folder_of(shelf, "wie-ahnlich") / "study.toml")
        assert study.plan.second_round.judgements == 15
        assert {question.kind for question in study.questions} == {"work", "training", "qualification"}


class TestSteps:
    def test_unknown_columns_are_not_guessed(self, anna, shelf):
        anna.upload(ODD, "odd.csv")
        assert 'name="choice"' not in anna.page.text
        assert plan_of(shelf, "odd").reading.columns == {}
        assert "The study is ready." not in anna.get("/leader/edit/odd/check").text

    def test_unknown_columns_are_named_on_their_page(self, anna, shelf):
        anna.upload(ODD, "odd.csv")
        anna.change("odd", "columns", column__left="zwei", column__right="zwei")
        assert anna.problems == ["column.right"]
        page = anna.change("odd", "columns", column__left="zwei", column__right="eins", column__group="art")
        assert page.url.path == "/leader/edit/odd/step/scale"
        assert plan_of(shelf, "odd").reading.columns == {"left": "zwei", "right": "eins", "group": "art"}

    def test_the_reader_can_be_told(self, anna, shelf):
        anna.upload("A cat.|A dog.\nA bird.|A fish.\n", "bar.csv")
        page = anna.change("bar", "data", "stay", separator="bar", header="no")
        assert plan_of(shelf, "bar").reading.separator == "|"
        assert plan_of(shelf, "bar").reading.header is False
        assert page.url.path == "/leader/edit/bar/step/data"

    def test_back_and_forth_without_loss(self, anna, shelf):
        anna.upload()
        anna.change("pairs", "design", judgements="3", most="7", second="yes", spread="0.8")
        anna.change("pairs", "people", "back", limit="40", contact="anna@example.org")
        before = plan_of(shelf)
        assert (before.judgements, before.batch.most, before.second_round.spread) == (3, 7, 0.8)
        for step in ("data", "task", "columns", "scale", "design", "people", "texts"):
            assert anna.change("pairs", step).status_code == 200
        assert plan_of(shelf) == before
        assert anna.page.url.path == "/leader/edit/pairs/check"

    def test_a_draft_is_resumed_from_its_folder_alone(self, anna, shelf):
        anna.upload()
        anna.change("pairs", "scale", low="1", high="3", label__en__2="middling")
        shelf.close()
        again = StudyShelf(shelf.folder)
        other = login(create_console(again, settings=OPTIONS), "anna")
        assert "Continue with the draft" in other.get("/leader").text
        other.get("/leader/edit/pairs/step/scale")
        assert other.fields()["label.en.2"] == "middling"
        again.close()

    def test_field_errors_save_nothing_and_keep_what_was_written(self, anna, shelf):
        anna.upload()
        before = (folder_of(shelf) / "study.toml").read_bytes()
        page = anna.change("pairs", "design", judgements="0", repeat="many", seconds="-1")
        assert page.status_code == 422
        assert anna.problems == ["judgements", "repeat", "seconds"]
        assert 'name="repeat" value="many"' in page.text
        anna.change("pairs", "scale", high="-1")
        assert anna.problems == ["high"]
        anna.change("pairs", "people", prolific="yes", completion_url="javascript:alert(1)")
        assert anna.problems == ["completion_url"]
        assert (folder_of(shelf) / "study.toml").read_bytes() == before

    def test_the_cost_is_computed_before_anything_is_saved(self, anna, shelf):
        anna.upload()
        page = anna.change("pairs", "design", "look", judgements="10", seconds="36", pay="20")
        assert "6.00" in page.text  # 3 pairs x 10 people x 36 s = 0.3 h, at 20 an hour
        assert plan_of(shelf).judgements == 5

    def test_another_task_brings_its_own_texts(self, anna, shelf):
        anna.upload()
        anna.post("/leader/edit/pairs/preview")
        anna.change("pairs", "task", task="conditions")
        assert plan_of(shelf).scale is None
        assert "Write one condition" in (folder_of(shelf) / "guidelines.en.md").read_text()
        assert "The study is ready." in anna.get("/leader/edit/pairs/check").text
        assert anna.change("pairs", "task", task="nonsense").status_code == 422

    def test_a_task_of_another_package(self, anna, shelf, monkeypatch, tmp_path):
        from similitude.collect.annotation.tasks import ANNOTATION_TASKS

        # As an installed package is known: here, and to the processes that read files.
        monkeypatch.setattr(ANNOTATION_TASKS, "_makers", dict(ANNOTATION_TASKS._makers))
        monkeypatch.setattr(ANNOTATION_TASKS, "_points", None)
        described = tmp_path / "path" / "example_task-1.0.dist-info"
        described.mkdir(parents=True)
        (described / "METADATA").write_text("Metadata-Version: 2.1\nName: example-task\nVersion: 1.0\n")
        entry = "[similitude.annotation_tasks]\nsame-or-different = similitude_example.task:SameOrDifferent\n"
        (described / "entry_points.txt").write_text(entry)
        monkeypatch.syspath_prepend(described.parent)
        anna.upload()
        assert "A task of another package." in anna.get("/leader/edit/pairs/step/task").text
        page = anna.change("pairs", "task", task="same-or-different")
        assert page.url.path == "/leader/edit/pairs/step/columns"
        assert read_study(folder_of(shelf) / "study.toml").plan.task == "same-or-different"
        assert "The study is ready." in anna.get("/leader/edit/pairs/check").text

    def test_texts_are_shown_as_markdown_and_saved(self, anna, shelf):
        anna.upload()
        page = anna.change("pairs", "texts", "look", guidelines__en="Be **kind** <script>x</script>")
        assert "<strong>kind</strong> &lt;script&gt;" in page.text
        assert "kind" not in (folder_of(shelf) / "guidelines.en.md").read_text()
        anna.change("pairs", "texts", guidelines__en="Be **kind**.\r\n\r\nAlways.", consent__zh="", title__de="Neu")
        assert (folder_of(shelf) / "guidelines.en.md").read_text() == "Be **kind**.\n\nAlways.\n"
        assert set(plan_of(shelf).consent) == {"en", "de"}
        assert plan_of(shelf).title["de"] == "Neu"

    def test_a_language_that_comes_back_finds_its_texts(self, anna, shelf):
        anna.upload()
        before = plan_of(shelf)
        address = "/leader/edit/pairs/step/people"
        anna.get(address)
        fields = anna.fields()
        without = {name: value for name, value in fields.items() if name != "language.zh"}
        anna.post(address, {**without, "do": "next"})
        assert plan_of(shelf).languages == ("en", "de")
        anna.post(address, {**fields, "do": "next", "stamp": ""})
        assert plan_of(shelf).guidelines == before.guidelines
        assert plan_of(shelf).consent == before.consent

    def test_another_file(self, anna, shelf):
        anna.upload()
        anna.post("/leader/edit/pairs/file", files={"file": ("more.csv", io.BytesIO(CSV.encode()))})
        assert plan_of(shelf).items == "more.csv"
        assert not (folder_of(shelf) / "pairs.csv").exists()

    def test_unknown_pages(self, anna):
        anna.upload()
        for address in ("/leader/edit/none/check", "/leader/edit/pairs/step/none", "/leader/edit/..%2f/check"):
            assert anna.get(address).status_code == 404


class TestOpening:
    def test_the_first_link_lets_as_many_in_as_a_question_needs(self, anna, shelf):
        anna.upload()
        page = anna.post("/leader/edit/pairs/open")
        link = re.search(r'id="first-link">([^<]+)<', page.text)[1]
        assert shelf.look("pairs").record.state == "open"
        assert [each.limit for each in store.invitations(shelf.database("pairs"))] == [5]
        visitor = TestClient(anna.client.app, follow_redirects=True)
        assert visitor.get(link).status_code == 200
        token = form_token(visitor.cookies.get("visitor"))
        page = visitor.post(link, data={"csrf": token, "agree": "yes"})
        assert page.url.path == "/s/pairs/instructions"
        assert visitor.get("/s/pairs/work").url.path.endswith("/1")

    def test_without_the_tick_consent_is_asked_on_its_own_page(self, anna):
        anna.upload()
        link = re.search(r'id="first-link">([^<]+)<', anna.post("/leader/edit/pairs/open").text)[1]
        visitor = TestClient(anna.client.app, follow_redirects=True)
        visitor.get(link)
        page = visitor.post(link, data={"csrf": form_token(visitor.cookies.get("visitor"))})
        assert page.url.path == "/s/pairs/consent"

    def test_an_open_link(self, anna):
        anna.upload()
        anna.change("pairs", "people", open="yes")
        assert "/s/pairs/open<" in anna.post("/leader/edit/pairs/open").text

    def test_preview_pages_may_be_framed_by_our_own_pages_only(self, anna):
        anna.upload()
        page = anna.post("/leader/edit/pairs/preview")
        assert page.text.count("<iframe") == 2
        assert "frame-src 'self'" in page.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        inside = anna.get("/s/pairs/work")
        assert "frame-ancestors 'self'" in inside.headers["content-security-policy"]
        assert inside.headers["x-frame-options"] == "SAMEORIGIN"
        assert "frame-ancestors 'none'" in anna.get("/s/pairs/leader").headers["content-security-policy"]

    def test_previews_end_when_the_study_opens(self, anna, shelf):
        anna.upload()
        anna.post("/leader/edit/pairs/preview")
        anna.post("/leader/edit/pairs/open")
        assert anna.get("/s/pairs/work").status_code == 403


@pytest.fixture
def opened(anna) -> Somebody:
    anna.upload()
    anna.post("/leader/edit/pairs/open")
    return anna


class TestSettingsOfAnOpenStudy:
    def test_changes_are_shown_before_they_are_saved(self, opened, shelf):
        page = opened.change("pairs", "design", judgements="7")
        assert "<del>− judgements = 5" in page.text
        assert "<ins>+ judgements = 7" in page.text
        assert plan_of(shelf).judgements == 5
        kept = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
        opened.post("/leader/edit/pairs/step/design", {**kept, "do": "confirm"})
        assert "Saved." in opened.page.text
        assert plan_of(shelf).judgements == 7
        assert store.read_study(shelf.database("pairs")).plan.judgements == 7
        assert not shelf.look("pairs").changed

    def test_texts_too(self, opened, shelf):
        page = opened.change("pairs", "texts", guidelines__en="Mine.")
        assert "<ins>+ Mine." in page.text
        kept = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
        opened.post("/leader/edit/pairs/step/texts", {**kept, "do": "confirm"})
        assert store.read_study(shelf.database("pairs")).plan.guidelines["en"] == "Mine.\n"

    def test_a_change_that_does_not_fit_changes_nothing(self, opened, shelf):
        before = (folder_of(shelf) / "study.toml").read_bytes()
        page = opened.change("pairs", "task", "confirm", task="verification")  # there are no conditions
        assert page.status_code == 422
        assert "has no condition" in page.text
        assert (folder_of(shelf) / "study.toml").read_bytes() == before
        assert store.read_study(shelf.database("pairs")).plan.task == "rating"

    def test_a_change_by_somebody_else_is_noticed(self, opened, shelf):
        opened.get("/leader/edit/pairs/step/design")
        fields = opened.fields()
        path = folder_of(shelf) / "study.toml"
        path.write_text(path.read_text().replace("judgements = 5", "judgements = 6"))
        page = opened.post("/leader/edit/pairs/step/design", {**fields, "do": "confirm"})
        assert page.status_code == 409
        assert "judgements = 6" in path.read_text()

    def test_its_file_stays(self, opened, shelf):
        page = opened.post("/leader/edit/pairs/file", files={"file": ("x.csv", io.BytesIO(CSV.encode()))})
        assert page.status_code == 409
        assert plan_of(shelf).items == "pairs.csv"


class TestByHand:
    """Studies that people write, and studies that the browser writes, are the same."""

    def test_a_study_made_by_hand_opens_in_the_browser(self, anna, shelf):
        folder = folder_of(shelf, "mine")
        folder.mkdir()
        (folder / "items.csv").write_text(CSV)
        text = '# my own\nname = "mine"\ntask = "rating"  # for now\nitems = "items.csv"\n'
        (folder / "study.toml").write_text(text)
        store.add_member(shelf.console, "mine", "anna", "owner", now=now(), by="test")
        anna.change("mine", "design", judgements="2")
        written = (folder / "study.toml").read_text()
        assert written.startswith("# my own\n")
        assert 'task = "rating"  # for now' in written
        assert read_study(folder / "study.toml").plan.judgements == 2

    def test_a_key_that_is_not_known_is_an_error_and_stays(self, anna, shelf):
        anna.upload()
        path = folder_of(shelf) / "study.toml"
        path.write_text(f"colour = 'red'\n{path.read_text()}")
        page = anna.get("/leader/edit/pairs/step/design")
        assert page.status_code == 422
        assert "colour" in page.text
        assert anna.post("/leader/edit/pairs/step/design", {"do": "next", "judgements": "2"}).status_code == 422
        assert path.read_text().startswith("colour")

    def test_a_copy(self, opened, shelf):
        page = opened.post("/leader/copy", {"study": "pairs", "name": "second try"})
        assert page.url.path == "/leader/edit/second-try/check"
        assert shelf.look("second-try").record.state == "draft"
        assert plan_of(shelf, "second-try") == plan_of(shelf).model_copy(update={"name": "second try"})


class TestWhoMay:
    ADDRESSES = ("/leader/edit/pairs/check", "/leader/edit/pairs/step/design")
    FORMS = ("/leader/edit/pairs/open", "/leader/edit/pairs/preview", "/leader/edit/pairs/step/design",
             "/leader/edit/pairs/file", "/leader/copy")  # fmt: skip

    def test_leaders_of_other_studies_may_not(self, anna, app, shelf):
        anna.upload()
        before = (folder_of(shelf) / "study.toml").read_bytes()
        bert = login(app, "bert")
        assert (
            "pairs"
            not in bert.get("/leader").text.replace("wizard-pairs", "").partition("<main")[2].partition("upload")[0]
        )
        for address in self.ADDRESSES:
            assert bert.get(address).status_code == 403
        for address in self.FORMS:
            assert bert.post(address, {"study": "pairs", "judgements": "1"}).status_code == 403
        assert (folder_of(shelf) / "study.toml").read_bytes() == before
        assert shelf.slugs() == ["pairs"]

    def test_nobody_without_a_login(self, anna, app):
        anna.upload()
        stranger = Somebody(TestClient(app, follow_redirects=True))
        for address in ("/leader/new", *self.ADDRESSES):
            assert stranger.get(address).url.path == "/leader/login"
        for address in ("/leader/new", *self.FORMS):
            assert stranger.post(address).status_code == 403

    def test_forms_of_other_sites_are_refused(self, anna, shelf):
        anna.upload()
        for address in ("/leader/new", *self.FORMS):
            assert anna.client.post(address, data={"csrf": "0" * 64}).status_code == 403
        assert shelf.look("pairs").record.state == "draft"

    def test_an_archived_study_cannot_be_changed(self, anna, shelf):
        anna.upload()
        anna.get("/leader")
        store.set_state(shelf.database("pairs"), "archived", now=now(), by="test")
        assert anna.get("/leader/edit/pairs/check").status_code == 409


@pytest.mark.parametrize("language", ["de", "zh"])
def test_every_page_speaks_the_language(language, anna):
    anna.upload()
    anna.get(f"/language/{language}?to=/leader")
    for step in ("data", "task", "columns", "scale", "design", "people", "texts"):
        page = anna.get(f"/leader/edit/pairs/step/{step}")
        assert page.status_code == 200
        assert f'<html lang="{language}"' in page.text
        assert "Continue" not in page.text


def test_guidelines_of_a_template_follow_the_scale(anna, shelf):
    anna.upload()
    anna.change("pairs", "scale", low="1", high="7")
    folder = shelf.folder / "pairs"
    plan = read_study(folder / "study.toml").plan
    for language in ("en", "de", "zh"):
        assert re.findall(r"\d+", plan.guidelines[language]) == ["1", "7"], language
    assert plan.scale.labels["en"] == {"1": "completely independent", "7": "equivalent in meaning"}
    assert "The study is ready" in anna.get("/leader/edit/pairs/check").text
    anna.change("pairs", "scale", low="0", high="100")
    assert "from 0 (" in (folder / "guidelines.en.md").read_text()
    assert "to 100 (" in (folder / "guidelines.en.md").read_text()
    anna.change("pairs", "task", task="verification")
    assert "from 0 to 100" in (folder / "guidelines.en.md").read_text(), "the new task's own, for the scale that stays"


def test_guidelines_written_by_hand_are_looked_at_before_a_study_with_another_scale_opens(anna, shelf):
    anna.upload()
    anna.change("pairs", "texts", guidelines__en="From 0 to 5, please.")
    anna.change("pairs", "scale", low="1", high="7")
    folder = shelf.folder / "pairs"
    assert (folder / "guidelines.en.md").read_text() == "From 0 to 5, please.\n", "nobody's words are changed"
    assert "bis 7 (" in (folder / "guidelines.de.md").read_text(), "the untouched ones follow"
    page = anna.get("/leader/edit/pairs/check").text
    assert "The study is ready" not in page
    assert "were written for a scale of 0 – 5" in page
    assert anna.post("/leader/edit/pairs/open").status_code == 422
    assert anna.post("/s/pairs/leader/state", {"state": "open"}).status_code == 422, "nor from its overview"
    assert shelf.look("pairs").record.state == "draft"
    anna.post("/leader/copy", {"study": "pairs", "name": "again"})
    assert "The study is ready" not in anna.get("/leader/edit/again/check").text, "nor its copy"
    anna.change("pairs", "scale", low="0", high="5")
    assert "The study is ready" in anna.get("/leader/edit/pairs/check").text, "the scale is the old one again"
    anna.change("pairs", "scale", low="1", high="7")
    anna.change("pairs", "texts", guidelines__en="From 1 to 7, please.")
    assert "The study is ready" in anna.get("/leader/edit/pairs/check").text
    assert anna.post("/leader/edit/pairs/open").status_code == 200
