"""Check for pairs and texts that occur in several splits."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.plural import agreeing, counted, listed
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.examples import percentage, row_finding, shortened
from similitude.inspect.checks.findings import Finding
from similitude.inspect.checks.text_keys import keyed, repeated

__all__ = ["split_leaks"]

_PAIR = ("first_key", "second_key", "context_key")
_REMEDY = "put all items that share a text into one split, or drop them from the later one"


@CHECKS.register("split-leaks")
def split_leaks(benchmark: Benchmark) -> Iterator[Finding]:
    """The same pair, or the same text, in two splits; texts are normalised.

    Why: a system that was trained or calibrated on one split has seen part of the other. A pair counts in either order
    and under any condition, but only with the same context. Error for pairs, warning for texts, from the first one on.
    For texts, each split is compared with all earlier ones, training splits first; the message gives the share of its
    distinct texts that also occur there.
    """
    if len(benchmark.splits) < 2:
        return
    frame = keyed(benchmark).filter(pl.col("split").is_not_null())
    yield from _shared_pairs(frame)
    yield from _shared_texts(frame, _in_order(benchmark.splits))


def _in_order(splits: list[str]) -> list[str]:
    """The splits, those with "train" in their name first and those with "test" last."""
    return sorted(splits, key=lambda split: ("test" in split.lower()) - ("train" in split.lower()))


def _shared_pairs(frame: pl.DataFrame) -> Iterator[Finding]:
    groups = (
        repeated(frame, *_PAIR)
        .group_by(_PAIR, maintain_order=True)
        .agg("id", pl.col("left", "right", "score").first(), splits=pl.col("split").unique(maintain_order=True))
        .filter(pl.col("splits").list.len() > 1)
        .with_columns(pl.col("splits").list.join(", "))
    )
    if groups.height:
        message = f"{agreeing(groups.height, 'pair', 'occurs', 'occur')} in more than one split"
        yield row_finding("split-leaks-pairs", "error", groups, message, _REMEDY, "splits")


def _shared_texts(frame: pl.DataFrame, splits: list[str]) -> Iterator[Finding]:
    place = pl.col("split").replace_strict(splits, range(len(splits)), return_dtype=pl.Int32)
    sides = [frame.select(pl.col(side).alias("key"), place.alias("place")) for side in ("left_key", "right_key")]
    texts = pl.concat(sides).with_row_index("where").group_by("key", "place").agg(pl.col("where").min())
    shared = texts.with_columns(first=pl.col("place").min().over("key")).filter(pl.col("first") < pl.col("place"))
    sizes = dict(texts.group_by("place").len().iter_rows())
    for number, split in enumerate(splits):
        seen = shared.filter(pl.col("place") == number)["where"].sort()
        if seen.len():
            yield _shared_text(split, splits[:number], sizes[number], frame, seen)


def _shared_text(split: str, earlier: list[str], size: int, frame: pl.DataFrame, seen: pl.Series) -> Finding:
    number = seen.len()
    before = listed(f"'{name}'" for name in earlier)
    return Finding(
        code="split-leaks-texts",
        severity="warning",
        message=f"{number:,} of the {counted(size, 'text')} of split '{split}' ({percentage(number, size)}) "
        f"also {'occurs' if number == 1 else 'occur'} in {before}",
        count=number,
        remedy=_REMEDY,
        examples=tuple(_text_at(frame, where) for where in seen.head(5)),
    )


def _text_at(frame: pl.DataFrame, where: int) -> str:
    """The text at this place if all left texts are counted first, then all right ones."""
    side, row = divmod(where, frame.height)
    return f"{frame['id'][row]}: {shortened(frame[('left', 'right')[side]][row])}"
