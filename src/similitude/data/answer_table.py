"""The answers of a language model as a table: one row per item and answer."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from similitude.data.read_answer import ANSWER_KINDS, ReadAnswer

__all__ = ["answers_from", "table_of_answers"]

_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "id": pl.String,
    "number": pl.Int64,
    "text": pl.String,
    "rule": pl.String,
    "kind": pl.Enum(ANSWER_KINDS),
    "value": pl.Float64,
    "is_cut": pl.Boolean,
}

Answers = tuple[tuple[ReadAnswer, ...], ...]


def table_of_answers(ids: Sequence[str], answers: Answers) -> pl.DataFrame:
    """The rows in the order of the items; ``number`` counts the answers to one item from 1.

    >>> table_of_answers(["p1"], ((ReadAnswer("Score: 4", "alone", "valid", 4.0),),)).row(0)
    ('p1', 1, 'Score: 4', 'alone', 'valid', 4.0, False)
    """
    rows = [
        (item, number, _text(answer.text), *answer[1:])
        for item, own in zip(ids, answers, strict=True)
        for number, answer in enumerate(own, start=1)
    ]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def answers_from(frame: pl.DataFrame, ids: Sequence[str]) -> Answers:
    """The answers to these items, in their order; none for an item that is not in the table."""
    found: dict[str, list[ReadAnswer]] = {item: [] for item in ids}
    for item, _, *answer in frame.select(list(_SCHEMA)).iter_rows():
        if item in found:
            found[item].append(ReadAnswer(*answer))
    return tuple(tuple(found[item]) for item in ids)


def _text(text: str) -> str:
    """Parquet holds no half of a surrogate pair, which a model that is cut within an emoji can leave."""
    return text.encode("utf-8", "replace").decode("utf-8")
