"""Clouds: dots where their values are, triangles and circles in turn, and a figure that stands alone."""

from xml.etree import ElementTree

from similitude.drawing import Cloud, cloud_plot, standalone
from similitude.drawing.clouds import MOST_DOTS


def drawn(*clouds: Cloud) -> ElementTree.Element:
    return ElementTree.fromstring(cloud_plot("spread", clouds, x_name="people", y_name="system", top=2.0, size=100))


def paths(root: ElementTree.Element, kind: str) -> list[str]:
    return [path.get("d", "") for path in root.iter("path") if path.get("class") == kind]


ONE = Cloud(name="one", x=[0.0, 1.0], y=[2.0, 1.0])


def test_dots_lie_where_their_values_are():
    # 0..2 over 100 pixels that begin at 30 and 18: (0, 2) is the upper left corner, (1, 1) the middle; a circle of
    # radius 2 begins 2 to the left.
    (circles,) = paths(drawn(ONE), "cloud")
    assert circles == "M28 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M78 68a2 2 0 1 0 4 0a2 2 0 1 0 -4 0"


def test_every_second_cloud_has_triangles():
    circles, triangles = paths(drawn(ONE, ONE), "cloud")
    assert "a" in circles
    assert "a" not in triangles


def test_what_lies_beyond_is_drawn_at_the_edge():
    (circles,) = paths(drawn(Cloud(name="far", x=[1.0], y=[9.0])), "cloud")
    assert circles.startswith("M78 18")


def test_the_line_through_a_cloud():
    with_line = Cloud(name="one", x=[1.0], y=[1.0], line_x=[0.0, 2.0], line_y=[1.0, 1.0])
    assert paths(drawn(with_line), "trend") == ["M30 68L130 68"]
    assert paths(drawn(ONE), "trend") == []


def test_a_large_cloud_is_thinned_evenly_and_keeps_its_ends():
    many = Cloud(name="many", x=[place / 5000 for place in range(10_000)], y=[1.0] * 10_000)
    (circles,) = paths(drawn(many), "cloud")
    assert circles.count("M") == MOST_DOTS
    assert circles.startswith("M28 ")
    assert circles.rpartition("M")[2].startswith("128 ")


def test_a_figure_that_stands_alone_has_its_own_colours_and_a_ground():
    text = standalone(cloud_plot("a <b> & c", [ONE], x_name="x", y_name="y", top=1.0))
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox")
    assert root.get("width") is None
    assert ".line-1{color:#0a58a8" in text
    assert 'fill="#fff"' in text
