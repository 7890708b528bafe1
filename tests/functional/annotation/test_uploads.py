"""Uploads to a server on an address of this machine: whatever a file holds, other pages are answered meanwhile."""

import io
import statistics
import threading
import time
from contextlib import ExitStack, closing

import httpx
import pytest

from similitude.collect.annotation.web.security.csrf import form_token

from .conftest import PASSWORD
from .test_new_study import parquet_bomb
from .test_slow_clients import listening


def logged_in(base: str) -> httpx.Client:
    client = httpx.Client(base_url=base, follow_redirects=True, timeout=120)
    client.get("/leader/login")
    token = form_token(client.cookies["visitor"])
    client.post("/leader/login", data={"csrf": token, "name": "anna", "password": PASSWORD})
    return client


def upload(client: httpx.Client, name: str, content: bytes) -> httpx.Response:
    token = form_token(client.cookies["leader"])
    return client.post("/leader/new", data={"csrf": token}, files={"file": (name, io.BytesIO(content))})


@pytest.mark.slow
def test_no_upload_ends_the_server_or_keeps_others_waiting(console):
    served = console("one")
    long = b"left,right\n" + b"".join(b"%d,%d\n" % (number, number % 7) for number in range(700_000))
    files = {"bomb.parquet": parquet_bomb(rows=3_000_000, letters=200), "long.csv": long}
    assert all(len(content) < 10_000_000 for content in files.values())
    with ExitStack() as open_ones:
        base = f"http://127.0.0.1:{open_ones.enter_context(listening(served.app))}"
        leader, other = (open_ones.enter_context(closing(logged_in(base))) for _ in range(2))
        told, waits = {}, []
        for name, content in files.items():
            sending = threading.Thread(target=lambda n=name, c=content: told.update({n: upload(leader, n, c)}))
            sending.start()
            while sending.is_alive():
                for page in ("/healthz", "/s/one/leader", "/leader"):
                    begin = time.monotonic()
                    assert other.get(page).status_code == 200
                    waits.append(time.monotonic() - begin)
                time.sleep(0.02)
        assert {name: page.status_code for name, page in told.items()} == dict.fromkeys(files, 422)
        assert "more than 1 GB of memory" in told["bomb.parquet"].text
        assert "has 700,000 rows, and an upload at most 100,000" in told["long.csv"].text
        assert sorted(each.name for each in served.shelf.folder.iterdir() if each.is_dir()) == ["one"]
        small = upload(leader, "small.csv", b"left,right\na,b\nc,d\n")
        assert "/leader/edit/small/check" in str(small.url)
    # A busy machine is slow now and then, but nobody waits for a file of others.
    assert statistics.median(waits) < 0.2, (len(waits), max(waits))
