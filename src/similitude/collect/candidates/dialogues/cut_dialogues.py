"""`cut_dialogues`: dialogues of a few turns, whose last turn is what is compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.dialogues.rules import DialogueRules
from similitude.collect.candidates.dialogues.turn_windows import dealt_lengths, window_ends
from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.data.plural import counted, listed
from similitude.data.texts import SPEAKERS, Texts
from similitude.errors import ArgumentError

__all__ = ["CutDialogues", "cut_dialogues"]

EDGES: Final = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 50.0, 1000.0)
EXAMPLES: Final = 3
SHOWN: Final = 300


@dataclass(frozen=True, slots=True, eq=False)
class CutDialogues:
    """Dialogues that were cut.

    Attributes:
        texts: texts without turns as they were, dialogues cut, and the utterances that were added, in this order of
            their rows.
        rows: for each text, the row that it comes from.
        step: what was dropped.
    """

    texts: Texts
    rows: NDArray[np.int64]
    step: Step


def cut_dialogues(texts: Texts, rules: DialogueRules, *, rng: np.random.Generator) -> CutDialogues:
    """Cut each dialogue to a stretch of its turns; texts without turns stay as they are.

    A dialogue is its own group unless the data names another, so that it is never paired with its own turns.

    Args:
        texts: the texts, some of them dialogues.
        rules: how many turns each keeps, and which.
        rng: deals the lengths, if there are several.

    Raises:
        ArgumentError: no text has turns, or nobody of the name that is asked for speaks.
    """
    frame = texts.frame.with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    spoken = frame.filter(pl.col("context").list.len() > 0)
    if spoken.is_empty():
        remedy = "name the column of turns, as in --column turns=NAME, or leave out [dialogues]"
        raise ArgumentError("there are no dialogues: no text has turns", remedy=remedy)
    may_end = _may_end(spoken, rules.last)
    counts = spoken["context"].list.len()
    ends = np.stack([window_ends(counts, may_end, n, last=rules.take == "last") for n in rules.lengths], axis=1)
    dealt = dealt_lengths(ends > 0, rules.lengths, rng)
    kept = dealt >= 0
    end = ends[np.arange(len(ends)), dealt][kept]
    length = np.asarray(rules.lengths)[dealt][kept]
    cut = _cut(spoken.filter(pl.Series(kept)), end - length, length)
    plain = frame.filter(~(pl.col("context").list.len() > 0).fill_null(value=False))
    parts = [plain, cut] + ([_utterances(spoken, may_end)] if rules.utterances else [])
    whole = pl.concat(parts, how="diagonal_relaxed").sort("row", maintain_order=True)
    step = _step(texts, spoken, kept, cut, whole.height, rules)
    return CutDialogues(Texts(whole.drop("row"), texts.provenance), whole["row"].to_numpy(), step)


def _may_end(spoken: pl.DataFrame, last: str | None) -> pl.Series:
    """For each turn, whether it is spoken by the one who must come last."""
    total = int(spoken["context"].list.len().sum())
    if last is None:
        return pl.repeat(value=True, n=total, dtype=pl.Boolean, eager=True)
    if SPEAKERS not in spoken.columns:
        remedy = "name the column of speakers, as in --column speaker=NAME, or leave out last"
        raise ArgumentError(f"last='{last}', but the data does not say who speaks", remedy=remedy)
    missing = pl.lit(None, pl.String).repeat_by(pl.col("context").list.len())
    who = spoken.select(pl.coalesce(SPEAKERS, missing).explode()).to_series()
    found = (who.str.to_lowercase() == last.lower()).fill_null(value=False)
    if not found.any():
        there = listed(sorted(who.drop_nulls().unique().to_list()))
        raise ArgumentError(f"nobody is called '{last}'", remedy=f"speakers there: {there}")
    return found


def _cut(frame: pl.DataFrame, start: NDArray[np.int64], length: NDArray[np.int64]) -> pl.DataFrame:
    lists = [name for name in ("context", SPEAKERS) if name in frame.columns]
    window = frame.with_columns(pl.Series("start", start), pl.Series("length", length))
    stretch = [pl.col(name).list.slice(pl.col("start"), pl.col("length")) for name in lists]
    group = pl.coalesce("group", "id").alias("group")
    return (
        window.with_columns(stretch)
        .with_columns(pl.col("context").list.last().alias("text"), group)
        .drop("start", "length")
    )


def _utterances(spoken: pl.DataFrame, wanted: pl.Series) -> pl.DataFrame:
    """Each wanted turn as a text of its own, in the group of its dialogue."""
    turns = spoken.drop(SPEAKERS, strict=False).with_columns(
        pl.coalesce("group", "id").alias("group"), pl.int_ranges(1, pl.col("context").list.len() + 1).alias("turn")
    )
    each = turns.explode("context", "turn").filter(wanted)
    text = pl.col("context").alias("text")
    return each.with_columns(
        text, pl.format("{}-turn-{}", "id", "turn").alias("id"), pl.lit(None, pl.List(pl.String)).alias("context")
    ).drop("turn")


def _step(
    texts: Texts, spoken: pl.DataFrame, kept: NDArray[np.bool_], cut: pl.DataFrame, after: int, rules: DialogueRules
) -> Step:
    counts, lengths = (frame["context"].list.len().to_numpy() for frame in (spoken, cut))
    facts: dict[str, object] = {
        "dialogues": len(spoken),
        "turns": {str(n): int((lengths == n).sum()) for n in rules.lengths},
        "utterances_added": after - (len(texts) - int((~kept).sum())),
    }
    return Step(
        name="dialogues",
        of="texts",
        before=len(texts),
        after=after,
        losses=_losses(counts, kept, rules),
        facts=facts,
        examples=_examples(spoken, kept, rules.lengths[0]),
        distributions=(Distribution(name="turns", edges=EDGES, before=_between(counts), after=_between(lengths)),),
    )


def _losses(counts: NDArray[np.uint32], kept: NDArray[np.bool_], rules: DialogueRules) -> dict[str, int]:
    least = counted(rules.lengths[0], "turn")
    short = counts < rules.lengths[0]
    losses = {
        f"fewer than {least}": int((short & ~kept).sum()),
        f"no {least} that end with '{rules.last}'": int((~short & ~kept).sum()),
    }
    return {reason: count for reason, count in losses.items() if count}


def _between(counts: NDArray[np.uint32]) -> tuple[int, ...]:
    """How many dialogues there are between `EDGES`; the longest are counted with the highest."""
    return tuple(np.histogram(np.minimum(counts, EDGES[-1]), EDGES)[0].tolist())


def _examples(spoken: pl.DataFrame, kept: NDArray[np.bool_], shortest: int) -> tuple[BorderExample, ...]:
    """The dialogues whose number of turns is nearest to the least, on both sides."""
    counts = spoken["context"].list.len().to_numpy().astype(np.int64)
    found = []
    for is_kept in (False, True):
        rows = np.flatnonzero(kept == is_kept)
        nearest = rows[np.argsort(np.abs(counts[rows] - shortest), kind="stable")[:EXAMPLES]]
        found += [
            BorderExample(left=" / ".join(spoken["context"][row])[:SHOWN], value=float(counts[row]), is_kept=is_kept)
            for row in nearest.tolist()
        ]
    return tuple(found) if not kept.all() else ()
