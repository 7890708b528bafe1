import json
from functools import partial
from pathlib import Path

import pytest

from similitude.collect.design import presentation, read_design
from similitude.errors import SimilitudeError


@pytest.fixture
def call(run_command):
    return partial(run_command, "design")


@pytest.fixture
def ids(tmp_path: Path) -> Path:
    path = tmp_path / "ids.txt"
    path.write_text("".join(f"item-{n}\n" for n in range(120)))
    return path


def test_best_worst_says_what_holds_in_plain_words(call, ids, tmp_path):
    plan = tmp_path / "plan.jsonl"
    shown = call("best-worst", ids, "--size", 4, "--factor", 2, "--seed", 1, "--out", plan)
    assert shown.exit_code == 0, shown.stdout
    for words in (
        "240 four-tuples, all different, no item twice in one",
        "every item in 8 tuples",
        "no pair together more than once (ideal 0.2)",
        "all 120 items are connected",
        "240 questions x 5 annotators = 1,200 judgements",
        f"plan written to {plan}",
    ):
        assert words in shown.stdout
    assert len(read_design(plan)) == 240


def test_dialogues_on_pages_as_json(call, tmp_path):
    plan = tmp_path / "plan.jsonl"
    arguments = ("--size", 3, "--factor", 2, "--by-group", "--per-question", 5, "--page-strata", "turns", "--seed", 1)
    shown = call("best-worst", "sample:dialogues", *arguments, "--out", plan, "--json")
    told = json.loads(shown.stdout)
    assert told["guarantees"]["appearances_min"] == told["guarantees"]["appearances_max"] == 6
    assert (told["guarantees"]["together_min"], told["guarantees"]["together_max"]) == (3, 3)
    assert (told["layout"]["batches"], told["layout"]["strata"], told["layout"]["incomplete"]) == (60, ["3", "5"], 0)
    assert told["effort"]["judgements"] == 600
    assert told["file"] == str(plan)
    assert {one.stratum for one in read_design(plan)} == {"3", "5"}


def test_the_same_command_writes_the_same_plan(call, ids, tmp_path):
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        call("best-worst", ids, "--batch", 20, "--seed", seed, "--out", tmp_path / name)
    one, again, other = ((tmp_path / name).read_text() for name in ("one", "again", "other"))
    assert one == again
    assert one != other


def test_ratings_with_gold_and_repeats(call, ids, tmp_path):
    gold, plan = tmp_path / "gold.txt", tmp_path / "plan.jsonl"
    gold.write_text("g1\ng2\ng3\n")
    mix = ("--batch", 20, "--gold", gold, "--gold-share", 0.1, "--repeat-share", 0.05)
    pay = ("--seconds-per-question", 12, "--pay-per-hour", 15)
    shown = call("rating", ids, *mix, *pay, "--out", plan)
    assert shown.exit_code == 0, shown.stdout
    # 120 questions at 17 a batch: 8 batches of 15 + 2 gold + 1 repeat.
    assert "8 batches of 18" in shown.stdout
    assert "16 gold questions (11.1 %), never first; each of 3 gold items asked 5 to 6 times" in shown.stdout
    assert "144 questions x 5 annotators = 720 judgements" in shown.stdout
    assert "about 2.4 hours in all; the largest batch about 4 minutes" in shown.stdout
    assert "about 36 in pay" in shown.stdout
    design = read_design(plan)
    assert {one.question for one in presentation(design, "anna")} == set(design.frame["question"])


def test_verification_of_conditions(call):
    told = json.loads(call("rating", "sample:conditions", "--verify", "--json").stdout)
    assert (told["task"], told["guarantees"], told["layout"]["with_two_of_a_group"]) == ("verification", None, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("best-worst", "sample:dialogues", "--size", 3, "--factor", 3, "--by-group"), "group 'de-train-01': 15 "
         "triples requested (3 x 5 items), but 5 items give only C(5,3) = 10 different ones "
         "(and likewise in 11 other groups)"),
        (("best-worst", "sample:dialogues", "--tuples", 9, "--factor", 2), "tuples and factor both say"),
        (("best-worst", "sample:dialogues", "--page-strata", "turns"), "tuples of items that differ in turns"),
        (("best-worst", "sample:opinions", "--by-group"), "60 items of 60 without group"),
        (("best-worst", "sample:dialogues", "--by-group", "--size", 3, "--page-strata", "turns", "--batch", 5),
         "exclude each other"),
        (("rating", "sample:opinions", "--verify"), "60 items without a condition to verify"),
        (("rating", "sample:dialogues", "--batch", 40), "has 5 questions, but there are 2 batches"),
        (("rating", "sample:opinions", "--gold", "sample:opinions", "--gold-share", 0.1), "60 gold items would be "
         "asked both as gold and as work"),
        (("rating", "nowhere.txt"), "no such file"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(call, arguments, message):
    with pytest.raises(SimilitudeError) as refused:
        call(*arguments)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
