"""Checks of the texts themselves: blank ones, and pairs of the same text."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import example_rows
from similitude.inspect.checks.findings import Finding
from similitude.inspect.checks.text_keys import keyed

__all__ = ["blank_texts", "identical_texts"]

LOW_FOR_THE_SAME = 0.8
_SEEN = r"[^\s\p{Cc}\p{Cf}]"
_SAYS_SOMETHING = r"[\p{L}\p{N}\p{So}\p{Sc}]"


@CHECKS.register("blank-texts")
def blank_texts(benchmark: Benchmark) -> Iterator[Finding]:
    """Items whose left, right or condition is empty or holds nothing but whitespace, zero-width marks or punctuation.

    Why: there is nothing to compare, and many systems answer nan or 0. Error where nothing can be seen at all,
    warning where all that can be seen is punctuation (emoji and currency signs are content). From the first item on.
    """
    blank, bare = (benchmark.frame.select(_any_without(pattern)).to_series() for pattern in (_SEEN, _SAYS_SOMETHING))
    bare &= ~blank
    if blank.any():
        yield Finding(
            code="blank-texts",
            severity="error",
            message=f"{counted(int(blank.sum()), 'item')} with an empty text",
            count=int(blank.sum()),
            remedy="fill the text in or remove the item",
            examples=example_rows(benchmark.frame.filter(blank)),
        )
    if bare.any():
        yield Finding(
            code="blank-texts-punctuation",
            severity="warning",
            message=f"{counted(int(bare.sum()), 'item')} with a text that is nothing but punctuation",
            count=int(bare.sum()),
            remedy="fill the text in or remove the item",
            examples=example_rows(benchmark.frame.filter(bare)),
        )


def _any_without(pattern: str) -> pl.Expr:
    """Whether any text of an item lacks what the pattern describes; an item need not have a condition."""
    sides = ~pl.col("left", "right").fill_null("").str.contains(pattern)
    return pl.any_horizontal(sides, ~pl.col("condition").str.contains(pattern).fill_null(value=True))


@CHECKS.register("identical-texts")
def identical_texts(benchmark: Benchmark) -> Iterator[Finding]:
    """Items whose left and right are the same text, normalised.

    Why: every system gets them right, so they flatter; and where gold is below 80 % of the way up the scale, either
    gold or the text is wrong. Error for those, note for the others, from the first item on. Blank texts do not count.
    """
    same = keyed(benchmark).filter(
        (pl.col("left_key") == pl.col("right_key")) & pl.col("left").str.contains(_SAYS_SOMETHING)
    )
    border = benchmark.scale.at(LOW_FOR_THE_SAME) if benchmark.scale else float("-inf")
    is_low = (pl.col("score") < border).fill_null(value=False)
    low, others = same.filter(is_low), same.filter(~is_low)
    if low.height:
        yield Finding(
            code="identical-texts-low",
            severity="error",
            message=f"identical texts scored low: {counted(low.height, 'item')} whose left and right are the same "
            f"text below {border:g} on {benchmark.scale}",
            count=low.height,
            remedy="look for texts that were cut or copied by mistake, or have these items judged again",
            examples=example_rows(low),
        )
    if others.height:
        yield Finding(
            code="identical-texts",
            severity="note",
            message=f"{counted(others.height, 'item')} whose left and right are the same text",
            count=others.height,
            remedy="leave them out of figures that should tell systems apart",
            examples=example_rows(others),
        )
