"""Columns of a file matched with ours: by the names that the user gives, or by usual names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.problems import listing
from similitude.errors import ArgumentError, ColumnError, FormatError

__all__ = [
    "ALIASES",
    "CLASSES",
    "FACTS",
    "INFERENCE",
    "PAIRS",
    "belong_together",
    "column_error",
    "column_flag",
    "find_column",
    "has_names",
    "match_benchmark_columns",
    "match_columns",
    "matching_notes",
    "plain_name",
    "refuse_unknown_columns",
]

FACTS = ("scale", "benchmark", "licence", "judged_by", "aggregation")
"""Columns that hold one value for the whole benchmark, not one for each item."""

NOUNS = ("sentence", "sent", "text", "s", "question", "utterance", "phrase", "string", "seq", "headline", "caption",
         "tweet", "title", "utt", "document", "doc", "passage", "word")  # fmt: skip
"""Nouns that name both texts with a number or a letter, such as ``sentence1`` or ``text_a``."""

PAIRS = (
    ("left", "right"),
    *((noun + a, noun + b) for noun in NOUNS for a, b in (("1", "2"), ("_1", "_2"), ("_a", "_b"))),
    ("sentencea", "sentenceb"),
    ("left_text", "right_text"),
    ("text_left", "text_right"),
    ("premise", "hypothesis"),
    ("anchor", "positive"),
    ("query", "passage"),
    ("query", "document"),
    ("reference", "candidate"),
    ("reference", "hypothesis"),
    ("ref", "hyp"),
    ("src", "mt"),
)
"""Usual names of the two columns of texts, which belong together, the most likely first."""

TRAINING_PAIRS = ("anchor", "positive")
NEGATIVES = ("negative", "negatives", "negative_1", "hard_negative")
INFERENCE = ("premise", "hypothesis")
CLASSES = ("label", "labels", "gold_label")
"""Names of the classes of natural language inference, which are no scores."""

ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "item_id", "pair_id", "pairid", "uuid", "guid", "idx", "index"),
    "left": tuple(dict.fromkeys(left for left, _ in PAIRS)),
    "right": tuple(dict.fromkeys(right for _, right in PAIRS)),
    "context": ("context",),
    "condition": ("condition",),
    "group": ("group", "group_id"),
    "language": ("language", "lang"),
    "domain": ("domain", "genre"),
    "source": ("source", "dataset", "filename"),
    "split": ("split",),
    "score": ("score", "similarity", "similarity_score", "sim_score", "relatedness_score", "relatedness", "gold",
              "gold_score", "goldscore", "mean_score", "avg_score", "average_score", "human_score", "sts_score",
              "gold_similarity", "rating", "mean_rating", "avg_rating", "average_rating", "human_rating", "sim",
              "similarity_label", "gold_label", "label", "labels", "mean", "simlex999", "is_duplicate", "human_(mean)",
              "human_mean", "human_similarity", "human", "similarity_mean", "mean_similarity", "relatedness_mean",
              "average", "avg", "annot_score", "judgment", "judgement"),
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
    found = match_columns(there, _with_pair(there, chosen, aliases), aliases, where)
    matched = {ours: found[ours] for ours in dict.fromkeys((*chosen, *aliases, *found)) if ours in found}
    for ours in ("left", "right"):
        if ours not in matched:
            raise column_error(f"no column for {ours}", there, ours, where)
    if not {"left", "right"} & set(chosen):
        _refuse_training_pairs(there, matched, where)
        _refuse_strangers(there, matched, aliases, where)
    if "score" not in chosen:
        _refuse_classes(there, matched, where)
    return matched


def _with_pair(
    there: Sequence[str], chosen: Mapping[str, str], aliases: Mapping[str, Sequence[str]]
) -> Mapping[str, str]:
    """The user's choice and, if it names neither text, the first pair of usual names of which the file has both."""
    if {"left", "right"} & set(chosen) or aliases is not ALIASES:
        return chosen
    by_plain_name = {plain_name(name): name for name in reversed(list(there))}
    found = next((pair for pair in PAIRS if set(pair) <= set(by_plain_name)), None)
    return chosen if found is None else {**chosen, "left": by_plain_name[found[0]], "right": by_plain_name[found[1]]}


def belong_together(left: str, right: str) -> bool:
    """Whether these are usual names of the two columns of texts in one table.

    >>> belong_together("Sentence 1", "Sentence 2"), belong_together("query", "sentence2")
    (True, False)
    """
    return (plain_name(left), plain_name(right)) in PAIRS


def _refuse_strangers(
    there: Sequence[str], matched: Mapping[str, str], aliases: Mapping[str, Sequence[str]], where: str
) -> None:
    """Refuse texts whose names do not belong together, such as ``query`` and ``sentence2``."""
    if aliases is ALIASES and not belong_together(matched["left"], matched["right"]):
        what = f"columns '{matched['left']}' and '{matched['right']}' are not known to belong together"
        raise column_error(what, there, "left", where, value="NAME --column right=NAME")


def _refuse_training_pairs(there: Sequence[str], matched: Mapping[str, str], where: str) -> None:
    triples = any(plain_name(name) in NEGATIVES for name in there)
    if plain_name(matched["left"]) in TRAINING_PAIRS and (triples or "score" not in matched):
        what = "triples" if "score" in matched else "pairs without scores"
        raise FormatError(
            f"{listing(there)}: training {what}, not similarity data",
            where=where,
            remedy="use a file with sentence1, sentence2 and score, or name the columns with "
            "--column left=NAME --column right=NAME",
        )


def _refuse_classes(there: Sequence[str], matched: Mapping[str, str], where: str) -> None:
    """Refuse the classes of inference as scores, unless the user names them."""
    names = plain_name(matched["left"]), plain_name(matched["right"])
    if names == INFERENCE and plain_name(matched.get("score", "")) in CLASSES:
        what = f"'{matched['score']}' beside premise and hypothesis is usually a class of inference, not a score"
        raise column_error(what, there, "score", where, value="NAME, also if it is this one")


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
        taken = set(matched.values())
        found = find_column([name for name in there if name not in taken], names) if ours not in chosen else None
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
    by_plain_name = {plain_name(name): name for name in reversed(list(there))}
    return next((by_plain_name[name] for name in map(plain_name, names) if name in by_plain_name), None)


def has_names(there: Iterable[str], *names: str) -> bool:
    """Whether the file has a column of each of these names, in any order and among others."""
    return {plain_name(name) for name in names} <= {plain_name(name) for name in there}


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


def column_flag(ours: str, theirs: str) -> str:
    """The option that says which column is ours, as a shell takes it.

    >>> column_flag("score", "label"), column_flag("score", "Is duplicate?")
    ('--column score=label', "--column 'score=Is duplicate?'")
    """
    return f"--column {shlex.quote(f'{ours}={theirs}')}"


@lru_cache(maxsize=1 << 16)
def plain_name(name: str) -> str:
    """A name without case, spaces and hyphens, by which names of columns are compared."""
    return re.sub(r"[\s_-]+", "_", name.strip().lower())
