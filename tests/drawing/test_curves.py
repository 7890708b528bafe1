"""Curves: every point where it belongs, bands, gaps, and a key."""

import math
import re

from similitude.drawing import Curve, curve_plot


def drawn(**changes):
    curve = {"name": "mean", "x": [4, 5, 6], "y": [1.0, 2.0, 3.0], **changes}
    return str(curve_plot("grows", [Curve(**curve)], x_name="raters", width=100, height=100))


def test_points_lie_where_their_values_are():
    # x from 4 to 6 over 100 pixels that begin at 40; y from 1 to 3 with 5 % of 2 as room below and above: 0.9 to 3.1.
    # 2.0 is the middle of that, 50 pixels below the top of 6.
    assert 'cx="90" cy="56"' in drawn()
    assert re.findall(r'cx="([\d.]+)"', drawn()) == ["40", "90", "140"]


def test_a_gap_breaks_the_line_and_has_no_dot():
    assert drawn().count("<line x1=") - drawn(y=[1.0, math.nan, 3.0]).count("<line x1=") == 2
    assert drawn(y=[1.0, math.nan, 3.0]).count("<circle") == 2


def test_a_band_is_drawn_only_where_it_is_known():
    assert "band" not in drawn()
    band = re.search(r'd="(M[^"]*z)" class="band"', drawn(low=[0.5, math.nan, 2.5], high=[1.5, math.nan, 3.5]))
    assert band is not None
    assert band[1].count("L") == 3  # two points above, two below


def test_names_are_escaped():
    assert "<b>" not in drawn(name="<b>")
    assert "&lt;b&gt;: 2 at 5" in drawn(name="<b>")


def test_nothing_known_is_an_empty_frame():
    assert "<circle" not in drawn(y=[math.nan] * 3)


def test_shares_stand_in_a_square_with_the_line_of_agreement():
    curves = [Curve(name="sure", x=[0.05, 0.95], y=[0.0, 0.5])]
    shown = str(curve_plot("reliability", curves, x_name="claimed", width=100, height=100, is_of_shares=True))
    assert '<line x1="40" y1="106" x2="140" y2="6" class="diagonal"/>' in shown
    assert 'cx="135" cy="56"' in shown  # 0.95 and 0.5 of 100 pixels
    assert "diagonal" not in drawn()


def test_a_curve_may_name_its_colour():
    assert drawn().count("line-1") == drawn(colour=3).count("line-4") == 2  # the curve and its key


def test_labels_in_words_stay_inside_at_both_ends():
    curve = Curve(name="answers", x=[0, 5, 10], y=[0.0, 1.0, 2.0])
    labels = [(0, "Monday"), (5, "Tuesday"), (10, "Wednesday")]
    figure = str(curve_plot("grows", [curve], x_name="time", x_labels=labels, with_zero=True))
    anchors = re.findall(r'text-anchor="(\w+)">(\w+day)<', figure)
    assert anchors == [("start", "Monday"), ("middle", "Tuesday"), ("end", "Wednesday")]
    assert "answers: 1 (Tuesday)" in figure


def test_counts_begin_at_nothing():
    high = Curve(name="answers", x=[0, 1], y=[90.0, 100.0])
    assert ">0</text>" in str(curve_plot("grows", [high], x_name="time", x_labels=[(0, "a")], with_zero=True))
    assert ">0</text>" not in str(curve_plot("grows", [high], x_name="time", x_labels=[(0, "a")]))
