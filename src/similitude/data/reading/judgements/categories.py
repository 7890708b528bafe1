"""Categories: answers in words as places in a list of categories."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from similitude.data.reading.judgements.answers import WORD, Answers
from similitude.data.reading.judgements.names import tidy_name
from similitude.data.reading.problems import excerpt, listing
from similitude.data.scale import Scale
from similitude.errors import ArgumentError

__all__ = ["CodedAnswers", "coded_words", "stated_categories", "written_categories"]

MANY = 50
"""More categories than this are likely to be free text."""


class CodedAnswers(NamedTuple):
    """Answers whose words are places in a list.

    Attributes:
        parts: the answers of each file.
        categories: the categories; empty if they are ratings, or were never words.
        notes: decisions that the user should know.
        warnings: what is likely to be wrong.
    """

    parts: list[Answers]
    categories: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def coded_words(parts: Sequence[Answers], ordered: Sequence[str]) -> CodedAnswers:
    """The answers with words as places in the list of categories.

    Args:
        parts: the answers of each file; all in words, or none.
        ordered: the categories that the user named, lowest first, which turns them into ratings from 0 on.

    Raises:
        ArgumentError: the user named fewer than two categories, or one twice.
    """
    if WORD not in parts[0].frame.columns:
        return CodedAnswers(list(parts), (), (), ())
    tidied = [_tidied(part) for part in parts]
    if ordered:
        return _as_ratings(tidied, [tidy_name(name) for name in ordered])
    stated = [name for part in tidied for name in stated_categories(part.facts)]
    folded = _spellings(tidied, stated)
    tidied = [_renamed(part, folded) for part in tidied]
    seen = {word for part in tidied for word in part.frame[WORD].drop_nulls().unique().to_list()}
    categories = tuple(dict.fromkeys([*stated, *sorted(seen - set(stated), key=_natural)]))
    coded = [_coded(part, {name: at for at, name in enumerate(categories)}) for part in tidied]
    note = f"answers are categories: {listing(categories)}; if they have an order: --categories lowest,...,highest"
    same = [
        f"categories {excerpt(old)} and {excerpt(new)} differ only in case; read as one" for old, new in folded.items()
    ]
    return CodedAnswers(coded, categories, (note, *same), tuple(_doubts(categories)))


def written_categories(categories: Iterable[str]) -> str:
    """The list of categories as one text, for a column of facts."""
    return json.dumps(list(categories), ensure_ascii=False)


def stated_categories(facts: Mapping[str, str]) -> list[str]:
    """The categories that a file states; empty if it states none."""
    try:
        stated = json.loads(facts.get("categories", "[]"))
    except ValueError:
        return []
    return [str(name) for name in stated] if isinstance(stated, list) else []


def _tidied(part: Answers) -> Answers:
    words = part.frame[WORD].drop_nulls().unique().to_list()
    return _renamed(part, {word: tidy for word in words if (tidy := tidy_name(word)) != word})


def _renamed(part: Answers, changed: Mapping[str, str]) -> Answers:
    return replace(part, frame=part.frame.with_columns(pl.col(WORD).replace(changed))) if changed else part


def _spellings(parts: Sequence[Answers], stated: Sequence[str]) -> dict[str, str]:
    """Words that differ from a more frequent one only in case, to that one; categories that a file states stay."""
    counts = Counter(word for part in parts for word in part.frame[WORD].drop_nulls().to_list())
    usual: dict[str, str] = {name.casefold(): name for name in stated}
    for word, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
        usual.setdefault(word.casefold(), word)
    return {word: usual[word.casefold()] for word in counts if usual[word.casefold()] != word and word not in stated}


def _as_ratings(parts: Sequence[Answers], ordered: Sequence[str]) -> CodedAnswers:
    if len(ordered) < 2 or len({name.casefold() for name in ordered}) < len(ordered):
        raise ArgumentError(
            f"--categories {','.join(ordered)} does not name two or more different categories",
            remedy="name all categories, lowest first: --categories low,middle,high",
        )
    places = {name.casefold(): at for at, name in enumerate(ordered)}
    scale = Scale(low=0.0, high=float(len(ordered) - 1))
    coded = [_checked(_coded(part, places, fold=True), ordered) for part in parts]
    said = ", ".join(f"{name} = {at}" for at, name in enumerate(ordered))
    rated = [replace(part, frame=part.frame.drop(WORD), scale=scale) for part in coded]
    return CodedAnswers(rated, (), (f"categories are read as ratings: {said}",), ())


def _coded(part: Answers, places: Mapping[str, int], *, fold: bool = False) -> Answers:
    words = part.frame[WORD].to_list()
    keys = [None if word is None else word.casefold() if fold else word for word in words]
    values = [None if key is None else places.get(key) for key in keys]
    return replace(part, frame=part.frame.with_columns(pl.Series("value", values, dtype=pl.Float64)))


def _checked(part: Answers, ordered: Sequence[str]) -> Answers:
    unknown = part.frame[WORD].is_not_null() & part.frame["value"].is_null()
    return part.with_problems(
        unknown.to_numpy(),
        lambda row: f"answer {excerpt(row[WORD])} is none of the categories {listing(ordered)}",
        "name all categories with --categories, or a code for no answer with --missing CODE",
    )


def _doubts(categories: Sequence[str]) -> Iterable[str]:
    if len(categories) > MANY:
        yield f"there are {len(categories):,} different answers in words; free text is no category"


def _natural(word: str) -> list[tuple[int, int, str]]:
    """A key that sorts numbers inside words by size, and case last."""
    parts = re.split(r"(\d+)", word.casefold())
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part] + [(2, 0, word)]
