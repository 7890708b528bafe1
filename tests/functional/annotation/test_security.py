"""Who may do what, what a request may hold, what a response tells the browser, what is written down."""

import inspect
import logging
import re
from datetime import timedelta
from itertools import product
from urllib.parse import urlencode

import pytest
from fastapi import FastAPI

from similitude.collect.annotation import store
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import role_of
from similitude.collect.annotation.web.security.hosts import known_hosts
from similitude.collect.annotation.web.server_options import MTURK_ORIGINS

PASSWORD = "correct horse battery"
NASTY = "</p><script>alert(1)</script><img src=x onerror=alert(2)>\"'"

ROLES = {
    "GET /static/{name}": "public",
    "GET /healthz": "public",
    "GET /openapi.json": "leader or token",
    "GET /docs": "leader",
    "GET /": "visitor",
    "GET /join/{token}": "visitor",
    "POST /join/{token}": "visitor",
    "GET /open": "visitor",
    "POST /open": "visitor",
    "GET /prolific": "visitor",
    "POST /prolific": "visitor",
    "GET /mturk": "visitor",
    "POST /mturk": "visitor",
    "GET /language/{language}": "visitor",
    "GET /consent": "annotator",
    "POST /consent": "annotator",
    "GET /instructions": "annotator",
    "GET /work": "annotator",
    "GET /batch/{batch}/{position}": "annotator",
    "POST /batch/{batch}/{position}": "annotator",
    "POST /batch/{batch}/save": "annotator",
    "POST /batch/{batch}/check": "annotator",
    "GET /batch/{batch}/review": "annotator",
    "POST /batch/{batch}/send": "annotator",
    "POST /finish": "annotator",
    "GET /finished": "annotator",
    "GET /data": "annotator",
    "POST /data/leave": "annotator",
    "POST /data/link": "annotator",
    "POST /data/delete": "annotator",
    "GET /leader/login": "visitor",
    "POST /leader/login": "visitor",
    "POST /leader/logout": "leader",
    "GET /leader": "leader",
    "POST /leader/state": "leader",
    "GET /leader/audit": "leader",
    "GET /leader/preview": "leader",
    "POST /leader/preview": "leader",
    "GET /leader/annotators": "leader",
    "GET /leader/annotators.csv": "leader",
    "POST /leader/annotators/decide": "leader",
    "GET /leader/annotators/{pseudonym}": "leader",
    "POST /leader/annotators/{pseudonym}/continue": "leader",
    "POST /leader/annotators/{pseudonym}/remove": "leader",
    "GET /leader/pools": "leader",
    "POST /leader/pools/{pool}": "leader",
    "POST /leader/pools/{pool}/invite": "leader",
    "GET /leader/stages": "leader",
    "POST /leader/stages/next": "leader",
    "GET /leader/payment": "leader",
    "GET /leader/payment/lists/{name}": "leader",
    "POST /leader/payment/match": "leader",
    "POST /leader/payment/bonuses": "leader",
    "GET /leader/payment/bonuses/{number}": "leader",
    "POST /leader/payment/bonuses/{number}/paid": "leader",
    "POST /leader/payment/bonuses/{number}/withdraw": "leader",
    "POST /leader/annotators/{pseudonym}/exclude": "leader",
    "POST /leader/annotators/{pseudonym}/readmit": "leader",
    "GET /leader/annotators/{pseudonym}/qualification": "leader",
    "POST /leader/annotators/{pseudonym}/qualification": "leader",
    "GET /leader/invitations": "leader",
    "POST /leader/invitations": "leader",
    "POST /leader/invitations/{number}/revoke": "leader",
    "GET /leader/code": "visitor",
    "POST /leader/code": "visitor",
    "GET /leader/account": "leader",
    "POST /leader/account/password": "leader",
    "POST /leader/account/sessions/end": "leader",
    "POST /leader/account/sessions/{session}/end": "leader",
    "POST /leader/account/factor": "leader",
    "POST /leader/account/factor/confirm": "leader",
    "POST /leader/account/factor/remove": "leader",
    "POST /leader/account/tokens": "leader",
    "POST /leader/account/tokens/{number}/revoke": "leader",
    "GET /leader/items": "leader",
    "POST /leader/items": "leader",
    "GET /languages": "annotator",
    "POST /languages": "annotator",
    "GET /survey/{part}": "annotator",
    "POST /survey/{part}": "annotator",
    "GET /break": "annotator",
    "POST /break": "annotator",
    "POST /break/end": "annotator",
    "GET /batch/{batch}/last": "annotator",
    "GET /batch/{batch}/{position}/skip": "annotator",
    "POST /batch/{batch}/{position}/skip": "annotator",
    "GET /leader/survey": "leader",
    "GET /leader/survey.jsonl": "leader",
    "GET /leader/survey.csv": "leader",
    "GET /leader/remarks": "leader",
    "GET /leader/export": "leader",
    "GET /leader/export.jsonl": "leader",
    "GET /leader/export.csv": "leader",
    "GET /api/v1/study": "token",
    "GET /api/v1/progress": "token",
    "POST /api/v1/pause": "token",
    "POST /api/v1/resume": "token",
    "POST /api/v1/state": "token",
    "GET /api/v1/annotators": "token",
    "GET /api/v1/bonus-lists": "token",
    "POST /api/v1/bonus-lists": "token",
    "GET /api/v1/bonus-lists/{number}": "token",
    "POST /api/v1/bonus-lists/{number}/paid": "token",
    "POST /api/v1/bonus-lists/{number}/withdraw": "token",
    "GET /api/v1/people": "token",
    "GET /api/v1/people/{pseudonym}": "token",
    "POST /api/v1/people/decisions": "token",
    "POST /api/v1/people/approve-finished": "token",
    "POST /api/v1/people/{pseudonym}/remove": "token",
    "GET /api/v1/pay": "token",
    "GET /api/v1/payment/{name}": "token",
    "POST /api/v1/annotators/{pseudonym}/exclude": "token",
    "POST /api/v1/annotators/{pseudonym}/readmit": "token",
    "GET /api/v1/invitations": "token",
    "POST /api/v1/invitations": "token",
    "DELETE /api/v1/invitations/{number}": "token",
    "POST /api/v1/items": "token",
    "GET /api/v1/export.jsonl": "token",
    "GET /api/v1/export.csv": "token",
    "GET /leader/answers": "leader",
    "GET /leader/answers.csv": "leader",
    "GET /leader/answers/{number}": "leader",
    "POST /leader/answers/{number}/decide": "leader",
    "POST /leader/answers/{number}/take-back": "leader",
    "GET /leader/people/{pseudonym}.csv": "leader",
    "GET /leader/people/{pseudonym}": "leader",
    "GET /leader/charts": "leader",
    "GET /leader/charts/{name}.csv": "leader",
    "GET /api/v1/questions": "token",
    "GET /api/v1/questions/{number}": "token",
    "POST /api/v1/questions/{number}/decisions": "token",
    "POST /api/v1/questions/{number}/decisions/take-back": "token",
    "GET /api/v1/people/{pseudonym}/answers": "token",
    "GET /api/v1/charts/{name}": "token",
}
LOGIN = {name: role for name, role in ROLES.items() if re.search("/leader/(login|logout|code|account.*)$", name)}
SHELVED = {
    **{name: role for name, role in ROLES.items() if name not in LOGIN},
    "GET /leader/members": "leader",
    "POST /leader/members": "owner",
    "POST /leader/members/remove": "owner",
    "POST /leader/members/invite": "owner",
    "POST /leader/reload": "leader",
}
"""The routes of a study on a server with many."""
CONSOLE = {
    **LOGIN,
    "GET /": "visitor",
    "GET /static/{name}": "public",
    "GET /healthz": "public",
    "GET /openapi.json": "leader or token",
    "GET /docs": "leader",
    "GET /language/{language}": "visitor",
    "GET /leader": "leader",
    "GET /leader/welcome/{token}": "visitor",
    "POST /leader/welcome/{token}": "visitor",
    "GET /leader/server": "admin",
    "POST /leader/server/invite": "admin",
    "POST /leader/server/admin": "admin",
    "POST /leader/server/remove": "admin",
    "GET /leader/server/log": "admin",
    "GET /leader/new": "leader",
    "POST /leader/new": "leader",
    "POST /leader/copy": "leader",
    "POST /leader/edit/{slug}/file": "leader",
    "GET /leader/edit/{slug}": "leader",
    "GET /leader/edit/{slug}/step/{name}": "leader",
    "POST /leader/edit/{slug}/step/{name}": "leader",
    "GET /leader/edit/{slug}/check": "leader",
    "POST /leader/edit/{slug}/preview": "leader",
    "POST /leader/edit/{slug}/open": "leader",
    "GET /api/v1/studies": "token",
    "GET /s/{slug}": "public",
    "GET /s/{slug}/{rest:path}": "public",
    "POST /s/{slug}/{rest:path}": "public",
}
"""The routes of the console itself."""
MAY = {
    "anonymous": {"public", "visitor"},
    "annotator": {"public", "visitor", "annotator"},
    "leader": {"public", "visitor", "leader", "leader or token"},
    "token": {"public", "visitor", "token", "leader or token"},
}


def methods(route) -> list[str]:
    return [f"{method} {route.path}" for method in route.methods]


def test_every_route_states_its_role(site):
    stated = {name: role_of(route) for route in site().app.routes for name in methods(route)}
    assert {name: role and role.value for name, role in stated.items()} == ROLES


def test_every_route_of_a_console_states_its_role(console):
    served = console("one")
    own = {name: role_of(route) for route in served.app.pages.routes for name in methods(route)}
    assert {name: role and role.value for name, role in own.items()} == CONSOLE
    study = served.app.studies.find("one")
    stated = {name: role_of(route) for route in study.routes for name in methods(route)}
    assert {name: role and role.value for name, role in stated.items()} == SHELVED


LEADS = {
    "anonymous": (),
    "annotator": ("annotator",),
    "otto": (),
    "mia": ("leader", "leader or token"),
    "olga": ("leader", "leader or token", "owner"),
    "anna": ("leader", "leader or token", "owner", "admin"),
    "token of otto": (),
    "token of mia": ("token", "leader or token"),
}
"""What each may do in the study one, beside what anybody may."""
NEVER = (
    "logout",
    "login",
    "/leader/code",
    "/open",
    "/preview",
    "/data/delete",
    "/data/leave",
    "/remove",
    "/server/admin",
)
"""What would change who the others are."""


@pytest.mark.parametrize("who", LEADS)
@pytest.mark.slow
def test_nobody_gets_into_a_study_that_they_do_not_lead(console, who):
    served = console("one", "two")
    if who == "annotator":
        person = served.annotator("one")
    else:
        person = served.leader(who) if who in ("otto", "mia", "olga", "anna") else served.visitor()
    person.client.follow_redirects = False
    if who.startswith("token"):
        person.client.headers["Authorization"] = f"Bearer {served.token(who.split()[-1])}"
    own = {*LEADS[who], "leader", "leader or token"} if who == "otto" else {*LEADS[who]}
    own |= {"token", "leader or token"} if who == "token of otto" else set()
    for root, routes, more in (("/s/one", SHELVED, set(LEADS[who])), ("", CONSOLE, own)):
        for name, role in routes.items():
            method, path = name.split()
            if path.endswith(NEVER) or path.startswith("/s/"):
                continue
            address = root + re.sub(r"\{\w+\}", "1", path.replace("{slug}", "one"))
            fields = {} if "/api/" in path else {"data": {"csrf": token_of(person)}}
            response = person.client.request(method, address, **({} if method != "POST" else fields))
            may = {"public", "visitor", *(LEADS[who] if "{slug}" in path else more)}
            assert shut_out(response) == (role not in may), (who, name, response.status_code)


def shut_out(response) -> bool:
    texts = ("You do not lead this study", "Only owners of the study", "Only admins of the server")
    return refused(response) or (response.status_code == 403 and any(text in response.text for text in texts))


def test_a_route_without_a_role_is_noticed():
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.add_api_route("/forgotten", lambda: "x")
    assert [role_of(route) for route in app.routes] == [None]


@pytest.mark.parametrize("who", MAY)
@pytest.mark.slow
def test_nobody_gets_where_their_role_does_not_lead(site, who):
    served = site()
    person = {"annotator": served.annotator, "leader": served.leader}.get(who, served.visitor)()
    client = person.client
    client.follow_redirects = False
    if who == "token":
        client.headers["Authorization"] = f"Bearer {served.token()}"
    for name, role in ROLES.items():
        if name.endswith(("logout", "login", "/leader/code", "POST /leader/preview", "/data/delete", "/data/leave")):
            continue
        method, path = name.split()
        address = re.sub(r"\{\w+\}", "1", path)
        fields = {} if path.startswith("/api/") else {"data": {"csrf": token_of(person)}}
        response = client.request(method, address, **({} if method != "POST" else fields))
        assert refused(response) == (role not in MAY[who]), (who, name, response.status_code)


def token_of(person) -> str:
    from similitude.collect.annotation.web.security.csrf import form_token

    return form_token(person.client.cookies.get(person.cookie, ""))


def refused(response) -> bool:
    """Turned away at the door: no session, no login (also by a redirect to the form), no token."""
    if response.status_code == 303:
        return response.headers["location"] == "/leader/login"
    return response.status_code in (401, 403) and any(
        text in response.text for text in ("We do not know this browser", "Please log in first", "A valid token")
    )


def test_forms_need_the_token_of_their_own_session(site):
    served = site("rating")
    person, other = served.annotator(), served.annotator()
    batch = person.batch
    form = {"1.value": "3", "1.nonce": "n"}
    address = f"/batch/{batch}/save"
    for wrong in ("", "x", token_of(other), "ü" * 64):
        refused = person.client.post(address, data={**form, "csrf": wrong})
        assert refused.status_code == 403, wrong
    assert person.client.post(address, data=form).status_code == 403
    assert not served.rows()
    assert person.post(address, form).status_code == 200
    leader = served.leader()
    leader.cookie = "visitor"
    assert leader.post("/leader/state", {"state": "paused"}).status_code == 403
    assert store.read_study(served.database).state == "open"


def test_foreign_batches_and_forged_numbers(site):
    served = site("rating")
    mine, other = served.annotator(), served.annotator()
    for address in (f"/batch/{other.batch}/1", f"/batch/{other.batch}/review"):
        assert mine.get(address).status_code == 403
    form = {"1.value": "3", "1.nonce": "n"}
    assert mine.post(f"/batch/{other.batch}/save", form).status_code == 403
    assert mine.post(f"/batch/{other.batch}/send").status_code == 403
    mine.get("/work")
    batch = mine.batch
    assert mine.post(f"/batch/{batch}/save", {"9.value": "3", "9.nonce": "n"}).status_code == 404
    for number in ("999999", "-1", "0", "1e3", "x", "9" * 30, "9" * 5000, "%00", "1;DROP"):
        assert mine.get(f"/batch/{number}/1").status_code in (400, 404), number
        assert mine.get(f"/batch/{batch}/{number}").status_code in (200, 400, 404), number
    assert not served.rows()


@pytest.mark.parametrize("chosen", ["0", "4", "99999", "work0-0", "-1", "1 OR 1", "١"])
def test_forged_options_are_no_answer(site, chosen):
    served = site()
    person = served.annotator()
    assert person.answer(best=chosen, worst="2").status_code == 422
    assert not served.rows()


def test_scripts_in_texts_and_names_are_only_text(site):
    item = {"id": NASTY, "left": NASTY, "right": NASTY, "language": '"><script>', "condition": NASTY}
    question = Question(key="q", items=(item,))
    served = site(
        "verification",
        questions=[question],
        title={"en": NASTY},
        guidelines={"en": NASTY + "\n\n[x](javascript:alert(3)) ![y](http://example.org/z.png)"},
        consent={"en": NASTY},
        contact=NASTY,
        scale={"low": 1, "high": 5, "labels": {"1": NASTY}},
    )
    person, leader = served.joined(), served.leader()
    pages = [person.page, person.get("/instructions"), person.post("/consent", {"agree": "yes"}), person.get("/work")]
    pages += [person.answer(applies="maybe", value=NASTY), person.answer(applies="yes", value="1")]
    name = store.annotator_rows(served.database, now=served.now)[0].annotator.pseudonym
    leader.post(f"/leader/annotators/{name}/exclude", {"reason": NASTY})
    leader.post("/leader/invitations", {"count": "1", "uses": "1", "note": NASTY})
    pages += [leader.get(f"/leader{page}") for page in ("", "/annotators", "/invitations", "/audit", "/items")]
    pages += [leader.post("/leader/login", {"name": NASTY, "password": "x"})]
    for page in pages:
        assert "<script>alert" not in page.text, page.url
        assert "<img" not in page.text, page.url
        assert "javascript:" not in re.sub(r"\[x\]\(javascript:alert\(3\)\)", "", page.text), page.url
    assert "&lt;script&gt;alert(1)" in pages[3].text


@pytest.mark.parametrize("page", ["/", "/leader/login", "/nowhere", "/work", "/static/annotation.css", "/healthz"])
def test_every_response_is_hardened(site, page):
    response = site().visitor().get(page)
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["x-frame-options"] == "DENY"
    assert response.headers["referrer-policy"] == "same-origin"
    expected = "immutable" if page.startswith("/static") else "no-store"
    assert expected in response.headers["cache-control"]
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", response.text), "nothing inline"


def test_an_unforeseen_error_is_a_hardened_page_with_a_reference(site, monkeypatch, caplog):
    served = site()
    monkeypatch.setattr(served.app.state.services.analysis, "look", lambda: 1 / 0)
    leader = served.leader()
    page = leader.get("/leader")
    reference = re.search(r"Reference: (\w+)", page.text)[1]
    assert page.status_code == 500
    assert "content-security-policy" in page.headers
    assert "ZeroDivisionError" not in page.text
    assert f"error {reference} in GET /leader" in caplog.text


def test_cookies_of_a_server_behind_https(site):
    served = site(settings={"secure_cookies": True})
    client = served.client(base_url="https://testserver")
    given = client.get("/").headers["set-cookie"]
    assert given.startswith("__Host-visitor=")
    for part in ("HttpOnly", "SameSite=lax", "Secure", "Path=/"):
        assert part in given
    assert "max-age" in client.get("/").headers["strict-transport-security"]


def test_cookies_inside_the_frame_of_mturk(site):
    origins = {"frame_ancestors": MTURK_ORIGINS, "form_targets": MTURK_ORIGINS}
    served = site(settings={"secure_cookies": True, **origins})
    client = served.client(base_url="https://testserver")
    response = client.get("/")
    assert "SameSite=none" in response.headers["set-cookie"]
    assert response.headers["set-cookie"].endswith("; Partitioned")
    policy = response.headers["content-security-policy"]
    assert "frame-ancestors https://worker.mturk.com" in policy
    assert "form-action 'self' https://worker.mturk.com" in policy
    assert "x-frame-options" not in response.headers


@pytest.mark.parametrize("by", ["name", "address"])
def test_passwords_are_guessed_slowly(site, by):
    served = site(settings={"login_attempts": 3})
    person = served.visitor()
    for number in range(3):
        name = "anna" if by == "name" else f"somebody{number}"
        assert person.post("/leader/login", {"name": name, "password": "wrong"}).status_code == 403
    assert person.post("/leader/login", {"name": "anna", "password": "wrong"}).status_code == 403, "one more, slowly"
    page = person.post("/leader/login", {"name": "anna", "password": PASSWORD})
    assert (page.status_code, page.headers["retry-after"]) == (429, "5")
    assert "Too many attempts" in page.text
    served.clock.passed += timedelta(seconds=5)
    assert person.post("/leader/login", {"name": "anna", "password": PASSWORD}).status_code == 200


def test_guesses_of_others_lock_nobody_out(site):
    served = site(settings={"login_attempts": 3})
    stranger = served.visitor(client=("192.0.2.7", 1))
    for _ in range(10):
        stranger.post("/leader/login", {"name": "anna", "password": "wrong"})
        served.clock.passed += timedelta(seconds=5)
    assert stranger.post("/leader/login", {"name": "anna", "password": "wrong"}).status_code == 403
    leader = served.visitor(client=("192.0.2.8", 1))
    assert leader.post("/leader/login", {"name": "anna", "password": PASSWORD}).status_code == 200


def test_invitations_and_tokens_cannot_be_guessed_for_ever(site):
    served = site(settings={"wrong_links": 3})
    person = served.visitor()
    for _ in range(3):
        assert person.post("/join/guess").status_code == 403
    assert person.post("/join/guess").status_code == 429
    assert person.get("/api/v1/progress", headers={"Authorization": "Bearer guess"}).status_code == 429
    right = {"Authorization": f"Bearer {served.token()}"}
    assert person.get("/api/v1/progress", headers=right).status_code == 200
    assert person.post(served.invitation()).status_code == 200, "wrong links block no right one"


def test_leaders_pages_are_never_framed(site):
    origins = {"frame_ancestors": MTURK_ORIGINS, "form_targets": MTURK_ORIGINS}
    served = site(settings={"secure_cookies": True, **origins})
    client = served.client(base_url="https://testserver")
    response = client.get("/leader/login")
    assert response.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("judge.example.org", 200),
        ("JUDGE.example.org:8000", 200),
        ("localhost:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("judge.example.org.evil.example", 421),
        ("judge.example.org@evil.example", 421),
        ("", 421),
        ("[", 421),
        ("\u00e4", 421),
    ],
)
def test_requests_for_other_names_are_refused(site, host, status):
    served = site(settings={"hosts": known_hosts("127.0.0.1", "https://judge.example.org")})
    response = served.client().get("/healthz", headers={"Host": host.encode("latin-1")})
    assert response.status_code == status


@pytest.mark.slow
def test_a_crowd_behind_one_address_comes_in_by_invitation(site):
    served = site(settings={"wrong_links": 2, "entries": 2})
    assert all(served.visitor().post(served.invitation()).status_code == 200 for _ in range(5))


@pytest.mark.parametrize("length", ["announced", "hidden"])
def test_a_form_of_more_than_a_megabyte_is_refused(site, length):
    served = site("conditions")
    person = served.annotator()
    body = b"csrf=" + token_of(person).encode() + b"&1.nonce=n&1.alike=" + b"x" * 10_000_000
    content = body if length == "announced" else iter([body[:5_000_000], body[5_000_000:]])
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    response = person.client.post(f"/batch/{person.batch}/save", content=content, headers=kind)
    assert response.status_code == 413
    assert "at most 1 MB" in response.text
    assert "content-security-policy" in response.headers
    long = person.post(f"/batch/{person.batch}/save", {"1.nonce": "n", "1.alike": "x" * 200_000})
    assert long.status_code == 422, "a long form of somebody who is known is read"


def test_large_bodies_need_a_session_and_an_address_that_takes_them(site):
    served = site("rating")
    leader, stranger = served.leader(), served.visitor()
    csv = {"file": ("items.csv", b"id,left,right\n" + b"x,a,b\n" * 200_000)}
    assert stranger.post("/leader/items", files=csv).status_code == 403
    assert leader.post("/leader/login", {"name": "a" * 2_000_000}).status_code == 413
    assert leader.post("/leader/items", files=csv).status_code == 422, "it was read: an id comes twice"
    assert leader.post("/leader/items", files={"file": ("a.csv", b"x" * 10_000_001)}).status_code == 413
    rows = {"items": [{"id": f"i{number}", "left": "a", "right": "b"} for number in range(3000)]}
    for token, status in ((served.token(), 201), ("wrong", 401)):
        client = served.client(headers={"Authorization": f"Bearer {token}"})
        assert client.post("/api/v1/items", json=rows).status_code == status
    assert served.client().post("/api/v1/items", json=rows).status_code == 413


@pytest.mark.parametrize(
    "body", [b"1.alike=\xff\xfe", b"1.alike=%ff%fe", b"1.alike=%ed%a0%80", b"\xc3=1", b"1.alike=%00"]
)
def test_invalid_utf8_is_told_and_not_mended(site, body):
    served = site("conditions")
    person = served.annotator()
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    response = person.client.post(f"/batch/{person.batch}/save", content=body, headers=kind)
    assert response.status_code == 400
    assert "UTF-8" in response.text
    assert person.client.get("/join/%ff").status_code == 400
    assert person.client.get("/prolific?PROLIFIC_PID=%ff").status_code == 400


def test_odd_bodies(site):
    person = site().annotator()
    address = f"/batch/{person.batch}/save"
    assert person.client.post(address, json={"csrf": "x"}).status_code == 415
    many = "&".join(f"x{number}=1" for number in range(2000))
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert person.client.post(address, content=many, headers=kind).status_code == 400
    assert person.client.put(address).status_code == 405
    assert person.client.post(address, files={"1.alike": b"x"}).status_code == 403


def test_no_secret_is_written_down(site, caplog):
    caplog.set_level(logging.DEBUG)
    served = site("rating", access={"prolific": {"completion_url": "https://example.org/"}})
    link = served.invitation()
    person = served.visitor()
    person.get(link)
    person.post(link)
    person.cookie = "annotator"
    person.post("/consent", {"agree": "yes"})
    person.get("/work")
    person.answer(value="1")
    served.visitor().get("/prolific?PROLIFIC_PID=person-of-prolific")
    token = served.token()
    person.get("/api/v1/progress", headers={"Authorization": f"Bearer {token}"})
    served.leader()
    ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("similitude"))
    assert "POST /join/{token} 303" in ours
    secrets = [link.rpartition("/")[2], "person-of-prolific", token, "correct horse", *person.client.cookies.values()]
    assert not [secret for secret in secrets if secret in ours]


def test_annotators_see_neither_gold_nor_each_other(site):
    gold = [Question(key="g", kind="gold", items=({"id": "g", "left": "a", "right": "b"},), expected={"value": 4.0})]
    work = [Question(key=f"w{n}", items=({"id": f"w{n}", "left": "a", "right": f"c{n}"},)) for n in range(3)]
    served = site(
        "rating",
        questions=[*work, *gold],
        gold={"questions": "g.jsonl"},
        batch={"questions": 4, "gold_share": 0.25},
    )
    first = served.annotator()
    first.answer_all(value="1")
    names = [row.annotator.pseudonym for row in store.annotator_rows(served.database, now=served.now)]
    second = served.annotator()
    seen = ""
    while "data-questions" in second.page.text:
        seen += second.page.text
        second.answer(value="5")
    seen += second.page.text
    assert "gold" not in seen.lower().replace("gold-", "")
    assert not [name for name in names if name in seen]


def test_signing_out_ends_the_session_for_good(site):
    leader = site().leader()
    session = leader.client.cookies["leader"]
    assert str(leader.post("/leader/logout").url.path) == "/leader/login"
    leader.client.cookies.set("leader", session)
    assert str(leader.get("/leader").url.path) == "/leader/login"


def test_guards_are_all_used():
    assert {*ROLES.values(), *SHELVED.values(), *CONSOLE.values()} == {role.value for role in Role}


READ_BY_HAND = (
    "after", "words", "kind", "state", "language", "group", "least", "most", "apart", "decided", "sort", "search",
    "show", "page",
)  # fmt: skip
"""Parameters of addresses that pages read themselves; the others are stated by their routes."""
ODD = (
    "x",
    "",
    "-1",
    "1e400",
    "nan",
    "9" * 40,
    "\u0660",
    "true",
    "[]",
    "W10",
    "WzFd",
    "' OR 1=1 --",
    "a" * 600,
    "\ud83d",
)
"""Values of every wrong type: no number, too large a number, JSON, base64 of JSON, half a character."""


def parameters_of(route) -> set[str]:
    """What an address may say: as the route states it, or all names where its module reads them by hand."""
    stated = {each.alias for each in route.dependant.query_params}
    by_hand = "query_params" in inspect.getsource(inspect.getmodule(route.endpoint))
    return stated | set(READ_BY_HAND if by_hand else ())


@pytest.mark.slow
def test_no_parameter_of_any_page_or_download_breaks_it(site, console):
    age = {"id": "a", "kind": "age", "text": {"en": "How old are you?"}}
    served = site("rating", pay={"currency": "EUR", "per_batch": "1"}, survey={"before": [age]})
    many = console("one")
    failed, asked = [], 0
    for app, leader in ((served.app, served.leader()), (many.app.pages, many.leader())):
        leader.client.headers["Authorization"] = f"Bearer {served.token() if app is served.app else many.token('anna')}"
        for route in app.routes:
            if "GET" not in route.methods:
                continue
            address = route.path.replace("{number}", "1").replace("{rest:path}", "x")
            address = re.sub(r"{\w+}", "progress", address.replace("{slug}", "one"))
            for name, value in product(parameters_of(route), ODD):
                sent = urlencode({name: value.encode("utf-8", "surrogatepass")})
                status = leader.client.get(f"{address}?{sent}", follow_redirects=False).status_code
                asked += 1
                failed += [(address, sent, status)] if status >= 500 else []
    assert not failed
    assert asked > 800


@pytest.mark.parametrize(("sent", "status"), [("after=x", 409), ("state=x", 422), ("least=many", 422), ("", 200)])
def test_a_download_that_cannot_be_made_is_refused_before_it_begins(site, sent, status):
    leader = site("rating").leader()
    told = leader.get(f"/leader/answers.csv?{sent}")
    assert told.status_code == status
    assert told.headers["content-type"].startswith("text/csv") is (status == 200)
