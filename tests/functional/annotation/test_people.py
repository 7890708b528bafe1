"""People and money over HTTP: signed links from Prolific, second browsers, decisions, lists, leaving."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from similitude.collect.annotation import store
from similitude.collect.annotation.signed_links import sign_parameters

from .conftest import pairs

HERE = "https://judge.example.org"
SECRET = "sixteen letters and more"
COMPLETE = "https://app.prolific.com/submissions/complete?cc=DONE"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
JWKS = json.dumps({"keys": [{**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key())), "kid": "k"}]})
PAY = {"currency": "GBP", "per_batch": "2.00", "hourly": "12.00", "fee": 0.333}


def pid(number: int) -> str:
    """An id as Prolific gives them: 24 hexadecimal digits."""
    return f"{number:024x}"


def token(number: int, *, minutes: float = 5, at: datetime | None = None, **ids: str) -> str:
    now = at or datetime.now(UTC)
    sent = {"PROLIFIC_PID": pid(number), "STUDY_ID": "5" * 24, "SESSION_ID": pid(1000 + number), **ids}
    claims = {
        "iss": "https://www.prolific.com",
        "aud": HERE,
        "iat": now.timestamp(),
        "exp": int((now + timedelta(minutes=minutes)).timestamp()),
        "prolific": {**sent, "workspace_id": "w"},
    }
    return jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": "k"})


def signed_study(site, **changes):
    prolific = {"completion_url": COMPLETE, "jwks": JWKS, "audience": HERE, "study": "5" * 24}
    access = {"prolific": prolific, "keep_platform_ids": True}
    return site("rating", questions=pairs(3), **{"access": access, "pay": PAY, **changes})


def plain_study(site, **changes):
    return site("rating", **{"access": {"prolific": {"completion_url": COMPLETE}}, **changes})


def come(served, link: str):
    person = served.visitor()
    person.get(link)
    if person.page.status_code == 200:
        person.post("/prolific", person.hidden())
        person.cookie = "annotator"
    return person


def work(person, value: str = "3"):
    if "/consent" in str(person.page.url):
        person.post("/consent", {"agree": "yes"})
    person.get("/work")
    person.answer_all(value=value)
    person.post(f"/batch/{person.batch}/send")
    return person.get("/work")


def people(served):
    return store.people(served.database, now=served.now)


def test_twenty_people_from_prolific_three_rejected_two_bonuses_and_the_lists_parsed_back(site):
    served = signed_study(site)
    for number in range(20):
        person = come(served, f"/prolific?prolific_token={token(number)}")
        assert "The study leaders can read your id" in person.page.text, "the consent page says so"
        assert f'href="{COMPLETE}"' in work(person).text
    leader = served.leader()
    names = [each.pseudonym for each in people(served)]
    assert len(names) == 20
    answer = leader.post("/leader/annotators/decide", {"kind": "rejected", "who": names[:3], "reason": ""})
    assert answer.status_code == 422
    assert "no reason was given" in answer.text
    leader.post("/leader/annotators/decide", {"kind": "rejected", "who": names[:3], "reason": "answers at random"})
    assert "Decisions written: 3." in leader.page.text
    assert len(served.rows()) == 60, "rejected people's answers are not dropped silently"
    leader.post("/leader/annotators/decide", {"kind": "finished"})
    assert "Decisions written: 17." in leader.page.text
    bonus = {"kind": "bonus", "who": names[3:5], "amount": "1,50", "reason": "took longer than we said"}
    leader.post("/leader/annotators/decide", bonus)
    leader.post("/leader/annotators/decide", bonus)
    assert "Decisions written: 0." in leader.page.text, "a second click pays nobody twice"

    approved = leader.get("/leader/payment/lists/prolific-approve.txt")
    assert approved.text.split() == [pid(1000 + number) for number in range(3, 20)]
    by_person = leader.get("/leader/payment/lists/prolific-approve-participants.txt").text.split()
    assert by_person == [pid(number) for number in range(3, 20)]
    rejected = list(csv.DictReader(io.StringIO(leader.get("/leader/payment/lists/prolific-reject.csv").text)))
    assert [(row["participant"], row["reason"]) for row in rejected] == [
        (pid(number), "answers at random") for number in range(3)
    ]
    page = leader.get("/leader/payment").text
    # 17 batches at 2.00 and two bonuses of 1.50 are 37.00, with Prolific's third on top 49.32.
    assert "49.32 GBP" in page
    assert "Bonuses still due and on no list: 3.00 GBP (people: 2)" in page
    leader.post("/leader/payment/bonuses", {"kind": "prolific-bonus"})
    assert bonuses_on(leader, 1) == [[pid(3), "1.50"], [pid(4), "1.50"]]
    leader.post("/leader/payment/bonuses/1/paid")
    assert leader.post("/leader/payment/bonuses", {"kind": "prolific-bonus"}).status_code == 422, "nothing is due"
    logged = [entry.what for entry in store.audit_log(served.database, limit=60)]
    assert {what: logged.count(what) for what in set(logged) if what.startswith("payment")} == {
        "payment_approved": 17,
        "payment_rejected": 3,
        "payment_bonus": 2,
        "payment_paid": 2,
    }
    table = list(csv.DictReader(io.StringIO(leader.get("/leader/annotators.csv").text)))
    assert [row["decision"] for row in table] == ["rejected"] * 3 + ["approved"] * 17
    assert [row["participant"] for row in table] == [pid(number) for number in range(20)]
    assert {row["signed"] for row in table} == {"true"}


def bonuses_on(leader, number: int) -> list[list[str]]:
    return list(csv.reader(io.StringIO(leader.get(f"/leader/payment/bonuses/{number}").text)))


def with_bonuses(site, count: int):
    """A study with people who finished, and a function that states one's bonus."""
    served = signed_study(site)
    for number in range(count):
        work(come(served, f"/prolific?prolific_token={token(number)}"))
    leader, names = served.leader(), [each.pseudonym for each in people(served)]

    def bonus(number: int, amount: str) -> None:
        sent = {"kind": "bonus", "who": names[number], "amount": amount, "reason": "thanks"}
        assert leader.post("/leader/annotators/decide", sent).status_code == 200

    return served, leader, bonus


def due(served) -> list[str]:
    return [str(each.bonus_due) for each in people(served)]


def test_marking_a_list_marks_what_it_held_and_not_what_became_due_since(site):
    served, leader, bonus = with_bonuses(site, 3)
    bonus(0, "1.00")
    leader.post("/leader/payment/bonuses", {"kind": "prolific-bonus"})
    first = bonuses_on(leader, 1)
    bonus(0, "1.40")  # raised, and another one given, between download and mark
    bonus(1, "2.00")
    assert bonuses_on(leader, 1) == first == [[pid(0), "1.00"]], "downloaded again, it is the same"
    leader.post("/leader/payment/bonuses/1/paid")
    assert due(served) == ["0.40", "2.00", "0"]
    leader.post("/leader/payment/bonuses", {"kind": "prolific-bonus"})
    assert bonuses_on(leader, 2) == [[pid(0), "0.40"], [pid(1), "2.00"]]
    assert leader.post("/leader/payment/bonuses/1/paid").status_code == 409, "a list is handed over once"
    assert due(served) == ["0.40", "2.00", "0"]


def test_two_browsers_never_list_a_bonus_twice_and_mark_in_any_order(site):
    served, here, bonus = with_bonuses(site, 2)
    there = served.leader()
    bonus(0, "1.00")
    here.post("/leader/payment/bonuses", {"kind": "prolific-bonus"})
    bonus(0, "1.50")
    bonus(1, "2.00")
    there.post("/leader/payment/bonuses", {"kind": "prolific-bonus"})
    assert (bonuses_on(here, 1), bonuses_on(there, 2)) == ([[pid(0), "1.00"]], [[pid(0), "0.50"], [pid(1), "2.00"]])
    there.post("/leader/payment/bonuses/2/paid")
    assert due(served) == ["1.00", "0"]
    here.post("/leader/payment/bonuses/1/paid")
    assert due(served) == ["0", "0"]
    assert [str(each.paid) for each in people(served)] == ["1.50", "2.00"]


def test_a_list_that_is_withdrawn_hands_nothing_over(site):
    served, leader, bonus = with_bonuses(site, 1)
    bonus(0, "1.00")
    leader.post("/leader/payment/bonuses", {"kind": "bonus"})
    assert leader.post("/leader/payment/bonuses", {"kind": "prolific-bonus"}).status_code == 422
    leader.post("/leader/payment/bonuses/1/withdraw")
    assert leader.post("/leader/payment/bonuses/1/paid").status_code == 409
    leader.post("/leader/payment/bonuses", {"kind": "prolific-bonus"})
    assert (bonuses_on(leader, 2), due(served)) == ([[pid(0), "1.00"]], ["1.00"])
    assert leader.post("/leader/payment/bonuses", {"kind": "cash"}).status_code == 422
    logged = [entry.what for entry in store.audit_log(served.database, limit=20)]
    assert logged.count("bonus_list_made") == 2
    assert logged.count("bonus_list_withdrawn") == 1


def test_a_platforms_file_with_bonuses_is_a_numbered_list_too(site):
    served = plain_study(site, pay=PAY)
    for name in ("a", "b"):
        work(come(served, f"/prolific?PROLIFIC_PID=pid-{name}&SESSION_ID=session-{name}"))
    leader, (first, second) = served.leader(), [each.pseudonym for each in people(served)]
    sent = {"kind": "bonus", "amount": "1.00", "reason": "thanks"}
    leader.post("/leader/annotators/decide", {**sent, "who": first})
    export = b"Submission id,Participant id\nsession-a,pid-a\nsession-b,pid-b\n"
    files = {"file": ("export.csv", export, "text/csv")}
    rows = list(csv.DictReader(io.StringIO(leader.post("/leader/payment/match", files=files).text)))
    assert [row["Bonus"] for row in rows] == ["1.00", ""]
    leader.post("/leader/annotators/decide", {**sent, "who": second})
    again = leader.post("/leader/payment/match", files=files)
    assert (again.status_code, "are on an open list" in again.text) == (422, True)
    leader.post("/leader/payment/bonuses/1/paid")
    assert due(served) == ["0", "1.00"]
    rows = list(csv.DictReader(io.StringIO(leader.post("/leader/payment/match", files=files).text)))
    assert [row["Bonus"] for row in rows] == ["", "1.00"]


@pytest.mark.parametrize(
    ("link", "says"),
    [
        (lambda: f"/prolific?PROLIFIC_PID={pid(1)}&SESSION_ID=s&STUDY_ID=t", "only with the link that the platform"),
        (lambda: f"/prolific?prolific_token={token(1)[:-6]}AAAAAA", "This link is not valid"),
        (lambda: f"/prolific?prolific_token={token(1, minutes=-10)}", "This link has expired"),
        (lambda: f"/prolific?prolific_token={token(1, STUDY_ID='6' * 24)}", "This link is not valid"),
        (lambda: f"/prolific?prolific_token={token(1)}&PROLIFIC_PID={pid(2)}", "This link is not valid"),
    ],
)
def test_links_without_a_valid_signature_are_refused_where_a_key_is_set(site, link, says):
    served = signed_study(site)
    person = served.visitor()
    page = person.get(link())
    assert page.status_code == 403
    assert says in page.text
    sent = dict(pair.split("=") for pair in link().split("?")[1].split("&"))
    assert person.post("/prolific", sent).status_code == 403, "nor by sending the form alone"
    assert people(served) == []


def test_wrong_links_are_limited(site):
    served = signed_study(site, settings={"wrong_links": 3})
    person = served.visitor()
    statuses = [person.get("/prolific?PROLIFIC_PID=abc").status_code for _ in range(5)]
    assert statuses == [403, 403, 403, 429, 429]


def test_invented_ids_are_limited_and_marked(site):
    served = plain_study(site, settings={"entries": 3})
    statuses = []
    for number in range(5):
        person = served.visitor()
        statuses.append(person.post("/prolific", {"PROLIFIC_PID": f"made-up-{number}", "SESSION_ID": f"s{number}"}))
    assert [page.status_code for page in statuses] == [200, 200, 200, 429, 429]
    page = served.leader().get("/leader/annotators?show=unsigned").text
    assert "by a link without a signature: 3." in page
    assert page.count("unsigned link</span>") == 3
    for wrong in ("=1+1", "a b", "<b>", "-x"):
        assert served.visitor().get(f"/prolific?{urlencode({'PROLIFIC_PID': wrong})}").status_code == 400


def test_a_known_id_in_another_browser_neither_throws_out_nor_deletes(site):
    served = plain_study(site)
    link = "/prolific?PROLIFIC_PID=abc123&STUDY_ID=s&SESSION_ID=t"
    first = come(served, link)
    first.post("/consent", {"agree": "yes"})
    first.get("/work")
    first.answer(value="1")
    stranger = come(served, link)
    assert stranger.page.status_code == 403
    assert "You have begun in another browser" in stranger.page.text
    assert "make a link for this one" in stranger.page.text
    assert stranger.post("/data/delete", {"sure": "yes"}).status_code == 403
    assert "Question 2 of 3" in first.get("/work").text, "the first browser goes on"
    assert "somebody else used their id" in served.leader().get("/leader/audit").text
    # The first browser makes a link, and the second goes on with it.
    page = first.post("/data/link").text
    (move,) = re.findall(r"http://testserver(/join/[\w-]+)", page)
    second = served.visitor()
    second.post(move)
    second.cookie = "annotator"
    assert "Question 2 of 3" in second.get("/work").text
    assert first.get("/work").status_code == 403
    third = served.visitor()
    assert "already been used" in third.post(move).text
    assert len(people(served)) == 1


def test_a_signed_link_continues_in_another_browser_but_not_twice(site):
    served = signed_study(site)
    first = come(served, f"/prolific?prolific_token={(old := token(1))}")
    first.post("/consent", {"agree": "yes"})
    first.get("/work")
    first.answer(value="1")
    replayed = come(served, f"/prolific?prolific_token={old}")
    assert replayed.page.status_code == 403
    assert "already been used in another browser" in replayed.page.text
    assert "open the study there again" in replayed.page.text
    second = come(served, f"/prolific?prolific_token={token(1, minutes=6)}")
    assert "Question 2 of 3" in second.page.text
    assert first.get("/work").status_code == 403
    second.post("/data/delete", {"sure": "yes"})
    assert "have been deleted" in second.page.text, "whoever the platform vouches for may leave"
    assert served.rows() == []


def test_links_of_ones_own_are_signed_with_a_secret(site):
    served = plain_study(site, access={"prolific": {"completion_url": COMPLETE, "secret": SECRET}})
    soon = str(int((datetime.now(UTC) + timedelta(days=1)).timestamp()))
    sent = {"PROLIFIC_PID": "anna", "STUDY_ID": "", "SESSION_ID": "wave-1", "expires": soon}
    good = {**sent, "signature": sign_parameters(SECRET, sent)}
    assert "/consent" in str(come(served, f"/prolific?{urlencode(good)}").page.url)
    for wrong in (sent, {**good, "PROLIFIC_PID": "bert"}, {**good, "expires": str(int(soon) + 1)}):
        assert served.visitor().get(f"/prolific?{urlencode(wrong)}").status_code == 403
    assert SECRET not in served.leader().get("/leader/annotators").text


def test_each_outcome_goes_to_its_own_completion_address(site):
    addresses = {kind: f"https://app.example.org/?cc={kind}" for kind in ("completion", "early", "stopped", "screened")}
    access = {"prolific": {f"{kind}_url": address for kind, address in addresses.items()}}
    qualification = {"questions": "q", "pass": 1.0}
    questions = [*pairs(6), *pairs(1, kind="qualification", expected={"value": 5.0})]
    served = site("rating", questions=questions, access=access, qualification=qualification, batch={"questions": 3})
    failed = come(served, "/prolific?PROLIFIC_PID=failed&SESSION_ID=s1")
    assert "cc=screened" in work(failed, "0").text
    good = come(served, "/prolific?PROLIFIC_PID=good&SESSION_ID=s2")
    work(good, "5")
    good.answer_all(value="1")
    good.post(f"/batch/{good.batch}/send")
    good.post("/finish")
    assert "cc=early" in good.page.text
    whole = come(served, "/prolific?PROLIFIC_PID=whole&SESSION_ID=s3")
    work(whole, "5")
    for _ in range(2):
        whole.answer_all(value="1")
        whole.post(f"/batch/{whole.batch}/send")
        whole.get("/work")
    assert "cc=completion" in whole.page.text
    assert [each.outcome for each in people(served)] == ["screened_out", "early", "complete"]


def test_what_a_person_sees_of_their_pay_and_what_stays_when_they_leave(site):
    served = plain_study(site, pay=PAY)
    person = come(served, "/prolific?PROLIFIC_PID=abc&SESSION_ID=s")
    work(person)
    page = person.get("/data").text
    assert "The study leaders have not decided yet" in page
    assert "your completion code, the decision and the amount" in page
    leader = served.leader()
    (who,) = people(served)
    decide = {"who": who.pseudonym, "back": who.pseudonym}
    leader.post("/leader/annotators/decide", {**decide, "kind": "rejected", "reason": "<b>too</b> fast"})
    assert str(leader.page.url.path) == f"/leader/annotators/{who.pseudonym}"
    page = person.get("/data").text
    assert "Your work was not approved" in page
    assert "&lt;b&gt;too&lt;/b&gt; fast" in page
    leader.post("/leader/annotators/decide", {**decide, "kind": "approved"})
    leader.post("/leader/annotators/decide", {**decide, "kind": "bonus", "amount": "0.40", "reason": "sorry"})
    page = person.get("/data").text
    assert "You get a bonus of 0.40 GBP" in page
    page = person.post("/data/delete", {"sure": "yes"}).text
    assert "One thing stays" in page
    (kept,) = people(served)
    assert kept.pseudonym.startswith("withdrawn-")
    assert (kept.decision, str(kept.bonus), kept.annotator.completion_code) == (
        "approved",
        "0.40",
        who.annotator.completion_code,
    )
    assert served.rows() == []
    assert "withdrawn-" in leader.get(f"/leader/annotators?search={kept.annotator.completion_code}").text


def save(person, batch, position, seconds, value="3"):
    """Send one answer as our script does, with the time that a browser measured."""
    fields = {"nonce": f"{position}-{seconds}-{value}", "value": value, "seconds": str(seconds)}
    told = person.post(f"/batch/{batch}/save", {f"{position}.{name}": each for name, each in fields.items()})
    assert told.status_code == 200, told.text


def test_paid_time_ends_at_the_servers_clock_and_impossible_times_are_flagged(site):
    served = site("rating", questions=pairs(24), batch={"questions": 24}, pay={**PAY, "per_batch": "1.00"})
    liar, honest = served.annotator(), served.annotator()
    batch = liar.batch
    for position in range(1, 25):
        save(liar, batch, position, 120, value=str(position % 6))
    for position in range(1, 25):
        served.clock.passed += timedelta(seconds=120)
        save(honest, honest.batch, position, 100, value=str(position % 6))
    for person in (liar, honest):
        person.post(f"/batch/{person.batch}/send")
    false, true = people(served)
    # 24 x 120 s would be 48 minutes, 9.60 at 12.00 an hour: a bonus of 8.60 beside the 1.00 of the batch.
    assert (false.row.flags, false.active < 30) == (("times",), True)
    assert (true.row.flags, true.active) == ((), 2400.0)
    leader = served.leader()
    assert "claims more time than has passed" in leader.get(f"/leader/annotators/{false.pseudonym}").text
    table = {row["pseudonym"]: row for row in csv.DictReader(io.StringIO(leader.get("/leader/annotators.csv").text))}
    assert float(table[false.pseudonym]["make_up_bonus"]) == 0
    assert float(table[true.pseudonym]["make_up_bonus"]) == 7.0, "40 minutes at 12.00 an hour, less 1.00"
    client = served.client(headers={"Authorization": f"Bearer {served.token()}"})
    assert [each["flags"] for each in client.get("/api/v1/annotators").json()] == [["times"], []]


def test_tabs_undo_breaks_and_a_second_batch_lose_no_honest_time(site):
    served = site("rating", questions=pairs(6), batch={"questions": 3, "most": 6}, pay=PAY)
    person = served.annotator()
    batch = person.batch
    served.clock.passed += timedelta(seconds=100)  # two tabs, 50 s in each, then both are sent
    save(person, batch, 1, 50)
    save(person, batch, 2, 50)
    served.clock.passed += timedelta(seconds=30)  # 10 s on the third question, then back to the first for 20 s more
    save(person, batch, 1, 70, value="4")
    served.clock.passed += timedelta(seconds=5)
    save(person, batch, 3, 15)
    assert people(served)[0].active == pytest.approx(135)
    person.post("/break")
    served.clock.passed += timedelta(minutes=10)
    person.post("/break/end")
    person.post(f"/batch/{batch}/send")
    person.get("/work")
    served.clock.passed += timedelta(seconds=40)
    save(person, person.batch, 1, 40)
    (who,) = people(served)
    assert (who.active, who.row.flags) == (pytest.approx(175), ())


def test_work_in_another_tab_during_a_break_is_paid(site):
    served = site("rating", questions=pairs(3), pay=PAY)
    person = served.annotator()
    batch = person.batch
    served.clock.passed += timedelta(seconds=60)
    save(person, batch, 1, 60)
    person.post("/break")
    served.clock.passed += timedelta(seconds=90)
    save(person, batch, 2, 90)
    served.clock.passed += timedelta(minutes=8)
    person.post("/break/end")
    assert people(served)[0].active == pytest.approx(150)


def test_a_break_in_another_tab_is_not_paid(site):
    served = site("rating", questions=pairs(3), pay=PAY)
    person = served.annotator()
    batch = person.batch
    person.post("/break")
    served.clock.passed += timedelta(minutes=10)
    person.post("/break/end")
    served.clock.passed += timedelta(seconds=20)
    save(person, batch, 1, 110)  # the page was open in another tab all the while
    assert people(served)[0].active == pytest.approx(20, abs=2)


def test_rejecting_offers_to_exclude_the_answers_too(site):
    served = plain_study(site)
    for name in ("a", "b"):
        work(come(served, f"/prolific?PROLIFIC_PID={name}&SESSION_ID=s{name}"))
    first, second = (each.pseudonym for each in people(served))
    leader = served.leader()
    sent = {"kind": "rejected", "reason": "too fast"}
    leader.post("/leader/annotators/decide", {**sent, "who": first})
    assert len(served.rows()) == 6
    leader.post("/leader/annotators/decide", {**sent, "who": second, "exclude": "yes"})
    assert {row["annotator"] for row in served.rows()} == {first}
    assert [each.decision for each in people(served)] == ["rejected", "rejected"]


def test_the_leader_finds_moves_and_removes_people(site):
    served = plain_study(site)
    person = come(served, "/prolific?PROLIFIC_PID=known-id&SESSION_ID=known-session")
    work(person)
    invited = served.visitor()
    invited.post(served.invitation(note="Kim <3"))
    leader = served.leader()
    first, second = people(served)
    for wanted in ("known-id", "known-session", first.annotator.completion_code, first.pseudonym.lower()):
        page = leader.get(f"/leader/annotators?{urlencode({'search': wanted})}").text
        assert "1 of 2 people" in page
        assert first.pseudonym in page
        assert second.pseudonym not in page
    assert "known-id" not in leader.get(f"/leader/annotators/{first.pseudonym}").text, "only hashes are kept"
    assert "Kim &lt;3" in leader.get("/leader/annotators?search=kim").text
    assert "Nobody fits" in leader.get("/leader/annotators?search=nobody-at-all").text
    page = leader.post(f"/leader/annotators/{first.pseudonym}/continue").text
    (move,) = re.findall(r"http://testserver(/join/[\w-]+)", page)
    elsewhere = served.visitor()
    elsewhere.post(move)
    elsewhere.cookie = "annotator"
    assert first.annotator.completion_code in elsewhere.get("/work").text
    remove = f"/leader/annotators/{first.pseudonym}/remove"
    assert leader.post(remove, {"reason": "asked by mail"}).status_code == 422
    assert leader.post(remove, {"sure": "yes"}).status_code == 422
    assert len(served.rows()) == 3
    leader.post(remove, {"sure": "yes", "reason": "asked by mail, with their code"})
    assert served.rows() == []
    assert "asked by mail, with their code" in leader.get("/leader/audit").text
    assert leader.get("/leader/annotators/NOBODY").status_code == 404


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_every_filter_and_order_of_the_table(site, language):
    served = plain_study(site, pay=PAY)
    work(come(served, "/prolific?PROLIFIC_PID=a&SESSION_ID=s"))
    leader = served.leader()
    page = leader.get("/leader/annotators", headers={"Accept-Language": language}).text
    for field in ("show", "sort"):
        select = re.search(rf'<select id="{field}".*?</select>', page, re.DOTALL)[0]
        for value in re.findall(r'value="(\w+)"', select):
            assert leader.get(f"/leader/annotators?{field}={value}").status_code == 200
    for strange in ("show=x&sort=y&page=0", "page=-1", "page=999999", "page=x", "search=" + "x" * 500):
        assert leader.get(f"/leader/annotators?{strange}").status_code == 200
    for form in ({}, {"kind": "paid", "who": "x"}, {"kind": "approved"}, {"kind": "x", "who": "y"}):
        assert leader.post("/leader/annotators/decide", form).status_code == 422
    assert leader.post("/leader/annotators/decide", {"kind": "approved", "who": "NOBODY"}).status_code == 404
    who = people(served)[0].pseudonym
    for wrong in ("", "x", "-1", "1.234", "9" * 8):
        sent = {"kind": "bonus", "who": who, "amount": wrong, "reason": "r"}
        assert leader.post("/leader/annotators/decide", sent).status_code == 422


def test_the_platforms_own_file_comes_back_with_decisions(site):
    served = plain_study(site)
    for name in ("a", "b"):
        work(come(served, f"/prolific?PROLIFIC_PID=pid-{name}&SESSION_ID=session-{name}"))
    leader = served.leader()
    store.decide_payment(served.database, [people(served)[0].pseudonym], "approved", now=served.now, by="anna")
    page = leader.get("/leader/payment").text
    assert "without a readable id: 1" in page
    export = b"Submission id,Participant id,Status\nsession-a,pid-a,AWAITING REVIEW\nsession-b,pid-b,ACTIVE\n"

    def send(content: bytes):
        files = {"file": ("export.csv", content, "text/csv")}
        return leader.post("/leader/payment/match", files=files)

    rows = list(csv.DictReader(io.StringIO(send(export).text)))
    assert [(row["Participant id"], row["Decision"]) for row in rows] == [("pid-a", "approved"), ("pid-b", "")]
    assert send(b"a,b\n1,2\n").status_code == 422
    assert send(b"\xff\xfe\x00").status_code == 422
    assert leader.post("/leader/payment/match", {"x": "y"}).status_code == 422
    assert leader.get("/leader/payment/lists/passwords.csv").status_code == 404


def test_the_same_over_the_api(site):
    served = plain_study(site, pay=PAY)
    for name in ("a", "b"):
        work(come(served, f"/prolific?PROLIFIC_PID=pid-{name}&SESSION_ID=session-{name}"))
    client = served.client(headers={"Authorization": f"Bearer {served.token()}"})
    first, second = client.get("/api/v1/people").json()
    assert (first["answers"], first["decision"], first["outcome"]) == (3, "undecided", "complete")
    assert [row["pseudonym"] for row in client.get("/api/v1/people?search=pid-b").json()] == [second["pseudonym"]]
    decide = {"people": [first["pseudonym"]], "decision": "bonus", "amount": 1.25, "reason": "thanks"}
    assert client.post("/api/v1/people/decisions", json=decide).json() == {"written": 1}
    assert client.post("/api/v1/people/decisions", json=decide).json() == {"written": 0}
    assert client.post("/api/v1/people/approve-finished", json={}).json() == {"written": 2}
    for wrong in (
        {**decide, "decision": "rejected"},
        {**decide, "amount": -1},
        {**decide, "amount": None},
        {**decide, "people": []},
        {**decide, "reason": ""},
    ):
        assert client.post("/api/v1/people/decisions", json=wrong).status_code == 422
    nobody = {**decide, "people": ["NOBODY"]}
    assert client.post("/api/v1/people/decisions", json=nobody).status_code == 404
    found = client.get(f"/api/v1/people/{first['pseudonym']}").json()
    assert [(each["kind"], each["amount"], each["by"]) for each in found["decisions"]] == [
        ("bonus", 1.25, "anna"),
        ("approved", None, "anna"),
    ]
    pay = client.get("/api/v1/pay").json()
    # Two batches at 2.00 and a bonus of 1.25, with a fee of 33.3 %: 5.25 * 1.333 = 6.99825.
    assert (pay["currency"], pay["approved"], pay["hourly_minimum"]) == ("GBP", 7.0, 12.0)
    assert client.post("/api/v1/bonus-lists", json={"kind": "prolific-bonus"}).status_code == 422, "no readable ids"
    made = client.post("/api/v1/bonus-lists", json={"kind": "bonus"}).json()
    assert (made["number"], made["people"], made["amount"], made["state"]) == (1, 1, 1.25, "open")
    assert made["text"].splitlines()[1].startswith(first["pseudonym"])
    assert client.get("/api/v1/bonus-lists/1").json() == made == client.get("/api/v1/bonus-lists").json()[0]
    assert client.post("/api/v1/bonus-lists/1/paid").json()["state"] == "paid"
    assert client.post("/api/v1/bonus-lists/1/withdraw").status_code == 409
    assert client.get("/api/v1/bonus-lists/2").status_code == 404
    assert client.get(f"/api/v1/people/{first['pseudonym']}").json()["person"]["bonus_due"] == 0
    assert client.get("/api/v1/payment/nothing").status_code == 422
    gone = client.post(f"/api/v1/people/{first['pseudonym']}/remove", json={"why": "asked by mail"})
    assert gone.status_code == 204
    assert len(served.rows()) == 3
    without = plain_study(site)
    other = without.client(headers={"Authorization": f"Bearer {without.token()}"})
    assert other.get("/api/v1/pay").status_code == 404
