"""MTurk's external question in a browser: our pages in the frame of a page that stands in for MTurk's own."""

import re
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlencode

import pytest

from similitude.collect.annotation import store
from similitude.collect.annotation.payment.platform_lists import platform_list
from similitude.collect.annotation.web.server_options import MTURK_ORIGINS

from .conftest import pairs

pytestmark = pytest.mark.slow

SANDBOX = "https://workersandbox.mturk.com"
WORKER = "A2WORKEREXAMPLE"


class FakeMTurk:
    """A page at MTurk's address with the task in a frame; it keeps what is submitted."""

    def __init__(self, page, study: str) -> None:
        self.page = page
        self.study = study
        self.submitted: list[dict[str, list[str]]] = []
        page.context.grant_permissions(["local-network-access"], origin=SANDBOX)  # our server is on this machine
        page.context.route(f"{SANDBOX}/**", self.answer)
        page.set_default_timeout(60_000)

    def answer(self, route) -> None:
        request = route.request
        if request.url == f"{SANDBOX}/mturk/externalSubmit":
            assert request.method == "POST"
            self.submitted.append(parse_qs(request.post_data))
            route.fulfill(status=200, content_type="text/html", body="<p>The HIT has been submitted</p>")
            return
        assignment = request.url.rpartition("/")[2]
        sent = {"assignmentId": assignment, "hitId": "HIT1"}
        if assignment != "ASSIGNMENT_ID_NOT_AVAILABLE":
            sent |= {"workerId": WORKER, "turkSubmitTo": SANDBOX}
        frame = f'<iframe name="task" width="900" height="800" src="{self.study}/mturk?{urlencode(sent)}"></iframe>'
        route.fulfill(status=200, content_type="text/html", body=f"<h1>MTurk</h1>{frame}".replace("&", "&amp;"))

    def show(self, assignment: str):
        """The worker opens a task; its frame."""
        self.page.goto(f"{SANDBOX}/tasks/{assignment}")
        frame = self.page.frame_locator("iframe[name=task]")
        frame.locator("h1").first.wait_for()
        return frame


def answer_batch(frame) -> str:
    """Answer a batch of two questions with the buttons and send it; the completion code."""
    for number in (1, 2):
        frame.locator(f"#question-{number} label.choice", has_text=re.compile("^ ?3")).click()
        frame.locator("[data-go]").click()
    frame.get_by_role("button", name="Send these answers").click()
    frame.locator("a[data-go]").click()
    return frame.locator("[data-code]").inner_text()


@pytest.fixture
def mturk(serve, visit):
    served = serve(
        "rating",
        questions=pairs(4),
        judgements=1,
        batch={"questions": 2},
        access={"mturk": {"sandbox": True, "batches": 1}, "keep_platform_ids": True},
        settings={"secure_cookies": True, "frame_ancestors": MTURK_ORIGINS, "form_targets": MTURK_ORIGINS},
    )
    return served, FakeMTurk(visit("about:blank"), served.url)


def test_preview_accept_work_submit_and_another_assignment(mturk):
    served, turk = mturk
    frame = turk.show("ASSIGNMENT_ID_NOT_AVAILABLE")
    assert "accept the task first" in frame.locator("main").inner_text()
    assert frame.locator("form").count() == 0
    assert store.people(served.database, now=datetime.now(UTC)) == []

    frame = turk.show("ASSIGNMENT1")
    frame.locator("button[data-go]").click()
    frame.locator("main", has_text="can read your id").wait_for()
    frame.locator("input[name=agree]").check()
    frame.locator("button[value=agree]").click()
    frame.get_by_role("link", name="Start the questions").click()
    code = answer_batch(frame)
    frame.get_by_role("button", name="Finish at the platform").click()
    frame.get_by_text("The HIT has been submitted").wait_for()
    assert turk.submitted == [{"assignmentId": ["ASSIGNMENT1"], "code": [code]}]

    frame = turk.show("ASSIGNMENT2")
    frame.locator("button[data-go]").click()
    other = answer_batch(frame)
    assert other != code, "each assignment has its own code"
    frame.get_by_role("button", name="Finish at the platform").click()
    frame.get_by_text("The HIT has been submitted").wait_for()
    assert turk.submitted[1] == {"assignmentId": ["ASSIGNMENT2"], "code": [other]}

    frame = turk.show("ASSIGNMENT3")
    frame.locator("button[data-go]").click()
    frame.get_by_text("Please return it").wait_for()
    assert frame.get_by_role("button", name="Finish at the platform").count() == 0

    (worker,) = store.people(served.database, now=datetime.now(UTC))
    assert [each.submission for each in worker.submissions] == ["ASSIGNMENT1", "ASSIGNMENT2", "ASSIGNMENT3"]
    assert [each.code for each in worker.submissions[:2]] == [code, other]
    store.decide_payment(
        served.database,
        [worker.pseudonym],
        "approved",
        submission_id=worker.submissions[0].id,
        now=datetime.now(UTC),
        by="a",
    )
    review = platform_list("mturk-review", store.people(served.database, now=datetime.now(UTC)))
    assert review.text == "AssignmentId,Approve,Reject\nASSIGNMENT1,x,\n"
    assert len(served.rows()) == 4
