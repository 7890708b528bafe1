"""The console in a real browser: axe finds nothing on its pages, and nothing is wider than the screen."""

import re
import socket
import threading
import time

import pytest

from similitude.collect.annotation import store

PASSWORD = "correct horse battery"


@pytest.fixture
def listening(console):
    """A console with a study of every kind, on an address of this machine."""
    uvicorn = pytest.importorskip("uvicorn", reason="needs uvicorn")
    served = console("one", "two")
    store.set_state(served.shelf.database("two"), "paused", now=served.now, by="test")
    served.put("draft")
    (served.put("broken") / "items.csv").unlink()
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(served.app, log_level="error", access_log=False, lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield served, f"http://127.0.0.1:{bound.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 375)])
@pytest.mark.slow
def test_axe_finds_nothing_on_the_pages_of_the_console(browser, listening, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    served, url = listening
    context = browser.new_context(
        locale="en-GB", bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 800}
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    made = store.invite_leader(served.shelf.console, now=served.now, by="test")
    complaints = []

    def look(address=""):
        if address:
            page.goto(url + address)
        found = axe.run(page).response["violations"]
        complaints.extend(f"{page.url}: {each['id']}: {each['nodes'][0]['html'][:200]}" for each in found)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            complaints.append(f"{page.url} is too wide")

    for address in ("/", f"/leader/welcome/{made.token}", "/s/nothing", "/leader/login"):
        look(address)
    page.fill("#name", "anna")
    page.fill("#password", PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_selector(".studies")
    for address in ("/leader", "/leader?state=archived", "/leader/server", "/leader/server/log", "/s/one/leader"):
        look(address)
    for address in ("/s/draft/leader", "/s/one/leader/members"):
        look(address)
    page.goto(f"{url}/s/one/leader")
    page.get_by_role("button", name="Close the study").click()
    page.get_by_role("heading", name=re.compile("Close the study")).wait_for()
    look()
    context.close()
    assert complaints == []
