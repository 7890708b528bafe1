"""The orientation of a wide table: whether raters are in rows or in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from similitude.data.reading.column_names import find_column
from similitude.data.reading.judgements.column_flags import flags
from similitude.data.reading.judgements.column_names import ALIASES
from similitude.data.reading.judgements.column_roles import (
    FORM_TIMES,
    GENERIC_KEYS,
    ITEM_KEYS,
    PERSON_KEYS,
    RATER_KEYS,
    WideColumn,
    named_like_persons,
    named_like_questions,
    named_like_raters,
    named_like_units,
    plain,
)
from similitude.data.reading.judgements.families import main_family
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["orientation", "shows_texts"]


def shows_texts(there: Sequence[str]) -> bool:
    """Whether the table has the texts of its items."""
    return all(find_column(there, ALIASES[name]) for name in ("left", "right"))


def orientation(
    table: RawTable,
    key: str | None,
    values: Sequence[str],
    columns: Mapping[str, WideColumn],
    source: JudgementSource,
) -> tuple[bool, str]:
    """Whether raters are in rows, and the reason.

    Raises:
        InputError: names do not tell, or contradict each other.
    """
    chosen = source.columns
    if key is not None and key in (chosen.get("annotator"), chosen.get("item")):
        return chosen.get("annotator") == key, f"column '{key}' was named"
    if source.kind == "counts":
        return False, "columns are categories"
    if shows_texts(list(columns)):
        return False, "rows show texts"
    if named_like_raters(values):
        return False, "columns are named like raters"
    said = plain(key) if key is not None else None
    if said in RATER_KEYS:
        return True, f"column '{key}' names raters"
    names = [] if key is None else columns[key].texts.drop_nulls().to_list()
    numbered = key is not None and (columns[key].is_running or (said in GENERIC_KEYS and said != ""))
    numbered = numbered and said not in PERSON_KEYS
    sides = _sides(key, said, values, names, numbered=numbered)
    if not sides and key not in values and (named_like_questions(values) or _is_form(columns, values)):
        sides.append((True, "columns are questions"))
    if len({in_rows for in_rows, _ in sides}) == 1:
        return sides[0]
    raise _two_readings(table, values, list(columns), [why for _, why in sides])


def _sides(
    key: str | None, said: str | None, values: Sequence[str], names: Sequence[str], *, numbered: bool
) -> list[tuple[bool, str]]:
    """What each name tells: whether raters are in rows, and why."""
    sides = []
    if said in ITEM_KEYS:
        sides.append((False, f"column '{key}' names items"))
    if named_like_units(values):
        sides.append((True, "columns are named like items"))
    if named_like_persons(values):
        sides.append((False, "columns are named like people"))
    if named_like_units(names):
        sides.append((False, "rows are named like items"))
    if named_like_raters(names):
        sides.append((True, "rows are named like raters"))
    if not sides and numbered and all(len(name.strip()) == 1 for name in values):
        sides.append((False, f"column '{key}' numbers the rows and columns have letters"))
    return sides


def _is_form(columns: Mapping[str, WideColumn], values: Sequence[str]) -> bool:
    """Whether rows are answers to a form: each has a time stamp, and columns are named by phrases."""
    stamped = any(plain(name) in FORM_TIMES and column.is_moment for name, column in columns.items())
    return stamped and all(len(name.split()) > 2 for name in values)


def _two_readings(table: RawTable, values: Sequence[str], there: Sequence[str], why: Sequence[str]) -> InputError:
    said = f" ({', but '.join(why)})" if why else ""
    family = main_family(values) or list(values)
    others = [name for name in values if name not in family]
    without = f"; left out there, since named otherwise: {listing(others)}" if others else ""
    what = f"a row may be an item and a column a rater, or the other way round{said}"
    remedy = f"say {flags(family, there)} if columns are raters, {flags(family, there, 'units')} if columns are items"
    return InputError(what, where=table.file, remedy=remedy + without)
