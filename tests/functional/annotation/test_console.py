"""Many studies on one server: the list, the life of each, who leads what, and that none disturbs another."""

import logging
import re
import shutil
import threading
from datetime import timedelta

import pytest

from similitude.collect.annotation import store
from similitude.collect.annotation.web.security.csrf import form_token

NEW_PASSWORD = "a password of my own"


def test_the_pages_of_the_console_itself(console):
    served = console("one")
    person = served.visitor()
    assert "open the link that you were sent" in person.page.text
    assert person.get("/healthz").json() == {"status": "ok"}
    assert person.get("/s/one/healthz").json() == {"status": "ok"}
    assert str(person.get("/leader").url.path) == "/leader/login"
    assert "Studien" in served.leader().get("/language/de?to=/leader").text
    assert str(person.get("/language/de?to=//elsewhere.example").url) == "http://testserver/"


@pytest.mark.parametrize("slug", ["nothing", "%2e%2e", "one%2f..%2ftwo", "ONE", "a" * 300, "one%00", "console.db"])
def test_an_unknown_slug_is_a_clean_page(console, slug):
    served = console("one")
    person = served.visitor()
    for address in (f"/s/{slug}", f"/s/{slug}/", f"/s/{slug}/leader", f"/s/{slug}/static/annotation.css"):
        page = person.get(address)
        assert page.status_code in (400, 404), address
        assert "Traceback" not in page.text
        assert "Content-Security-Policy" in page.headers
    assert person.post(f"/s/{slug}/open").status_code in (400, 404)
    said = person.get(f"/s/{slug}/api/v1/study", headers={"Accept": "application/json"})
    assert said.status_code in (400, 404)


def test_somebody_without_a_command_line_becomes_the_first_leader(console):
    served = console()
    for leader in store.leaders(served.shelf.console):
        store.remove_leader(served.shelf.console, leader.name, now=served.now, by="test")
    made = store.invite_first_leader(served.shelf.console, now=served.now, by="test")
    person, link = served.visitor(), f"/leader/welcome/{made.token}"
    assert "Choose the name and the password" in person.get(link).text
    wrong = person.post(link, {"name": "ada", "password": NEW_PASSWORD, "again": "something else"})
    assert (wrong.status_code, "differ" in wrong.text) == (422, True)
    short = person.post(link, {"name": "ada", "password": "short", "again": "short"})
    assert (short.status_code, "12 to 1,000" in short.text) == (422, True)
    assert person.post(link, {"name": "ada", "password": NEW_PASSWORD, "again": NEW_PASSWORD}).status_code == 200
    assert "There is no study here yet" in person.page.text
    assert person.get("/leader/server").status_code == 200, "the first leader is an admin"
    assert served.visitor().get(link).status_code == 403, "the link works once"


def test_the_list_shows_state_progress_and_what_needs_a_leader(console):
    served = console("one", "two", "three")
    served.annotator("one").answer_all(value="3")
    store.set_state(served.shelf.database("two"), "paused", now=served.now, by="test")
    (served.put("broken") / "items.csv").unlink()
    served.put("draft")
    listed = served.leader().get("/leader").text
    assert re.findall(r'class="state state-(\w+)"', listed) == ["broken", "draft", "open", "open", "paused"]
    assert "3 / 9" in listed
    assert "items.csv" in listed
    assert f"{served.now:%Y-%m-%d}" in listed
    served.clock.passed = timedelta(days=4)
    later = served.leader()
    assert later.get("/leader").text.count("No answer for 4 days") == 2
    only = later.get("/leader?state=paused").text
    assert re.findall(r'href="/s/(\w+)/leader"', only) == ["two"]
    assert later.get("/leader?state=<script>").status_code == 200


def test_leaders_see_only_their_studies(console):
    served = console("one", "two")
    listed = {name: served.leader(name).get("/leader").text for name in ("anna", "olga", "mia", "otto")}
    assert {name: re.findall(r'href="/s/(\w+)/leader"', text) for name, text in listed.items()} == {
        "anna": ["one", "two"],
        "olga": ["one"],
        "mia": ["one"],
        "otto": ["two"],
    }
    refused = served.leader("otto").get("/s/one/leader")
    assert (refused.status_code, "You do not lead this study" in refused.text) == (403, True)


def test_studies_appear_without_a_restart_in_every_process(console):
    here = console("one")
    there = console()
    leader = there.leader()
    assert leader.get("/s/fresh/").status_code == 404
    here.put("fresh")
    assert "The study fresh" in leader.get("/leader").text
    assert leader.get("/s/fresh/leader").status_code == 200
    assert "draft" in here.leader().get("/s/fresh/leader").text
    leader.post("/s/fresh/leader/state", {"state": "open"})
    assert "data-questions" in here.annotator("fresh").page.text


def test_a_broken_study_breaks_nothing_else(console):
    served = console("one", "two")
    leader = served.leader()
    (served.shelf.folder / "two" / "study.toml").write_text("name = [")
    assert "data-questions" in served.annotator("two").page.text, "an open study goes on as it was"
    assert "not in order" not in leader.get("/leader").text
    assert leader.post("/s/two/leader/reload").status_code == 422
    assert "not in order" in leader.get("/leader").text
    assert "not in order" in leader.get("/s/two/leader").text
    damaged = served.put("damaged") / "study.db"
    damaged.write_bytes(b"this is no database" * 100)
    page = leader.get("/leader")
    assert page.status_code == 200
    assert "file is not a database" in page.text
    assert served.visitor().get("/s/damaged/").status_code == 503
    assert "data-questions" in served.annotator("one").page.text


def test_changed_files_wait_for_a_leader(console):
    served = console("one")
    leader = served.leader("mia")
    served.put("one", items=5)
    assert "have changed" in leader.get("/leader").text
    assert "have changed" in leader.get("/s/one/leader").text
    assert "of 15 answers" in leader.post("/s/one/leader/reload").text
    assert "have changed" not in leader.get("/s/one/leader").text


def test_the_life_of_a_study_in_the_browser(console):
    served = console()
    served.put("one")
    owner, member = served.leader("olga"), served.leader("mia")
    state = "/s/one/leader/state"
    assert "nobody can enter yet" in owner.get("/s/one/leader").text
    assert "not been opened yet" in served.visitor().get("/s/one/open").text
    assert served.visitor().post("/s/one/open").status_code == 403
    owner.post("/s/one/leader/preview")
    owner.cookie = "annotator-one"
    owner.post("/s/one/consent", {"agree": "yes"})
    assert "data-questions" in owner.get("/s/one/work").text
    owner.cookie = "leader"
    assert "Pause the study" in member.post(state, {"state": "open"}).text
    person = served.annotator("one")
    assert "Resume the study" in member.post(state, {"state": "paused"}).text
    assert member.post(state, {"state": "closed", "sure": "yes"}).status_code == 403
    asked = owner.post(state, {"state": "closed"})
    assert "Nobody can answer any more" in asked.text
    assert store.read_study(served.shelf.database("one")).state == "paused", "only asked so far"
    owner.post(state, {"state": "closed", "sure": "yes"})
    assert person.answer(value="3").status_code == 403
    assert member.post(state, {"state": "open"}).status_code == 403, "owners closed it, owners open it"
    assert member.post("/leader/edit/one/open").status_code == 403, "also by the button of a new study"
    assert owner.post(state, {"state": "draft"}).status_code == 409
    assert owner.post(state, {"state": "nonsense"}).status_code == 422
    owner.post(state, {"state": "archived", "sure": "yes"})
    assert "/s/one/leader" not in owner.get("/leader").text
    assert "/s/one/leader" in owner.get("/leader?state=archived").text
    assert owner.get("/s/one/leader/export.jsonl").status_code == 200
    for address in ("invitations", "items", "preview", "reload"):
        refused = owner.post(f"/s/one/leader/{address}", {"count": "1"})
        assert (refused.status_code, "archived" in refused.text) == (409, True), address
    token = {"Authorization": f"Bearer {served.token('olga')}"}
    assert owner.client.post("/s/one/api/v1/invitations", json={"count": 1}, headers=token).status_code == 409
    assert owner.client.post("/s/one/api/v1/state", json={"state": "closed"}, headers=token).status_code == 200
    logged = owner.get("/s/one/leader/audit").text
    assert logged.count("state of the study") == 5
    assert "olga" in logged
    assert "mia" in logged


def test_owners_choose_the_leaders_of_their_study(console):
    served = console("one", "two")
    owner, member = served.leader("olga"), served.leader("mia")
    assert "Add a leader" not in member.get("/s/one/leader/members").text
    assert member.post("/s/one/leader/members", {"name": "otto"}).status_code == 403
    assert owner.post("/s/one/leader/members", {"name": "otto", "role": "member"}).status_code == 200
    assert served.leader("otto").get("/s/one/leader").status_code == 200
    assert owner.post("/s/one/leader/members/remove", {"name": "olga"}).status_code == 409, "the last owner stays"
    owner.post("/s/one/leader/members/remove", {"name": "otto"})
    assert served.leader("otto").get("/s/one/leader").status_code == 403
    link = re.search(r"http://testserver(/leader/welcome/[\w-]+)", owner.post("/s/one/leader/members/invite").text)[1]
    new = served.visitor()
    new.get(link)
    new.post(link, {"name": "nora", "password": NEW_PASSWORD, "again": NEW_PASSWORD})
    assert "The study one" in new.page.text
    assert "The study two" not in new.page.text
    assert new.get("/leader/server").status_code == 403


def test_admins_choose_the_leaders_of_the_server(console):
    served = console("one")
    admin = served.leader()
    assert admin.post("/leader/server/admin", {"name": "anna", "admin": "no"}).status_code == 409
    assert admin.post("/leader/server/remove", {"name": "anna"}).status_code == 409
    admin.post("/leader/server/admin", {"name": "otto", "admin": "yes"})
    assert served.leader("otto").get("/s/one/leader").status_code == 200
    admin.post("/leader/server/remove", {"name": "mia"})
    assert str(served.leader("mia").page.status_code) == "403"
    log = admin.get("/leader/server/log").text
    assert "admin of the server" in log
    assert "leader removed" in log


def test_tokens_reach_only_the_studies_of_their_leader(console):
    served = console("one", "two")
    client = served.visitor().client
    mine = {"Authorization": f"Bearer {served.token('mia')}"}
    assert [each["slug"] for each in client.get("/api/v1/studies", headers=mine).json()] == ["one"]
    assert client.get("/s/one/api/v1/progress", headers=mine).json()["wanted"] == 9
    refused = client.get("/s/two/api/v1/progress", headers=mine)
    assert (refused.status_code, refused.json()["error"]) == (403, "not_your_study")
    assert client.post("/s/one/api/v1/state", json={"state": "closed"}, headers=mine).status_code == 403
    assert client.post("/s/one/api/v1/state", json={"state": "paused"}, headers=mine).json()["state"] == "paused"
    assert client.get("/api/v1/studies").status_code == 401
    everything = {"Authorization": f"Bearer {served.token('anna')}"}
    listed = client.get("/api/v1/studies", headers=everything).json()
    assert [(each["slug"], each["state"], each["done"]) for each in listed] == [
        ("one", "paused", 0),
        ("two", "open", 0),
    ]


def test_one_browser_takes_part_in_two_studies(console):
    served = console("one", "two")
    person = served.annotator("one")
    served.annotator("two", person)
    person.cookie = "annotator-one"
    person.get("/s/one/work")
    person.answer_all(value="3")
    person.cookie = "annotator-two"
    person.get("/s/two/work")
    person.answer(value="4")
    assert [len(served.rows(slug)) for slug in ("one", "two")] == [3, 1]
    assert person.post("/s/one/data/delete", {"sure": "yes", "csrf": csrf(person, "one")}).status_code == 200
    assert [len(served.rows(slug)) for slug in ("one", "two")] == [0, 1]


def csrf(person, slug):
    return form_token(person.client.cookies[f"annotator-{slug}"])


def test_three_studies_at_once_with_people_who_answer_at_the_same_time(console):
    served = console("one", "two", "three")
    failed = []

    def take_part(slug, value):
        try:
            person = served.annotator(slug)
            person.answer_all(value=value)
            assert "review" in str(person.page.url)
            assert person.post(f"/s/{slug}/batch/{person.batch}/send").status_code == 200
        except BaseException as error:
            failed.append(error)

    jobs = [(slug, value) for value in ("1", "2", "3", "4") for slug in ("one", "two", "three")]
    threads = [threading.Thread(target=take_part, args=job) for job in jobs[:9]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    for slug in ("one", "two", "three"):
        rows = served.rows(slug)
        assert len(rows) == 9, "exactly three judgements a question"
        assert len({(row["annotator"], row["question"]) for row in rows}) == 9
        assert sorted({row["value"] for row in rows}) == [1, 2, 3]
        assert store.study_summary(served.shelf.database(slug)).people == 3
    assert served.leader().get("/leader").text.count("All answers are in") == 3


def test_a_clock_that_jumps_disturbs_no_study(console):
    served = console("one", "two")
    first = served.annotator("one")
    first.answer(value="3")
    served.clock.passed = timedelta(hours=5)
    second = served.annotator("two")
    second.answer(value="4")
    served.clock.passed = timedelta(hours=-3)
    first.get("/s/one/work")
    first.answer_all(value="2")
    second.get("/s/two/work")
    second.answer_all(value="1")
    assert served.leader().get("/leader").status_code == 200
    for slug in ("one", "two"):
        rows = served.rows(slug)
        assert len(rows) == 3
        assert all(row["seconds"] >= 0 for row in rows)


def test_the_log_names_the_study_and_no_secret(console, caplog):
    served = console("one")
    made = store.invite(served.shelf.database("one"), now=served.now, by="test")
    with caplog.at_level(logging.INFO, logger="similitude.annotation.access"):
        served.visitor().get(f"/s/one/join/{made.token}")
        served.visitor().get("/leader/welcome/some-secret-token")
    lines = "\n".join(record.getMessage() for record in caplog.records)
    assert "GET /s/one/join/{token} 200" in lines
    assert "GET /leader/welcome/{token} 403" in lines
    assert str(made.token) not in lines
    assert "some-secret-token" not in lines


def test_links_and_frames_belong_to_each_study(console):
    served = console("one")
    served.put("crowd", 'name = "crowd"\ntask = "rating"\nitems = "items.csv"\n[access]\nmturk = {{}}\n')
    leader = served.leader()
    leader.post("/s/crowd/leader/state", {"state": "open"})
    links = leader.post("/s/one/leader/invitations", {"count": "1", "uses": "1"}).text
    link = re.search(r"http://testserver(/s/one/join/[\w-]+)", links)[1]
    assert "Begin" in served.visitor().get(link).text
    assert "worker.mturk.com" in leader.get("/s/crowd/").headers["Content-Security-Policy"]
    for address in ("/s/one/", "/", "/leader"):
        assert "mturk" not in leader.get(address).headers["Content-Security-Policy"]


def test_a_study_that_is_taken_away_is_gone_and_comes_back(console):
    served = console("one", "two")
    person = served.annotator("one")
    (served.shelf.folder / "one").rename(served.shelf.folder / ".away")
    served.app.studies._kept.clear()  # as a second later
    assert person.get("/s/one/work").status_code == 404
    assert "The study two" in served.leader().get("/leader").text
    (served.shelf.folder / ".away").rename(served.shelf.folder / "one")
    assert "data-questions" in person.get("/s/one/work").text


@pytest.mark.parametrize("seen", [True, False])
def test_a_former_owner_has_no_part_in_a_new_study_of_the_same_name(console, seen):
    served = console("one")
    olga, otto = served.leader("olga"), served.leader("otto")
    token = store.make_api_token(served.shelf.console, "otto", slug="one", now=served.now, by="test").token
    served.annotator("one").answer_all(value="3")
    assert olga.get("/s/one/leader").status_code == 200
    shutil.rmtree(served.shelf.folder / "one")
    if seen:
        served.clock.passed += timedelta(seconds=5)
        assert olga.get("/leader/edit/one/check").status_code == 404
    content = "sentence1,sentence2\nA cat sits.,A cat is sitting.\nA dog barks.,A bird sings.\n"
    otto.post("/leader/new", {"name": "one"}, files={"file": ("one.csv", content)})
    assert "/leader/edit/one/" in str(otto.page.url)
    assert otto.get("/s/one/leader").status_code == 200
    assert olga.get("/s/one/leader").status_code == 403
    assert olga.get("/leader/edit/one/check").status_code == 403
    assert served.rows("one") == [], "nor is anything left of its answers"
    headers = {"Authorization": f"Bearer {token}"}
    assert served.visitor().client.get("/s/one/api/v1/study", headers=headers).status_code == 401
    assert [each.name for each in store.members(served.shelf.console, "one")] == ["otto"]


def test_nor_in_one_that_is_put_into_the_folder_by_hand(console):
    served = console("one", "two")
    olga, anna = served.leader("olga"), served.leader()
    shutil.rmtree(served.shelf.folder / "one")
    served.put("one", items=2)
    assert "one" in anna.get("/leader").text
    assert olga.get("/s/one/leader").status_code == 403
    assert store.members(served.shelf.console, "one") == []
    assert [each.name for each in store.members(served.shelf.console, "two")] == ["otto"], "the other one is as it was"
