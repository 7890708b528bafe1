"""A run as users hold it: figures by name, tables, reports, comparisons of two systems, disagreements and plots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from similitude.data.frames import Tabular
from similitude.data.plural import counted
from similitude.data.shown import Shown
from similitude.errors import ArgumentError, SimilitudeError, UnknownKeyError
from similitude.evaluate.measured_figure import MeasuredFigure
from similitude.evaluate.measures import Figure, Measure, make_measure
from similitude.study.disagreements import Disagreements, disagreements_of
from similitude.study.paired_comparison import PairedComparison, paired_comparison
from similitude.study.run_results import RunResults
from similitude.systems import make_system
from similitude.systems.record import SystemRecord

if TYPE_CHECKING:
    from similitude.data.plot import Plot

__all__ = ["PlotKind", "Run", "is_named"]

PlotKind = Literal["scatter", "intervals", "ranks", "distributions", "curves", "precision-recall"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Run(Shown, Tabular, RunResults):
    """One execution: systems, measures, predictions and figures.

    >>> import similitude as sim
    >>> run = sim.run("sample:opinions", {"edits": "levenshtein", "lengths": "length-ratio"}, ["spearman", "mae"])
    >>> run
    <Run on 'sample:opinions': 2 systems, 2 measures, 60 items (simulated judgements)
     neither system is significantly better by spearman at 95 %: ...>
    >>> run["edits", "spearman"]
    0.260 [...]
    >>> run["edits"]["mae"].low
    1.2...

    See `similitude.study.run_results.RunResults` for its fields.
    """

    @overload
    def __getitem__(self, key: tuple[str | SystemRecord, str | Measure]) -> MeasuredFigure: ...

    @overload
    def __getitem__(self, key: str | SystemRecord) -> dict[str, MeasuredFigure]: ...

    def __getitem__(
        self, key: tuple[str | SystemRecord, str | Measure] | str | SystemRecord
    ) -> MeasuredFigure | dict[str, MeasuredFigure]:
        """The figure of one system on one measure, or all figures of one system by measure.

        Systems go by the name in tables, or by their identity, in any spelling; elements of ``run.systems`` and
        ``run.measures`` do, too.

        Raises:
            UnknownKeyError: there is no such system or measure; the message suggests the nearest.
            ArgumentError: the key is something else.
        """
        match key:
            case str() | SystemRecord():
                row = self._row(key)
                return {str(made): self._figure(row, column) for column, made in enumerate(self.measures)}
            case (str() | SystemRecord() as system, measure) if isinstance(measure, str) or measure in self.measures:
                return self._figure(self._row(system), self._column(measure))
        what = f"a run is asked for run[system, measure] or run[system], both of them names, not for {key!r}"
        raise ArgumentError(what, remedy=f"systems: {', '.join(self.labels)}")

    @property
    def labels(self) -> list[str]:
        """The names of the systems in tables."""
        return [record.label for record in self.systems]

    def position(self, system: str | SystemRecord) -> int:
        """The position of a system among `systems`, by its name in tables, its identity in any spelling, or its record.

        Raises:
            UnknownKeyError: there is no such system.
            ArgumentError: it is neither a name nor a record.
        """
        name = system if isinstance(system, str) else getattr(system, "label", None)
        if name is None:
            what = f"a system of a run goes by its name, not by {system!r:.60}"
            raise ArgumentError(what, remedy=f"systems: {', '.join(self.labels)}")
        return _position(name, self.labels, [record.identity for record in self.systems], make_system, "system")

    def _row(self, name: str | SystemRecord) -> int:
        """The position of a system, or of a trivial baseline below the systems."""
        trivial = [one.label for one in self.trivial]
        if name in trivial and name not in self.labels:
            return len(self.systems) + trivial.index(str(name))
        return self.position(name)

    def _column(self, measure: str | Measure) -> int:
        names = [str(made) for made in self.measures]
        return _position(str(measure), names, names, make_measure, "measure")

    def _figure(self, row: int, column: int) -> MeasuredFigure:
        level = 0.95 if self.confidence is None else self.confidence.level
        return MeasuredFigure.of(self.row_figures[row][column], self.interval(row, column), level)

    def _ipython_key_completions_(self) -> list[str]:
        return self.labels

    def __repr__(self) -> str:
        simulated = " (simulated judgements)" if self.data.is_simulated else ""
        numbers = {"system": len(self.systems), "measure": len(self.measures), "item": self.data.items}
        counts = ", ".join(counted(number, noun) for noun, number in numbers.items())
        return f"<Run on '{self.data.name}': {counts}{simulated}\n {self.conclusion.sentence}>"

    def __str__(self) -> str:
        names = [str(measure) for measure in self.measures]
        first = max(map(len, self.row_labels))
        widths = [max(9, len(name)) for name in names]
        lines = [" " * first + "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True))]
        for label, figures in zip(self.row_labels, self.row_figures, strict=True):
            cells = (f"  {_short(figure):>{width}}" for figure, width in zip(figures, widths, strict=True))
            lines.append(f"{label:{first}}" + "".join(cells))
        simulated = " (simulated judgements)" if self.data.is_simulated else ""
        title = f"{self.data.name}: {counted(self.data.items, 'item')}{simulated}"
        return "\n".join([self.conclusion.sentence, title, *lines])

    def to_dict(self) -> dict[str, Any]:
        """The record of the run: everything but the texts and the predictions, ready for JSON."""
        return self.record()

    def compare(self, first: str | SystemRecord, second: str | SystemRecord) -> PairedComparison:
        """Two systems on every measure: difference, interval, p-value and verdict, as the tables have them.

        Raises:
            UnknownKeyError: there is no such system.
            ArgumentError: both are the same.
        """
        return paired_comparison(self, self._row(first), self._row(second))

    def disagreements(self, top: int = 10, *, system: str | SystemRecord | None = None) -> Disagreements:
        """The items on which predictions are farthest from gold, with their texts.

        Args:
            top: how many.
            system: whose predictions; by default those on which most systems are wrong.

        Raises:
            UnknownKeyError: there is no such system.
            ArgumentError: predictions could not be brought onto the gold scale, or ``top`` is no number of items.
        """
        return disagreements_of(self, top, None if system is None else self.position(system))

    def plot(self, kind: PlotKind = "scatter", *, measure: str | None = None) -> Plot:
        """A figure that a notebook shows; ``.save("figure.svg")`` writes it.

        Args:
            kind: "scatter" (predictions against gold), "intervals" (every system on one measure), "ranks" (of the
                systems from measure to measure), "distributions" (of the scores); for gold with two labels "curves"
                (figures at each threshold) and "precision-recall".
            measure: the measure of "intervals"; by default the first.

        Raises:
            UnknownNameError: there is no such kind, or no such measure.
            ArgumentError: it does not apply to this run.
        """
        column = 0 if measure is None else self._column(measure)
        # Reports lie above runs, so they are imported by name, when they are asked for.
        made: Plot = import_module("similitude.report.run_plots").plot_of_run(self, kind, column)
        return made

    def report(self, path: str | Path) -> Path:
        """Write the run to a file; its ending decides: a page (.html), tables (.md, .tex), figures (.csv, .json).

        Returns:
            The path. A file of the same name is replaced.

        Raises:
            ArgumentError: the ending is unknown, or the file cannot be written.
        """
        written: Path = import_module("similitude.report.report_file").write_report(self, path)
        return written

    def save(self, folder: str | Path) -> Path:
        """Save the run, with its items and predictions, in a folder that `similitude.load_run` opens.

        Returns:
            The folder, which is written completely or not at all.

        Raises:
            RunError: the folder holds another run, or other files.
        """
        from similitude.study.saved_results import save_results  # imported late: takes time

        return save_results(self, Path(folder))


def is_named(identity: str, asked: str, make: Callable[[str], Any]) -> bool:
    """Whether ``asked`` is another spelling of this identity, such as an alias or with default arguments."""
    if identity == asked:
        return True
    try:
        return str(make(asked).identity) == identity
    except SimilitudeError:
        return False


def _position(asked: str, labels: list[str], identities: list[str], make: Callable[[str], Any], kind: str) -> int:
    for names in (labels, identities):
        if asked in names:
            return names.index(asked)
    for place, identity in enumerate(identities):
        if is_named(identity, asked, make):
            return place
    raise UnknownKeyError(f"{kind} in this run", asked, labels)


def _short(figure: Figure) -> str:
    return "-" if np.isnan(figure.value) else f"{figure.value:.3f}"
