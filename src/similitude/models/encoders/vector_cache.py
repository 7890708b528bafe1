"""Encodes texts: rows that are in the cache are looked up, the others are computed once and stored.

A row is the model's output for a text and one more number: the tokens that the text was cut to, or 0 if it was not cut.
So a run that finds everything in the cache can report cut texts without loading a tokeniser.

Rows are stored under the state of the model's files that was loaded. If the files change while rows are computed, the
rows since the last check are thrown away, and all of them are computed again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.listeners import OptionalListener
from similitude.data.protocols import Listener, ModelKey, VectorCache
from similitude.models.batch_executor import execute
from similitude.models.encoders.batches import Batches, Budget, TextBatch
from similitude.models.encoders.text_model import PreparedTexts, Text, TextModel
from similitude.models.fingerprint import ModelState
from similitude.models.loaded_model import ModelChangedError, ModelSlot, until_unchanged

__all__ = ["MODEL", "CachedEncoder", "EncodedTexts"]

_FLUSH_SECONDS = 1.0
_CHUNK = 65_536
"""Texts tokenised at a time, at most, to bound memory; the next ones are tokenised while these are computed."""
_FIRST_CHUNK = 8192
"""The first chunk is small, so that computing starts soon; each one after it is twice as large."""

MODEL: ModelSlot[ModelState, TextModel] = ModelSlot()
"""The model that was used last."""


class ComputedRows(NamedTuple):
    """The rows computed for the texts at these positions, and the tokens that each was cut to; 0 if it was not."""

    positions: NDArray[np.intp]
    values: NDArray[np.float32]
    cut_to: NDArray[np.int64]


class EncodedTexts(NamedTuple):
    """The model's output for some texts.

    Attributes:
        values: one row per text.
        cut_to: the tokens that each text was cut to; 0 if it was not cut.
    """

    values: NDArray[np.float32]
    cut_to: NDArray[np.int64]

    @classmethod
    def split(cls, kept: NDArray[np.float32]) -> EncodedTexts:
        """Split off the last number of each row."""
        return cls(kept[:, :-1], kept[:, -1].astype(np.int64))


@dataclass(frozen=True)
class CachedEncoder:
    """Looks up rows in the cache and computes those that are missing.

    Attributes:
        name: the name of the model, for people.
        load: loads the model, when a row is missing.
        state: the state that the model is in now.
        tokens: maximum tokens per batch; None for the model's default.
        texts: maximum texts per batch; None for no limit.
        cache: the cache; None for none.
        listener: is told about progress.
        slot: where the loaded model is kept.
    """

    name: str
    load: Callable[[], TextModel]
    state: Callable[[], ModelState]
    tokens: int | None
    texts: int | None
    cache: VectorCache | None
    listener: Listener | None
    slot: ModelSlot[ModelState, TextModel] = MODEL

    def rows(self, texts: Sequence[Text], prompt: str = "") -> EncodedTexts:
        """The rows of these texts, which must be distinct; all from the same state of the model.

        Raises:
            ArgumentError: the files of the model change all the time.
        """
        return until_unchanged(lambda: self._rows(texts, prompt, self.state()), f"model '{self.name}'")

    def _rows(self, texts: Sequence[Text], prompt: str, state: ModelState) -> EncodedTexts:
        found = self._look_up(texts, prompt, state)
        places = _by_length([position for position, row in enumerate(found) if row is None], texts)
        rows = _known_rows(found)
        for done in self._computed([texts[place] for place in places], prompt, state):
            if not rows.shape[1]:
                rows = np.empty((len(texts), done.values.shape[1] + 1), np.float32)
            rows[places[done.positions], :-1] = done.values
            rows[places[done.positions], -1] = done.cut_to
        return EncodedTexts.split(rows if len(texts) else np.zeros((0, 2), np.float32))

    def _look_up(self, texts: Sequence[Text], prompt: str, state: ModelState) -> list[NDArray[np.float32] | None]:
        if self.cache is None:
            return [None] * len(texts)
        return self.cache.get(self._key(state), [_as_key(text, prompt) for text in texts])

    def _key(self, state: ModelState) -> ModelKey:
        return ModelKey(self.name, state.fingerprint)

    def _computed(self, texts: Sequence[Text], prompt: str, state: ModelState) -> Iterator[ComputedRows]:
        """Compute the rows of texts that are not in the cache, and store them."""
        if not texts:
            return
        listener = OptionalListener(self.listener)
        listener.progress("loading the model", 0, len(texts))
        model = self.slot.get(state, self.load, self.state)
        start = finished = 0
        for chunk, prepared in _prepared_ahead(model, texts, prompt):
            for done in self._kept(chunk, prompt, state, self._compute(model, prepared)):
                finished += len(done.positions)
                listener.progress("encoding", finished, len(texts))
                yield done._replace(positions=start + done.positions)
            start += len(chunk)

    def _compute(self, model: TextModel, prepared: PreparedTexts) -> Iterator[ComputedRows]:
        budget = Budget(self.tokens or model.tokens, self.texts)

        def run(batch: TextBatch) -> NDArray[np.float32]:
            return model.run(batch.filled(prepared.inputs), batch.shape.length, prepared.prompt)

        batches = Batches(prepared.lengths, model.longest, budget)
        for batch, rows in execute(
            batches,
            run,
            workers=model.workers,
            one_core_each=model.on_one_core,
            note=OptionalListener(self.listener).note,
        ):
            cut_to = np.where(prepared.cut[batch.positions], model.longest, 0)
            yield ComputedRows(batch.positions, rows[: len(batch.positions)], cut_to)

    def _kept(
        self, texts: Sequence[Text], prompt: str, state: ModelState, computed: Iterator[ComputedRows]
    ) -> Iterator[ComputedRows]:
        """Store computed rows about once a second, so that little is lost if the run is killed.

        Raises:
            ModelChangedError: the files have changed, so it is unknown which ones the rows come from.
        """
        waiting: list[ComputedRows] = []
        kept_at = time.monotonic()
        try:
            for done in computed:
                waiting.append(done)
                yield done
                if time.monotonic() - kept_at > _FLUSH_SECONDS:
                    self._refuse_changed(state)
                    self._keep(texts, prompt, state, waiting)
                    waiting, kept_at = [], time.monotonic()
        except BaseException as error:  # an interruption
            if not isinstance(error, ModelChangedError) and self.state() == state:
                self._keep(texts, prompt, state, waiting)
            raise
        self._refuse_changed(state)
        self._keep(texts, prompt, state, waiting)

    def _refuse_changed(self, state: ModelState) -> None:
        if self.state() != state:
            raise ModelChangedError

    def _keep(self, texts: Sequence[Text], prompt: str, state: ModelState, waiting: Sequence[ComputedRows]) -> None:
        if self.cache is None or not waiting:
            return
        keys = [_as_key(texts[position], prompt) for done in waiting for position in done.positions]
        rows = [np.hstack([done.values, done.cut_to[:, None]], dtype=np.float32) for done in waiting]
        self.cache.put(self._key(state), keys, np.concatenate(rows))


def _known_rows(found: Sequence[NDArray[np.float32] | None]) -> NDArray[np.float32]:
    """The rows that were found, one line per text; of no width if there are none."""
    where = [position for position, row in enumerate(found) if row is not None]
    if not where:
        return np.empty((len(found), 0), np.float32)
    known = np.stack([row for row in found if row is not None])
    if len(where) == len(found):
        return known
    rows = np.empty((len(found), known.shape[1]), np.float32)
    rows[where] = known
    return rows


def _growing_chunks(texts: Sequence[Text]) -> Iterator[Sequence[Text]]:
    start, size = 0, min(_FIRST_CHUNK, _CHUNK)
    while start < len(texts):
        yield texts[start : start + size]
        start, size = start + size, min(2 * size, _CHUNK)


def _prepared_ahead(
    model: TextModel, texts: Sequence[Text], prompt: str
) -> Iterator[tuple[Sequence[Text], PreparedTexts]]:
    """Chunks of texts, prepared; the one after the current chunk is prepared in a thread, so that a GPU never waits."""
    chunks = list(_growing_chunks(texts))
    with ThreadPoolExecutor(1) as ahead, _short_turns():
        following: Future[PreparedTexts] | None = None
        for position, chunk in enumerate(chunks):
            prepared = model.prepare(chunk, prompt) if following is None else following.result()
            goes_on = model.prepares_ahead and position + 1 < len(chunks)
            following = ahead.submit(model.prepare, chunks[position + 1], prompt) if goes_on else None
            yield chunk, prepared


@contextmanager
def _short_turns() -> Iterator[None]:
    """Let threads take turns every half millisecond; by default Python lets one run for five.

    Otherwise those that launch batches on a GPU wait for the one that tokenises, several times in each batch.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, 0.0005))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _by_length(places: list[int], texts: Sequence[Text]) -> NDArray[np.intp]:
    """These places by the length of their texts, so that a chunk has few different lengths.

    Texts of one length are ordered by content, so that the order of items never matters.
    """
    keys = [text if isinstance(text, str) else "\x1f".join(text) for text in map(texts.__getitem__, places)]
    by_text = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.intp)
    sizes = np.fromiter(map(len, keys), np.int64, len(keys))
    order = by_text[np.argsort(sizes[by_text], kind="stable")]
    return np.array(places, np.intp)[order]


def _as_key(text: Text, prompt: str) -> str:
    """The cache key of a text with its prompt; unambiguous, since each part is preceded by its length."""
    parts = (prompt, text) if isinstance(text, str) else (prompt, *text)
    return "".join(f"{len(part)}:{part}" for part in parts)
