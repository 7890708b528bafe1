"""Studies in TOML: read with everything that they name; every mistake with file, line and remedy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.rating_scale import RatingScale
from similitude.data.reading.toml_lines import line_of
from similitude.errors import InputError

Write = Callable[..., Path]

STUDY = """\
name = "how-similar"
task = "rating"
items = "items.jsonl"
judgements = 4
languages = ["de", "en"]
[title]
de = "Wie ähnlich?"
[guidelines]
de = "guidelines.de.md"
en = "guidelines.en.md"
[consent]
de = "consent.md"
[scale]
low = 0
high = 5
step = 0.5
labels = { 0 = "nichts gemeinsam", 5 = "gleich" }
[batch]
questions = 20
minutes = 45
gold_share = 0.1
[gold]
questions = "gold.jsonl"
after = 2
[training]
questions = "training.csv"
pass = 0.8
[second_round]
spread = 0.5
judgements = 15
[[example]]
left = "a"
right = "b"
answer = { value = 3 }
[[example]]
left = "c"
right = "d"
answer = { value = 4 }
why = "because"
language = "en"
[access]
limit = 100
prolific = { completion_url = "https://example.org/done" }
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """A folder with all the files of a study; other contents by name."""
    files: dict[str, Any] = {
        "study.toml": STUDY,
        "items.jsonl": [{"id": f"i{n}", "left": f"left {n}", "right": f"right {n}"} for n in range(3)],
        "gold.jsonl": [{"question": "g", "left": "l", "right": "r", "value": 3}, {"item": "i0", "value": 2.5}],
        "training.csv": "id,left,right,score\nt1,x,y,4\nt2,x,z,0\nt3,u,v,5\n",
        "guidelines.de.md": "# Anleitung",
        "guidelines.en.md": "# Guide",
        "consent.md": "Einverstanden?",
    }

    def make(**changes: Any) -> Path:
        for name, content in {**files, **{key.replace("__", "."): value for key, value in changes.items()}}.items():
            text = content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / "study.toml"

    return make


def test_a_study_comes_with_all_its_texts_and_questions(write: Write) -> None:
    study = read_study(write())
    plan = study.plan
    assert plan.text("guidelines", "de") == "# Anleitung"
    assert plan.text("consent", "en") == "Einverstanden?"  # in the first language that has it
    assert plan.text("title", "en") == "Wie ähnlich?"
    assert plan.scale is not None
    assert plan.scale.labelled("en") == {0.0: "nichts gemeinsam", 5.0: "gleich"}
    assert plan.training is not None
    assert (plan.training.rounds, plan.training.limit, plan.training.tolerance, plan.training.pass_) == (
        3,
        15,
        0.5,
        0.8,
    )
    assert [len(plan.examples(language)) for language in ("de", "en")] == [1, 2]
    known = {question.key: question.expected for question in study.questions}
    assert known == {
        "i0": None,
        "i1": None,
        "i2": None,
        "gold:g": {"value": 3.0},
        "gold:i0": {"value": 2.5},
        "training:t1": {"value": 4.0},
        "training:t2": {"value": 0.0},
        "training:t3": {"value": 5.0},
    }
    assert study.notes == ()


def test_a_plan_survives_the_database(write: Write) -> None:
    plan = read_study(write()).plan
    assert type(plan).model_validate(json.loads(json.dumps(plan.model_dump(mode="json", by_alias=True)))) == plan


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("minutes = 45", "minuts = 45", 20, "'batch.minuts' is not a known key; did you mean 'minutes'?"),
        ("minutes = 45", "minutes = 0", 20, "batch.minutes = 0: input should be greater than 0"),
        ('name = "how-similar"\n', "", 1, "'name' is missing"),
        ('name = "how-similar"', 'name = "../x"', 1, "name = '../x'"),
        ('task = "rating"', 'task = "ratings"', 2, "no annotation task named 'ratings'; did you mean 'rating'?"),
        ('["de", "en"]', '["de", "fr"]', 5, "languages.1 = 'fr'"),
        ("[title]", "[title", 6, "not valid TOML"),
        ('de = "guidelines.de.md"', 'de = "nothing.md"', 9, "'nothing.md' cannot be read"),
        ('en = "guidelines.en.md"', 'zh = "guidelines.en.md"', 10, "'zh' is not among the languages"),
        ("high = 5", "high = -5", 13, "low (0) is not below high (-5)"),
        ("step = 0.5", "step = 0.7", 13, "step 0.7 does not lead from 0 to 5"),
        ('5 = "gleich"', '6 = "gleich"', 13, "label for '6', which is not on the scale"),
        ("gold_share = 0.1", "gold_share = 0.9", 18, "less than a fifth for work"),
        ("gold_share = 0.1", "gold_share = 0", 22, "the gold questions are never asked"),
        ('[gold]\nquestions = "gold.jsonl"\nafter = 2\n', "", 21, "gold_share is set, but there are no gold questions"),
        ("pass = 0.8", "pass = 8", 27, "less than or equal to 1"),
        ("answer = { value = 4 }", "answer = { best = 1 }", 35, "an example's answer has best"),
        ('right = "d"\n', "", 35, "an example without its second text"),
        ("completion_url", "url", 43, "completion_url' is missing"),
        ('items = "items.jsonl"\n', "", 1, "no items"),
        ("questions = 20", "questions = 5\nper_page = 6", 20, "a page holds more questions than a batch"),
    ],
)
def test_mistakes_are_told_with_their_line(write: Write, old: str, new: str, line: int, message: str) -> None:
    assert old in STUDY
    with pytest.raises(InputError) as caught:
        read_study(write(study__toml=STUDY.replace(old, new, 1)))
    assert message in str(caught.value)
    assert caught.value.where == f"study.toml, line {line}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gold__jsonl": [{"left": "l", "right": "r"}]}, "gold.jsonl, line 1: question 'gold:1': the right answer is"),
        ({"gold__jsonl": [{"item": "nothing", "value": 1}]}, "no item 'nothing' among the study's items"),
        (
            {"gold__jsonl": [{"left": "l", "value": 1}]},
            "gold.jsonl, line 1: cannot be read as a gold question: no right",
        ),
        ({"gold__jsonl": [{"item": "i0", "value": "x"}]}, "cannot be read as a gold question"),
        ({"gold__jsonl": [{"item": "i0", "value": 7}]}, "the right answer 7 is off the scale 0..5"),
        ({"gold__jsonl": [{"item": "i0", "value": 1}] * 2}, "question 'gold:i0' appears twice"),
        ({"gold__jsonl": "{"}, "gold.jsonl, line 1"),
        ({"items__jsonl": [{"id": "i0", "left": "l"}]}, "items.jsonl"),
    ],
)
def test_files_that_are_not_what_they_should_be(write: Write, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_study(write(**changes))
    assert message in str(caught.value)


def test_a_study_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_study(tmp_path / "nothing.toml")
    (tmp_path / "x.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(InputError, match="not UTF-8"):
        read_study(tmp_path / "x.toml")


SMALL = 'name = "s"\ntask = "{task}"\nitems = "items.jsonl"\n'
DIALOGUES = [
    {"id": f"d{d}-{r}", "left": f"turn {d}", "right": f"reply {r}", "group": f"d{d}"}
    for d in range(2)
    for r in range(5)
]


def test_best_worst_without_a_design_gets_tuples_within_each_dialogue(write: Write) -> None:
    text = SMALL.format(task="best-worst") + "tuple_size = 3\n"
    study = read_study(write(study__toml=text, items__jsonl=DIALOGUES))
    groups = [{item["group"] for item in question.items} for question in study.questions]
    # Twice as many tuples as items, in each group (Louviere et al. 2015): GiCCS has 10 triples for 5 replies.
    assert len(study.questions) == 20
    assert {len(group) for group in groups} == {1}
    assert "20 tuples of 3 were made within each group" in study.notes[0]
    again = read_study(write(study__toml=text, items__jsonl=DIALOGUES))
    assert again.questions == study.questions
    with pytest.raises(InputError, match="set tuple_size"):  # five replies have five four-tuples, not ten
        read_study(write(study__toml=text.replace("3", "4"), items__jsonl=DIALOGUES))


def test_a_design_says_what_is_asked_and_of_how_many(write: Write) -> None:
    rows = [
        {"question": "q1", "items": ["d0-0", "d0-1", "d0-2"], "task": "best-worst", "per_question": 7},
        {"question": "q2", "items": ["d1-0", "d1-1", "d1-2"], "task": "best-worst", "per_question": 7},
    ]
    text = SMALL.format(task="best-worst") + 'questions = "design.jsonl"\n'
    study = read_study(write(study__toml=text, items__jsonl=DIALOGUES, design__jsonl=rows))
    assert [question.key for question in study.questions] == ["q1", "q2"]
    assert study.plan.judgements == 7
    said = read_study(write(study__toml=text + "judgements = 2\n", items__jsonl=DIALOGUES))
    assert said.plan.judgements == 2  # the study has the last word
    rows[0]["items"] = ["d0-0", "gone"]
    with pytest.raises(InputError, match="names item 'gone', which is not among the items"):
        read_study(write(study__toml=text, items__jsonl=DIALOGUES, design__jsonl=rows))
    with pytest.raises(InputError, match="the design is for best-worst, the study for rating"):
        read_study(write(study__toml=text.replace("best-worst", "rating"), items__jsonl=DIALOGUES))


def test_gold_for_tuples_may_bring_its_own_options(write: Write) -> None:
    text = SMALL.format(task="best-worst") + "tuple_size = 3\n"
    text += '[batch]\ngold_share = 0.1\n[gold]\nquestions = "gold.jsonl"\n'
    gold = [
        {
            "question": "own",
            "left": "hello",
            "context": ["a", "hello"],
            "options": ["hi", "no", "hm"],
            "best": 1,
            "worst": 2,
        },
        {"question": "ids", "items": ["d0-0", "d0-1"], "best": "d0-1"},
    ]
    study = read_study(write(study__toml=text, items__jsonl=DIALOGUES, gold__jsonl=gold))
    own, ids = study.questions[-2:]
    assert [item["right"] for item in own.items] == ["hi", "no", "hm"]
    assert own.expected == {"best": "own-1", "worst": "own-2"}
    assert ids.expected == {"best": "d0-1", "worst": None}
    gold[0]["worst"] = 4
    with pytest.raises(InputError, match="worst is 4, and there are 3 options"):
        read_study(write(study__toml=text, items__jsonl=DIALOGUES, gold__jsonl=gold))


def test_conditions_are_asked_once_for_a_pair(write: Write) -> None:
    pairs = [
        {"id": "1", "left": "a", "right": "b", "condition": "size", "group": "p"},
        {"id": "2", "left": "a", "right": "b", "condition": "colour", "group": "p"},
        {"id": "3", "left": "c", "right": "d", "group": "q"},
    ]
    study = read_study(write(study__toml=SMALL.format(task="conditions"), items__jsonl=pairs))
    assert [question.key for question in study.questions] == ["p", "q"]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ('[training]\nquestions = "gold.jsonl"', "[training] has no meaning"),
        ("[second_round]", "[second_round] has no meaning"),
        ('[qualification]\nquestions = "gold.jsonl"', "code cannot tell who passed"),
        ("[scale]", "a conditions study has no scale"),
    ],
)
def test_written_conditions_are_not_right_or_wrong_by_machine(write: Write, part: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_study(write(study__toml=SMALL.format(task="conditions") + part))
    assert message in str(caught.value)


def test_qualification_for_conditions_is_read_by_a_leader(write: Write) -> None:
    text = SMALL.format(task="conditions") + '[qualification]\nquestions = "gold.jsonl"\nreview = true\n'
    study = read_study(write(study__toml=text, gold__jsonl=[{"left": "a", "right": "b"}]))
    assert [(question.key, question.expected) for question in study.questions[-1:]] == [("qualification:1", None)]


def test_verification_needs_conditions(write: Write) -> None:
    with pytest.raises(InputError, match="item 'i0' has no condition"):
        read_study(write(study__toml=SMALL.format(task="verification")))


def test_the_sample_can_be_annotated(write: Write) -> None:
    text = SMALL.format(task="best-worst").replace("items.jsonl", "sample:dialogues") + "tuple_size = 3\n"
    study = read_study(write(study__toml=text))
    assert all(len(question.items) == 3 for question in study.questions)
    assert study.questions[0].items[0]["context"]


def test_notes_tell_what_may_surprise(write: Write) -> None:
    few = STUDY.replace("after = 2", "after = 10").replace('en = "guidelines.en.md"\n', "")
    notes = read_study(write(study__toml=few)).notes
    assert notes == ("no guidelines in 'en'", "2 gold questions, fewer than after = 10: nobody is ever stopped")


def test_gold_that_is_used_up_is_told(write: Write) -> None:
    shares = "[batch]\nquestions = 4\ngold_share = 0.25\nrepeat_share = 0.25\n"
    few = SMALL.format(task="rating") + shares + '[gold]\nquestions = "gold.jsonl"\nafter = 1\n'
    study = read_study(write(study__toml=few, gold__jsonl=[{"left": "a", "right": "b", "value": 3}]))
    # 3 pairs are half of 6 questions, a quarter of which is 1.5
    told = "1 gold question, and none is asked twice: someone who answers everything should get 2, so"
    assert [note for note in study.notes if note.startswith(told)]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 1),
        (("batch",), 18),
        (("batch", "questions"), 19),
        (("training", "pass"), 27),
        (("example", 0, "left"), 32),
        (("example", 1, "left"), 36),
        (("example", 1), 35),
        (("access", "prolific", "completion_url"), 43),
        (("nothing",), 1),
    ],
)
def test_lines_of_keys(path: tuple[str | int, ...], line: int) -> None:
    assert line_of(STUDY, path) == line


def test_labels_by_language() -> None:
    scale = RatingScale.model_validate({"labels": {"de": {"0": "nichts"}, "en": {"0": "nothing"}}})
    assert (scale.labelled("en"), scale.labelled("zh")) == ({0.0: "nothing"}, {0.0: "nichts"})
    assert RatingScale().labelled("en") == {}
