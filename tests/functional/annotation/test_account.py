"""A leader's account: a second factor, sessions that can be ended, tokens that may do only so much, the password."""

import re
from datetime import timedelta

import pytest

from similitude.collect.annotation import store
from similitude.collect.annotation.store.second_factor import STEP, code_at

PASSWORD = "correct horse battery"


def code_of(key, served, steps=0):
    return code_at(key, int(served.now.timestamp()) // STEP + steps)


def with_factor(served):
    """A leader who has just set up an app: their browser, the key, and the recovery codes."""
    leader = served.leader()
    page = leader.post("/leader/account/factor")
    key = re.search(r"<code>([A-Z2-7]{32})</code>", page.text)[1]
    assert "<svg" in page.text
    page = leader.post("/leader/account/factor/confirm", {"code": code_of(key, served)})
    codes = re.findall(r"<code>(\d{5}-\d{5})</code>", page.text)
    assert len(set(codes)) == 10
    return leader, key, codes


def log_in(served):
    person = served.visitor()
    page = person.post("/leader/login", {"name": "anna", "password": PASSWORD})
    assert page.url.path == "/leader/code"
    return person


def test_the_second_factor_is_asked_for(site):
    served = site()
    _, key, _ = with_factor(served)
    person = log_in(served)
    assert person.get("/leader").url.path == "/leader/login", "the password alone opens no page"
    assert person.post("/leader/code", {"code": "000000"}).status_code == 403
    served.clock.passed += timedelta(seconds=STEP)
    page = person.post("/leader/code", {"code": code_of(key, served)})
    assert (page.status_code, page.url.path) == (200, "/leader")


def test_no_code_works_twice(site):
    served = site()
    _, key, codes = with_factor(served)
    used = code_of(key, served)  # at set-up
    assert log_in(served).post("/leader/code", {"code": used}).status_code == 403
    assert log_in(served).post("/leader/code", {"code": codes[0]}).status_code == 200
    assert log_in(served).post("/leader/code", {"code": codes[0]}).status_code == 403
    assert log_in(served).post("/leader/code", {"code": codes[1]}).status_code == 200


@pytest.mark.parametrize(("steps", "status"), [(-2, 403), (-1, 200), (1, 200), (2, 403)])
def test_clocks_may_differ_by_one_step(site, steps, status):
    served = site()
    _, key, _ = with_factor(served)
    served.clock.passed += timedelta(seconds=10 * STEP)
    code = code_of(key, served, steps)
    assert log_in(served).post("/leader/code", {"code": f" {code[:3]} {code[3:]} "}).status_code == status


def test_a_login_waits_five_minutes_for_its_code(site):
    served = site()
    _, key, _ = with_factor(served)
    person = log_in(served)
    served.clock.passed += timedelta(minutes=5, seconds=1)
    assert person.post("/leader/code", {"code": code_of(key, served)}).url.path == "/leader/login"


def test_codes_are_guessed_slowly(site):
    served = site(settings={"login_attempts": 3})
    with_factor(served)
    person = log_in(served)
    told = [person.post("/leader/code", {"code": f"{number:06}"}).status_code for number in range(5)]
    assert told == [403, 403, 403, 403, 429]


def test_a_wrong_first_code_sets_up_nothing(site):
    served = site()
    leader = served.leader()
    leader.post("/leader/account/factor")
    page = leader.post("/leader/account/factor/confirm", {"code": "123"})
    assert page.status_code == 422
    assert served.visitor().post("/leader/login", {"name": "anna", "password": PASSWORD}).url.path == "/leader"


def test_the_second_factor_is_removed_by_password(site):
    served = site()
    leader, _, _ = with_factor(served)
    assert leader.post("/leader/account/factor/remove", {"password": "wrong"}).status_code == 422
    assert "was removed" in leader.post("/leader/account/factor/remove", {"password": PASSWORD}).text
    assert served.visitor().post("/leader/login", {"name": "anna", "password": PASSWORD}).url.path == "/leader"


def test_a_reset_on_the_command_line_removes_the_second_factor(site):
    served = site()
    with_factor(served)
    store.set_password(served.database, "anna", "another horse battery", now=served.now, by="command line")
    page = served.visitor().post("/leader/login", {"name": "anna", "password": "another horse battery"})
    assert page.url.path == "/leader"


def test_sessions_are_listed_and_ended(site):
    served = site()
    here, there = served.leader(), served.visitor(headers={"User-Agent": "Old browser <b>"})
    there.post("/leader/login", {"name": "anna", "password": PASSWORD})
    page = here.get("/leader/account")
    assert "Old browser &lt;b&gt;" in page.text
    address = re.search(r'action="(/leader/account/sessions/[0-9a-f]+/end)"', page.text)[1]
    here.post(address)
    assert there.get("/leader").url.path == "/leader/login"
    assert here.get("/leader").url.path == "/leader"
    assert here.post("/leader/account/sessions/ffff/end").status_code == 404


def test_all_other_sessions_are_ended_at_once(site):
    served = site()
    here, others = served.leader(), [served.leader() for _ in range(3)]
    here.post("/leader/account/sessions/end")
    assert [each.get("/leader").url.path for each in others] == ["/leader/login"] * 3
    assert here.get("/leader").url.path == "/leader"


def test_a_new_password_ends_other_sessions(site):
    served = site()
    here, other = served.leader(), served.leader()
    assert here.post("/leader/account/password", {"old": "wrong", "new": "another horse battery"}).status_code == 422
    assert here.post("/leader/account/password", {"old": PASSWORD, "new": "short"}).status_code == 422
    here.post("/leader/account/password", {"old": PASSWORD, "new": "another horse battery"})
    assert here.get("/leader").url.path == "/leader"
    assert other.get("/leader").url.path == "/leader/login"
    assert store.is_password(served.database, "anna", "another horse battery")


@pytest.mark.parametrize("length", [201, 1000])
def test_every_password_that_is_accepted_logs_in(site, length):
    served = site()
    new = "ä" * length
    page = served.leader().post("/leader/account/password", {"old": PASSWORD, "new": new})
    assert "done=password" in str(page.url)
    assert served.visitor().post("/leader/login", {"name": "anna", "password": new[:-1]}).status_code == 403
    page = served.visitor().post("/leader/login", {"name": "anna", "password": new})
    assert (page.status_code, page.url.path) == (200, "/leader")


def test_a_password_over_the_limit_is_refused_and_never_cut(site, console):
    served = site()
    leader = served.leader()
    page = leader.post("/leader/account/password", {"old": PASSWORD, "new": "x" * 1001})
    assert (page.status_code, "12 to 1,000 characters" in page.text) == (422, True)
    assert served.visitor().post("/leader/login", {"name": "anna", "password": PASSWORD}).status_code == 200
    many = console("one")
    link = store.invite_leader(many.shelf.console, now=many.now, by="test").token
    sent = {"name": "new", "password": "x" * 1001, "again": "x" * 1001}
    assert many.visitor().post(f"/leader/welcome/{link}", sent).status_code == 422


def test_when_a_session_was_last_seen(site):
    served = site()
    leader = served.leader()
    first = store.leader_sessions(served.database, 1, "", now=served.now)[0].seen
    served.clock.passed += timedelta(minutes=4)
    leader.get("/leader")
    assert store.leader_sessions(served.database, 1, "", now=served.now)[0].seen == first, "not written at each look"
    served.clock.passed += timedelta(minutes=2)
    leader.get("/leader")
    assert store.leader_sessions(served.database, 1, "", now=served.now)[0].seen > first + timedelta(minutes=5)


CALLS = {
    "read": ("GET", "/api/v1/progress", None),
    "export": ("GET", "/api/v1/export.jsonl", None),
    "people": ("POST", "/api/v1/invitations", {"count": 1}),
    "manage": ("POST", "/api/v1/pause", None),
}


@pytest.mark.parametrize("scope", CALLS)
def test_a_token_may_do_what_its_scope_says(site, scope):
    served = site()
    token = store.make_api_token(served.database, "anna", scopes=[scope], now=served.now, by="test").token
    client = served.client(headers={"Authorization": f"Bearer {token}"})
    for needed, (method, address, document) in CALLS.items():
        told = client.request(method, address, json=document)
        assert told.is_success is (needed == scope), (needed, told.text)
        if needed != scope:
            assert (told.status_code, told.json()["error"]) == (403, "scope")


SCOPE_OF = {
    "/study": "read", "/progress": "read", "/charts": "read",
    "/export.jsonl": "export", "/export.csv": "export", "/questions": "export", "/people/{pseudonym}/answers": "export",
    "/annotators": "people", "/invitations": "people",
    "/people": "people", "/bonus-lists": "people", "/pay": "people", "/payment": "people",
    "/pause": "manage", "/resume": "manage", "/state": "manage", "/items": "manage",
    "/questions/{number}/decisions": "manage",
}  # fmt: skip
"""What each route needs, by the longest beginning of its path: as docs/deployment.md says it."""


def test_each_route_of_the_api_takes_the_one_scope_that_the_documentation_names(site):
    served = site("rating", pay={"currency": "EUR", "per_batch": "1"})
    person = served.annotator()
    person.answer_all(value="3")
    name = store.people(served.database, now=served.now)[0].pseudonym
    described = served.leader().get("/openapi.json").json()
    assert described["servers"] == [{"url": "http://testserver"}]
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    tokens = {
        scope: store.make_api_token(served.database, "anna", scopes=[scope], now=served.now, by="test").token
        for scope in CALLS
    }
    asked = 0
    for path, methods in described["paths"].items():
        begins = [begin for begin in SCOPE_OF if path.removeprefix("/api/v1").startswith(begin)]
        needed = SCOPE_OF[max(begins, key=len)]
        address = path.format(pseudonym=name, number=1, name="progress" if "chart" in path else "prolific-approve")
        for method, operation in methods.items():
            assert operation["security"] == [{"token": [needed]}], path
            for scope, token in tokens.items():
                headers = {"Authorization": f"Bearer {token}"}
                told = served.client(headers=headers).request(method, address, json={} if method == "post" else None)
                assert (told.status_code == 403) is (scope != needed), (method, path, scope, told.text)
                asked += 1
    assert asked >= 4 * 27


def test_the_documented_call_of_the_api_works(console):
    served = console("one")
    for root in ("", "/s/one"):
        shown = served.leader().get(f"{root}/docs").text
        address = re.search(
            r"Bearer TOKEN&#34; http://testserver(\S+)</code>|Bearer TOKEN\" http://testserver(\S+)</code>", shown
        )
        path = address[1] or address[2]
        headers = {"Authorization": f"Bearer {served.token('anna')}"}
        assert served.visitor().client.get(path, headers=headers).status_code == 200


def test_tokens_are_made_and_revoked_in_the_browser(site):
    served = site()
    leader = served.leader()
    assert leader.post("/leader/account/tokens", {"days": "30"}).status_code == 422
    page = leader.post("/leader/account/tokens", {"scope": "read", "days": "30", "note": "nightly"})
    token = re.search(r'<code class="breaks">([^<]+)<', page.text)[1]
    client = served.client(headers={"Authorization": f"Bearer {token}"})
    assert client.get("/api/v1/progress").status_code == 200
    assert client.post("/api/v1/pause").status_code == 403
    number = store.api_tokens(served.database)[0].id
    leader.post(f"/leader/account/tokens/{number}/revoke")
    assert client.get("/api/v1/progress").status_code == 401


def test_nobody_revokes_the_tokens_of_others(site):
    served = site()
    store.add_leader(served.database, "berta", PASSWORD, now=served.now, by="test")
    made = store.make_api_token(served.database, "berta", now=served.now, by="test")
    assert served.leader().post(f"/leader/account/tokens/{made.id}/revoke").status_code == 404
    assert store.api_tokens(served.database)[0].revoked is None


def test_every_act_on_an_account_is_logged(site):
    served = site()
    leader, _, codes = with_factor(served)
    log_in(served).post("/leader/code", {"code": codes[3]})
    log_in(served).post("/leader/code", {"code": "000000"})
    leader.post("/leader/account/sessions/end")
    leader.post("/leader/account/factor/remove", {"password": PASSWORD})
    logged = {entry.what for entry in store.audit_log(served.database, limit=100)}
    assert logged >= {
        "second_factor_set",
        "recovery_code_used",
        "second_factor_failed",
        "sessions_ended",
        "second_factor_removed",
    }


def test_leaders_of_an_archived_study_still_guard_their_accounts(site):
    served = site()
    leader, token = served.leader(), served.token()
    for state in ("closed", "archived"):
        store.set_state(served.database, state, now=served.now, by="test")
    number = store.api_tokens(served.database)[0].id
    assert leader.post(f"/leader/account/tokens/{number}/revoke").status_code == 200
    assert served.client().get("/api/v1/progress", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert leader.post("/leader/account/sessions/end").status_code == 200


def test_a_second_factor_is_not_replaced_without_the_password(site):
    served = site()
    leader, key, _ = with_factor(served)
    assert leader.post("/leader/account/factor").status_code == 409
    served.clock.passed += timedelta(seconds=STEP)
    assert log_in(served).post("/leader/code", {"code": code_of(key, served)}).status_code == 200
