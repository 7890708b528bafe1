"""Batches for rating and verification, with gold questions and repeats mixed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from similitude.collect.design.batch_order import arrange
from similitude.collect.design.design import DESIGN_SCHEMA, PlannedQuestion
from similitude.collect.design.page_assignment import deal, group_numbers, rounds_of
from similitude.collect.design.plural import named_few, ratio
from similitude.data.item import with_all_columns
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["BatchMix", "in_batches"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchMix:
    """The composition of a batch.

    Attributes:
        size: questions per batch, with gold and repeats.
        gold_share: the share of gold questions, whose answer is known.
        repeat_share: the share of questions that repeat another one of the batch.
        repeat_distance: the least distance of a repeat from its original, if the batch is long enough.
    """

    size: int = 20
    gold_share: float = 0.0
    repeat_share: float = 0.0
    repeat_distance: int = 5

    def __post_init__(self) -> None:
        if self.size < 1 or self.repeat_distance < 1:
            name = "size" if self.size < 1 else "repeat_distance"
            raise ArgumentError(f"{name}={getattr(self, name)}", remedy=f"{name} must be at least 1")
        for name in ("gold", "repeat"):
            self._refuse_share(name, getattr(self, f"{name}_share"))
        if self.work < max(self.repeats, 1):
            what = (
                f"{self.gold} of {self.size} questions are gold and {self.repeats} are repeats, which leaves "
                f"{self.work} to work on and to repeat"
            )
            raise ArgumentError(what, remedy="use larger batches or smaller shares")

    @property
    def gold(self) -> int:
        """Gold questions in a batch."""
        return round(self.size * self.gold_share)

    @property
    def repeats(self) -> int:
        """Repeats in a batch."""
        return round(self.size * self.repeat_share)

    @property
    def work(self) -> int:
        """Questions in a batch that are neither gold nor repeats."""
        return self.size - self.gold - self.repeats

    def _refuse_share(self, name: str, share: float) -> None:
        if not 0 <= share < 1:
            raise ArgumentError(
                f"{name} share {share:g}", remedy="use a share of at least 0 and below 1; 0.1 is one in ten"
            )
        if share > 0 and round(self.size * share) == 0:
            part = f"{ratio(100 * share)} % of {self.size} questions is {ratio(self.size * share)}"
            remedy = f"for {name}, use batches of at least {int(0.5 / share) + 1}, or a larger share"
            raise ArgumentError(f"{part}, which rounds to none", remedy=remedy)


def in_batches(
    questions: pl.DataFrame,
    mix: BatchMix,
    *,
    gold: Sequence[str] = (),
    apart: bool = True,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """Divide questions into batches whose sizes differ by one at most and do not exceed the requested size.

    Every question is in exactly one batch. All gold items are used equally often, give or take one, and never twice in
    a batch. Gold is never first.

    Args:
        questions: a frame with the columns question, items and group.
        mix: the composition of a batch.
        gold: ids of items whose answer is known.
        apart: keep questions of one group in different batches.
        rng: the source of randomness.

    Returns:
        Rows with the columns of `DESIGN_SCHEMA`, ordered by batch and position. The n-th use of a gold item is the
        question ``ITEM#gold-n``; the repeat of a question is ``QUESTION#again``.

    Raises:
        ArgumentError: the mix is impossible; the message shows the arithmetic.
    """
    batches = -(-questions.height // mix.work)
    _refuse_gold(questions, gold, mix)
    _refuse_repeats(questions.height, batches, mix)
    names = questions["group"].to_list() if apart else [None] * questions.height
    groups = group_numbers(names)
    page = deal(rounds_of(groups, batches, rng), groups, batches, rng, names)
    rows = [_question(row) for row in questions.select("question", "items", "group").iter_rows(named=True)]
    work: list[list[PlannedQuestion]] = [[] for _ in range(batches)]
    for question, number in zip(rows, page, strict=True):
        work[number].append(question)
    golds = _gold_questions(gold, batches, mix.gold, rng)
    filled = [[*mine, *known, *_again(mine, mix.repeats, rng)] for mine, known in zip(work, golds, strict=True)]
    return _table([_in_order(batch, mix.repeat_distance, rng) for batch in filled])


def _question(row: dict[str, object]) -> PlannedQuestion:
    return PlannedQuestion(**{**row, "items": tuple(row["items"])})  # type: ignore[arg-type]


def _gold_questions(
    gold: Sequence[str], batches: int, each: int, rng: np.random.Generator
) -> list[list[PlannedQuestion]]:
    """The gold questions of each batch, taken from the shuffled pool in turn."""
    if not each:
        return [[] for _ in range(batches)]
    pool = [gold[place] for place in rng.permutation(len(gold))]
    uses = [divmod(place, len(pool)) for place in range(batches * each)]
    asked = [PlannedQuestion(question=f"{pool[at]}#gold-{use + 1}", items=(pool[at],), kind="gold") for use, at in uses]
    return [asked[start : start + each] for start in range(0, len(asked), each)]


def _again(work: Sequence[PlannedQuestion], repeats: int, rng: np.random.Generator) -> list[PlannedQuestion]:
    chosen = [work[place] for place in rng.permutation(len(work))[:repeats]]
    return [
        PlannedQuestion(
            question=f"{one.question}#again", items=one.items, group=one.group, kind="repeat", repeats=one.question
        )
        for one in chosen
    ]


def _in_order(batch: Sequence[PlannedQuestion], distance: int, rng: np.random.Generator) -> list[PlannedQuestion]:
    draws = dict(zip((one.question for one in batch), rng.random(len(batch)).tolist(), strict=True))
    return arrange(batch, draws, distance)


def _table(batches: Sequence[Sequence[PlannedQuestion]]) -> pl.DataFrame:
    rows = [
        {
            "question": one.question,
            "kind": one.kind,
            "items": list(one.items),
            "group": one.group,
            "batch": number,
            "position": position,
            "repeats": one.repeats,
        }
        for number, batch in enumerate(batches, start=1)
        for position, one in enumerate(batch, start=1)
    ]
    schema = {name: dtype for name, dtype in DESIGN_SCHEMA.items() if name != "stratum"}
    return with_all_columns(pl.DataFrame(rows, schema=schema), DESIGN_SCHEMA)


def _refuse_gold(questions: pl.DataFrame, gold: Sequence[str], mix: BatchMix) -> None:
    if gold and not mix.gold:
        raise ArgumentError("there are gold questions, but no batch holds any", remedy="state the share (--gold-share)")
    if mix.gold > len(gold):
        what = (
            f"{ratio(100 * mix.gold_share)} % of {mix.size} questions is {mix.gold} gold questions per batch; "
            f"there {'is' if len(gold) == 1 else 'are'} {len(gold)}"
        )
        raise ArgumentError(what, remedy="add gold questions, or use a smaller share")
    asked = set(questions["items"].explode().to_list())
    both = [item for item in gold if item in asked]
    if both:
        what = f"{counted(len(both), 'gold item')} would be asked both as gold and as work: {named_few(both)}"
        raise ArgumentError(what, remedy="remove them from the data or from the gold")


def _refuse_repeats(questions: int, batches: int, mix: BatchMix) -> None:
    fewest = questions // batches
    if mix.repeats > fewest:
        what = (
            f"{counted(questions, 'question')} in {counted(batches, 'batch')} leave {fewest} in a batch, "
            f"too few to repeat {mix.repeats}"
        )
        raise ArgumentError(what, remedy="use smaller batches or a smaller share of repeats")
