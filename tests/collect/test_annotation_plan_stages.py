"""Plans of studies that follow another one."""

from pathlib import Path
from typing import Any

import pytest

from similitude.collect.annotation.plan.reader import read_study
from similitude.errors import InputError

WRITE = 'name = "write"\ntask = "conditions"\nitems = "pairs.csv"\n'
VERIFY = 'name = "verify"\ntask = "verification"\njudgements = 3\n[follows]\nstudy = "write"\n'


@pytest.fixture
def put(tmp_path: Path) -> Any:
    def make(slug: str, text: str) -> Path:
        (tmp_path / slug).mkdir(exist_ok=True)
        (tmp_path / slug / "pairs.csv").write_text("left,right\nA red ball.,A red car.\n")
        (tmp_path / slug / "study.toml").write_text(text)
        return tmp_path / slug / "study.toml"

    make("write", WRITE)
    return make


def test_a_study_that_follows_another_needs_no_items_and_explains_itself(put: Any) -> None:
    study = read_study(put("verify", VERIFY))
    assert study.questions == ()
    assert study.notes[0].startswith("the written conditions of 'write' become questions as soon as they are final")
    assert "each gets 3 judgements" in study.notes[0]


def test_the_earlier_study_can_be_named_by_the_path_of_its_file(put: Any) -> None:
    file = put("elsewhere", VERIFY.replace('"write"', '"../write/study.toml"'))
    assert "of 'write'" in read_study(file).notes[0]


def test_an_open_study_is_told_whom_it_cannot_recognise(put: Any) -> None:
    notes = read_study(put("verify", VERIFY + "[access]\nopen = true\n")).notes
    assert any(note.startswith("open to anyone") for note in notes)
    notes = read_study(put("verify", VERIFY + '[access]\nopen = true\npool = "p"\n')).notes
    assert not any(note.startswith("open to anyone") for note in notes)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (('"write"', '"nowhere"'), r"study.toml, line 5: no study at nowhere/study.toml"),
        (('"write"', '"verify"'), "the study follows itself"),
        (("\njudgements = 3", '\nquestions = "plan.jsonl"'), "a design names its items in advance"),
        (('"verification"', '"best-worst"'), "about several items"),
        (('study = "write"', 'study = "write"\ntakes = "accepted"'), "needs an earlier study of verification"),
        (('study = "write"', 'study = "write"\ntakes = "all"'), "takes = 'all'"),
        (('study = "write"', 'study = "write"\nwhen = "later"'), "when = 'later'"),
    ],
)
def test_contradictions_are_named_with_their_place(put: Any, change: tuple[str, str], error: str) -> None:
    with pytest.raises(InputError, match=error):
        read_study(put("verify", VERIFY.replace(*change)))


def test_studies_do_not_follow_each_other_in_a_circle(put: Any) -> None:
    put("rate", VERIFY.replace("verify", "rate").replace('"write"', '"verify"').replace("[follows]", "[follows]"))
    circle = VERIFY.replace('"write"', '"rate"') + 'takes = "contentious"\n'
    with pytest.raises(InputError, match="in a circle"):
        read_study(put("verify", circle))


def test_pools_have_plain_names(put: Any) -> None:
    with pytest.raises(InputError, match=r"access\.pool"):
        read_study(put("verify", VERIFY + '[access]\npool = "a/b"\n'))
