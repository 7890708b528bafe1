"""The database goes away or runs full: the page says what was not saved, and nothing that was saved is lost."""

import re
from pathlib import Path

import sqlalchemy as sa


def away(served) -> Path:
    """Take the database's file away."""
    path = served.database.path
    return path.rename(path.with_suffix(".away"))


def back(served, hidden: Path) -> None:
    hidden.rename(served.database.path)


def test_an_answer_that_could_not_be_saved_is_kept_in_the_page_and_sent_again(site):
    served = site("conditions")
    person = served.annotator()
    hidden = away(served)
    page = person.answer(alike="the <kind> of place", differ="the number of people")
    assert page.status_code == 503
    assert "Your last answer was NOT saved" in page.text
    assert "Try again" in page.text
    assert 'name="1.alike" value="the &lt;kind&gt; of place"' in page.text
    assert page.headers["retry-after"] == "30"
    back(served, hidden)
    kept = {name: value.replace("&lt;", "<").replace("&gt;", ">") for name, value in person.hidden().items()}
    again = person.client.post(re.search(r'action="([^"]+)"', page.text)[1], data=kept)
    assert again.status_code == 200
    assert [row["alike"] for row in served.rows()] == ["the <kind> of place"]


def test_the_script_is_told_in_json(site):
    served = site("rating")
    person = served.annotator()
    batch = person.batch
    hidden = away(served)
    told = person.post(f"/batch/{batch}/save", {"1.nonce": "n", "1.value": "3"}, headers={"Accept": "application/json"})
    assert (told.status_code, told.json()["error"]) == (503, "unavailable")
    back(served, hidden)
    told = person.post(f"/batch/{batch}/save", {"1.nonce": "n", "1.value": "3"}).json()
    assert (told["saved"], told["answered"]) == ([1], 1)


def test_the_page_is_in_the_readers_language_without_a_database(site):
    served = site()
    person = served.visitor(headers={"Accept-Language": "de"})
    away(served)
    page = person.get("/work")
    assert page.status_code == 503
    assert "Die Studie ist gerade nicht erreichbar" in page.text
    assert person.get("/healthz", headers={"Accept": "application/json"}).status_code == 503


def test_a_password_is_never_sent_back(site):
    served = site()
    person = served.visitor()
    away(served)
    page = person.post("/leader/login", {"name": "anna", "password": "my secret password"})
    assert page.status_code == 503
    assert "my secret password" not in page.text


def test_a_full_disk(site):
    served = site("conditions")
    person = served.annotator()
    person.answer(alike="the kind of place", differ="the number of people")
    engine = served.database.engine

    @sa.event.listens_for(engine, "connect")
    def no_more_room(connection, record):
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    engine.dispose()
    page = None
    for number in range(200):  # until the last page of the file is full
        long = f"the kind of place {number} " + "x" * 150
        page = person.post(f"/batch/{person.batch}/2", {"2.nonce": f"n{number}", "2.alike": long, "2.differ": "people"})
        if page.status_code != 200:
            break
        person.get(f"/batch/{person.batch}/2") if "/batch/" in str(page.url) else None
    assert page.status_code == 507
    assert "no room left" in page.text
    assert "Your last answer was NOT saved" in page.text
    rows = served.rows()
    assert rows[0]["alike"] == "the kind of place", "what was acknowledged is there"
