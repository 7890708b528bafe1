"""Checks for blank texts, and for items whose two texts are the same."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import row_finding
from similitude.inspect.checks.findings import Finding
from similitude.inspect.checks.text_keys import keyed

__all__ = ["blank_texts", "identical_texts"]

LOW_FOR_THE_SAME = 0.8
_SEEN = r"[^\s\p{Cc}\p{Cf}]"
_SAYS_SOMETHING = r"[\p{L}\p{N}\p{So}\p{Sc}]"


@CHECKS.register("blank-texts")
def blank_texts(benchmark: Benchmark) -> Iterator[Finding]:
    """Items whose left, right or condition is empty or holds nothing but whitespace, zero-width marks or punctuation.

    Why: there is nothing to compare, and many systems answer nan or 0. Error if a text has no visible characters,
    warning if it has only punctuation (emoji and currency signs are content). From the first item on.
    """
    blank, bare = (benchmark.frame.select(_any_without(pattern)).to_series() for pattern in (_SEEN, _SAYS_SOMETHING))
    bare &= ~blank
    remedy = "fill the text in or remove the item"
    if blank.any():
        message = f"{counted(int(blank.sum()), 'item')} with an empty text"
        yield row_finding("blank-texts", "error", benchmark.frame.filter(blank), message, remedy)
    if bare.any():
        message = f"{counted(int(bare.sum()), 'item')} with a text that is nothing but punctuation"
        yield row_finding("blank-texts-punctuation", "warning", benchmark.frame.filter(bare), message, remedy)


def _any_without(pattern: str) -> pl.Expr:
    """Whether a text of an item does not match the pattern; an item need not have a condition."""
    sides = ~pl.col("left", "right").fill_null("").str.contains(pattern)
    return pl.any_horizontal(sides, ~pl.col("condition").str.contains(pattern).fill_null(value=True))


@CHECKS.register("identical-texts")
def identical_texts(benchmark: Benchmark) -> Iterator[Finding]:
    """Items whose left and right are the same text, normalised.

    Why: every system gets them right, which inflates results; and if gold is below 80 % of the scale, gold or the text
    is wrong. Error for those, note for the others, from the first item on. Blank texts do not count.
    """
    same = keyed(benchmark).filter(
        (pl.col("left_key") == pl.col("right_key")) & pl.col("left").str.contains(_SAYS_SOMETHING)
    )
    border = benchmark.scale.at(LOW_FOR_THE_SAME) if benchmark.scale else float("-inf")
    is_low = (pl.col("score") < border).fill_null(value=False)
    low, others = same.filter(is_low), same.filter(~is_low)
    if low.height:
        count = counted(low.height, "item")
        message = (
            f"identical texts scored low: {count} whose left and right are the same text "
            f"below {border:g} on {benchmark.scale}"
        )
        remedy = "look for texts that were cut or copied by mistake, or have these items judged again"
        yield row_finding("identical-texts-low", "error", low, message, remedy)
    if others.height:
        message = f"{counted(others.height, 'item')} whose left and right are the same text"
        remedy = "leave them out when you compare systems"
        yield row_finding("identical-texts", "note", others, message, remedy)
