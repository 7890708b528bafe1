"""`clean`: texts in normal form, without those that nobody should judge; every loss is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.clean.normal_text import normal_text
from similitude.collect.candidates.clean.number_range import NumberRange
from similitude.collect.candidates.clean.rules import CleanRules
from similitude.collect.candidates.clean.tally import (
    EXAMPLES,
    UNKNOWN,
    CleanTally,
    Shown,
    counts_between,
    nearest,
)
from similitude.collect.candidates.steps import BorderExample
from similitude.data.texts import SPEAKERS, Texts
from similitude.inspect.checks.damaged_text import MOJIBAKE
from similitude.inspect.words.language_guess import guessed_languages
from similitude.inspect.words.languages import language_code

__all__ = ["Cleaned", "clean", "word_counts"]

BLANK: Final = "blank"
DAMAGED: Final = "damaged by a wrong encoding"
LOST: Final = rf"\x{{FFFD}}|{MOJIBAKE}"
DENSE: Final = r"\p{Han}\p{Hiragana}\p{Katakana}"
WORDS: Final = rf"[{DENSE}]\p{{P}}*|[^\s{DENSE}]+"
SHOWN: Final = 300
"""Characters of a text that is shown as an example."""


@dataclass(frozen=True, slots=True, eq=False)
class Cleaned:
    """The texts that are left of a slice.

    Attributes:
        texts: in normal form, in order.
        rows: their rows in the slice.
        tally: what was dropped and changed.
    """

    texts: Texts
    rows: NDArray[np.int64]
    tally: CleanTally


class _Rule(NamedTuple):
    """One rule: the reason for which texts are dropped, which ones, and what was compared with the border."""

    reason: str
    drops: pl.Series
    values: pl.Series | None = None
    border: float = 0.0


def clean(texts: Texts, rules: CleanRules | None = None) -> Cleaned:
    """Clean a slice of the texts; the result depends on nothing but the slice.

    A text is dropped for the first reason of these: it is blank, damaged, too long, outside the range of characters,
    outside the range of words, in another language. The turns of dialogues are cleaned as well, and blank turns left
    out.

    >>> found = clean(Texts.from_list(["A dog  runs!!", "", "Run!"]), CleanRules(characters="8.."))
    >>> found.texts.texts, found.rows.tolist(), dict(found.tally.losses)
    (['A dog runs!'], [0], {'blank': 1, 'under 8 characters': 1})
    """
    rules = CleanRules() if rules is None else rules
    raw = texts.frame["text"].fill_null("")
    frame, cut = _shortened(_normal(texts.frame, rules), rules)
    lengths = frame["text"].str.len_chars()
    measured = {"characters": lengths} | ({"words": word_counts(frame["text"])} if rules.words else {})
    languages, guessed = _languages(frame)
    every = [*_bad_texts(frame, lengths, rules), *_range_rules(measured, rules), *_language_rules(languages, rules)]
    dropped, losses, shown = _applied(every, frame["text"])
    rows = np.flatnonzero(~dropped)
    kept = (frame.with_columns(languages) if rules.codes else frame)[rows]
    changes, changed = _changes(raw, frame["text"], cut)
    tally = CleanTally(
        before=len(texts),
        losses=losses,
        changes=changes,
        changed=changed,
        shown=shown,
        counts={name: _both_counts(name, values, rows) for name, values in measured.items()},
        languages=(_counted(languages), _counted(languages.gather(rows))),
        guessed=guessed if rules.codes else 0,
        chosen=bool(rules.codes),
    )
    return Cleaned(Texts(kept, texts.provenance), rows.astype(np.int64), tally)


def _both_counts(name: str, values: pl.Series, rows: NDArray[np.intp]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The counts before and after."""
    return counts_between(name, values), counts_between(name, values.gather(rows))


def word_counts(texts: pl.Series) -> pl.Series:
    """How many words each text has: what stands between spaces, as in GiCCS and USTS.

    Each character of Chinese and Japanese counts as a word; finding their words takes too long for millions of texts.

    >>> word_counts(pl.Series(["It's 5 o'clock - now!", "狗在哪里？", ""])).to_list()
    [5, 4, 0]
    """
    return texts.str.count_matches(WORDS)


def _normal(frame: pl.DataFrame, rules: CleanRules) -> pl.DataFrame:
    """The frame with texts and turns in normal form."""
    text = normal_text(frame["text"], punctuation=rules.punctuation)
    frame = frame.with_columns(text)
    if frame["context"].null_count() == frame.height:
        return frame
    return _with_turns(frame, lambda turns: normal_text(turns, punctuation=rules.punctuation))


def _with_turns(frame: pl.DataFrame, change: Callable[[pl.Series], pl.Series]) -> pl.DataFrame:
    """The frame with changed turns; turns that are blank then are left out, with their speakers."""
    lists = [name for name in ("context", SPEAKERS) if name in frame.columns]
    there = frame.select(pl.int_range(pl.len()).alias("row"), *lists).filter(pl.col("context").list.len() > 0)
    turns = there.explode(lists)
    turns = turns.with_columns(change(turns["context"]).alias("context")).filter(pl.col("context") != "")
    again = turns.group_by("row", maintain_order=True).agg(lists)
    rows = pl.int_range(frame.height, eager=True).alias("row").to_frame()
    whole = rows.join(again, on="row", how="left", maintain_order="left")
    return frame.with_columns(whole[name] for name in lists)


def _shortened(frame: pl.DataFrame, rules: CleanRules) -> tuple[pl.DataFrame, int]:
    """The frame with long texts cut, if they are to be cut, and how many were."""
    long = int((frame["text"].str.len_chars() > rules.longest).sum())
    if rules.long == "drop" or not long:
        return frame, 0
    shorter = frame.with_columns(_cut(frame["text"], rules.longest))
    if frame["context"].null_count() < frame.height:
        shorter = _with_turns(shorter, lambda turns: _cut(turns, rules.longest))
    return shorter, long


def _cut(texts: pl.Series, longest: int) -> pl.Series:
    """The beginning of long texts, up to the last space if there is one in the last tenth."""
    text, least = pl.col("text"), longest - longest // 10
    begun = text.str.slice(0, longest)
    whole_words = begun.str.replace(r"^(.*)\s\S*$", "${1}")
    shorter = pl.when(whole_words.str.len_chars() >= least).then(whole_words).otherwise(begun).str.strip_chars()
    return (
        texts.alias("text")
        .to_frame()
        .select(pl.when(text.str.len_chars() > longest).then(shorter).otherwise(text))
        .to_series()
    )


def _bad_texts(frame: pl.DataFrame, lengths: pl.Series, rules: CleanRules) -> list[_Rule]:
    found = [_Rule(BLANK, lengths == 0)]
    if rules.damaged:
        found.append(_Rule(DAMAGED, frame["text"].str.contains(LOST)))
    if rules.long == "drop":
        found.append(_Rule(f"over {rules.longest:,} characters", lengths > rules.longest, lengths, rules.longest))
    return found


def _range_rules(measured: Mapping[str, pl.Series], rules: CleanRules) -> list[_Rule]:
    return [rule for name, limits in rules.ranges.items() for rule in _limits(name, measured[name], limits)]


def _limits(name: str, values: pl.Series, limits: NumberRange) -> list[_Rule]:
    found = []
    if limits.low is not None:
        found.append(_Rule(f"under {limits.low:,} {name}", limits.below(values), values, limits.low))
    if limits.high is not None:
        found.append(_Rule(f"over {limits.high:,} {name}", limits.above(values), values, limits.high))
    return found


def _languages(frame: pl.DataFrame) -> tuple[pl.Series, int]:
    """The stated language of each text, else the guessed one; and how many were guessed."""
    stated = frame["language"]
    if not stated.null_count():
        return stated, 0
    unstated = frame.select(pl.when(pl.col("language").is_null()).then("text")).to_series()
    guessed = guessed_languages(unstated)
    both = frame.select(pl.coalesce("language", guessed).alias("language")).to_series()
    return both, int(guessed.is_not_null().sum())


def _language_rules(languages: pl.Series, rules: CleanRules) -> list[_Rule]:
    if not rules.codes:
        return []
    known = {name: language_code(name) for name in languages.unique().drop_nulls().to_list()}
    codes = languages.replace_strict(known, default=None, return_dtype=pl.String)
    other = ~codes.is_in(list(rules.codes)) & codes.is_not_null()
    found = [_Rule(f"not in {' or '.join(rules.codes)}", other.fill_null(value=False), codes.fill_null(UNKNOWN))]
    if rules.unknown == "drop":
        found.append(_Rule("of unknown language", codes.is_null()))
    return found


def _applied(rules: list[_Rule], texts: pl.Series) -> tuple[NDArray[np.bool_], dict[str, int], tuple[Shown, ...]]:
    """Which texts are dropped, how many for each reason, and examples at each border."""
    dropped = np.zeros(len(texts), dtype=np.bool_)
    losses: dict[str, int] = {}
    shown: list[Shown] = []
    for rule in rules:
        now = rule.drops.to_numpy() & ~dropped
        losses[rule.reason] = int(now.sum())
        shown += _examples(rule, texts, now, ~dropped & ~now)
        dropped |= now
    return dropped, {reason: count for reason, count in losses.items() if count}, tuple(shown)


def _examples(rule: _Rule, texts: pl.Series, now: NDArray[np.bool_], still: NDArray[np.bool_]) -> tuple[Shown, ...]:
    """The texts nearest to the border on both sides; for rules without a number, the first that were dropped."""
    if rule.reason == BLANK:
        return ()
    if rule.values is None or not rule.values.dtype.is_numeric():
        names = pl.repeat(rule.reason, len(texts), eager=True) if rule.values is None else rule.values
        rows = np.flatnonzero(now)[:EXAMPLES].tolist()
        return tuple(_shown(rule, texts, row, 0.0, names[row], is_kept=False) for row in rows)
    numbers = rule.values.cast(pl.Float64).to_numpy()  # lengths are unsigned, and differences may be negative
    distances = np.abs(numbers - rule.border)
    return nearest(
        _shown(rule, texts, row, float(distances[row]), float(numbers[row]), is_kept=is_kept)
        for side, is_kept in ((now, False), (still, True))
        for row in _closest(np.flatnonzero(side), distances)
    )


def _closest(rows: NDArray[np.intp], distances: NDArray[np.float64]) -> list[int]:
    """The few rows of least distance, of equal ones the first."""
    nearest_first = rows[np.argsort(distances[rows], kind="stable")[:EXAMPLES]]
    return [int(row) for row in nearest_first]


def _shown(rule: _Rule, texts: pl.Series, row: int, distance: float, value: float | str, *, is_kept: bool) -> Shown:
    text = texts[row]
    shown = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return Shown(rule.reason, distance, BorderExample(left=shown, value=value, is_kept=is_kept))


def _changes(raw: pl.Series, texts: pl.Series, cut: int) -> tuple[dict[str, int], tuple[tuple[str, str], ...]]:
    rewritten = (raw != texts).arg_true()
    examples = tuple((raw[row][:SHOWN], texts[row][:SHOWN]) for row in rewritten[:EXAMPLES])
    counts = {"rewritten": len(rewritten), "cut": cut}
    return {name: count for name, count in counts.items() if count}, examples


def _counted(languages: pl.Series) -> dict[str, int]:
    counts = languages.fill_null(UNKNOWN).value_counts()
    return dict(counts.rows())
