"""Figures of data on judgements made by hand: every expected value is derived beside it."""

import math

import pytest

import similitude as sim
from similitude.errors import UnknownNameError
from similitude.study.tables.data_figures import DATA_FIGURES, data_values, known_figure
from similitude.study.tables.data_options import DataOptions
from similitude.study.tables.data_part import DataPart

NO_INTERVALS = DataOptions(resamples=0)


def made(lists: list[list[float]], rounds: list[str] | None = None) -> DataPart:
    columns = {
        "left": ["a" * (n + 1) for n in range(len(lists))],
        "right": ["b"] * len(lists),
        "score": [sum(values) / len(values) for values in lists],
        "ratings": lists,
    }
    if rounds:
        columns["rounds"] = [rounds] * len(lists)
    return DataPart(items=sim.Benchmark.from_columns("made", scale="0..5", **columns), positions_are_people=True)


def values(name: str, part: DataPart, options: DataOptions = NO_INTERVALS) -> dict[tuple[str, ...], float]:
    return {tuple(value.at.values()): value.estimate.value for value in data_values(name, part, options)}


FOUR = made([[0, 2], [1, 1], [5, 1], [4, 4]])
# means 1, 1, 3, 4; sigmas (ddof 0) 1, 0, 2, 0


def test_sizes():
    assert values("items", FOUR) == {(): 4}
    assert values("raters", FOUR) == {(): 2}
    assert values("answers", FOUR) == {(): 8}
    # lengths 1, 2, 3, 4 against 1
    assert values("length", FOUR) == {("left",): 2.5, ("right",): 1.0, ("pair",): 1.75}


def test_every_pair_has_its_score():
    assert values("score", FOUR) == {("a / b",): 1.0, ("aa / b",): 1.0, ("aaa / b",): 3.0, ("aaaa / b",): 4.0}


def test_spread():
    assert values("sigma", FOUR) == {(): 0.75}
    assert values("sigma_range", FOUR) == {("from",): 0.0, ("to",): 2.0}
    assert values("mean_range", FOUR) == {("from",): 1.0, ("to",): 4.0}


def test_contentious_items_are_those_beyond_a_tenth_of_the_scale():
    assert values("contentious", FOUR) == {("number",): 2.0, ("share",): 0.5, ("rest",): 2.0}
    above = DataOptions(resamples=0, above=1.5)
    assert values("contentious", FOUR, above) == {("number",): 1.0, ("share",): 0.25, ("rest",): 3.0}


def test_counts_have_the_interval_of_their_share():
    number, share, rest = data_values("contentious", FOUR, DataOptions())
    assert number.ends == (4 * share.estimate.low, 4 * share.estimate.high)
    assert rest.ends == (None, None)


def test_raters_correlate():
    # the raters said 0 1 5 4 and 2 1 1 4; deviations -2.5 -1.5 2.5 1.5 and 0 -1 -1 2, products 0 1.5 -2.5 3 = 2;
    # sums of squares 17 and 6: 2 / sqrt(102)
    assert values("pearson", FOUR)[()] == pytest.approx(2 / math.sqrt(102))
    # ranks 1 2 4 3 and 3 1.5 1.5 4; deviations -1.5 -.5 1.5 .5 and .5 -1 -1 1.5, products -.75 .5 -1.5 .75 = -1
    assert values("spearman", FOUR)[()] == pytest.approx(-1 / math.sqrt(5 * 4.5))


def test_rounds_are_compared():
    part = made([[0, 0, 1, 3], [2, 2, 4, 4]], ["first", "first", "second", "second"])
    # sigma of the first round 0 and 0, of the second 1 and 0; means apart 0 - 2 and 2 - 4
    assert values("rounds", part, DataOptions(resamples=0, above=0.5)) == {
        ("sigma, first",): 0.0,
        ("sigma, second",): 0.5,
        ("share above",): 0.5,
        ("first is higher",): 0.0,
        ("means apart, from",): -2.0,
        ("means apart, to",): -2.0,
    }


def test_kl_of_more_raters_than_there_are_is_undefined_and_says_so():
    part = made([[0, 2, -1 + 1, 4], [1, 3, 0, 4]], ["first", "first", "second", "second"])
    two, three = data_values("kl_by_raters", part, DataOptions(raters=(2, 3)))
    # p: mean 1 and 2, sigma 1; q: mean 2, sigma 2: ln 2 + (1 + 1) / 8 - 1/2 and ln 2 + 1 / 8 - 1/2
    assert two.estimate.value == pytest.approx(math.log(2) - 0.5 + (2 / 8 + 1 / 8) / 2)
    assert two.at == {"raters": "2"}
    assert math.isnan(three.estimate.value)
    assert "3 of round 'second'" in (three.estimate.reason or "")


def test_growth_of_sigma():
    part = made([[1, 1, 1, 1, 5]])
    # with four ratings 0; with five: mean 1.8, variance (4 * 0.64 + 10.24) / 5 = 2.56
    found = values("growth", part)
    assert found["sigma", "4"] == 0.0
    assert found["sigma", "5"] == pytest.approx(1.6)
    assert found["mean", "5"] == pytest.approx(1.8)
    assert values("growth_range", part) == {("from",): 0.0, ("to",): pytest.approx(1.6)}


def test_best_worst_answers():
    part = DataPart(items=sim.read("sample:dialogues"))
    assert set(values("alpha", part)) == {("combined",), ("by_position",), ("by_item",)}
    assert values("alpha", part)[("combined",)] == pytest.approx(0.938, abs=5e-4)  # as docs/reliability.md prints it
    assert set(values("strong_agreement", part)) == {("best",), ("worst",)}
    assert values("tuples", part)[()] * 5 == values("answers", part)[()]
    half = values("split_half", part, DataOptions(resamples=0, repeats=5))
    assert 0.9 < half[("spearman",)] <= 1


def test_words_of_dialogues():
    part = DataPart(items=sim.read("sample:dialogues"))
    described = sim.words.describe_texts("sample:dialogues").whole
    assert values("tokens", part) == {(): described.tokens}
    assert values("lemmas", part) == {(): described.lemmas}
    assert values("dialogues", part) == {(): described.dialogues}
    assert values("turn_length", part) == {(): described.passage_length}
    assert values("rttr", part)[("text",)] == described.richness["text"].rttr
    assert values("mtld", part)[("dialogue",)] == described.richness["dialogue"].mtld


def test_mixtures_need_more_items_than_they_are_fitted_to():
    (found,) = data_values("components", FOUR, DataOptions(train=4))
    assert found.estimate.reason == "there are 4 items, and train is 4; take fewer items to fit the mixture"


def test_a_figure_that_the_data_cannot_have_is_undefined_with_the_reason():
    part = DataPart(items=sim.Benchmark.from_columns("made", left=["a"], right=["b"], score=[1]))
    (found,) = data_values("sigma", part, NO_INTERVALS)
    assert math.isnan(found.estimate.value)
    assert "keeps no judgements" in (found.estimate.reason or "")


def test_unknown_figures_are_named():
    with pytest.raises(UnknownNameError, match="did you mean 'sigma'"):
        known_figure("sigmas")


def test_every_figure_says_what_it_means():
    known_figure("items")
    assert all(figure.meaning and figure.name == name for name, figure in DATA_FIGURES.items())
