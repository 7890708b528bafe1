"""Token counts of every distinct text of a benchmark, and the texts of each item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.counted_work import counted_work, uncounted_work
from similitude.data.protocols import Listener
from similitude.inspect.words.languages import language_code
from similitude.inspect.words.lemmas import lemmas_of
from similitude.inspect.words.richness import THRESHOLD, mtld, rttr
from similitude.inspect.words.tokens import Tokens, tokens_of

__all__ = ["CountedTexts", "TokenOptions", "counted_texts"]


class TokenOptions(NamedTuple):
    """Options for splitting texts into words.

    Attributes:
        lemmas: whether to look up lemmas.
        whitespace: whether to split Chinese at whitespace, like other languages.
        threshold: the type-token ratio at which factors of MTLD end.
    """

    lemmas: bool = True
    whitespace: bool = False
    threshold: float = THRESHOLD


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedTexts:
    """The distinct texts of a benchmark; a text in two languages counts twice.

    Attributes:
        table: one row per text: ``text``, ``code`` (language), ``characters`` and ``tokens`` (their numbers), ``plain``
            (the words for richness), ``lemmas`` (null if not looked up), ``rttr`` and ``mtld`` (nan without words).
        items: the benchmark's table with row numbers of ``table``: ``left_at``, ``right_at`` and ``turns_at`` (a list;
            null without context).
    """

    table: pl.DataFrame
    items: pl.DataFrame

    def numbers(self, column: str, places: NDArray[np.intp]) -> NDArray[np.int64]:
        """The numbers of characters or tokens of the texts in these rows."""
        return self.table[column].to_numpy()[places].astype(np.int64)

    def words(self, column: str, places: NDArray[np.intp]) -> pl.Series:
        """All words or lemmas of the texts in these rows, in order."""
        return self.table[column].gather(places).explode(empty_as_null=False).drop_nulls()


def counted_texts(frame: pl.DataFrame, options: TokenOptions, listener: Listener | None = None) -> CountedTexts:
    """Split every text of a table of items into words; the listener is told how many are done.

    Raises:
        MissingExtraError: a language needs simplemma or jieba, which are not installed.
    """
    items = _prepared(frame)
    sides = [items.select("code", text=side) for side in ("left", "right")]
    turns = items.select("code", text="context").drop_nulls("text").explode("text").drop_nulls("text")
    distinct = pl.concat([*sides, turns]).unique(maintain_order=True)
    return CountedTexts(table=_counted(distinct, options, listener), items=_located(items, distinct))


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    codes = {stated: language_code(stated) for stated in frame["language"].unique()}
    return frame.with_row_index("row").with_columns(
        pl.col("left", "right").fill_null(""),
        context=pl.when(pl.col("context").list.len() > 0).then("context"),
        code=pl.Series([codes[stated] for stated in frame["language"]], dtype=pl.String),
    )


def _located(items: pl.DataFrame, distinct: pl.DataFrame) -> pl.DataFrame:
    places = distinct.with_row_index("at")
    for side in ("left", "right"):
        named = places.rename({"text": side, "at": f"{side}_at"})
        items = items.join(named, on=(side, "code"), how="left", maintain_order="left")
    turns = items.select("row", "code", text="context").drop_nulls("text").explode("text").drop_nulls("text")
    found = turns.join(places, on=("text", "code"), how="left", maintain_order="left")
    return items.join(
        found.group_by("row", maintain_order=True).agg(turns_at="at"), on="row", how="left", maintain_order="left"
    )


def _counted(distinct: pl.DataFrame, options: TokenOptions, listener: Listener | None) -> pl.DataFrame:
    rows = counted_work(distinct.iter_rows(), listener, "splitting texts into words", distinct.height)
    cut = [tokens_of(text, code, whitespace=options.whitespace) for code, text in rows]
    if options.lemmas:
        uncounted_work(listener, "looking up lemmas")
    lemmas = _listed(_lemmas(cut, distinct["code"].to_list())) if options.lemmas else None
    return distinct.with_columns(
        characters=pl.col("text").str.len_chars(),
        tokens=pl.Series([len(one.tokens) for one in cut], dtype=pl.Int64),
        plain=_listed(one.plain for one in cut),
        lemmas=pl.lit(None, dtype=pl.List(pl.String)) if lemmas is None else lemmas,
        rttr=pl.Series([rttr(one.plain) for one in cut], dtype=pl.Float64),
        mtld=pl.Series(
            [mtld(one.plain, options.threshold) for one in counted_work(cut, listener, "richness", len(cut))],
            dtype=pl.Float64,
        ),
    )


def _listed(words: Iterable[list[str]]) -> pl.Series:
    """Lists of words as a column: joined and split again, several times faster than list by list."""
    lines = pl.Series(["\n".join(text) for text in words], dtype=pl.String)
    return lines.str.split("\n").list.eval(pl.element().filter(pl.element() != ""))


def _lemmas(cut: list[Tokens], codes: list[str]) -> list[list[str]]:
    words: dict[str, dict[str, None]] = {}
    for one, code in zip(cut, codes, strict=True):
        words.setdefault(code, {}).update(dict.fromkeys(one.bare))
    known = {code: lemmas_of(vocabulary, code) for code, vocabulary in words.items()}
    return [[known[code][word] for word in one.bare] for one, code in zip(cut, codes, strict=True)]
