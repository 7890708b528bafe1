"""Clients that send half a request, or go away: their connections are closed, and the log holds no traceback."""

import asyncio
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import uvicorn

from similitude.collect.annotation.web.security import request_limits
from similitude.collect.annotation.web.security.request_limits import LimitedProtocol


@contextmanager
def listening(app):
    """The app behind the connections of the real server; gives its port."""
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, http=LimitedProtocol, log_level="warning", lifespan="off")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)


def awaited(work):
    """The result of a coroutine, in a thread of its own: a browser of another test may have a loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


async def said(port, *pieces, pause=0.0):
    """What the server says to these bytes until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = asyncio.create_task(asyncio.wait_for(reader.read(), 30))
    try:
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(pause)
            if answer.done():
                break
        return await answer
    finally:
        writer.close()


@pytest.fixture
def hasty(monkeypatch):
    """Limits that a test can wait for."""
    for name, seconds in {"HEADER_SECONDS": 0.5, "IDLE_SECONDS": 0.5, "BODY_SECONDS": 1.5}.items():
        monkeypatch.setattr(request_limits, name, seconds)


HALF_A_BODY = (
    b"POST /leader/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 90\r\n\r\nname="
)


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", HALF_A_BODY])
def test_half_a_request_is_not_waited_for(site, hasty, begun):
    with listening(site().app) as port:
        begin = time.monotonic()
        told = awaited(said(port, begun))
        assert told.startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - begin < 10


def test_hundreds_of_half_requests_end_and_leave_no_traceback(site, hasty, caplog):
    async def crowd(port):
        return await asyncio.gather(*(said(port, HALF_A_BODY) for _ in range(200)))

    with caplog.at_level(logging.INFO), listening(site().app) as port:
        assert all(told.startswith(b"HTTP/1.1 408 ") for told in awaited(crowd(port)))
        whole = awaited(said(port, b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        assert whole.startswith(b"HTTP/1.1 200 ")
    assert "Traceback" not in caplog.text
    assert "error " not in caplog.text


def test_a_body_that_trickles_for_too_long_is_cut(site, hasty):
    with listening(site().app) as port:
        begin = time.monotonic()
        told = awaited(said(port, HALF_A_BODY, *([b"a"] * 12), pause=0.3))
        assert told.startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - begin < 20


def test_a_slow_but_steady_form_arrives(site, hasty):
    body = b"name=anna&password=wrong"
    head = (
        b"POST /leader/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(body)
    )
    with listening(site().app) as port:
        told = awaited(said(port, head, body[:9], body[9:], pause=0.2))
        assert told.startswith(b"HTTP/1.1 403 "), "the form is not from our page, but it arrived"


def test_endless_headers_are_refused(site):
    with listening(site().app) as port:
        told = awaited(said(port, b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: " + b"b" * 70_000 + b"\r\n\r\n"))
        assert told.startswith(b"HTTP/1.1 431 ")


FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n" + b"%x\r\n" % 70_000 + b"a" * 70_000


@pytest.mark.parametrize("address", [b"/open", b"/batch/1/save", b"/api/v1/items", b"/leader/login", b"/data/delete"])
@pytest.mark.parametrize("sent", [b"Content-Length: 9900000\r\n\r\n", CHUNKED])
def test_nobody_unknown_has_ten_megabytes_held_in_memory(site, address, sent):
    async def refused(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST " + address + b" HTTP/1.1\r\nHost: x\r\n" + FORM + sent)
        told = await asyncio.wait_for(reader.readline(), 10)
        writer.close()
        return told

    with listening(site("rating").app) as port:  # the rest of the body was never sent, and is not waited for
        status = awaited(refused(port)).split()[1]
    assert status == (b"403" if address.startswith(b"/leader") else b"413")


def test_a_client_that_goes_away_leaves_one_line(site, caplog):
    async def go_away(port):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HALF_A_BODY)
        await writer.drain()
        await asyncio.sleep(0.3)
        writer.close()
        await asyncio.sleep(0.5)

    with caplog.at_level(logging.INFO, "similitude.annotation"), listening(site().app) as port:
        awaited(go_away(port))
    assert "the client went away" in caplog.text
    assert "POST /leader/login 499 " in caplog.text, "nothing went wrong here"
    assert "Traceback" not in caplog.text
