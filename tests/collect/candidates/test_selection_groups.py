"""Pairs drawn for groups, as GiCCS has five utterances of all degrees for each dialogue."""

import numpy as np
import pytest

from similitude.collect.candidates.selection import SelectionRequest, select
from similitude.errors import ArgumentError

FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def chosen(pairs, seed=1, **request):
    return select(pairs, SelectionRequest(**request), rng=np.random.default_rng(seed))


@pytest.fixture
def dialogues(make_pairs):
    """Twelve dialogues of three domains (6, 3, 3), each with 10 of 40 utterances: two in each fifth."""
    context = [[f"hello {row}", f"text {row}"] for row in range(12)] + [None] * 40
    domains = ["hotel"] * 6 + ["cinema"] * 3 + ["tv"] * 3 + [None] * 40
    groups = [f"d{row}" for row in range(12)] + [None] * 40
    left = np.repeat(np.arange(12), 10)
    right = 12 + (7 * np.arange(120)) % 40
    cosines = np.tile([0.1, 0.1, 0.3, 0.3, 0.5, 0.5, 0.7, 0.7, 0.9, 0.9], 12)
    return make_pairs(left, right, texts={"context": context, "domain": domains, "group": groups}, cosine=cosines)


def test_one_of_each_band_for_each_dialogue(dialogues):
    found = chosen(dialogues, items=30, per="group", spread="cosine", bins=FIFTHS)
    table = {}
    for row, cosine in zip(found.pairs.left.tolist(), found.pairs.columns["cosine"].tolist(), strict=True):
        table.setdefault(row, []).append(cosine)
    assert len(table) == 6
    assert all(sorted(cosines) == [0.1, 0.3, 0.5, 0.7, 0.9] for cosines in table.values())
    assert found.step.notes == ()
    assert found.step.losses == {"its group was not drawn": 60, "not drawn": 30}


def test_groups_are_divided_over_domains(dialogues):
    found = chosen(dialogues, items=30, per="group", spread="cosine", bins=FIFTHS, over=["domain"])
    drawn = dialogues.texts.frame["domain"][np.unique(found.pairs.left)].to_list()
    assert sorted(drawn) == ["cinema", "cinema", "hotel", "hotel", "tv", "tv"]
    sentences = found.step.facts["explanation"]
    assert "6 groups were drawn at random, evenly over domain (cinema, hotel, tv)" in sentences[1]
    assert "1 pair of each of 5 bands of cosine (from 0 to 1)" in sentences[2]


def test_shares_of_domains_as_in_giccs(dialogues):
    shares = {"hotel": 4, "cinema": 1, "tv": 1}
    found = chosen(dialogues, items=30, per="group", spread="cosine", bins=FIFTHS, over={"domain": shares})
    drawn = dialogues.texts.frame["domain"][np.unique(found.pairs.left)].to_list()
    assert sorted(drawn) == ["cinema", "hotel", "hotel", "hotel", "hotel", "tv"]


def test_a_domain_with_too_few_dialogues_is_told(dialogues):
    # Three dialogues on tv, where five are wanted: others give more.
    request = {
        "items": 30,
        "per": "group",
        "spread": "cosine",
        "bins": FIFTHS,
        "over": {"domain": {"tv": 5, "hotel": 1}},
    }
    found = chosen(dialogues, **request)
    drawn = dialogues.texts.frame["domain"][np.unique(found.pairs.left)].to_list()
    assert sorted(drawn) == ["hotel"] * 3 + ["tv"] * 3
    assert found.step.notes == ("too few pairs (groups of domain tv: 3 of 5): others gave more",)
    with pytest.raises(ArgumentError, match="groups of domain tv: 3 of 5"):
        chosen(dialogues, **request, short="error")


def test_several_of_each_band(dialogues):
    found = chosen(dialogues, items=20, per="group", each=2, spread="cosine", bins=FIFTHS)
    assert np.bincount(found.pairs.left).max() == 10
    assert found.step.after == 20


def test_a_number_that_is_no_multiple_is_rounded_down_and_said(dialogues):
    found = chosen(dialogues, items=33, per="group", spread="cosine", bins=FIFTHS)
    assert found.step.after == 30
    assert found.step.notes == ("30 items, not 33: every group gives the same number",)


def test_all_groups_without_a_number(dialogues):
    assert chosen(dialogues, per="group", spread="cosine", bins=FIFTHS).step.after == 60


def test_fewer_items_than_one_group_needs(dialogues):
    with pytest.raises(ArgumentError, match="4 items are fewer than the 5 of one group"):
        chosen(dialogues, items=4, per="group", spread="cosine", bins=FIFTHS)


@pytest.fixture
def lacking(make_pairs):
    """Three groups: one with all bands, one that lacks the third of three, one with two pairs only."""
    left = [0, 0, 0, 1, 1, 1, 2, 2]
    groups = ["full", "lacks", "small", *[None] * 8]
    cosines = [0.1, 0.5, 0.9, 0.1, 0.5, 0.55, 0.1, 0.9]
    context = [[f"text {row}"] for row in range(3)] + [None] * 8
    return make_pairs(left, range(3, 11), texts={"group": groups, "context": context}, cosine=cosines)


THIRDS = (0.0, 0.33, 0.66, 1.0)


def test_groups_with_all_bands_come_first(lacking):
    for seed in range(10):
        found = chosen(lacking, seed=seed, items=3, per="group", spread="cosine", bins=THIRDS)
        assert set(found.pairs.left.tolist()) == {0}


def test_a_band_that_is_empty_is_replaced_by_the_nearest(lacking):
    found = chosen(lacking, items=6, per="group", spread="cosine", bins=THIRDS)
    assert sorted(found.pairs.columns["cosine"][found.pairs.left == 1]) == [0.1, 0.5, 0.55]
    assert found.step.notes == ("too few pairs (groups with pairs in all 3 bands: 1 of 2): others gave more",)


def test_groups_that_lack_a_band_are_left_out_if_asked(lacking):
    found = chosen(lacking, items=6, per="group", spread="cosine", bins=THIRDS, short="leave")
    assert set(found.pairs.left.tolist()) == {0}
    assert found.step.notes[-1] == "3 items instead of 6: there are not enough pairs"


def test_groups_that_lack_a_band_can_be_an_error(lacking):
    with pytest.raises(ArgumentError, match="groups with pairs in all 3 bands: 1 of 2"):
        chosen(lacking, items=6, per="group", spread="cosine", bins=THIRDS, short="error")


def test_the_dialogue_comes_left_and_its_pair_is_drawn_once(make_pairs):
    # Two dialogues that are compared with each other: the pair can belong to either, but not to both.
    context = [["a", "text 0"], ["b", "text 1"], None]
    pairs = make_pairs([0, 2], [1, 0], texts={"context": context, "group": ["x", "y", None]}, cosine=[0.5, 0.5])
    found = chosen(pairs, per="group")
    assert found.step.after == 2
    assert sorted(found.positions.tolist()) == [0, 1]
    belongs = dict(zip(found.positions.tolist(), found.pairs.left.tolist(), strict=True))
    assert belongs[1] == 0  # the utterance was left, the dialogue is
    assert belongs[0] == 1  # so that both dialogues have one pair


def test_texts_that_are_compared_are_in_few_pairs(dialogues):
    found = chosen(dialogues, items=40, per="group", spread="cosine", bins=FIFTHS, most=1)
    assert np.bincount(found.pairs.right).max() == 1
    assert np.bincount(found.pairs.left).max() > 1
    assert found.step.facts["explanation"][-1] == "No text is compared with more than 1 group."


def test_groups_with_diverse_pairs_keep_their_bands(dialogues):
    vectors = np.random.default_rng(3).standard_normal((52, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with_vectors = type(dialogues)(
        dialogues.texts, dialogues.left, dialogues.right, dialogues.strata, vectors, dialogues.columns
    )
    for method in ("k-center", "facility-location"):
        found = chosen(with_vectors, items=30, per="group", spread="cosine", bins=FIFTHS, diverse=method)
        assert np.unique(found.pairs.left, return_counts=True)[1].tolist() == [5] * 6
        assert np.histogram(found.pairs.columns["cosine"], FIFTHS)[0].tolist() == [6] * 5


def test_utterances_have_no_pairs_of_their_own_where_there_are_dialogues(make_pairs):
    # Row 1 is an utterance of the same group as dialogue 0; pairs of two utterances belong to nobody.
    context = [["a", "text 0"], None, None, None]
    pairs = make_pairs([0, 1, 2], [2, 2, 3], texts={"context": context, "group": ["x", "x", "y", "y"]})
    found = chosen(pairs, per="group")
    assert found.positions.tolist() == [0]
    assert found.step.losses == {"neither text is the last turn of a dialogue": 2}


def test_dialogues_are_divided_over_their_numbers_of_turns(make_pairs):
    context = [["a"] * 2 + [f"text {row}"] for row in range(6)] + [["a"] * 4 + ["text"] for _ in range(2)] + [None] * 8
    pairs = make_pairs(range(8), range(8, 16), texts={"context": context, "group": [f"d{row}" for row in range(16)]})
    found = chosen(pairs, items=4, per="group", over=["turns"])
    assert sorted(found.cells) == ["turns 3", "turns 3", "turns 5", "turns 5"]
    assert "evenly over turns (3, 5)" in found.step.facts["explanation"][1]


def test_no_pair_holds_a_dialogue(make_pairs):
    pairs = make_pairs([1], [2], texts={"context": [["a"], None, None], "group": ["x", "y", "z"]})
    with pytest.raises(ArgumentError, match="no pair holds a dialogue"):
        chosen(pairs, per="group")


def test_the_same_text_in_two_rows_is_one_text(make_pairs):
    # Rows 1 and 2 hold the same words: as the end of dialogue y and as an utterance of it.
    texts = {
        "text": ["a", "b", "b", "c"],
        "context": [["x", "a"], ["y", "b"], None, None],
        "group": ["x", "y", "y", "z"],
    }
    pairs = make_pairs([0, 0, 0], [1, 2, 3], texts=texts)
    assert sorted(chosen(pairs, per="group", each=2, items=2).pairs.right.tolist()) in ([1, 3], [2, 3])


def test_the_same_text_in_two_rows_is_used_once(make_pairs):
    pairs = make_pairs([0, 1], [2, 3], texts={"text": ["a", "a", "b", "c"]})
    assert chosen(pairs, items=2, most=1).step.after == 1
