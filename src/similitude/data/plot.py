"""A plot of results: a figure that a notebook shows, and that can be saved as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from similitude.data.shown import Shown
from similitude.data.writing.atomic import write_atomically
from similitude.drawing import Figure, figure_file
from similitude.errors import ArgumentError

__all__ = ["Plot"]


@dataclass(frozen=True, repr=False)
class Plot(Shown):
    """A figure of a run.

    Attributes:
        name: what it shows, such as "scatter".
        figure: its panels with their drawings, and the caption.
    """

    name: str
    figure: Figure

    def __repr__(self) -> str:
        return f"<Plot {self.name}: {self.figure.caption}>"

    @property
    def svg(self) -> str:
        """All panels as one SVG file, on white."""
        return figure_file(self.figure)

    def save(self, path: str | Path) -> Path:
        """Write the figure as an SVG file, completely or not at all; returns its path.

        Raises:
            ArgumentError: the name has another ending, or the file cannot be written.
        """
        target = Path(path)
        if target.suffix.lower() != ".svg":
            raise ArgumentError(f"'{target.name}' is no SVG file", remedy="end the name in .svg")
        write_atomically(target, lambda draft: draft.write_text(self.svg, encoding="utf-8"))
        return target
