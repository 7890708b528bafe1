"""Flags: anomalies of an annotator compared with the others, in short sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from similitude.gold.aggregation.annotator_plackett_luce import CLICKER
from similitude.stats.arrays import Array, Booleans

__all__ = ["RULES", "Rule", "with_flags"]

Row = dict[str, Any]

FEWEST = 4
"""With fewer annotators than this, nobody is flagged."""

UNUSUAL = 3.0
"""A figure this many robust standard deviations (1.4826 x median distance from the median) away is unusual."""

ANSWERS = 10
"""Annotators with fewer answers are flagged for gold questions and impossible times only."""

IMPOSSIBLE, IMPOSSIBLE_ANSWERS = 0.1, 2
"""The share, and the number, of answers in impossible times from which an annotator is flagged, whatever others do."""

GOLD_SHARE = 0.75
"""The share of gold questions that an annotator should answer correctly (USTS 3.2)."""
GOLD_ASKED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Flags a figure that is far from the median annotator, and farther than annotators usually differ.

    Attributes:
        column: the column of the annotator table.
        odd: the side on which it is flagged.
        margin: smallest distance from the median.
        sentence: makes the flag from the annotator's row, the figure and the median.
    """

    column: str
    odd: Literal["low", "high", "both"]
    margin: float
    sentence: Callable[[Row, float, float], str]

    def holds(self, values: Array, middle: float, usual: float) -> Booleans:
        """Which annotators are flagged; never one without the figure."""
        apart = values - middle
        sided = {"low": -apart, "high": apart, "both": np.abs(apart)}[self.odd]
        with np.errstate(invalid="ignore"):
            return np.asarray((sided >= self.margin) & (sided > UNUSUAL * usual))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _place_sentence(name: str) -> Callable[[Row, float, float], str]:
    return lambda row, value, middle: (
        f"names the item at place {row[f'{name}_place']} {name} in {_percent(value)} of answers; "
        f"the commonest place of the median annotator has {_percent(middle)}"
    )


def _plain(start: str, number: Callable[[float], str] = "{:.2f}".format) -> Callable[[Row, float, float], str]:
    return lambda _, value, middle: f"{start} {number(value)}; the median annotator {number(middle)}"


def _bias_sentence(row: Row, value: float, middle: float) -> str:
    return f"rates {abs(row['bias']):.2f} {'higher' if row['bias'] > 0 else 'lower'} than the others on average"


_SAME = "share of the others who name the same"
_FAST = "answers in less than a third of everybody's median time:"

RULES: Sequence[Rule] = (
    Rule(column="pearson", odd="low", margin=0.1, sentence=_plain("agrees with the others at r =")),
    Rule(column="same_best", odd="low", margin=0.1, sentence=_plain(f"{_SAME} best:", _percent)),
    Rule(
        column="same_label",
        odd="low",
        margin=0.1,
        sentence=_plain("share of the others who give the same label:", _percent),
    ),
    Rule(column="same_worst", odd="low", margin=0.1, sentence=_plain(f"{_SAME} worst:", _percent)),
    Rule(column="relative_bias", odd="both", margin=0.1, sentence=_bias_sentence),
    Rule(column="spread_ratio", odd="both", margin=0.4, sentence=_plain("spread of ratings over that of the others:")),
    Rule(column="extremes", odd="high", margin=0.2, sentence=_plain("answers at the ends of the scale:", _percent)),
    Rule(column="commonest", odd="high", margin=0.25, sentence=_plain("answers with the same value:", _percent)),
    Rule(column="longest_run", odd="high", margin=8, sentence=_plain("most equal answers in a row:", "{:.0f}".format)),
    Rule(column="best_place_share", odd="high", margin=0.15, sentence=_place_sentence("best")),
    Rule(column="worst_place_share", odd="high", margin=0.15, sentence=_place_sentence("worst")),
    Rule(column="too_fast", odd="high", margin=0.15, sentence=_plain(_FAST, _percent)),
    Rule(column="repeat_agreement", odd="low", margin=0.15, sentence=_plain("the same answer again:", _percent)),
)
"""All rules, in the order in which flags are listed."""


def with_flags(table: pl.DataFrame, reasons: Sequence[str | None], width: float | None) -> pl.DataFrame:
    """The annotator table with the column ``flags``: sentences from `RULES`, on times, clicks and gold questions.

    Args:
        table: one row per annotator.
        reasons: for each annotator, why agreement with the others is undefined; None where it is defined.
        width: width of the scale; None for best-worst.
    """
    rows = table.to_dicts()
    flags: list[list[str]] = [[reason] if reason else [] for reason in reasons]
    known = table if width is None else table.with_columns(relative_bias=pl.col("bias") / width)
    if table.height >= FEWEST:
        for rule in RULES:
            for place, middle in _odd(rule, known):
                flags[place].append(rule.sentence(rows[place], float(known[rule.column][place]), middle))
    for row, said in zip(rows, flags, strict=True):
        said.extend([*_about_time(row), *_about_clicks(row), *_about_gold(row)])
    return table.with_columns(flags=pl.Series(flags, dtype=pl.List(pl.String)))


def _odd(rule: Rule, table: pl.DataFrame) -> list[tuple[int, float]]:
    if rule.column not in table.columns or table[rule.column].is_null().all():
        return []
    values = table[rule.column].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    known = values[np.isfinite(values)]
    if known.size < FEWEST:
        return []
    middle = float(np.median(known))
    usual = 1.4826 * float(np.median(np.abs(known - middle)))
    busy = (table["answers"] >= ANSWERS).to_numpy()
    return [(int(place), middle) for place in np.flatnonzero(rule.holds(values, middle, usual) & busy)]


def _about_time(row: Row) -> list[str]:
    share = float(row.get("impossible") or 0.0)
    if share < IMPOSSIBLE or round(share * row["answers"]) < IMPOSSIBLE_ANSWERS:
        return []
    return [f"answers in less than 0.3 s, or than a tenth of the usual time, which nobody can: {_percent(share)}"]


def _about_clicks(row: Row) -> list[str]:
    chance = float(row.get("random_clicking") or 0.0)
    return [f"seems to click at random: probability {_percent(chance)}"] if chance > CLICKER else []


def _about_gold(row: Row) -> list[str]:
    asked, right = row.get("gold_asked") or 0, row.get("gold_right") or 0
    if asked < GOLD_ASKED or right >= GOLD_SHARE * asked:
        return []
    return [f"right on {right} of {asked} gold questions; {_percent(GOLD_SHARE)} are expected"]
