"""Best and worst answers by name or by position, and whether positions count from 0 or from 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from similitude.data.reading.problems import listing
from similitude.errors import InputError

__all__ = ["PositionRules", "ResolvedAnswers", "resolved_answers"]

ANSWERS = ("best", "worst")
SIZE = pl.col("items").list.len().cast(pl.Int64)
WHOLE = r"^\s*(\d{1,9})(?:\.0*)?\s*$"


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionRules:
    """What is known about the answers of a file.

    Attributes:
        shown: the names of the columns of items.
        where: the place of a row of the frame in its file, for messages.
        positions_from: whether positions count from 0 or 1, if the user said so.
        are_ids: whether answers are known to be the names of items.
        are_positions: whether the user said that answers are positions.
    """

    shown: Sequence[str]
    where: Callable[[int], str]
    positions_from: int | None = None
    are_ids: bool = False
    are_positions: bool = False


class ResolvedAnswers(NamedTuple):
    """Answers as items of their tuples.

    Attributes:
        frame: the answers.
        positions: how positions were written, "from 0", "from 1" or "by name"; None if answers are names of items.
    """

    frame: pl.DataFrame
    positions: str | None


def resolved_answers(frame: pl.DataFrame, rules: PositionRules) -> ResolvedAnswers:
    """The frame with items as answers.

    All answers of a file are read as items, or all as positions, whichever puts more answers into their tuples.

    Args:
        frame: one row per answer, with the columns items, best and worst.
        rules: what is known about them.

    Raises:
        InputError: two readings fit, and the user has not said which is right.
    """
    if rules.are_ids:
        return ResolvedAnswers(frame, None)
    forms = _position_forms(rules.shown, _largest(frame))
    if rules.positions_from is not None:
        return _placed(frame, forms, rules.positions_from)
    if rules.are_positions:
        return _placed(frame, forms, _base(frame, rules))
    named = _hits(frame)
    if named == 2 * frame.height:
        _refuse_conflict(frame, forms, rules)
        return ResolvedAnswers(frame, None)
    most = max(_number_placed(frame, forms, base) for base in (0, 1))
    if most > named:
        return _placed(frame, forms, _base(frame, rules))
    stripped = frame.with_columns(
        pl.col(*ANSWERS).str.strip_chars(), pl.col("items").list.eval(pl.element().str.strip_chars())
    )
    return ResolvedAnswers(stripped if _hits(stripped) > named else frame, None)


def _base(frame: pl.DataFrame, rules: PositionRules) -> int:
    """The number of the first position, decided by all rows."""
    numbers = frame.select(SIZE.alias("size"), *(_number(name).alias(name) for name in ANSWERS))
    inside = numbers.filter(pl.any_horizontal(pl.col(name).is_between(0, pl.col("size")) for name in ANSWERS))
    if inside.is_empty():
        return 1
    zeros = numbers.with_row_index("at").filter(pl.any_horizontal(pl.col(name) == 0 for name in ANSWERS))
    ends = numbers.with_row_index("at").filter(pl.any_horizontal(pl.col(name) == pl.col("size") for name in ANSWERS))
    if len(zeros) and len(ends):
        size = ends["size"][0]
        what = f"there are positions 0 and {size} in tuples of {size}, so they count neither from 0 nor from 1"
        remedy = "correct them, or name a code for no answer with --missing CODE, as in --missing 0"
        raise InputError(
            f"{what}; {size} at {rules.where(ends['at'][0])}", where=rules.where(zeros["at"][0]), remedy=remedy
        )
    if not len(zeros) and not len(ends):
        what = "positions from 1 on, but never the size of the tuple: do they count from 0 or from 1?"
        raise InputError(what, where=rules.where(0), remedy="say --positions-from 0 or --positions-from 1")
    return 0 if len(zeros) else 1


def _refuse_conflict(frame: pl.DataFrame, forms: Mapping[str, int], rules: PositionRules) -> None:
    """Check that answers that are names of items are not other items' positions as well."""
    for base in (1, 0):
        placed = _placed(frame, forms, base).frame
        if _number_placed(frame, forms, base) < 2 * frame.height:
            continue
        other = frame.select(pl.any_horizontal(pl.col(name) != placed[name] for name in ANSWERS)).to_series()
        if other.any():
            row = int(other.arg_max() or 0)
            shown = listing(frame["items"][row].to_list())
            what = f"answer '{frame['best'][row]}' may be an item's name or a position in the tuple ({shown})"
            remedy = "say --answers-are names or --answers-are positions"
            raise InputError(what, where=rules.where(row), remedy=remedy)


def _number(answer: str) -> pl.Expr:
    return pl.col(answer).str.extract(WHOLE).cast(pl.Int64)


def _place(answer: str, forms: Mapping[str, int], base: int) -> pl.Expr:
    """The index of an answer in its tuple; null if it is no position."""
    written = pl.col(answer).str.strip_chars().str.to_lowercase()
    place = pl.coalesce(_number(answer) - base, written.replace_strict(forms, default=None, return_dtype=pl.Int64))
    return pl.when((place >= 0) & (place < SIZE)).then(place)


def _placed(frame: pl.DataFrame, forms: Mapping[str, int], base: int) -> ResolvedAnswers:
    """The items at the positions; an answer that is no position stays as it is."""
    at = (pl.col("items").list.get(_place(name, forms, base), null_on_oob=True) for name in ANSWERS)
    items = frame.select(pl.coalesce(item, pl.col(name)).alias(name) for item, name in zip(at, ANSWERS, strict=True))
    numeric = any(frame[name].str.contains(WHOLE).any() for name in ANSWERS)
    return ResolvedAnswers(frame.with_columns(items), f"from {base}" if numeric else "by name")


def _number_placed(frame: pl.DataFrame, forms: Mapping[str, int], base: int) -> int:
    places = frame.select(_place(name, forms, base).alias(name) for name in ANSWERS)
    return 2 * frame.height - int(sum(places.null_count().row(0)))


def _hits(frame: pl.DataFrame) -> int:
    inside = frame.select(pl.col("items").list.contains(pl.col(name)).sum().alias(name) for name in ANSWERS)
    return int(sum(inside.row(0)))


def _largest(frame: pl.DataFrame) -> int:
    """The size of the largest tuple."""
    return max(frame["items"].list.len().drop_nulls().to_list(), default=0)


def _position_forms(shown: Sequence[str], size: int) -> dict[str, int]:
    """All ways to write a position without a number: B, or the name of the column; each with its index."""
    forms: dict[str, int] = {}
    for at in range(size):
        name = shown[at].strip().lower() if len(shown) == size else ""
        letter = chr(ord("a") + at) if at < 26 else ""
        forms |= {form: at for form in (letter, name) if form and not form.isdigit()}
    return forms
