"""What annotators see says nothing of the selection: order, ids and sides predict no score, no stratum, no query."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from similitude.collect.candidates.pairs import STRATA
from similitude.collect.candidates.selection import SelectionRequest, select
from similitude.collect.candidates.selection.blind_items import ID_LENGTH, blind_items
from similitude.data.item import ITEM_SCHEMA

COUNT = 3000
CHANCE = 4 / np.sqrt(COUNT)
"""Four standard errors of a correlation that is 0."""


@pytest.fixture
def blind(make_pairs):
    """Queries are left and come first; pairs are sorted by score, and every stratum has scores of its own."""
    scores = np.linspace(0, 1, COUNT)
    pairs = make_pairs(
        range(COUNT),
        range(COUNT, 2 * COUNT),
        strata=np.repeat([0, 1, 2], COUNT // 3),
        cosine=scores,
        rank=np.arange(COUNT),
    )
    chosen = select(pairs, SelectionRequest(items=COUNT, spread="cosine"), rng=np.random.default_rng(0))
    return blind_items(chosen, rng=np.random.default_rng(1))


def signs(blind):
    """All that the items file tells beside the texts: position, order of ids, first character of ids, and the side."""
    ids = blind.items.frame["id"]
    query_left = np.array([int(text.split()[1]) < COUNT for text in blind.items.lefts])
    return {
        "order": np.arange(COUNT),
        "id": ids.rank().to_numpy(),
        "first of id": [int(each[0], 16) for each in ids],
        "last of id": [int(each[-1], 16) for each in ids],
        "side": query_left,
    }


@pytest.mark.parametrize("sign", ["order", "id", "first of id", "last of id", "side"])
@pytest.mark.parametrize("secret", ["cosine", "rank", "stratum", "query"])
def test_nothing_predicts_the_selection(blind, sign, secret):
    told = np.asarray(signs(blind)[sign])
    if secret == "query":
        if sign == "side":
            assert abs(told.mean() - 0.5) < CHANCE / 2
            return
        hidden = signs(blind)["side"]
    elif secret == "stratum":
        hidden = [STRATA.index(each) for each in blind.descriptions["stratum"]]
    else:
        hidden = blind.descriptions[secret].to_numpy()
    assert abs(spearmanr(told, hidden).statistic) < CHANCE


def test_the_test_would_find_a_leak(make_pairs):
    pairs = make_pairs(range(COUNT), range(COUNT, 2 * COUNT), cosine=np.linspace(0, 1, COUNT))
    assert abs(spearmanr(np.arange(COUNT), pairs.columns["cosine"]).statistic) > CHANCE


def test_items_have_their_own_columns_only(blind):
    assert blind.items.frame.columns == ITEM_SCHEMA.names()
    told = blind.items.frame.write_ndjson()
    assert not any(secret in told for secret in (*STRATA, "cosine", "stratum", "rank"))


def test_descriptions_are_in_the_order_of_items(blind, make_pairs):
    frame, beside = blind.items.frame, blind.descriptions
    assert beside["id"].to_list() == frame["id"].to_list()
    lefts = [f"text {each.removeprefix('t')}" for each in beside["left_id"]]
    assert lefts == frame["left"].to_list()
    query = np.array([int(text.split()[1]) for text in frame["left"]])
    assert beside["is_swapped"].to_list() == (query >= COUNT).tolist()
    rows = np.where(query < COUNT, query, query - COUNT)
    assert beside["rank"].to_list() == rows.tolist()
    assert set(beside.columns) == {"id", "left_id", "right_id", "is_swapped", "stratum", "cell", "cosine", "rank"}


def run(pairs, seed, **how):
    chosen = select(pairs, SelectionRequest(), rng=np.random.default_rng(seed))
    return blind_items(chosen, rng=np.random.default_rng(seed + 1), **how)


def test_a_pair_keeps_its_id_whatever_the_draw(make_pairs):
    pairs = make_pairs(range(50), range(50, 100))
    first, second = run(pairs, 1), run(pairs, 2)
    assert first.items.ids != second.items.ids
    assert sorted(first.items.ids) == sorted(second.items.ids)
    assert {len(each) for each in first.items.ids} == {ID_LENGTH}
    sides = [dict(zip(each.items.ids, each.items.lefts, strict=True)) for each in (first, second)]
    assert sides[0] != sides[1]


def test_the_same_seed_the_same_items(make_pairs):
    pairs = make_pairs(range(50), range(50, 100))
    assert run(pairs, 1).items.fingerprint == run(pairs, 1).items.fingerprint


def test_a_dialogue_stays_left_with_its_group(make_pairs):
    texts = {
        "context": [["hello", "text 0"], *[None] * 40],
        "group": ["d", *[None] * 40],
        "domain": ["tv", *["other"] * 40],
    }
    items = run(make_pairs(range(1, 41), [0] * 40, texts=texts), 3).items.frame
    assert items["left"].unique().to_list() == ["text 0"]
    assert items["context"].to_list() == [["hello", "text 0"]] * 40
    assert items["group"].unique().to_list() == ["d"]
    assert items["domain"].unique().to_list() == ["tv"]


def test_what_texts_share_is_kept_and_what_tells_sides_is_not(make_pairs):
    texts = {"group": ["a", "a", "b", None], "source": ["x", "y", "x", None], "language": ["en"] * 4}
    items = run(make_pairs([0, 0, 3], [1, 2, 3], texts=texts), 0).items.frame.sort("group", "source", nulls_last=True)
    assert items["group"].to_list() == ["a", None, None]
    assert items["source"].to_list() == [None, "x", None]
    assert items["language"].to_list() == ["en"] * 3


def test_sides_can_be_fixed(make_pairs):
    items = run(make_pairs(range(50), range(50, 100)), 1, fixed_sides=True).items
    assert all(int(text.split()[1]) < 50 for text in items.lefts)


def test_pairs_that_are_equal_in_everything_have_ids_of_their_own(make_pairs):
    ids = run(make_pairs([0, 0, 1], [1, 1, 0]), 1).items.ids
    assert len(set(ids)) == 3
    assert len({each.partition("-")[0] for each in ids}) == 1


def test_columns_of_given_pairs_keep_apart_from_ours(make_pairs):
    found = run(make_pairs([0, 1], [2, 3], id=["x", "y"], stratum=[1, 2], label=[0, 1]), 1).descriptions
    assert sorted(found["given_id"].to_list()) == ["x", "y"]
    assert set(found.columns) >= {"given_stratum", "label", "stratum", "id"}
    assert found["stratum"].to_list() == ["neighbours", "neighbours"]
