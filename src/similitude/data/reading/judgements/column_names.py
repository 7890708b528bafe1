"""Columns of judgements: their usual names in files, and which of them a file has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from similitude.data.reading.column_names import ALIASES as BENCHMARK_ALIASES
from similitude.data.reading.column_names import column_error, match_columns, plain_name, refuse_unknown_columns
from similitude.errors import ArgumentError, ColumnError

__all__ = [
    "ALIASES",
    "CONTEXT",
    "FACTS",
    "TEXTS",
    "chosen_columns",
    "match_judgement_columns",
    "missing_column",
    "named_like_answers",
]

CONTEXT = ("question", "annotator", "round", "seconds", "group")
"""Columns about the answer as such, which any table may have."""

FACTS = ("scale", "benchmark", "licence", "judged_by", "categories")
"""Columns that hold one value for the whole file, not one for each answer."""

TEXTS = ("left", "right", "context", "condition", "language", "domain", "source", "split")
"""Columns about the item judged."""

LISTS = ("items", "raters", "units")
"""Names for which the user gives several columns, separated by commas."""

ALIASES: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "question_id", "tuple", "tuple_id", "trial", "trial_id"),
    "annotator": ("annotator", "annotator_id", "worker", "worker_id", "workerid", "rater", "rater_id", "user",
                  "user_id", "coder", "coder_id", "judge", "judge_id", "participant", "participant_id", "subject",
                  "observer", "labeler", "labeller", "assessor", "evaluator", "evaluator_id", "reviewer", "grader",
                  "respondent", "respondent_id", "resp", "resp_id", "sys_respnum", "username", "email",
                  "email_address", "prolific_pid", "prolific_id", "participantid", "annotator_name", "_annotator_id",
                  "assignment:worker_id", "bewerter", "kodierer", "annotateur"),
    "round": ("round", "session", "wave"),
    "seconds": ("seconds", "duration", "duration_seconds", "time_seconds", "time_in_seconds", "worktimeinseconds",
                "work_time_in_seconds", "lead_time", "response_time"),
    "group": ("group", "annotator_group", "rater_group", "worker_group", "cohort"),
    "item": ("item", "item_id", "itemid", "task", "task_id", "unit", "unit_id", "pair", "pair_id", "pairid",
             "instance", "instance_id", "question", "question_id", "id", "uuid", "idx", "index",
             "hit_id", "hitid", "paar", "einheit"),
    "value": ("value", "label", "rating", "score", "similarity", "relatedness", "judgement", "judgment", "answer",
              "response", "wert", "bewertung", "urteil"),
    "time": ("time", "timestamp", "time_stamp", "created_at", "createdat", "submitted", "submitted_at", "submittime",
             "submit_time", "submission_time", "completed_at", "answered_at", "datetime", "date_time", "date",
             "updated_at", "created"),
    "applies": ("applies", "condition_applies"),
    "items": ("items", "tuple_items", "shown"),
    "best": ("best", "best_item", "bestitem", "best_answer", "bestterm", "best_term", "best_option",
             "best_id", "most", "most_related", "mostrelated", "most_similar",
             "mostsimilar", "most_relevant"),
    "worst": ("worst", "worst_item", "worstitem", "worst_answer", "worstterm", "worst_term",
              "worst_option", "worst_id", "least", "least_related", "leastrelated",
              "least_similar", "leastsimilar", "least_relevant"),
    **{name: BENCHMARK_ALIASES[name] for name in (*TEXTS, *FACTS) if name != "categories"},
    "categories": ("categories",),
}  # fmt: skip
"""Usual names of each of our columns in files, the most likely first.

Case, spaces and hyphens do not matter: ``Most related`` is ``most_related``.
"""


ANSWERS = frozenset(map(plain_name, (*ALIASES["value"], *BENCHMARK_ALIASES["score"])))
"""Names, without case, of columns of answers."""

NUMBERED = re.compile(r"[\s_.#-]*(?:\d+|[\s_.#-][A-Za-z])$")


def named_like_answers(name: str, *, numbered: bool = False) -> bool:
    """Whether a column has the usual name of one for answers, or such a name with a number or letter.

    >>> named_like_answers("Rating"), named_like_answers("rating_2"), named_like_answers("rating_2", numbered=True)
    (True, False, True)
    """
    stem = NUMBERED.sub("", name.strip())
    return stem != name.strip() and plain_name(stem) in ANSWERS if numbered else plain_name(name) in ANSWERS


def match_judgement_columns(
    there: Sequence[str], ours: Iterable[str], chosen: Mapping[str, str], where: str
) -> dict[str, str]:
    """`match_columns` for some columns of judgements.

    Args:
        there: the file's columns.
        ours: the columns to match; those that come first choose first.
        chosen: the user's choice, our names to the file's; an empty name leaves our column out.
        where: the file, for messages.

    Raises:
        ArgumentError: the user named a column that judgements do not have.
        ColumnError: a column that the user named is missing.
    """
    refuse_unknown_columns(chosen, [*ALIASES, *LISTS], "judgements")
    wanted = {name: ALIASES.get(name, ()) for name in ours}
    unfit = next((name for name in wanted if name not in ALIASES), None)
    if unfit is not None:
        what = f"--column {unfit}={chosen.get(unfit)} does not fit this format"
        raise ArgumentError(what, where=where, remedy="leave it out, or name another --format")
    return match_columns(there, {name: chosen[name] for name in wanted if name in chosen}, wanted, where)


def chosen_columns(chosen: Mapping[str, str], name: str, there: Sequence[str], where: str) -> list[str]:
    """The columns that the user named for one of `LISTS`; empty if the user named none.

    A name may be a pattern: ``rater*`` stands for all columns that begin with rater.

    Raises:
        ColumnError: the file lacks one of them.
    """
    columns: dict[str, None] = {}
    for written in (part.strip() for part in chosen.get(name, "").split(",")):
        found = [written] if written in there else [each for each in there if each and fnmatchcase(each, written)]
        if written and not found:
            raise missing_column(f"no column '{written}' (wanted for {name})", there, name, where)
        columns |= dict.fromkeys(found) if written else {}
    return list(columns)


def missing_column(what: str, there: Iterable[str], ours: str, where: str) -> ColumnError:
    """The error for a column that is missing."""
    return column_error(what, there, ours, where, "A,B,C" if ours in LISTS else "NAME")
