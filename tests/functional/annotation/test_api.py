"""The REST API: what it does, and that it does what it says for whatever is sent (schemathesis)."""

import json

import pytest
from hypothesis import HealthCheck, given, settings

from similitude.collect.annotation import store

EXAMPLES = 4
schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")


@pytest.fixture
def api(site):
    # The description names the token, so schemathesis also calls every operation without one, which is limited.
    served = site("rating", pay={"currency": "EUR", "per_batch": "2.00"}, settings={"wrong_links": 100_000})
    client = served.visitor().client
    client.headers["Authorization"] = f"Bearer {served.token()}"
    return served, client


def test_watch_and_steer(api):
    served, client = api
    person = served.annotator()
    person.answer_all(value="3")
    person.post(f"/batch/{person.batch}/send")
    assert client.get("/api/v1/study").json()["task"] == "rating"
    progress = client.get("/api/v1/progress").json()
    assert (progress["done"], progress["wanted"], progress["rate"]) == (3, 150, None)
    assert client.post("/api/v1/pause").json()["state"] == "paused"
    assert client.post("/api/v1/resume").json()["state"] == "open"
    (annotator,) = client.get("/api/v1/annotators").json()
    assert annotator["answered"] == 3
    address = f"/api/v1/annotators/{annotator['pseudonym']}"
    assert client.post(f"{address}/exclude", json={"why": "random"}).status_code == 204
    assert client.post(f"{address}/exclude", json={"why": "random"}).status_code == 409
    assert client.get("/api/v1/annotators").json()[0]["excluded"]
    assert client.post(f"{address}/readmit", json={}).status_code == 204
    assert [json.loads(line)["value"] for line in client.get("/api/v1/export.jsonl").text.splitlines()] == [3, 3, 3]
    assert len(client.get("/api/v1/export.csv").text.splitlines()) == 4
    assert "anna" in str(store.audit_log(served.database))


def test_invite(api):
    served, client = api
    made = client.post("/api/v1/invitations", json={"count": 2, "limit": None, "note": "class"}).json()
    assert [each["link"][:23] for each in made] == ["http://testserver/join/"] * 2
    assert str(served.visitor().post(made[0]["link"]).url.path) == "/consent"
    assert client.delete(f"/api/v1/invitations/{made[0]['id']}").status_code == 204
    assert served.visitor().post(made[0]["link"]).status_code == 403
    listed = client.get("/api/v1/invitations").json()
    assert [each["link"] for each in listed] == [None, None]


def test_add_items(api):
    served, client = api
    items = [{"id": f"new{place}", "left": "one", "right": f"two {place}"} for place in range(3)]
    assert client.post("/api/v1/items", json={"items": items}).json() == {"added": 3}
    assert client.post("/api/v1/items", json={"items": items}).json() == {"added": 0}
    assert client.post("/api/v1/items", json={"items": [*items, items[0]]}).status_code == 422
    assert client.post("/api/v1/items", json={"items": [{**items[0], "left": "  "}]}).status_code == 422
    half = b'{"items": [{"id": "h", "left": "\\ud800", "right": "b"}]}'
    kind = {"Content-Type": "application/json"}
    assert client.post("/api/v1/items", content=half, headers=kind).status_code == 422
    assert store.progress(served.database, now=served.now).questions == 6


def test_errors_are_json(api):
    _, client = api
    missing = client.post("/api/v1/annotators/nobody/readmit", json={})
    assert (missing.status_code, missing.json()["error"]) == (404, "no_annotator")
    wrong = client.post("/api/v1/annotators/nobody/exclude", json={"why": "", "secret": "abc"})
    assert wrong.status_code == 422
    assert "abc" not in wrong.text, "what was sent is not repeated"
    assert client.get("/api/v1/nothing").json()["error"] == "not_found"
    assert client.get("/api/v1/progress", headers={"Authorization": "Bearer x"}).status_code == 401
    broken = client.post("/api/v1/items", content=b'{"items": "\xff"}', headers={"Content-Type": "application/json"})
    assert broken.status_code in (400, 422)
    assert client.post("/api/v1/items", content=b"x" * 10_000_001).status_code == 413


def test_the_description_is_for_leaders_and_tokens(api):
    served, client = api
    described = client.get("/openapi.json").json()
    assert set(described["paths"]) == {
        route.path for route in served.app.routes if route.path.startswith("/api/v1/")
    }, "pages are not part of it"
    assert served.visitor().get("/openapi.json").url.path == "/leader/login"


def statuses_of(operation, token: str) -> set[int]:
    """Send a few requests made from the description, each reply checked against it; the statuses that came back."""
    seen = set()

    @settings(
        max_examples=EXAMPLES, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy())
    def keeps_its_word(case):
        response = case.call(headers={"Authorization": token}, timeout=600)
        seen.add(response.status_code)
        # An id that comes twice is refused, and no description can say so.
        case.validate_response(response, excluded_checks=[schemathesis.checks.positive_data_acceptance])

    keeps_its_word()
    return seen


@pytest.mark.slow
def test_whatever_is_sent_the_api_keeps_its_word(api):
    served, client = api
    schema = schemathesis.openapi.from_asgi("/openapi.json", served.app, headers=dict(client.headers))
    operations = [found.ok() for found in schema.get_all_operations()]
    seen = {each.label: statuses_of(each, client.headers["Authorization"]) for each in operations}
    described = client.get("/openapi.json").json()["paths"]
    assert len(seen) == sum(len(methods) for methods in described.values()) > 20
    assert not [name for name, statuses in seen.items() if max(statuses) >= 500]
    somebody = ("{", "/people/decisions", "POST /api/v1/bonus-lists")  # these need something that is there
    plain = {name: statuses for name, statuses in seen.items() if not any(part in name for part in somebody)}
    assert not [name for name, statuses in plain.items() if not statuses & {200, 201}]
