"""pairs: comparisons of two items, A better than B, as best-worst answers about tuples of two.

Known layouts: two items and a choice (``a,b,winner``, ``left_id,right_id,preferred``, ``model_a,model_b,winner`` with
``model_a``, ``tie`` or ``tie (bothbad)``), and the two items in order (``winner,loser``, ``chosen,rejected``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl

from similitude.data.judgements import question_of_items
from similitude.data.plural import agreeing
from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.column_names import find_column, matching_notes
from similitude.data.reading.judgements.answer_columns import missing_note, time_column, with_times
from similitude.data.reading.judgements.answer_status import refuse_rejected
from similitude.data.reading.judgements.answer_values import answer_texts
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.column_names import CONTEXT, FACTS, chosen_columns, match_judgement_columns
from similitude.data.reading.judgements.column_types import matched_facts, typed_answers
from similitude.data.reading.judgements.families import numbered_families
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.tables import header_of, read_table
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.errors import ColumnError, InputError

__all__ = ["comparison_pairs"]

SUMMARY = "comparisons of two items, A better than B: the items and the choice, or the winner and the loser"
RECOGNISED = (
    "two columns of items (a and b, item1 and item2, model_a and model_b) and winner or choice; winner and loser"
)

CHOICES = ("winner", "preferred", "preference", "choice", "chosen", "better", "selected", "pick", "picked", "vote",
           "prefers", "preferred_item", "preferred_id")  # fmt: skip
ORDERED = (("winner", "loser"), ("chosen", "rejected"), ("preferred", "rejected"), ("better", "worse"),
           ("preferred", "dispreferred"), ("winner_id", "loser_id"), ("chosen_id", "rejected_id"))  # fmt: skip
SIDES = (("a", "b"), ("left", "right"), ("left_id", "right_id"), ("first", "second"), ("left_item", "right_item"),
         ("id_a", "id_b"), ("id1", "id2"), ("first_id", "second_id"))  # fmt: skip
TIES = ("tie", "ties", "tied", "tie (bothbad)", "bothbad", "both", "both bad", "both good", "equal", "same", "neither",
        "draw", "none", "=", "equally good", "no preference", "undecided", "can't decide", "equivalent")  # fmt: skip
CONTEXTS = tuple(name for name in CONTEXT if name != "group")


class _Columns(NamedTuple):
    """The columns of two items and of the choice between them; no choice if the first is always the winner."""

    sides: tuple[str, str]
    choice: str | None


def comparison_pairs() -> JudgementFormat:
    """Tables of comparisons."""
    return JudgementFormat(name="pairs", summary=SUMMARY, recognised=RECOGNISED, fits=_fits, answers=_answers)


def _fits(sniffer: Sniffer) -> bool:
    there = header_of(sniffer)
    if find_column(there, ("best", "worst", "bestitem", "worstitem")):
        return False
    return _columns(there, sniffer.columns, sniffer.name) is not None


def _columns(there: Sequence[str], chosen: Mapping[str, str], where: str) -> _Columns | None:
    ordered = _two(there, ORDERED)
    if ordered is not None and not chosen.get("best"):
        return _Columns(ordered, None)
    choice = next(iter(chosen_columns(chosen, "best", there, where)), None) or find_column(there, CHOICES)
    if choice is None:
        return None
    named = chosen_columns(chosen, "items", there, where)
    rest = [name for name in there if name != choice]
    families = [family for family in numbered_families(rest) if len(family) == 2]
    sides = tuple(named) or _two(rest, SIDES) or (tuple(families[0]) if len(families) == 1 else None)
    return _Columns((sides[0], sides[1]), choice) if sides is not None and len(sides) == 2 else None


def _two(there: Sequence[str], known: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    found = ((find_column(there, (one,)), find_column(there, (other,))) for one, other in known)
    return next(((one, other) for one, other in found if one is not None and other is not None), None)


def _answers(source: JudgementSource) -> list[Answers]:
    table = read_table(source)
    there = list(table.columns)
    columns = _columns(there, source.columns, table.file)
    if columns is None:
        what = f"no two columns of items and a choice; columns there: {listing(there)}"
        raise ColumnError(
            what,
            where=table.file,
            remedy="name the items with --column items=A,B and the choice with --column best=NAME",
        )
    ours = {name: theirs for name, theirs in source.columns.items() if name not in ("items", "best")}
    free = [name for name in there if name not in (*columns.sides, columns.choice)]
    matched = time_column(match_judgement_columns(free, [*CONTEXTS, *FACTS, "time"], ours, table.file), table)
    context = {name: table.columns[matched[name]] for name in CONTEXTS if name in matched}
    answers = typed_answers(table, context, matched, facts=matched_facts(table, matched), columns=matched)
    answers = with_times(answers, table.columns[matched["time"]] if "time" in matched else None)
    one, other = (answer_texts(table.columns[name]) for name in columns.sides)
    frame = answers.frame.with_columns(pl.concat_list(one, other).alias("items"))
    used = tuple(name for name in (*columns.sides, columns.choice) if name)
    refuse_rejected(table, (*used, *matched.values()))
    notes = (*table.notes, *matching_notes(there, matched, used))
    answers = replace(answers, frame=frame, notes=notes, used=used)
    chosen = _chosen(answers, table, columns, source)
    return [_with_own_questions(chosen)]


def _chosen(answers: Answers, table: RawTable, columns: _Columns, source: JudgementSource) -> Answers:
    """The answers with the winner as best and the loser as worst; ties are left out and counted."""
    if columns.choice is None:
        items = pl.col("items")
        frame = answers.frame.with_columns(best=items.list.get(0), worst=items.list.get(1))
        return replace(answers, frame=frame, details={"positions": "none, the winner is named"})
    read = CellValues(missing=source.missing).plain(table.columns[columns.choice])
    choice = answer_texts(read.column).str.strip_chars()
    place, form = _places(answers, choice, columns.sides, source)
    tied = choice.str.to_lowercase().is_in(list(TIES)).fill_null(value=False)
    tied = tied | (place == -1).fill_null(value=False)
    frame = answers.frame.with_columns(_at(place, 0).alias("best"), _at(place, 1).alias("worst"))
    answers = replace(answers, frame=frame, details={"positions": form}, missing=read.missing)

    def what(row: Mapping[str, Any]) -> str:
        return f"{excerpt(choice[row['row']])} in column '{columns.choice}' is neither item, nor a side, nor a tie"

    unknown = place.is_null() & ~tied & choice.is_not_null()
    answers = answers.with_problems(unknown.to_numpy(), what, "write the name of an item, A or B, 1 or 2, or tie")
    coded = choice.is_null() & answer_texts(table.columns[columns.choice]).is_not_null()
    ties = int(tied.sum())
    said = (f"{table.file}: {agreeing(ties, 'answer', 'is a tie', 'are ties')}; left out",) if ties else ()
    return answers.only(~tied & ~coded).with_notes(*said, *missing_note(read.missing, table.file))


def _at(place: pl.Series, shift: int) -> pl.Expr:
    """The item at a place of its pair, or the other one."""
    inside = pl.when(pl.lit(place) >= 0).then((pl.lit(place) + shift) % 2)
    return pl.col("items").list.get(inside, null_on_oob=True)


def _places(
    answers: Answers, choice: pl.Series, sides: tuple[str, str], source: JudgementSource
) -> tuple[pl.Series, str]:
    """The place of the winner in each pair, 0 or 1, -1 for a tie; and how it was written."""
    words = choice.str.to_lowercase()
    forms = {side.strip().lower(): at for at, side in enumerate(sides)}
    forms |= {"a": 0, "b": 1, "left": 0, "right": 1, "first": 0, "second": 1}
    named = answers.frame.select(
        pl.when(pl.col("items").list.get(0) == pl.lit(choice))
        .then(0)
        .when(pl.col("items").list.get(1) == pl.lit(choice))
        .then(1)
    ).to_series()
    sided = words.replace_strict(forms, default=None, return_dtype=pl.Int32)
    if source.answers_are == "names":
        return named, "by name"
    if source.answers_are == "positions":
        named = named.clear(len(named))
    numbers = choice.cast(pl.Float64, strict=False)
    numeric = numbers.drop_nulls()
    if not len(numeric) or named.is_not_null().all():
        first = 0 if (numeric == 0).any() else 1
        counted = (numbers - first).cast(pl.Int32, strict=False)
        _refuse_conflict(
            answers, named, sided.fill_null(counted.set(~counted.is_in([0, 1]).fill_null(value=False), None))
        )
        return named.fill_null(sided), "by name"
    _refuse_mixture(answers, numbers.is_not_null() & named.is_null(), named.is_not_null() | sided.is_not_null(), choice)
    base = _base(answers, {float(number) for number in numeric.unique()}, source.positions_from)
    tie = 0 if base == 1 else 2
    tied = pl.select(pl.when(pl.lit(numbers == tie)).then(pl.lit(-1, dtype=pl.Int32))).to_series()
    return tied.fill_null(_sides(numbers, base)).fill_null(named).fill_null(sided), f"from {base}"


def _sides(numbers: pl.Series, base: int) -> pl.Series:
    """Numbers of sides as 0 and 1; null for other numbers."""
    place = (numbers - base).cast(pl.Int32, strict=False)
    return pl.select(pl.when(pl.lit(place).is_in([0, 1])).then(pl.lit(place))).to_series()


def _refuse_conflict(answers: Answers, named: pl.Series, sided: pl.Series) -> None:
    other = (named != sided).fill_null(value=False)
    if sided.null_count() == 0 and other.any():
        where = answers.table.where(int(other.arg_max() or 0))
        what = "a choice may be the name of an item or a side, which are different items"
        raise InputError(what, where=where, remedy="say --answers-are names or --answers-are positions")


def _refuse_mixture(answers: Answers, numbered: pl.Series, worded: pl.Series, choice: pl.Series) -> None:
    """Check that choices are not numbers in some rows and words in others, where 0 may be a tie or the first side."""
    if numbered.any() and worded.any():
        at = int(numbered.arg_max() or 0)
        what = f"choice {excerpt(choice[at])} is a number, but others are names or sides: is it a tie or a side?"
        remedy = "write A, B or tie; name a code for no answer with --missing CODE"
        raise InputError(what, where=answers.table.where(at), remedy=remedy)


def _base(answers: Answers, numbers: set[float], positions_from: int | None) -> int:
    """Whether sides count from 0 or from 1; the number beyond them is a tie.

    Raises:
        InputError: the numbers do not tell.
    """
    if positions_from is not None:
        return positions_from
    where = answers.table.file
    shown = listing(f"{number:g}" for number in sorted(numbers))
    say = "say --positions-from 0 or --positions-from 1"
    if numbers <= {0, 1} and 0 in numbers:
        return 0
    if numbers <= {1, 2} and 2 in numbers:
        return 1
    if numbers <= {0, 1, 2}:
        ties = "; from 1, 0 is a tie; from 0, 2 is a tie" if numbers == {0, 1, 2} else ""
        raise InputError(
            f"choices are {shown}: do the two sides count from 0 or from 1?", where=where, remedy=say + ties
        )
    what = f"choices are {shown}, which do not tell the side that was preferred"
    raise InputError(
        what, where=where, remedy="write A, B or tie, or the winner's name; codes for no answer: --missing"
    )


def _with_own_questions(answers: Answers) -> Answers:
    """The answers, with the pair as part of the question if one question was asked about several pairs."""
    frame = answers.frame
    if "question" not in frame.columns:
        return answers
    pair = question_of_items(pl.col("items"))
    several = frame.select(pair.n_unique().over("question").max()).item()
    if several is None or several < 2:
        return answers
    note = f"{answers.table.file}: a question is asked about several pairs; each pair is a question of its own"
    return replace(answers, frame=frame.with_columns(question=pl.col("question") + ": " + pair)).with_notes(note)
