"""Languages of texts: words are found, and function words known, by language."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from similitude.data.plural import agreeing
from similitude.inspect.words.language_guess import guessed_languages
from similitude.inspect.words.languages import UNKNOWN, language_code

__all__ = ["ASSUMED", "by_language", "language_codes", "text_codes", "unstated_note"]

ASSUMED = "en"
"""The language of texts that state none and whose language cannot be guessed, where function words are needed."""


def language_codes(stated: pl.Series) -> pl.Series:
    """The code of each stated language, without region; empty if none is stated."""
    distinct = stated.unique().to_list()
    codes = {one: language_code(one) for one in distinct}
    return stated.cast(pl.String).replace_strict(list(codes), list(codes.values()), return_dtype=pl.String)


def text_codes(frame: pl.DataFrame) -> pl.Series:
    """The code of each text's language: as it is stated, or else guessed; empty where nothing tells.

    >>> texts = pl.DataFrame({"text": ["Wo ist der Hund?", "Wo?", "狗在哪里？"], "language": [None, "de-AT", None]})
    >>> text_codes(texts).to_list()
    ['de', 'de', 'zh']
    """
    codes = language_codes(frame["language"])
    unstated = (codes == UNKNOWN).arg_true()
    if not len(unstated):
        return codes
    guessed = guessed_languages(frame["text"].gather(unstated)).fill_null(UNKNOWN)
    return codes.scatter(unstated, guessed)


def by_language(
    frame: pl.DataFrame, compute: Callable[[pl.Series, str], pl.Series], codes: pl.Series | None = None
) -> pl.Series:
    """One value for each text, computed for all texts of a language together.

    Args:
        frame: a table of texts.
        compute: from the texts of one language and its code to one value each.
        codes: of each text's language; by default those of `text_codes`.
    """
    codes = text_codes(frame) if codes is None else codes
    texts = frame["text"].fill_null("")
    distinct = sorted(codes.unique().to_list())
    if len(distinct) == 1:
        return compute(texts, distinct[0])
    parts = []
    for code in distinct:
        rows = (codes == code).arg_true()
        parts.append(pl.DataFrame({"row": rows, "value": compute(texts.gather(rows), code)}))
    if not parts:
        return compute(texts, UNKNOWN)
    return pl.concat(parts).sort("row")["value"]


def unstated_note(frame: pl.DataFrame, known: frozenset[str], what: str) -> list[str]:
    """A note if words of some texts are looked up in the wrong language, or in none.

    Args:
        frame: a table of texts.
        known: codes of the languages whose words are known.
        what: the words, in words.
    """
    counts = dict(language_codes(frame["language"]).value_counts().iter_rows())
    notes = []
    if counts.get(UNKNOWN):
        who = agreeing(counts[UNKNOWN], "text", "states", "state")
        notes.append(f"{who} no language; {what} are those of the guessed one (a column 'language' states it)")
    missing = sorted(set(counts) - known - {UNKNOWN})
    if missing:
        texts = sum(counts[code] for code in missing)
        notes.append(f"no {what} are known for {', '.join(missing)} ({texts:,} texts)")
    return notes
