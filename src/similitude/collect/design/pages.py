"""Pages that mix: one question of each stratum (one 3-turn and one 5-turn dialogue, one of each language) on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.design.page_assignment import deal, group_numbers
from similitude.collect.design.plural import named_few
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["in_pages"]


def in_pages(questions: pl.DataFrame, *, uneven: bool = False, rng: np.random.Generator) -> pl.DataFrame:
    """Questions on pages, each with one question of every stratum, never two of one group.

    Args:
        questions: with the columns question, group and stratum.
        uneven: where strata are of different size, let some pages do without the smaller ones.
        rng: where randomness comes from.

    Returns:
        The same rows, each once, with batch (the page) and position, ordered by them.

    Raises:
        ArgumentError: a question has no stratum; strata differ in size and ``uneven`` is not set; a group has more
            questions than there are pages.

    >>> asked = {"question": ["a", "b", "c", "d"], "group": ["d1", "d1", "d2", "d2"], "stratum": ["3", "3", "5", "5"]}
    >>> pages = in_pages(pl.DataFrame(asked), rng=np.random.default_rng(0))
    >>> pages.group_by("batch", maintain_order=True).agg(pl.col("stratum").sort())["stratum"].to_list()
    [['3', '5'], ['3', '5']]
    """
    strata = questions["stratum"].to_list()
    _refuse_unequal(questions["question"].to_list(), strata, uneven=uneven)
    names = questions["group"].to_list()
    rounds = [np.flatnonzero([one == stratum for one in strata]) for stratum in dict.fromkeys(strata)]
    pages = max(map(len, rounds))
    page = deal(rounds, group_numbers(names), pages, rng, names)
    return numbered(questions, page, rng)


def numbered(questions: pl.DataFrame, page: NDArray[np.intp], rng: np.random.Generator) -> pl.DataFrame:
    """The questions with their batch and a random position in it, both from 1, ordered by them."""
    placed = questions.with_columns(batch=pl.Series(page + 1), position=pl.Series(rng.random(len(page))))
    rank = pl.col("position").rank("ordinal").over("batch").cast(pl.Int64)
    return placed.with_columns(position=rank).sort("batch", "position")


def _refuse_unequal(names: Sequence[str], strata: Sequence[str | None], *, uneven: bool) -> None:
    without = [name for name, stratum in zip(names, strata, strict=True) if stratum is None]
    if without:
        what = f"{counted(len(without), 'question')} without a stratum: {named_few(without)}"
        raise ArgumentError(what, remedy="give every item a value in that column, or mix by another")
    counts = Counter(strata).most_common()
    (largest, most), (smallest, fewest) = counts[0], counts[-1]
    if most > fewest and not uneven:
        sizes = ", ".join(f"{count:,} of '{stratum}'" for stratum, count in counts[:6])
        what = (
            f"{sizes}: pages of one each fill {fewest:,} pages, and {most:,} - {fewest:,} = {most - fewest:,} "
            f"questions of '{largest}' are left without one of '{smallest}'"
        )
        raise ArgumentError(what, remedy="leave some out, bring more of the others, or allow uneven pages (--uneven)")
