import math
from xml.etree import ElementTree

import numpy as np
import pytest

from similitude.drawing import Whisker, bump_chart, histogram, interval_plot, scatter, strip
from similitude.drawing.axes import Frame, Span, ticks
from similitude.drawing.svg import tag

UNIT = Frame(x=Span(0, 1), y=Span(0, 1))
GOLD = np.linspace(0, 1, 200)


def parsed(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label")
    return root


def classes(root: ElementTree.Element) -> list[str]:
    return [element.get("class", "") for element in root.iter()]


def test_attributes_and_text_are_escaped():
    written = tag("text", '<b> & "', x=1, aria_label='"<&', class_="a", style=None)
    assert written == '<text x="1" aria-label="&#34;&lt;&amp;" class="a">&lt;b&gt; &amp; &#34;</text>'


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (1, 5, [1, 2, 3, 4, 5]), (-1, 1, [-1, -0.5, 0, 0.5, 1]), (2, 2, [2])],
)
def test_ticks_are_round(low, high, expected):
    assert ticks(low, high) == pytest.approx(expected)


def test_what_lies_beyond_the_frame_is_drawn_at_its_edge():
    assert (Span(0, 5).share(-1), Span(0, 5).share(6), Span(0, 5).share(2.5)) == (0, 1, 0.5)
    assert Span(2, 2).share(2) == 0.5


def test_a_dot_an_item_with_a_title_or_without():
    with_titles = parsed(scatter("words", UNIT, GOLD, GOLD, titles=[str(i) for i in range(200)]))
    assert classes(with_titles).count("dot") == 200
    without = parsed(scatter("words", UNIT, GOLD, GOLD))
    assert sum(path.get("d").count("h0") for path in without.iter("path")) == 200


def test_squares_hold_every_item_and_stay_small():
    rng = np.random.default_rng(0)
    gold = rng.uniform(0, 1, 50_000)
    svg = scatter("words", UNIT, gold, np.clip(gold + rng.normal(0, 0.2, 50_000), 0, 1), is_binned=True)
    assert len(svg) < 60_000
    assert {f"square square-{level}" for level in range(1, 6)} & set(classes(parsed(svg)))


def test_no_diagonal_where_scales_differ():
    assert "diagonal" in classes(parsed(scatter("words", UNIT, GOLD, GOLD)))
    assert "diagonal" not in classes(parsed(scatter("words", UNIT, GOLD, GOLD, has_diagonal=False)))


def test_bars_and_outline():
    drawn = parsed(histogram("words", UNIT, [0.5, 0, 0.5], [0.2, 0.6, 0.2]))
    bars, outline = drawn.findall("path")
    assert bars.get("d").count("z") == 2, "an empty bin has no bar"
    assert outline.get("d").count("h") == 3


def test_whiskers_only_where_there_is_an_interval():
    whiskers = [Whisker("a", "0.5", 0.5, 0.4, 0.6), Whisker("b", "0.3", 0.3), Whisker("c", "–", math.nan)]
    drawn = classes(parsed(interval_plot("words", whiskers)))
    assert drawn.count("point") == 2
    assert drawn.count("whisker") == 3
    assert "point" not in classes(parsed(interval_plot("words", [Whisker("c", "–", math.nan)])))


def test_an_interval_plot_fills_any_width():
    drawn = parsed(interval_plot("words", [Whisker("a", "0.5", 0.5, 0.4, 0.6)]))
    assert drawn.get("viewBox") is None
    assert all(circle.get("cx").endswith("%") for circle in drawn.iter("circle"))


def test_ties_share_a_number_and_not_a_place():
    ranks = [[1.0, 1.0], [1.0, 3.0], [3.0, 2.0]]
    drawn = parsed(bump_chart("words", ["a", "b", "c"], ["one", "two"], ranks))
    numbers = [text.text for text in drawn.iter("text") if text.get("class") == "rank"]
    assert numbers == ["1", "1", "1", "3", "3", "2"]
    places = {(circle.get("cx"), circle.get("cy")) for circle in drawn.iter("circle")}
    assert len(places) == 6


def test_a_line_stops_where_a_system_has_no_rank():
    drawn = parsed(bump_chart("words", ["a", "b"], ["one", "two", "three"], [[1.0, math.nan, 1.0], [2.0, 1.0, 2.0]]))
    first, second = (group for group in drawn.iter("g"))
    assert (len(first.findall("line")), len(second.findall("line"))) == (0, 2)
    assert [text.text for text in first.iter("text") if text.get("class") == "name"] == ["a", "a"]


def test_a_strip_has_a_diamond_and_dots():
    drawn = parsed(strip("words", Span(0, 5), 5.0, [("a", 1.0), ("b", 9.0)]))
    assert classes(drawn).count("prediction") == 2
    assert drawn.find("svg").get("x") == "97%"
