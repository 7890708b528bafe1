"""The leader's pages: watch, invite, exclude, pause, add, export."""

import json
import threading
import time

import pytest

from similitude.collect.annotation import store
from similitude.collect.annotation.web import Figure
from similitude.collect.annotation.web.analysis import Analysis


def worked(served, **answer: str):
    person = served.annotator()
    person.answer_all(**answer)
    person.post(f"/batch/{person.batch}/send")
    return person


def names(served) -> list[str]:
    return [row.annotator.pseudonym for row in store.annotator_rows(served.database, now=served.now)]


def test_the_overview_shows_progress_and_the_figures_it_was_handed(site):
    asked = []

    def analyse(judgements):
        asked.append(len(judgements))
        return [Figure("alpha", 0.71, 0.6, 0.8, "of <all>", 0.25), Figure("strong", float("nan"), note="too few")]

    served = site("rating", judgements=2, analyse=analyse)
    leader = served.leader()
    assert "no answers yet" in leader.get("/leader").text
    worked(served, value="3")
    served.app.state.services.analysis._seconds = 0
    page = leader.get("/leader").text
    assert "3 of 6 answers" in page
    assert "0.710" in page
    assert "0.600 – 0.800" in page
    assert "By chance" in page
    assert page.count("0.25") == 1
    assert "of &lt;all&gt;" in page
    assert "undefined" in page
    assert asked == [3]


def test_without_figures_the_page_says_so(site):
    assert "started without an analysis" in site().leader().get("/leader").text


def test_figures_that_fail_do_not_break_the_page(site, caplog):
    served = site("rating", analyse=lambda judgements: 1 / 0)
    worked(served, value="3")
    page = served.leader().get("/leader")
    assert page.status_code == 200
    assert "Could not be computed: division by zero" in page.text


def test_slow_figures_keep_nobody_waiting_and_are_computed_once():
    began, may_end = [], threading.Event()

    def slow(judgements):
        began.append(1)
        may_end.wait(60)
        return [Figure("alpha", 0.5)]

    analysis = Analysis(slow, lambda: [1, 2], seconds=600, patience=0.01)
    assert [analysis.look().state for _ in range(5)] == ["computing"] * 5
    may_end.set()
    while analysis.look().state == "computing":
        time.sleep(0.01)
    assert analysis.look().figures == (Figure("alpha", 0.5),)
    assert began == [1]


def test_invitations_are_made_shown_once_and_revoked(site):
    served = site()
    leader = served.leader()
    page = leader.post("/leader/invitations", {"count": "2", "uses": "1", "note": "pilot"})
    links = [line.split("<")[0] for line in page.text.split("<li>http://testserver")[1:]]
    assert len(links) == 2
    assert links[0] not in leader.get("/leader/invitations").text
    assert "pilot" in leader.page.text
    assert str(served.visitor().post(links[0]).url.path) == "/consent"
    number = store.invitations(served.database)[0].id
    leader.post(f"/leader/invitations/{number}/revoke")
    assert "revoked" in leader.page.text
    assert "no longer valid" in served.visitor().post(links[1]).text
    for wrong in ("0", "501", "x", "", "1e3", "9" * 400):
        assert leader.post("/leader/invitations", {"count": wrong, "uses": "1"}).status_code == 422


def test_links_carry_the_public_address(site):
    leader = site(settings={"public_url": "https://study.example.org/"}).leader()
    assert "https://study.example.org/join/" in leader.post("/leader/invitations", {"count": "1", "uses": ""}).text


def test_exclude_and_readmit_with_a_reason(site):
    served = site("rating")
    person = worked(served, value="3")
    leader, (name,) = served.leader(), names(served)
    page = leader.post(f"/leader/annotators/{name}/exclude", {"reason": "  "})
    assert page.status_code == 422
    assert "Please give a reason" in page.text
    leader.post(f"/leader/annotators/{name}/exclude", {"reason": "answers at random", "replace": "yes"})
    assert not served.rows(), "their answers do not count"
    assert {row["excluded"] for row in store.export_rows(served.database, everything=True)} == {True}
    assert "The study leaders have ended your participation" in person.get("/work").text
    assert "answers at random" in leader.get("/leader/audit").text
    leader.post(f"/leader/annotators/{name}/readmit", {"reason": "a mistake"})
    assert len(served.rows()) == 3
    assert leader.post("/leader/annotators/nobody/exclude", {"reason": "x"}).status_code == 404
    assert leader.post(f"/leader/annotators/{name}/readmit").status_code == 409


def test_pause_and_resume(site):
    served = site("rating")
    leader = served.leader()
    assert "Resume the study" in leader.post("/leader/state", {"state": "paused"}).text
    assert "The study is paused" in served.annotator().page.text
    assert "Pause the study" in leader.post("/leader/state", {"state": "open"}).text


def test_exports_are_downloads(site):
    served = site("rating", name="a study: ratings".replace(":", ""))
    worked(served, value="3")
    leader = served.leader()
    lines = leader.get("/leader/export.jsonl")
    assert [json.loads(line)["value"] for line in lines.text.splitlines()] == [3, 3, 3]
    assert lines.headers["content-disposition"] == 'attachment; filename="a-study-ratings.jsonl"'
    table = leader.get("/leader/export.csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert len(table.text.splitlines()) == 4


def upload(leader, name: str, content: bytes):
    from similitude.collect.annotation.web.security.csrf import form_token

    fields = {"csrf": form_token(leader.client.cookies["leader"])}
    return leader.client.post("/leader/items", data=fields, files={"file": (name, content)})


@pytest.mark.parametrize("task", ["rating", "best-worst"])
def test_items_are_added_to_a_running_study(site, task):
    served = site(task, tuple_size=3)
    before = store.progress(served.database, now=served.now).questions
    leader = served.leader()
    rows = [{"id": f"n{place}", "left": "same left", "right": f"right {place}"} for place in range(6)]
    content = "\n".join(json.dumps(row) for row in rows).encode()
    page = upload(leader, "new.jsonl", content)
    assert page.status_code == 200, page.text
    added = store.progress(served.database, now=served.now).questions - before
    assert added >= 6
    assert f"{added} questions are new or changed" in page.text
    assert "0 questions are new or changed" in upload(leader, "new.jsonl", content).text


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", b"id,left,right\nn1,It rains.,It snows.\n"),
        ("x.csv", b"pairID,sentence1,sentence2\nn1,It rains.,It snows.\n"),
        ("x.tsv", b"id\tleft\tright\n0007\tIt rains.\tIt snows.\n"),
        ("x.json", b'[{"id": 7, "left": "It rains.", "right": "It snows."}]'),
    ],
)
def test_items_with_ids_of_their_own_are_added(site, name, content):
    page = upload(site("rating").leader(), name, content)
    assert (page.status_code, "1 questions are new or changed" in page.text) == (200, True), page.text


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("x.exe", b"MZ", "are not accepted"),
        ("../../etc/passwd", b"root", "are not accepted"),
        ("x.jsonl", b'{"id": "a", "left": "b"}\n', "right"),
        ("x.jsonl", b'{"id": "a", "left": "\xff"}\n', "UTF-8"),
        ("x.csv", b"", "upload.csv"),
        ("x.csv", b"left,right\nIt rains.,It snows.\n", "no ids; add a column"),
        ("x.jsonl", b'{"left": "It rains.", "right": "It snows."}\n', "no ids; add a column"),
        ("x.parquet", b"not parquet", "upload.parquet"),
        ("", b"", "Please choose a file"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(site, name, content, told):
    page = upload(site("rating").leader(), name, content)
    assert page.status_code == 422
    assert told.lower() in page.text.lower()
    assert "/tmp" not in page.text


def test_the_pages_of_the_leader_in_their_own_language(site):
    served = site(languages=["zh"])
    leader = served.leader()
    assert "People" in leader.get("/leader/annotators", headers={"Accept-Language": "en"}).text
    assert "Personen" in leader.get("/leader/annotators", headers={"Accept-Language": "de"}).text


def test_the_api_is_described_without_scripts_from_elsewhere(site):
    page = site().leader().get("/docs")
    assert "GET /api/v1/progress" in page.text
    assert "<script" not in page.text
