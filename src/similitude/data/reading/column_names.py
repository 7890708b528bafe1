"""Which of the file's columns is which of ours: named by the user, or known under a usual name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.problems import listing
from similitude.errors import ArgumentError, ColumnError

__all__ = ["ALIASES", "FACTS", "find_column", "match_columns", "matching_notes"]

FACTS = ("scale", "benchmark", "licence", "judged_by", "aggregation")
"""Columns that hold one value throughout a file and speak of the benchmark, not of an item."""

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
"""The names under which files usually keep each of our columns, the likeliest first.

Compared without regard to case, spaces or hyphens: ``Sentence 1`` is ``sentence_1``.
"""


def match_columns(
    there: Sequence[str], chosen: Mapping[str, str], aliases: Mapping[str, Sequence[str]], where: str
) -> dict[str, str]:
    """Our names to the file's.

    Args:
        there: the file's columns.
        chosen: what the user said; an empty name means that no column of the file is to be used.
        aliases: names that need not be said.
        where: the file, for messages.

    Raises:
        ArgumentError: the user named a column that we do not have.
        ColumnError: a column that the user named, or one for left or right, is not there.
    """
    _check_ours(chosen)
    matched = {ours: theirs for ours, theirs in chosen.items() if theirs}
    for ours, theirs in matched.items():
        if theirs not in there:
            raise _missing(f"no column '{theirs}' (wanted for {ours})", there, ours, where)
    for ours, names in aliases.items():
        found = find_column(there, names) if ours not in chosen else None
        if found is not None and found not in matched.values():
            matched[ours] = found
    for ours in ("left", "right"):
        if ours not in matched:
            raise _missing(f"no column for {ours}", there, ours, where)
    return matched


def find_column(there: Iterable[str], names: Iterable[str]) -> str | None:
    """The file's column that goes by the first of these names that it has."""
    by_plain_name = {_plain(name): name for name in reversed(list(there))}
    return next((by_plain_name[name] for name in map(_plain, names) if name in by_plain_name), None)


def matching_notes(there: Iterable[str], matched: Mapping[str, str]) -> list[str]:
    """What was matched under another name, and what was not used."""
    renamed = [f"{ours}={theirs}" for ours, theirs in matched.items() if ours != theirs]
    unused = [name for name in there if name not in matched.values() and name]
    notes = [f"columns matched: {listing(renamed)}"] if renamed else []
    return notes + ([f"columns not used: {listing(unused)}"] if unused else [])


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip().lower())


def _check_ours(chosen: Mapping[str, str]) -> None:
    unknown = [ours for ours in chosen if ours not in BENCHMARK_SCHEMA and ours not in FACTS]
    if unknown:
        known = ", ".join([*BENCHMARK_SCHEMA, *FACTS])
        what = f"'{unknown[0]}' is not a column of a benchmark"
        raise ArgumentError(what, remedy=f"columns are named OURS=THEIRS; ours: {known}")


def _missing(what: str, there: Iterable[str], ours: str, where: str) -> ColumnError:
    return ColumnError(
        f"{what}; columns there: {listing(there)}", where=where, remedy=f"name it with --column {ours}=NAME"
    )
