import email.utils
import math
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from endpoint_server import EndpointServer, Fault
from patience import until

from similitude.errors import ArgumentError, EndpointError, RunError
from similitude.models.language.endpoint import caller as calling
from similitude.models.language.endpoint import open_endpoint
from similitude.models.language.protocol import Message, ModelAnswer, ModelQuestion


def collected(answers) -> tuple[dict[int, ModelAnswer], EndpointError]:
    """What arrived, and the error after it."""
    found: dict[int, ModelAnswer] = {}
    with pytest.raises(EndpointError) as caught:
        found.update(answers)  # those before the error are in it
    return found, caught.value


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "endpoint"]


class TestPassing:
    @pytest.mark.parametrize(
        "fault",
        [
            Fault("status", 500),
            Fault("status", 502, body="<html>bad gateway</html>"),
            Fault("status", 503, headers={"retry-after": "0"}),
            Fault("status", 429),
            Fault("status", 429, headers={"retry-after-ms": "10"}),
            Fault("status", 408),
            Fault("reset"),
            Fault("cut"),
            Fault("garbage"),
            Fault("html"),
            Fault("wrong"),
            Fault("status", 200, body={"error": {"message": "upstream is busy", "code": 502}}),
        ],
        ids=lambda fault: f"{fault.kind}-{fault.status}" if fault.kind == "status" else fault.kind,
    )
    def test_it_is_asked_again_and_answered(self, server, ask, ear, fault):
        server.fail(fault, fault)
        model = open_endpoint("tiny", url=server.url, concurrency=4)
        found = dict(model.answers(ask(6), ear))
        assert [found[place].text for place in range(6)] == ["2", "2", "2", "2", "2", "2"]
        assert len(server.asked) == 8
        assert model.usage.repeated == 2
        assert "2 requests failed first and were sent again" in ear.notes[-1]

    @pytest.mark.parametrize(
        ("fault", "words"),
        [
            (Fault("status", 500), "the endpoint failed (status 500: told to fail)"),
            (Fault("reset"), "the connection was interrupted"),
            (Fault("cut"), "the connection was interrupted"),
            (Fault("garbage"), "cannot read an answer (not JSON"),
            (Fault("wrong"), "cannot read an answer (no answer in it"),
            (Fault("status", 429), "too many requests"),
            (Fault("status", 200, body={"error": {"message": "upstream is busy"}}), "upstream is busy"),
        ],
    )
    def test_it_is_an_error_after_so_many_tries(self, server, ask, fault, words):
        server.always = fault
        found, error = collected(open_endpoint("tiny", url=server.url, retries=2).answers(ask(6)))
        assert found == {}
        assert words in str(error)
        assert str(error).startswith(f"tiny at {server.url}: ")
        assert len(server.asked) == (5 if fault.status == 429 else 3)  # twice the patience with one that is busy

    def test_it_is_not_tried_again_where_that_is_not_wanted(self, server, ask):
        server.fail(Fault("status", 500))
        collected(open_endpoint("tiny", url=server.url, retries=0).answers(ask(2)))
        assert len(server.asked) == 1

    def test_waits_grow(self, server, ask, monkeypatch, naps):
        monkeypatch.setattr(calling, "_FIRST_WAIT", 0.1)
        monkeypatch.setattr(calling.random, "uniform", lambda low, high: high)
        server.always = Fault("status", 500)
        collected(open_endpoint("tiny", url=server.url, retries=3).answers(ask(1)))
        assert [nap for nap in naps if nap] == [0.1, 0.2, 0.4]


class TestRetryAfter:
    @pytest.mark.parametrize("written", ["50", "date"])
    def test_it_is_waited_for_by_all(self, server, ask, naps, written):
        model = open_endpoint("tiny", url=server.url, concurrency=4)
        list(model.answers(ask(1)))
        value = email.utils.formatdate(time.time() + 50, usegmt=True) if written == "date" else written
        server.fail(Fault("status", 429, {"retry-after": value}))
        list(model.answers(ask(12)))
        # The four under way at that moment went out at once; the other eight and the one that is sent again wait.
        assert sum(nap > 10 for nap in naps) >= 9
        assert len(server.asked) == 1 + 13

    def test_too_long_a_wait_is_told_instead(self, server, ask, naps):
        server.always = Fault("status", 429, {"retry-after": "86400"})
        _, error = collected(open_endpoint("tiny", url=server.url).answers(ask(3)))
        assert not any(naps)
        assert "too many requests" in str(error)
        assert "the answers so far are stored" in str(error)


class TestFinal:
    def test_a_wrong_key(self, server, ask, monkeypatch):
        monkeypatch.setenv("MY_KEY", "wrong")
        server.key = "right"
        found, error = collected(open_endpoint("tiny", url=server.url, key_variable="MY_KEY").answers(ask(9)))
        assert (found, len(server.asked)) == ({}, 1)
        assert "the key in MY_KEY is not accepted (status 401); set the right key" in str(error)

    def test_a_loopback_endpoint_that_wants_a_key_after_all(self, server, ask, monkeypatch):
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        server.key = "right"
        _, error = collected(open_endpoint("tiny", url=server.url).answers(ask(9)))
        assert "requires a key" in str(error)
        assert "key_variable" in str(error)
        assert "authorization" not in server.asked[0].headers

    def test_no_key_at_all(self, ask):
        with pytest.raises(ArgumentError, match="OPENAI_API_KEY contains no key"):
            list(open_endpoint("gpt").answers(ask(1)))

    def test_a_key_that_may_not(self, server, ask, monkeypatch):
        monkeypatch.setenv("MY_KEY", "k")
        server.always = Fault("status", 403, body={"error": {"message": "Project has no access."}})
        _, error = collected(open_endpoint("tiny", url=server.url, key_variable="MY_KEY").answers(ask(9)))
        assert "may not use this model (status 403: Project has no access.)" in str(error)

    def test_an_unknown_model(self, server, ask):
        _, error = collected(open_endpoint("huge", url=server.url).answers(ask(9)))
        assert "no model 'huge'" in str(error)
        assert len(server.asked) == 1

    def test_a_url_with_nothing_behind_it(self, server, ask):
        _, error = collected(open_endpoint("tiny", url=server.url.replace("/v1", "/v9")).answers(ask(9)))
        assert "no chat API at that URL" in str(error)
        assert "most end in /v1" in str(error)

    def test_an_endpoint_that_is_down_is_told_at_once(self, ask, naps):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
            _, error = collected(
                open_endpoint("tiny", url=f"http://127.0.0.1:{taken.getsockname()[1]}/v1").answers(ask(9))
            )
        assert not any(naps)
        assert "cannot connect (" in str(error)
        assert "check that its server is running" in str(error)

    def test_a_host_that_does_not_exist(self, ask):
        _, error = collected(open_endpoint("tiny", url="http://nowhere.invalid/v1", key_variable=None).answers(ask(2)))
        assert "cannot connect (" in str(error)
        assert "check the URL and the network" in str(error)

    def test_an_account_with_nothing_left_is_not_waited_for(self, server, ask):
        body = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
        server.always = Fault("status", 429, body=body)
        _, error = collected(open_endpoint("tiny", url=server.url).answers(ask(9)))
        assert "the account has no credit left" in str(error)
        assert len(server.asked) == 1

    @pytest.mark.parametrize(
        "message",
        [
            "This model's maximum context length is 4097 tokens, however you requested 5000 tokens",
            "request (3031 tokens) exceeds the available context size (1024 tokens), try increasing it",
            "'max_tokens' or 'max_completion_tokens' is too large: 5. This model's maximum context length is 9 tokens",
        ],
    )
    def test_a_prompt_longer_than_the_window(self, server, ask, message):
        server.always = Fault("status", 400, body={"error": {"message": message}})
        _, error = collected(open_endpoint("tiny", url=server.url).answers(ask(9)))
        assert "a prompt is too long for the model" in str(error)
        assert "set window" in str(error)
        assert len(server.asked) == 1

    def test_errors_name_the_wait_and_the_item(self, server):
        server.always = Fault("status", 429, headers={"retry-after": "600"})
        question = ModelQuestion(messages=(Message("user", "hello"),), about="item 'p12'")
        _, error = collected(open_endpoint("tiny", url=server.url).answers([question]))
        assert "it asks to wait 600 seconds, longer than the 300 that are waited" in str(error)
        assert str(error).startswith("item 'p12', tiny at http")

    def test_errors_say_how_often_it_was_tried(self, server, naps):
        server.always = Fault("status", 500)
        question = ModelQuestion(messages=(Message("user", "hello"),), about="item 'p12'")
        _, error = collected(open_endpoint("tiny", url=server.url, retries=2).answers([question]))
        assert "; tried 3 times in " in str(error)

    def test_a_redirect_is_not_followed(self, server, ask):
        with EndpointServer() as other:
            server.always = Fault("status", 307, {"location": f"{other.url}/chat/completions?x=1"}, body="")
            _, error = collected(open_endpoint("tiny", url=server.url).answers(ask(2)))
            assert f"redirects to {other.url}/chat/completions (status 307)" in str(error)
            assert other.asked == []

    def test_an_endpoint_that_is_silent(self, server, ask):
        server.always = Fault("slow", seconds=300)
        _, error = collected(open_endpoint("tiny", url=server.url, timeout=0.5).answers(ask(9)))
        assert "no answer within 0.5 seconds" in str(error)
        assert len(server.asked) == 3


class TestInTheMiddle:
    def test_what_was_answered_before_comes_first(self, server, ask):
        server.silent_after = 12
        answers = open_endpoint("tiny", url=server.url, concurrency=2).answers(ask(40))
        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(collected, answers)
            until(lambda: len(server.asked) == 14, "two are under way")
            server.always, server.silent_after = Fault("status", 401), math.inf
            found, error = reading.result()
        assert "requires a key" in str(error)
        # Each that was answered arrived; of those that failed none was begun after the first failure was seen.
        assert len(found) == 12
        assert len(server.asked) == 14

    def test_nothing_more_is_asked_before_an_answer_is_taken(self, server, ask):
        answers = open_endpoint("tiny", url=server.url, concurrency=2).answers(ask(40))
        next(answers)
        next(answers)
        until(lambda: len(server.asked) == 3, "the first runs alone; then two connections ask, and wait for the reader")
        time.sleep(0.2)
        assert len(server.asked) == 3
        assert len(list(answers)) == 38

    def test_what_cannot_be_kept_stops_the_asking(self, server, ask):
        answers = open_endpoint("tiny", url=server.url, concurrency=2).answers_with_receipts(ask(40))
        _, _, receipt = next(answers)
        receipt.lost(RunError("no room"))
        with pytest.raises(RunError, match="no room"):
            list(answers)
        assert len(server.asked) == 1

    def test_others_under_way_may_still_end(self, server, ask):
        model = open_endpoint("tiny", url=server.url, concurrency=3)
        list(model.answers(ask(1)))
        server.fail(Fault("slow", seconds=1.0), Fault("slow", seconds=1.0), Fault("status", 402))
        found, error = collected(model.answers(ask(12)))
        assert "no credit left" in str(error)
        assert len(found) == 2
        assert len(server.asked) == 4

    def test_a_server_that_comes_back_soon_is_waited_for(self, ask, monkeypatch):
        monkeypatch.setattr(calling, "_FIRST_WAIT", 0.4)
        with EndpointServer() as server:
            model = open_endpoint("tiny", url=server.url, concurrency=2)
            list(model.answers(ask(2)))
        again = EndpointServer(port=server.port)
        timer = threading.Timer(0.3, again.__enter__)
        timer.start()
        assert len(list(model.answers(ask(4)))) == 4
        timer.join()
        again.__exit__()

    def test_a_question_that_the_endpoint_will_not_answer_is_an_empty_answer(self, server, ask):
        body = {"error": {"message": "The response was filtered", "code": "content_filter"}}
        server.fail(Fault("status", 400, body=body))
        found = dict(open_endpoint("tiny", url=server.url).answers(ask(3)))
        assert found[0] == ModelAnswer("", finish="content_filter")
        assert found[2].text == "2"

    def test_an_empty_answer_is_an_answer(self, server, ask):
        server.fail(Fault("empty"))
        found = dict(open_endpoint("tiny", url=server.url).answers(ask(2)))
        assert (found[0].text, found[0].finish) == ("", "length")


class TestStopping:
    def test_a_reader_that_stops_ends_requests_and_thread(self, server, ask):
        server.silent_after = 5
        answers = open_endpoint("tiny", url=server.url, concurrency=4).answers(ask(200))
        for _ in range(5):
            next(answers)
        until(lambda: len(server.asked) == 8, "three requests are under way, and one connection waits for the reader")
        answers.close()
        assert threads() == []
        server.silent_after = math.inf
        until(lambda: server.at_once == 0, "the server is done with them")
        assert len(server.asked) == 8

    def test_an_interrupt_hands_on_what_had_come(self, server, ask, monkeypatch):
        answers = open_endpoint("tiny", url=server.url, concurrency=4).answers(ask(200))
        found = [next(answers) for _ in range(3)]
        until(lambda: len(server.asked) == 6 and server.at_once == 0, "more have arrived")
        time.sleep(0.2)

        from similitude.models.language.endpoint import event_loop as background

        def interrupted(thread):
            monkeypatch.undo()
            raise KeyboardInterrupt

        monkeypatch.setattr(background, "_next", interrupted)
        with pytest.raises(KeyboardInterrupt):
            found.extend(answers)
        assert len(found) == 6
        assert len({place for place, _ in found}) == len(found)
        assert threads() == []
