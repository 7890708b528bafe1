"""Figures of several panels as one SVG file."""

import re
from xml.etree import ElementTree

from similitude.drawing import Figure, Panel, figure_file, histogram, interval_plot
from similitude.drawing.axes import Frame, Span
from similitude.drawing.intervals import Whisker
from similitude.drawing.stylesheet import compact, light_colours, light_figures, schemes

SVG = "{http://www.w3.org/2000/svg}"
BARS = histogram("bars", Frame(x=Span(0, 1), y=Span(0, 1)), [0.5, 0.5])


def drawn(*names: str, caption: str = "What it shows.", words: str = "") -> ElementTree.Element:
    panels = tuple(Panel(name, words, BARS) for name in names)
    return ElementTree.fromstring(figure_file(Figure(panels, caption, layout="panels")))


def inner(root: ElementTree.Element) -> list[tuple[float, float, float]]:
    return [tuple(float(one.get(name)) for name in ("x", "y", "width")) for one in root if one.tag == f"{SVG}svg"]


def test_panels_stand_in_rows_of_three_and_do_not_overlap():
    # A frame of 168 x 168 has room for ticks: 26 + 168 + 8 = 202 wide and 6 + 168 + 18 = 192 tall; gaps are 16, and the
    # name takes 6 + 14.
    assert inner(drawn("a", "b", "c", "d")) == [
        (16, 36, 202), (234, 36, 202), (452, 36, 202), (16, 264, 202),
    ]  # fmt: skip


def test_words_below_the_name_take_a_line_more():
    assert inner(drawn("a", words="own units"))[0] == (16, 50, 202)


def test_the_file_is_as_large_as_its_view_box_and_holds_everything():
    root = drawn("a", "b", "c", "d")
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}" == "0 0 670 502"


def test_the_caption_is_written_in_lines_that_fit():
    root = drawn("a", caption="SIMULATED judgements " * 10)
    lines = [one for one in root if one.get("class") == "tick" and (one.text or "").startswith(("SIM", "judge"))]
    assert len(lines) > 3
    assert max(len(one.text) for one in lines) <= 202 / 5.4
    assert float(lines[-1].get("y")) < float(root.get("height"))


def test_a_long_name_is_cut_and_kept_as_a_tooltip():
    (name,) = (one for one in drawn("x" * 60) if one.get("class") == "name")
    assert name.find(f"{SVG}title").text == "x" * 60
    assert name.find(f"{SVG}title").tail == "x" * 27 + "…"


def test_names_are_escaped():
    assert "<script>" not in figure_file(Figure((Panel("<script>", "<b>", BARS),), "<i>", layout="panels"))


def test_a_drawing_that_fills_any_width_gets_one_and_needs_no_head():
    figure = Figure((Panel("", "", interval_plot("l", [Whisker("a", "0.5", 0.5, 0.4, 0.6)])),), "c")
    root = ElementTree.fromstring(figure_file(figure))
    assert inner(root) == [(16, 16, 720)]


def test_colours_are_those_of_the_light_scheme():
    assert "var(" not in light_figures()
    assert f".dot{{fill:{schemes()[0]['accent']};fill-opacity:0.5}}" in light_figures()
    assert light_colours("a { color: var(--text); }") == f"a {{ color: {schemes()[0]['text']}; }}"


def test_compact_rules_keep_what_matters():
    assert compact('@media (max-width: 40rem) {\n  a b { margin: 0 1px; content: " x"; }\n}') == (
        '@media (max-width:40rem){a b{margin:0 1px;content:" x"}}'
    )
    assert not re.search(r"\n|  ", light_figures())
