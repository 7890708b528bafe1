"""Dialogues cut to a few turns."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from similitude.collect.candidates.dialogues import DialogueRules, cut_dialogues
from similitude.collect.candidates.dialogues.turn_windows import dealt_lengths, window_ends
from similitude.data.reading.texts import read_texts
from similitude.data.texts import SPEAKERS, Texts
from similitude.errors import ArgumentError


def dialogues(*counts: int, **columns: list[str]) -> Texts:
    """Dialogues of so many turns, in which bot and user take turns, the bot first."""
    who = ("bot", "user")
    rows = [
        {
            "id": f"d{number}",
            "turns": [{"role": who[turn % 2], "content": f"{number}.{turn + 1}"} for turn in range(count)],
            **{name: values[number] for name, values in columns.items()},
        }
        for number, count in enumerate(counts)
    ]
    return read_texts(rows)


def cut(texts: Texts, seed: int = 0, **rules):
    return cut_dialogues(texts, DialogueRules(**rules), rng=np.random.default_rng(seed))


def test_the_first_turns_as_in_giccs():
    found = cut(dialogues(5, 3, 2, 4), turns=3)
    assert found.texts.frame["context"].to_list() == [
        ["0.1", "0.2", "0.3"],
        ["1.1", "1.2", "1.3"],
        ["3.1", "3.2", "3.3"],
    ]
    assert found.texts.texts == ["0.3", "1.3", "3.3"]
    assert found.texts.frame[SPEAKERS].to_list() == [["bot", "user", "bot"]] * 3
    assert found.rows.tolist() == [0, 1, 3]
    assert dict(found.step.losses) == {"fewer than 3 turns": 1}
    assert (found.step.before, found.step.after) == (4, 3)


def test_the_last_turns():
    assert cut(dialogues(5, 3), turns=3, take="last").texts.texts == ["0.5", "1.3"]


def test_the_first_stretch_that_ends_with_a_speaker():
    found = cut(dialogues(6, 3, 4), turns=3, last="User")
    assert found.texts.frame["context"].to_list() == [["0.2", "0.3", "0.4"], ["2.2", "2.3", "2.4"]]
    assert dict(found.step.losses) == {"no 3 turns that end with 'User'": 1}
    last = cut(dialogues(7), turns=3, last="user", take="last")
    assert last.texts.frame["context"].to_list() == [["0.4", "0.5", "0.6"]]


def test_half_have_three_turns_and_half_have_five():
    found = cut(dialogues(*[6] * 24), turns=(3, 5))
    lengths = found.texts.frame["context"].list.len().to_list()
    assert (lengths.count(3), lengths.count(5)) == (12, 12)
    assert found.step.facts["turns"] == {"3": 12, "5": 12}


def test_short_dialogues_take_what_they_can_and_the_rest_makes_up_for_it():
    counts = [4] * 6 + [9] * 6
    found = cut(dialogues(*counts), turns=(3, 5))
    assert found.texts.frame["context"].list.len().to_list() == [3] * 6 + [5] * 6


def test_who_gets_how_many_turns_depends_on_the_seed_alone():
    texts = dialogues(*[6] * 20)
    lengths = [cut(texts, seed, turns=(3, 5)).texts.frame["context"].list.len().to_list() for seed in (1, 1, 2)]
    assert lengths[0] == lengths[1] != lengths[2]


def test_a_dialogue_is_its_own_group_unless_there_is_one():
    assert cut(dialogues(3, 3), turns=3).texts.frame["group"].to_list() == ["d0", "d1"]
    assert cut(dialogues(3, 3, group=["a", "b"]), turns=3).texts.frame["group"].to_list() == ["a", "b"]


def test_texts_without_turns_stay_as_they_are():
    plain = pl.DataFrame({"id": ["p"], "text": ["plain"], "domain": ["tv"]})
    both = Texts(pl.concat([plain, dialogues(2, 4, domain=["tv", "fax"]).frame], how="diagonal"))
    found = cut(both, turns=3)
    assert found.texts.ids == ["p", "d1"]
    assert found.texts.frame["domain"].to_list() == ["tv", "fax"]
    assert found.rows.tolist() == [0, 2]


def test_utterances_are_added_in_the_group_of_their_dialogue():
    found = cut(dialogues(4, 2, domain=["tv", "fax"]), turns=3, last="bot", utterances=True)
    frame = found.texts.frame
    assert frame.select("id", "text", "group", "domain").rows() == [
        ("d0", "0.3", "d0", "tv"),
        ("d0-turn-1", "0.1", "d0", "tv"),
        ("d0-turn-3", "0.3", "d0", "tv"),
        ("d1-turn-1", "1.1", "d1", "fax"),
    ]
    assert frame["context"].is_null().to_list() == [False, True, True, True]
    assert found.step.facts["utterances_added"] == 3
    assert found.rows.tolist() == [0, 0, 0, 1]


def test_the_sample_dialogues():
    found = cut(read_texts("sample:dialogues"), turns=(1, 3), take="last")
    with_turns = found.texts.frame.filter(pl.col("context").is_not_null())
    assert (with_turns["context"].list.last() == with_turns["text"]).all()
    assert set(with_turns["context"].list.len().to_list()) == {1, 3}


def test_the_step_shows_both_sides_of_the_border():
    step = cut(dialogues(2, 9, 3), turns=3).step
    assert [(example.value, example.is_kept) for example in step.examples] == [(2, False), (3, True), (9, True)]
    assert step.distributions[0].before[:3] == (0, 1, 1)
    assert step.distributions[0].after[:3] == (0, 0, 2)


def test_what_is_refused():
    with pytest.raises(ArgumentError, match="there are no dialogues: no text has turns"):
        cut(Texts.from_list(["a"]), turns=3)
    with pytest.raises(ArgumentError, match="nobody is called 'wizard'; speakers there: bot, user"):
        cut(dialogues(4), turns=3, last="wizard")
    with pytest.raises(ArgumentError, match="the data does not say who speaks"):
        cut(read_texts([["a", "b", "c"]]), turns=3, last="user")
    for turns in (0, (), (3, "five"), True, 2.5):
        with pytest.raises((ArgumentError, TypeError), match=r"number of turns|not iterable"):
            DialogueRules(turns=turns)
    with pytest.raises(ArgumentError, match="take='middle' is not known; known: first, last"):
        DialogueRules(take="middle")


def test_window_ends_by_hand():
    # dialogues of 3 and 4 turns; a stretch may end at turns 1 and 3 of the first, 2 and 4 of the second
    may_end = pl.Series([True, False, True, False, True, False, True])
    ends = {
        (n, last): window_ends(pl.Series([3, 4]), may_end, n, last=last).tolist() for n in (1, 2, 4) for last in (0, 1)
    }
    assert ends == {(1, 0): [1, 2], (1, 1): [3, 4], (2, 0): [3, 2], (2, 1): [3, 4], (4, 0): [0, 4], (4, 1): [0, 4]}


def test_lengths_are_dealt_as_evenly_as_they_can_be():
    possible = np.array([[True, False]] * 5 + [[True, True]] * 9 + [[False, False]])
    dealt = dealt_lengths(possible, (3, 5), np.random.default_rng(3))
    assert np.bincount(dealt + 1).tolist() == [1, 7, 7]
    assert (dealt[:5] == 0).all()
    assert dealt[-1] == -1
