"""Columns of a table of texts: usual names, and tables that hold pairs or have no column of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from similitude.data.reading.column_names import (
    PAIRS,
    column_error,
    match_columns,
    plain_name,
    refuse_unknown_columns,
)
from similitude.data.reading.containers.table import USUAL_NAMES, plain_names
from similitude.data.texts import TEXT_SCHEMA
from similitude.errors import ArgumentError, FormatError

__all__ = ["TEXT_NAMES", "as_roles", "match_text_columns"]

TURN_ROLES = ("dialogue", "turn", "speaker")
"""Columns of tables with one row for each turn."""

TEXT_ALIASES: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "sentence", "caption", "utterance", "question", "query", "headline", "tweet", "comment", "message",
             "content", "body", "passage", "phrase", "sent", "string", "title", "review", "description", "post"),
    "id": ("id", "text_id", "sentence_id", "caption_id", "uuid", "guid", "idx", "index"),
    "context": ("context", "turns", "dialogue_turns", "messages", "conversation", "conversations",
                "history", "utterances"),
    "dialogue": ("dialogue_id", "dialog_id", "conversation_id", "conv_id", "session_id", "thread_id", "dialogue",
                 "dialog"),
    "turn": ("turn", "turn_id", "turn_number", "turn_index", "turn_no", "utterance_id"),
    "speaker": ("speaker", "role", "sender", "speaker_id", "author"),
    "group": ("group", "group_id", "image", "image_id", "img_id", "image_path", "topic"),
    "document": ("document", "document_id", "doc", "doc_id", "url", "article_id", "talk_id", "page_id"),
    "language": ("language", "lang"),
    "domain": ("domain", "genre"),
    "source": ("source", "dataset", "filename"),
}  # fmt: skip
"""Usual names of each of our columns in files, the most likely first."""

TEXT_NAMES = plain_names(TEXT_ALIASES.values()) | USUAL_NAMES
"""The usual names, by which a header is known; with those of pairs, which are refused by name."""


def as_roles(columns: Mapping[str, str]) -> dict[str, str]:
    """The columns that the user named; ``turns`` is another word for context.

    Raises:
        ArgumentError: we have no such column, or both words are used.
    """
    if {"turns", "context"} <= set(columns):
        raise ArgumentError("columns names both turns and context, which are the same", remedy="leave one out")
    named = {"context" if ours == "turns" else ours: theirs for ours, theirs in columns.items()}
    refuse_unknown_columns(named, [*TEXT_SCHEMA, *TURN_ROLES], "a table of texts")
    return named


def match_text_columns(there: Sequence[str], chosen: Mapping[str, str], where: str) -> dict[str, str]:
    """Our names to the file's; the column of texts, or of whole dialogues, is always among them.

    Raises:
        FormatError: the table holds pairs of texts.
        ColumnError: a column that the user named is missing, or no column is known to hold texts.
    """
    matched = match_columns(there, chosen, TEXT_ALIASES, where)
    if not {"text", "context"} & set(chosen):
        _refuse_pairs(there, where)
    if {"text", "context"} & set(matched):
        return matched
    if len(there) == 1 and chosen.get("text") != "":
        return {"text": there[0]}
    raise column_error("no column is known to hold texts", there, "text", where)


def _refuse_pairs(there: Sequence[str], where: str) -> None:
    plain = {plain_name(name): name for name in there}
    pair = next((pair for pair in PAIRS if set(pair) <= set(plain)), None)
    if pair is not None:
        left, right = (plain[name] for name in pair)
        what = f"columns '{left}' and '{right}' hold pairs of texts, and single texts are needed here"
        remedy = f'keep the pairs: data = "{where}" under [pairs] of a plan; or take one column: --column text=NAME'
        raise FormatError(what, where=where, remedy=remedy)
