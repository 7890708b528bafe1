"""Figures as inline SVG.

They do not use matplotlib, because they need only axes, dots, bars and lines, while matplotlib is a heavy dependency
whose SVG is ten times as large, turns text into outlines, and fixes colours, which a page with a light and a dark
scheme must be able to change. Here colours are classes for the page's style sheet, text stays text, and a figure of
thousands of items takes a few kilobytes.
"""

from similitude.drawing.before_after import before_after
from similitude.drawing.bump_chart import bump_chart
from similitude.drawing.clouds import Cloud, cloud_plot
from similitude.drawing.curves import Curve, curve_plot
from similitude.drawing.figure import Figure, Panel, figure_file
from similitude.drawing.histogram import histogram, histogram_of
from similitude.drawing.intervals import Whisker, interval_plot
from similitude.drawing.kept_bars import KeptBar, kept_bars
from similitude.drawing.scatter import scatter
from similitude.drawing.strip import strip
from similitude.drawing.svg import standalone

__all__ = [
    "Cloud",
    "Curve",
    "Figure",
    "KeptBar",
    "Panel",
    "Whisker",
    "before_after",
    "bump_chart",
    "cloud_plot",
    "curve_plot",
    "figure_file",
    "histogram",
    "histogram_of",
    "interval_plot",
    "kept_bars",
    "scatter",
    "standalone",
    "strip",
]
