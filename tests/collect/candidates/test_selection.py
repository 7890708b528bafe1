import numpy as np
import pytest

from similitude.collect.candidates.selection import SelectionRequest, select, to_measure
from similitude.collect.candidates.selection.request import STRATUM
from similitude.data.texts import Texts
from similitude.errors import ArgumentError


def chosen(pairs, seed=1, **request):
    return select(pairs, SelectionRequest(**request), rng=np.random.default_rng(seed))


@pytest.fixture
def skewed(make_pairs):
    """1,000 pairs of 2,000 texts whose cosines pile up near 1: 2, 18, 80, 300 and 600 in the five fifths of 0..1."""
    cosines = np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], [2, 18, 80, 300, 600])
    sources = np.tile(["news", "ted", "ted", "ted"], 500)
    return make_pairs(
        np.arange(1000), np.arange(1000, 2000), texts={"source": sources}, strata=np.arange(1000) % 3, cosine=cosines
    )


FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def test_even_over_bands_and_the_lack_of_two_is_made_up_by_the_others(skewed):
    # 100 over five bands: 20 each; the first has 2, the second 18: 80 are left for three bands.
    found = chosen(skewed, items=100, spread="cosine", bins=FIFTHS)
    after = np.histogram(found.pairs.columns["cosine"], FIFTHS)[0]
    assert after[:2].tolist() == [2, 18]
    assert sorted(after[2:].tolist()) == [26, 27, 27]
    assert found.step.after == 100
    assert found.step.losses == {"not drawn": 900}
    assert found.step.notes == (
        "too few pairs (cosine 0 to 0.2: 2 of 20; cosine 0.2 to 0.4: 18 of 20): others gave more",
    )


def test_fewer_items_if_nothing_may_be_taken_instead(skewed):
    found = chosen(skewed, items=100, spread="cosine", bins=FIFTHS, short="leave")
    assert np.histogram(found.pairs.columns["cosine"], FIFTHS)[0].tolist() == [2, 18, 20, 20, 20]
    assert found.step.notes[-1] == "80 items instead of 100: there are not enough pairs"


def test_too_few_can_be_an_error(skewed):
    with pytest.raises(ArgumentError, match=r"cosine 0 to 0.2: 2 of 20.*short = 'note'"):
        chosen(skewed, items=100, spread="cosine", bins=FIFTHS, short="error")


def test_enough_is_no_error(skewed):
    found = chosen(skewed, items=10, spread="cosine", bins=FIFTHS, short="error")
    assert np.histogram(found.pairs.columns["cosine"], FIFTHS)[0].tolist() == [2, 2, 2, 2, 2]
    assert found.step.notes == ()


def test_any_target_histogram(skewed):
    found = chosen(skewed, items=60, spread="cosine", bins=FIFTHS, target=[0, 1, 2, 2, 1])
    assert np.histogram(found.pairs.columns["cosine"], FIFTHS)[0].tolist() == [0, 10, 20, 20, 10]
    assert "0 : 1 : 2 : 2 : 1 over 5 bands of cosine (from 0 to 1)" in found.step.facts["explanation"][1]


def test_more_items_than_pairs(skewed):
    found = chosen(skewed, items=2000)
    assert found.step.after == 1000
    assert found.step.losses == {}
    assert found.step.notes == ("1,000 items instead of 2,000: there are not enough pairs",)
    with pytest.raises(ArgumentError, match="1,000 pairs where 2,000 are wanted"):
        chosen(skewed, items=2000, short="error")


def test_all_pairs_without_a_number(skewed):
    found = chosen(skewed)
    assert sorted(found.positions.tolist()) == list(range(1000))
    assert found.step.notes == ()
    assert found.step.facts["explanation"] == ["All of 1,000 pairs were taken."]


def test_the_same_seed_the_same_pairs_and_another_seed_others(skewed):
    first = chosen(skewed, items=50, spread="cosine").positions
    assert chosen(skewed, items=50, spread="cosine").positions.tolist() == first.tolist()
    assert set(chosen(skewed, seed=2, items=50, spread="cosine").positions.tolist()) != set(first.tolist())


def test_every_pair_is_as_likely(make_pairs):
    pairs = make_pairs(np.arange(20), np.arange(20, 40))
    drawn = np.concatenate([chosen(pairs, seed=seed, items=5).positions for seed in range(800)])
    counts = np.bincount(drawn, minlength=20)
    assert counts.sum() == 4000
    assert abs(counts - 200).max() < 55  # a standard deviation is 12


def test_within_each_band_evenly_over_a_column_of_texts(skewed):
    found = chosen(skewed, items=40, spread="cosine", bins=(0.6, 0.8, 1.0), over=["source"])
    cells = sorted(set(found.cells))
    assert cells == [
        "cosine 0.6 to 0.8, source news",
        "cosine 0.6 to 0.8, source ted",
        "cosine 0.8 to 1, source news",
        "cosine 0.8 to 1, source ted",
    ]
    assert [found.cells.count(cell) for cell in cells] == [10, 10, 10, 10]
    # The others are not lost without a word.
    assert found.step.losses == {"not drawn": 860, "outside of all bands or shares": 100}
    assert found.step.facts["cells"][0] == {"cell": "cosine 0.6 to 0.8, source news", "found": 75, "taken": 10}


def test_weights_by_value_and_values_without_a_weight(skewed):
    found = chosen(skewed, items=30, over={"stratum": {"words": 2, "random": 1}})
    assert np.bincount(found.pairs.strata, minlength=3).tolist() == [0, 20, 10]
    assert found.step.losses["outside of all bands or shares"] == 334


def test_as_they_were_found(skewed):
    found = chosen(skewed, items=100, over={"source": "found"})
    assert found.cells.count("source news") == 25
    assert found.cells.count("source ted") == 75


def test_pairs_of_two_sources_are_a_part_of_their_own(make_pairs):
    pairs = make_pairs([0, 0, 1, 2], [1, 2, 2, 0], texts={"source": ["b", "a", "b"]})
    found = chosen(pairs, items=4, over=["source"])
    assert sorted(found.cells) == ["source a + b", "source a + b", "source b", "source b"]


def test_numbers_are_bands_and_few_numbers_are_names(make_pairs):
    rows = np.arange(400)
    pairs = make_pairs(rows, rows + 400, chars=rows, turns=np.where(rows < 300, 3, 5))
    assert set(chosen(pairs, items=40, over=["turns"]).cells) == {"turns 3", "turns 5"}
    bands = chosen(pairs, items=40, over={"chars": 2})
    assert sorted(bands.pairs.columns["chars"] < 199.5).count(True) == 20


@pytest.mark.parametrize(("distinct", "parts"), [(12, 12), (13, 4)])
def test_from_thirteen_numbers_on_they_are_bands(make_pairs, distinct, parts):
    rows = np.arange(260)
    found = chosen(make_pairs(rows, rows + 260, year=2000 + rows % distinct), items=52, over=["year"])
    assert len(set(found.cells)) == parts


def test_of_two_dialogues_the_left_one_stays(make_pairs):
    context = [["a", "text 0"], ["b", "text 1"], None]
    pairs = make_pairs([0, 1, 2], [1, 0, 1], texts={"context": context})
    found = chosen(pairs)
    assert found.pairs.left.tolist() == [0, 1, 1]
    assert found.pairs.right.tolist() == [1, 0, 2]


def test_the_most_contentious_of_each_band(skewed):
    values = np.random.default_rng(5).random(1000)
    skewed.columns["spread"] = values
    found = chosen(skewed, items=30, spread="cosine", bins=(0.4, 0.6, 0.8, 1.0), contentious="spread")
    for low in (0.5, 0.7, 0.9):
        here = skewed.columns["cosine"] == low
        taken = found.pairs.columns["spread"][found.pairs.columns["cosine"] == low]
        assert sorted(taken) == pytest.approx(np.sort(values[here])[-10:])
    border = found.step.examples
    assert [each.is_kept for each in border] == [True] * 3 + [False] * 3
    assert border[0].value == pytest.approx(found.pairs.columns["spread"].min(), abs=1e-6)


def test_a_pair_without_a_value_is_never_contentious(make_pairs):
    pairs = make_pairs([0, 1, 2], [3, 4, 5], doubt=[np.nan, 0.1, 0.2])
    found = chosen(pairs, items=3, contentious="doubt")
    assert sorted(found.positions.tolist()) == [1, 2]
    assert found.step.losses == {"no value to be drawn by": 1}


def test_a_text_is_in_one_pair_only(make_pairs):
    # A star: text 0 with 50 others; and 10 pairs apart.
    left = [0] * 50 + list(range(60, 70))
    right = list(range(1, 51)) + list(range(70, 80))
    found = chosen(make_pairs(left, right), items=60, most=1)
    used = np.concatenate([found.pairs.left, found.pairs.right])
    assert found.step.after == 11
    assert np.bincount(used).max() == 1
    assert found.step.losses == {"another pair with the same text was drawn": 49}


def test_a_text_is_in_so_many_pairs_at_most_and_they_are_reached(make_pairs):
    found = chosen(make_pairs([0] * 50, range(1, 51)), items=60, most=3)
    assert found.step.after == 3


def test_pairs_of_a_text_with_itself_can_be_taken(make_pairs):
    assert chosen(make_pairs([4, 1], [4, 2]), items=2, most=1).step.after == 2


def test_scarce_cells_come_first_where_texts_are_rare(make_pairs):
    # Text 0 is in the only low pair and in many high ones: the low pair is taken whatever the draw.
    pairs = make_pairs([0] * 30 + [40], range(1, 32), cosine=[0.1] + [0.9] * 30)
    for seed in range(20):
        found = chosen(pairs, seed=seed, items=2, spread="cosine", bins=(0.0, 0.5, 1.0), most=1)
        assert sorted(found.pairs.columns["cosine"]) == [0.1, 0.9]


def test_where_texts_run_out_other_cells_give_more(make_pairs):
    left = [0] * 10 + list(range(20, 40))
    right = list(range(1, 11)) + list(range(40, 60))
    pairs = make_pairs(left, right, cosine=[0.1] * 10 + [0.9] * 20)
    found = chosen(pairs, items=10, spread="cosine", bins=(0.0, 0.5, 1.0), most=1)
    assert sorted(found.pairs.columns["cosine"]) == [0.1] + [0.9] * 9
    assert "cosine 0 to 0.5: 1 of 5" in found.step.notes[0]


def test_distributions_before_and_after(skewed):
    step = chosen(skewed, items=10, spread="cosine", bins=FIFTHS).step
    bands, strata = step.distributions
    assert (bands.edges, bands.before, bands.after) == (FIFTHS, (2, 18, 80, 300, 600), (2, 2, 2, 2, 2))
    assert strata.name == STRATUM
    assert strata.before == (334, 333, 333, 0, 0)
    assert sum(strata.after) == 10


def test_what_must_be_measured():
    request = SelectionRequest(items=1, spread="cosine", contentious="d(a, b)", over=["language", "stratum", "words"])
    assert to_measure(request, Texts.from_list(["a"])) == ("cosine", "d(a, b)", "words")


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"items": 0}, "items=0"),
        ({"items": 1.5}, "not a whole number"),
        ({"items": 5, "bins": 3}, "bins without spread"),
        ({"items": 5, "spread": "cosine", "bins": 0}, "at least 1"),
        ({"items": 5, "spread": "cosine", "bins": (1, 0)}, "ascend"),
        ({"items": 5, "spread": "cosine", "target": (1, 2)}, "2 weights for 5 bands"),
        ({"items": 5, "spread": "cosine", "bins": 2, "target": (0, 0)}, "one of them above 0"),
        ({"items": 5, "target": (1,)}, "target without spread"),
        ({"items": 5, "over": {"source": "odd"}}, "over source: 'odd'"),
        ({"items": 5, "over": {"source": {}}}, "weights by value"),
        ({"items": 5, "each": 2}, "each=2 without per"),
        ({"items": 5, "per": "group", "spread": "c", "bins": 2, "target": (1, 2)}, "leave target or per out"),
        ({"spread": "cosine"}, "say how many"),
    ],
)
def test_requests_that_make_no_sense(request_, said):
    with pytest.raises(ArgumentError, match=said):
        SelectionRequest(**request_)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"items": 5, "spread": "kosine"}, "no values of 'kosine'.*there are: cosine"),
        ({"items": 5, "over": ["sauce"]}, "no 'sauce'.*source"),
        ({"items": 5, "over": {"source": 3}}, "source has names, not numbers"),
        ({"items": 5, "over": {"source": {"x": 1}}}, "named values of source .x.*news, ted"),
        ({"items": 5, "per": "image"}, "no column 'image'"),
        ({"items": 5, "diverse": "k-center"}, "the texts have none"),
    ],
)
def test_columns_that_are_not_there(skewed, request_, said):
    with pytest.raises(ArgumentError, match=said):
        chosen(skewed, **request_)


def test_no_pairs_at_all(make_pairs):
    with pytest.raises(ArgumentError, match="no pairs to select from"):
        chosen(make_pairs([], []), items=5)


def test_names_cannot_be_spread(make_pairs):
    with pytest.raises(ArgumentError, match="label is not a number: yes, no"):
        chosen(make_pairs([0, 1], [2, 3], label=["yes", "no"]), items=1, spread="label")
