"""Columns of a file matched with ours: by the names that the user gives, or by usual names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.problems import listing
from similitude.errors import ArgumentError, ColumnError

__all__ = [
    "ALIASES",
    "FACTS",
    "column_error",
    "find_column",
    "match_benchmark_columns",
    "match_columns",
    "matching_notes",
    "refuse_unknown_columns",
]

FACTS = ("scale", "benchmark", "licence", "judged_by", "aggregation")
"""Columns that hold one value for the whole benchmark, not one for each item."""

ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "item_id", "pair_id", "pairid", "uuid", "guid", "idx", "index"),
    "left": ("left", "sentence1", "sentence_1", "sentence_a", "sentencea", "sent1", "sent_1", "sent_a", "text1",
             "text_1", "text_a", "s1", "s_1", "question1", "question_1", "utterance1", "phrase1"),
    "right": ("right", "sentence2", "sentence_2", "sentence_b", "sentenceb", "sent2", "sent_2", "sent_b", "text2",
              "text_2", "text_b", "s2", "s_2", "question2", "question_2", "utterance2", "phrase2"),
    "context": ("context",),
    "condition": ("condition",),
    "group": ("group", "group_id"),
    "language": ("language", "lang"),
    "domain": ("domain", "genre"),
    "source": ("source", "dataset", "filename"),
    "split": ("split",),
    "score": ("score", "similarity", "similarity_score", "sim_score", "relatedness_score", "relatedness", "gold",
              "gold_score", "goldscore", "mean_score", "rating", "label"),
    "sigma": ("sigma", "std", "sd"),
    "ratings": ("ratings", "raw_annotation", "raw_annotations", "annotations"),
    "raters": ("raters", "annotators"),
    "rounds": ("rounds",),
    "standard_error": ("standard_error",),
    "mixture_weights": ("mixture_weights",),
    "mixture_means": ("mixture_means",),
    "mixture_sigmas": ("mixture_sigmas",),
    "scale": ("scale",),
    "benchmark": ("benchmark",),
    "licence": ("licence", "license"),
    "judged_by": ("judged_by",),
    "aggregation": ("aggregation",),
}  # fmt: skip
"""Usual names of each of our columns in files, the most likely first.

Case, spaces and hyphens do not matter: ``Sentence 1`` is ``sentence_1``.
"""


def match_benchmark_columns(
    there: Sequence[str], chosen: Mapping[str, str], aliases: Mapping[str, Sequence[str]], where: str
) -> dict[str, str]:
    """`match_columns` for the columns of a benchmark, which needs left and right.

    Raises:
        ArgumentError: the user named a column that a benchmark does not have.
        ColumnError: a column that the user named, or one for left or right, is missing.
    """
    refuse_unknown_columns(chosen, [*BENCHMARK_SCHEMA, *FACTS], "a benchmark")
    matched = match_columns(there, chosen, aliases, where)
    for ours in ("left", "right"):
        if ours not in matched:
            raise column_error(f"no column for {ours}", there, ours, where)
    return matched


def match_columns(
    there: Sequence[str], chosen: Mapping[str, str], aliases: Mapping[str, Sequence[str]], where: str
) -> dict[str, str]:
    """Our names to the file's, for those of our columns that the file has. No column of the file is matched twice.

    Args:
        there: the file's columns.
        chosen: the user's choice, our names to the file's; an empty name leaves our column out.
        aliases: our names to usual names; columns that come first choose first.
        where: the file, for messages.

    Raises:
        ColumnError: a column that the user named is missing.
    """
    matched = {ours: theirs for ours, theirs in chosen.items() if theirs}
    for ours, theirs in matched.items():
        if theirs not in there:
            raise column_error(f"no column '{theirs}' (wanted for {ours})", there, ours, where)
    for ours, names in aliases.items():
        free = [column for column in there if column not in matched.values()]
        found = find_column(free, names) if ours not in chosen else None
        if found is not None:
            matched[ours] = found
    return matched


def refuse_unknown_columns(chosen: Mapping[str, str], known: Iterable[str], whose: str) -> None:
    """Check the names of our columns that the user gave.

    Raises:
        ArgumentError: we have no such column.
    """
    names = list(dict.fromkeys(known))
    unknown = next((ours for ours in chosen if ours not in names), None)
    if unknown is not None:
        remedy = f"write --column OURS=THEIRS; ours: {', '.join(names)}"
        raise ArgumentError(f"'{unknown}' is not a column of {whose}", remedy=remedy)


def find_column(there: Iterable[str], names: Iterable[str]) -> str | None:
    """The file's column under the first of these names that it has; None where it has none of them."""
    by_plain_name = {_plain(name): name for name in reversed(list(there))}
    return next((by_plain_name[name] for name in map(_plain, names) if name in by_plain_name), None)


def matching_notes(there: Iterable[str], matched: Mapping[str, str], used: Iterable[str] = ()) -> list[str]:
    """Notes on the columns that were matched under another name, and on those that were not used.

    Args:
        there: the file's columns.
        matched: our names to the file's.
        used: further columns of the file that were used.
    """
    renamed = [f"{ours}={theirs}" for ours, theirs in matched.items() if ours != theirs]
    known = {*matched.values(), *used}
    unused = [name for name in there if name and name not in known]
    notes = [f"columns matched: {listing(renamed)}"] if renamed else []
    return notes + ([f"columns not used: {listing(unused)}"] if unused else [])


def column_error(what: str, there: Iterable[str], ours: str, where: str, value: str = "NAME") -> ColumnError:
    """The error for a column that is missing; ``value`` shows how to name it."""
    return ColumnError(
        f"{what}; columns there: {listing(there)}", where=where, remedy=f"name it with --column {ours}={value}"
    )


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip().lower())
