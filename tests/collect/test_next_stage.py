"""The draft of a next stage: what it takes over from the study before."""

from pathlib import Path

import pytest

from similitude.collect.annotation.drafts.next_stage import fill_next
from similitude.collect.annotation.plan.reader import read_study
from similitude.errors import ArgumentError

VERIFY = """
name = "verify"
task = "verification"
items = "items.csv"
languages = ["de", "en"]
contact = "anna@example.org"
[guidelines]
en = "guide.md"
[scale]
low = 1
high = 7
[[example]]
left = "a"
right = "b"
condition = "c"
answer = { applies = true, value = 2 }
[[example]]
left = "a"
right = "b"
condition = "d"
answer = { applies = false }
[batch]
gold_share = 0.1
[gold]
questions = "gold.jsonl"
[access]
open = true
prolific = { completion_url = "https://app.prolific.com/submissions/complete?cc=C1" }
"""


@pytest.fixture
def verify(tmp_path: Path) -> Path:
    folder = tmp_path / "verify"
    folder.mkdir()
    (folder / "study.toml").write_text(VERIFY)
    (folder / "items.csv").write_text("id,left,right,condition\n1,a,b,c\n")
    (folder / "guide.md").write_text("Judge.")
    (folder / "gold.jsonl").write_text('{"item": "1", "applies": true, "value": 3}\n')
    return folder


def test_accepted_items_are_rated_on_the_same_scale_by_the_same_texts(verify: Path) -> None:
    made = verify.parent / "rate"
    made.mkdir()
    fill_next(made, verify, takes="accepted", name="rate", language="en")
    plan = read_study(made / "study.toml").plan
    assert (plan.task, plan.follows.study, plan.follows.takes) == ("rating", "verify", "accepted")
    assert (plan.scale.high, plan.languages, plan.contact) == (7, ("de", "en"), "anna@example.org")
    assert [each.answer for each in plan.example] == [{"value": 2}]
    assert plan.guidelines == {"en": "Judge."}
    assert (plan.gold, plan.items, plan.access.open, plan.access.prolific) == (None, None, True, None)
    assert sorted(path.name for path in made.iterdir()) == ["guide.md", "study.toml"]


def test_contentious_items_are_asked_as_before_of_more_people(verify: Path) -> None:
    made = verify.parent / "second"
    made.mkdir()
    fill_next(made, verify, takes="contentious", name="second", language="en")
    plan = read_study(made / "study.toml").plan
    assert (plan.task, plan.judgements, plan.batch.gold_share) == ("verification", 15, 0)


def test_what_a_study_does_not_give_is_refused(verify: Path, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="does not give 'conditions'"):
        fill_next(tmp_path, verify, takes="conditions", name="x", language="en")
