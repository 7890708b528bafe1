"""Figures of data, without any system: sizes, lengths, words, agreement of raters, their distributions."""

from __future__ import annotations

from similitude.errors import ArgumentError, InputError, UnknownNameError
from similitude.gold.reliability.estimate import undefined
from similitude.study.tables import agreement_figures, opinion_figures, text_figures  # noqa: F401  # they register figures
from similitude.study.tables.data_figure import DATA_FIGURES, DataFigure, DataValue
from similitude.study.tables.data_options import DataOptions
from similitude.study.tables.data_part import DataPart

__all__ = ["DATA_FIGURES", "data_values", "known_figure"]


def known_figure(name: str) -> DataFigure:
    """The figure of this name.

    Raises:
        UnknownNameError: there is none; the message lists the choices.
    """
    if name not in DATA_FIGURES:
        raise UnknownNameError("figure of data", name, DATA_FIGURES)
    return DATA_FIGURES[name]


def data_values(name: str, part: DataPart, options: DataOptions) -> list[DataValue]:
    """The values of a figure; one that is undefined, with the reason, if this data cannot have it."""
    figure = known_figure(name)
    try:
        return list(figure.compute(part, options))
    except (InputError, ArgumentError) as error:
        return [DataValue(undefined(str(error)))]
