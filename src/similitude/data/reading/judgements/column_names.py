"""Which of a file's columns is which of ours: named by the user, or known under a usual name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from similitude.data.reading import column_names as matching
from similitude.data.reading.column_names import find_column
from similitude.data.reading.problems import listing
from similitude.errors import ArgumentError, ColumnError

__all__ = ["ALIASES", "CONTEXT", "FACTS", "TEXTS", "chosen_columns", "match", "matching_notes", "missing_column"]

CONTEXT = ("question", "annotator", "round", "seconds", "group")
"""What surrounds an answer: any table may have it."""

FACTS = ("scale", "benchmark", "licence", "judged_by")
"""Columns that hold one value throughout a file and speak of all its answers."""

TEXTS = ("left", "right", "context", "condition", "language", "domain", "source", "split")
"""Columns that speak of the item judged."""

LISTS = ("items", "raters", "units")
"""What stands for several columns, written with commas between them."""

ALIASES: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "question_id", "tuple", "tuple_id", "trial", "trial_id"),
    "annotator": ("annotator", "annotator_id", "worker", "worker_id", "workerid", "rater", "rater_id", "user",
                  "user_id", "coder", "coder_id", "judge", "judge_id", "participant", "participant_id", "subject",
                  "observer", "labeler", "assessor"),
    "round": ("round", "session", "wave"),
    "seconds": ("seconds", "duration", "duration_seconds", "time_seconds", "time_in_seconds", "worktimeinseconds",
                "work_time_in_seconds", "lead_time", "response_time"),
    "group": ("group", "annotator_group", "rater_group", "worker_group", "cohort"),
    "item": ("item", "item_id", "itemid", "task", "task_id", "unit", "unit_id", "pair", "pair_id", "pairid",
             "instance", "instance_id", "question", "question_id", "id", "uuid", "idx", "index"),
    "value": ("value", "label", "rating", "score", "similarity", "relatedness", "judgement", "judgment", "answer",
              "response"),
    "applies": ("applies", "condition_applies"),
    "items": ("items", "tuple_items", "shown"),
    "best": ("best", "best_item", "bestitem", "best_answer", "most", "most_related", "mostrelated", "most_similar",
             "mostsimilar", "most_relevant"),
    "worst": ("worst", "worst_item", "worstitem", "worst_answer", "least", "least_related", "leastrelated",
              "least_similar", "leastsimilar", "least_relevant"),
    **{name: matching.ALIASES[name] for name in (*TEXTS, *FACTS)},
}  # fmt: skip
"""The names under which files usually keep each of our columns, the likeliest first.

Compared without regard to case, spaces or hyphens: ``Most related`` is ``most_related``.
"""


def match(there: Sequence[str], ours: Iterable[str], chosen: Mapping[str, str], where: str) -> dict[str, str]:
    """Our names to the file's, for those of ours that the file has; no column of the file is taken twice.

    Args:
        there: the file's columns.
        ours: the columns wanted, those that must not lose theirs to another first.
        chosen: what the user said; an empty name means that no column of the file is to be used.
        where: the file, for messages.

    Raises:
        ArgumentError: the user named a column that we do not have.
        ColumnError: a column that the user named is not there.
    """
    _check_ours(chosen)
    wanted = list(ours)
    matched = {name: chosen[name] for name in wanted if chosen.get(name)}
    for name, theirs in matched.items():
        if theirs not in there:
            raise missing_column(f"no column '{theirs}' (wanted for {name})", there, name, where)
    for name in wanted:
        free = [column for column in there if column not in matched.values()]
        found = find_column(free, ALIASES[name]) if name not in chosen else None
        if found is not None:
            matched[name] = found
    return matched


def chosen_columns(chosen: Mapping[str, str], name: str, there: Sequence[str], where: str) -> list[str]:
    """The columns that the user named for one of `LISTS`, or none.

    Raises:
        ColumnError: one of them is not there.
    """
    columns = [column.strip() for column in chosen.get(name, "").split(",") if column.strip()]
    for column in columns:
        if column not in there:
            raise missing_column(f"no column '{column}' (wanted for {name})", there, name, where)
    return columns


def missing_column(what: str, there: Iterable[str], ours: str, where: str) -> ColumnError:
    """The error for a column that is not there."""
    name = "A,B,C" if ours in LISTS else "NAME"
    return ColumnError(
        f"{what}; columns there: {listing(there)}", where=where, remedy=f"name it with --column {ours}={name}"
    )


def matching_notes(there: Iterable[str], matched: Mapping[str, str], used: Iterable[str] = ()) -> list[str]:
    """What was matched under another name, and what was not used."""
    known = {**matched, **{name: name for name in used}}
    return matching.matching_notes(there, known)


def _check_ours(chosen: Mapping[str, str]) -> None:
    unknown = [ours for ours in chosen if ours not in ALIASES and ours not in LISTS]
    if unknown:
        known = ", ".join(dict.fromkeys([*ALIASES, *LISTS]))
        what = f"'{unknown[0]}' is not a column of judgements"
        raise ArgumentError(what, remedy=f"columns are named OURS=THEIRS; ours: {known}")
