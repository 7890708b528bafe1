"""Pages of a batch: their questions and their links."""

from __future__ import annotations

from typing import NamedTuple

from similitude.collect.annotation.records import Batch, BatchQuestion

__all__ = ["BatchPage", "batch_page"]


class BatchPage(NamedTuple):
    """A page of a batch; ``back`` is empty on the first page."""

    batch: Batch
    questions: tuple[BatchQuestion, ...]
    address: str
    next: str
    back: str

    @property
    def first(self) -> int:
        """The position of its first question."""
        return self.questions[0].position

    @property
    def last(self) -> int:
        """The position of its last question."""
        return self.questions[-1].position

    @property
    def phase(self) -> str:
        """The key of the progress text: for one question, a pair or a range."""
        named = "work" if self.batch.purpose == "preview" else self.batch.purpose
        more = self.last - self.first
        return f"phase.{named}" + ("" if more == 0 else "_pair" if more == 1 else "_range")


def batch_page(batch: Batch, position: int, per_page: int) -> BatchPage:
    """The page of a question. In training every page has one question, because feedback follows it.

    A position outside the batch gives the nearest page.
    """
    size = 1 if batch.purpose == "training" else per_page
    place = min(max(position, 1), batch.size) - 1
    start = place // size * size
    questions = tuple(each for each in batch.questions if start < each.position <= start + size)
    more = start + size < batch.size
    return BatchPage(
        batch=batch,
        questions=questions,
        address=f"/batch/{batch.id}/{start + 1}",
        next=f"/batch/{batch.id}/{start + size + 1}" if more else f"/batch/{batch.id}/review",
        back=f"/batch/{batch.id}/{start - size + 1}" if start else "",
    )
