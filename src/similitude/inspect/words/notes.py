"""Notes on word counts, for their readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from similitude.inspect.words.languages import CHINESE, UNKNOWN, WITHOUT_SPACES
from similitude.inspect.words.lemmas import has_lemmas
from similitude.inspect.words.statistics import WordsOf
from similitude.inspect.words.token_counts import CountedTexts

__all__ = ["notes_on"]


def notes_on(
    texts: CountedTexts, *, words_of: WordsOf, by: Sequence[str], lemmas: bool, whitespace: bool
) -> Iterator[str]:
    """One sentence for everything about the counts that may surprise a reader."""
    codes = dict(texts.table["code"].value_counts(sort=True).iter_rows())
    if lemmas:
        yield from _lemma_notes(codes)
    yield from _spacing_notes(texts.table, codes, whitespace)
    if len(codes) > 1:
        yield from _mixture_notes(codes, by)
    yield from _left_out_notes(texts, words_of)


def _lemma_notes(codes: dict[str, int]) -> Iterator[str]:
    for code, count in codes.items():
        if not has_lemmas(code):
            why = "have no stated language" if code == UNKNOWN else f"are in '{code}', which simplemma does not know"
            yield f"{count:,} texts {why}: their lemmas are the lower-cased tokens"


def _spacing_notes(table: pl.DataFrame, codes: dict[str, int], whitespace: bool) -> Iterator[str]:
    unspaced = sorted(set(codes) & (WITHOUT_SPACES | ({CHINESE} if whitespace else set())))
    if unspaced:
        yield f"texts are split at whitespace, which does not separate words in {', '.join(unspaced)}"
    unstated = table.filter(pl.col("code") == UNKNOWN)
    chinese = unstated.filter(pl.col("text").str.contains(r"\p{Han}")).height
    if chinese:
        yield f"{chinese:,} texts have Chinese characters and no stated language: they were split at whitespace"


def _mixture_notes(codes: dict[str, int], by: Sequence[str]) -> Iterator[str]:
    if "language" not in by:
        named = ", ".join(code or "not stated" for code in codes)
        yield f"rows with more than one language ({named}) look richer than each language is; use --by language"


def _left_out_notes(texts: CountedTexts, words_of: WordsOf) -> Iterator[str]:
    if words_of == "dialogues":
        without = texts.items["turns_at"].null_count()
        if without:
            yield f"{without:,} items have no context: their two texts are counted as a dialogue"
    empty = texts.table.filter(pl.col("plain").list.len() == 0).height
    if empty:
        yield f"{empty:,} texts have no words (only digits or punctuation): averages of richness leave them out"
