"""Bars of what was kept, and histograms before and after."""

import math
from xml.etree import ElementTree

import pytest

from similitude.drawing import KeptBar, before_after, kept_bars

INFINITE = float("inf")


def bars_of(svg: str, kind: str) -> list[str]:
    return [one.get("width") for one in ElementTree.fromstring(svg).iter("rect") if one.get("class") == kind]


def texts(svg: str) -> list[str]:
    """What can be read, without tooltips."""
    return [one.text or one[0].tail for one in ElementTree.fromstring(svg).iter("text")]


def test_a_bar_is_as_long_as_the_share_that_was_kept():
    svg = kept_bars("kept", [KeptBar("a", "9", 0.25), KeptBar("b", "4", 1.0)])
    assert bars_of(svg, "track") == ["100%", "100%"]
    assert bars_of(svg, "fill") == ["25%", "100%"]


def test_little_is_seen_and_nothing_is_not():
    assert bars_of(kept_bars("kept", [KeptBar("a", "1", 1e-7)]), "fill") == ["0.4%"]
    none = kept_bars("kept", [KeptBar("a", "0", 0.0)])
    assert (bars_of(none, "track"), bars_of(none, "fill")) == (["100%"], [])


def test_what_has_no_share_has_no_bar():
    svg = kept_bars("kept", [KeptBar("pairs", "880 pairs", math.nan)])
    assert bars_of(svg, "track") == []
    assert texts(svg) == ["pairs", "880 pairs"]


def test_a_long_name_gets_a_line_of_its_own_and_only_its_row_grows():
    long = KeptBar("n" * 39, "w" * 8, 0.5)
    short = KeptBar("n" * 38, "w" * 8, 0.5)
    assert [float(row.get("height")) for row in rows([long, short])] == [56, 38]
    assert [float(row.get("y")) for row in rows([long, short])] == [0, 56]
    assert ElementTree.fromstring(kept_bars("", [long, short])).get("height") == "94"


def rows(bars: list[KeptBar]) -> list[ElementTree.Element]:
    return ElementTree.fromstring(kept_bars("kept", bars)).findall("svg")


def test_a_name_beyond_the_width_of_a_phone_is_cut_and_its_tooltip_is_whole():
    svg = kept_bars("kept", [KeptBar("x" * 45, "1", 1.0)])
    name = next(ElementTree.fromstring(svg).iter("text"))
    assert name.find("title").text == "x" * 45
    assert name.find("title").tail == "x" * 43 + "…"


def test_names_are_escaped():
    assert "<b>" not in kept_bars("<b>", [KeptBar("<b>", "<b>", 0.5)])


def histograms(svg: str) -> dict[str, str]:
    paths = ElementTree.fromstring(svg).iter("path")
    return {one.get("class").removeprefix("bars "): one.get("d") for one in paths}


def test_each_histogram_has_its_own_height():
    drawn = histograms(before_after("cosine", [0, 1, 2], [1000, 500], [0, 1]))
    assert drawn["before"].count("v-52") == 1, "the highest bar fills the height"
    assert drawn["before"].count("v-26") == 1
    assert drawn["after"].count("M") == 1, "an empty bin has no bar"
    assert "v-52" in drawn["after"]


def test_the_same_before_and_after_is_drawn_once():
    same = before_after("cosine", [0, 1, 2], [3, 4], [3, 4])
    assert list(histograms(same)) == ["after"]
    assert "before and after: 7" in texts(same)


def test_without_a_before_only_what_was_made_is_drawn():
    made = before_after("cosine", [0, 1, 2], [0, 0], [3, 4])
    assert list(histograms(made)) == ["after"]
    assert "after: 7" in texts(made)


def test_a_step_that_kept_nothing_still_has_both():
    drawn = histograms(before_after("cosine", [0, 1, 2], [3, 4], [0, 0]))
    assert drawn["after"] == ""


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        ([0, 0.5, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([1, 10, 100, 10_000], ["1", "10", "100", "10,000"]),
        ([0, 5, INFINITE], ["0", "5", "∞"]),
        ([-INFINITE, 5, 12.345], ["-∞", "5", "12.3"]),
    ],
)
def test_even_bins_have_round_labels_and_uneven_ones_those_of_their_edges(edges, labels):
    counts = [1] * (len(edges) - 1)
    assert texts(before_after("x", edges, counts, counts))[1:] == labels


def test_empty_uneven_bins_at_the_ends_are_left_out():
    svg = before_after("texts in a cluster", [1, 2, 3, 11, 1_000_000_000], [0, 5, 2, 0], [0, 5, 0, 0])
    assert texts(svg) == ["before: 7", "after: 5", "2", "3", "11"]
    assert texts(before_after("turns", [1, 2, 3, 4, 99], [4, 5, 2, 0], [1, 0, 0, 0]))[2:] == ["1", "2", "3", "4"]
    assert histograms(svg)["before"].count("M") == 2


def test_empty_even_bins_stay():
    svg = before_after("cosine", [0, 0.5, 1], [0, 5], [0, 4])
    assert texts(svg)[2:] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
