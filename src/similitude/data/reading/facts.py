"""Facts: values that a file states once for all its rows, such as scale and licence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from similitude.data.reading.column_types import TEXT, cast
from similitude.data.reading.problems import excerpt
from similitude.data.reading.tables import Column
from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = ["distinct", "facts_of", "joined_fact", "stated_scale"]


def facts_of(columns: Mapping[str, Column]) -> dict[str, str]:
    """The value of each fact; several values of one fact are joined by semicolons.

    Args:
        columns: names of facts to their columns; a fact whose column is blank is left out.
    """
    facts = {}
    for name, column in columns.items():
        values = cast(column, TEXT).values.drop_nulls().unique(maintain_order=True).to_list()
        if values:
            facts[name] = "; ".join(values)
    return facts


def joined_fact(facts: Iterable[Mapping[str, str]], name: str) -> str | None:
    """One fact of several files, each value once; None where no file states it."""
    return "; ".join(distinct(stated[name] for stated in facts if name in stated)) or None


def stated_scale(facts: Mapping[str, str], file: str, remedy: str) -> Scale | None:
    """The scale that a file states; None where it states none.

    Raises:
        ScaleError: the file states something that is not one scale.
    """
    if "scale" not in facts:
        return None
    try:
        return Scale.parse(facts["scale"])
    except ScaleError:
        what = f"column 'scale' holds {excerpt(facts['scale'])}, which is not one scale"
        raise ScaleError(what, where=file, remedy=remedy) from None


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Each text once, in order of first appearance."""
    return tuple(dict.fromkeys(texts))
