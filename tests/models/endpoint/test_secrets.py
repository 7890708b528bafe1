"""The key is where it must be, in the header of a request to the endpoint, and nowhere else."""

import json
import logging
import pickle
import traceback

import pytest
from endpoint_server import EndpointServer, Fault

from similitude.errors import EndpointError
from similitude.models.cache import AnswerStore
from similitude.models.language import answer_cache as remembering
from similitude.models.language.endpoint import open_endpoint

KEY = "sk-proj-Zx81nq0LkTTwVb33"

FAULTS = [
    Fault("status", 401, body={"error": {"message": f"Incorrect API key provided: {KEY}"}}),
    Fault("status", 403, body={"error": {"message": f"{KEY} may not"}}),
    Fault("status", 400, body={"error": {"message": f"Bad header 'Bearer {KEY}'"}}),
    Fault("status", 404, body=f"nothing for {KEY}"),
    Fault("status", 500, body=[KEY]),
    Fault("status", 418, body={"detail": KEY}),
    *(Fault("status", status, body={"error": {"message": "x" * 150 + 8 * KEY}}) for status in (200, 400, 403, 500)),
    Fault("garbage"),
    Fault("reset"),
]


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)


def model(server: EndpointServer, **more):
    return open_endpoint("tiny", url=server.url, key_variable="MY_KEY", retries=1, **more)


def test_the_key_reaches_the_endpoint(server, ask):
    server.key = KEY
    assert len(list(model(server).answers(ask(3)))) == 3


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.kind}-{fault.status}")
def test_no_error_no_note_and_no_log_holds_it(server, ask, ear, caplog, fault):
    caplog.set_level(logging.DEBUG)
    server.always = fault
    with pytest.raises(EndpointError) as caught:
        list(model(server).answers(ask(3), ear))
    shown = "".join(traceback.format_exception(caught.value))
    for text in (str(caught.value), repr(caught.value), repr(vars(caught.value)), shown, *ear.notes, caplog.text):
        assert KEY[:8] not in text  # nor a part of it, where a long message is cut
    assert not any(KEY in str(vars(record)) for record in caplog.records)


def test_no_file_holds_it(server, ask, tmp_path, ear):
    server.key = KEY
    asked = model(server)
    remembering.ask(asked, ask(20), AnswerStore(tmp_path / "answers.sqlite"), ear)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(KEY.encode() in path.read_bytes() for path in files)
    assert KEY not in json.dumps(ear.notes) + repr(ear.heard)


def test_neither_identity_nor_repr_nor_pickle_hold_it(server):
    asked = model(server)
    for text in (repr(asked), repr(asked.endpoint), repr(asked.key), repr(vars(asked))):
        assert KEY not in text
    assert KEY.encode() not in pickle.dumps(asked.endpoint)


def test_what_the_environment_says_of_openai_is_told_to_no_one_else(server, ask, monkeypatch):
    leaks = {
        "OPENAI_API_KEY": "leak-key",
        "OPENAI_ADMIN_KEY": "leak-admin",
        "OPENAI_ORG_ID": "leak-organisation",
        "OPENAI_PROJECT_ID": "leak-project",
        "OPENAI_WEBHOOK_SECRET": "leak-secret",
        "OPENAI_CUSTOM_HEADERS": "X-Mine: leak-header\nauthorization: Bearer leak-auth",
        "OPENAI_BASE_URL": "http://leak.invalid/v1",
    }
    for name, value in leaks.items():
        monkeypatch.setenv(name, value)
    list(open_endpoint("tiny", url=server.url).answers(ask(1)))
    list(model(server).answers(ask(1)))
    assert "leak" not in repr(server.asked)
    assert [asked.headers.get("authorization") for asked in server.asked] == [None, f"Bearer {KEY}"]


def test_a_loopback_endpoint_is_not_asked_through_a_proxy(server, ask, monkeypatch):
    with EndpointServer() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert len(list(open_endpoint("tiny", url=server.url).answers(ask(2)))) == 2
        assert proxy.asked == []


def test_any_other_goes_through_it(ask, monkeypatch):
    with EndpointServer() as proxy:
        proxy.always = Fault("status", 402)
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        with pytest.raises(EndpointError, match="no credit left"):
            list(open_endpoint("tiny", url="http://models.invalid/v1", key_variable=None).answers(ask(1)))
        assert proxy.asked[0].path == "http://models.invalid/v1/chat/completions"


def test_a_key_that_goes_unencrypted_is_told(ask, ear):
    with pytest.raises(EndpointError):
        list(open_endpoint("tiny", url="http://models.invalid/v1", key_variable="MY_KEY").answers(ask(1), ear))
    assert ear.notes == ["the key is sent to models.invalid unencrypted, since its URL starts with http:"]
