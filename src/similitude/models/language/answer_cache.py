"""Asks a language model each distinct question once: known answers come from a cache, new ones are stored at once.

The key of an answer is the model, the question and the settings, so order, batches and the number of workers do not
matter. An answer is on disk before its connection asks the next question: if the process is killed, only the requests
under way are asked again. A separate thread stores answers, those that arrive during a write together; until then they
stand in a file to which each is appended as it arrives.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Generic, NamedTuple, TypeVar

from similitude.data.listeners import StageStarts
from similitude.data.protocols import AnswerCache, Listener
from similitude.models.language.protocol import (
    LanguageModel,
    Likelihood,
    ModelAnswer,
    ModelChoice,
    ModelQuestion,
    Receipt,
    choice_key,
    question_key,
)
from similitude.models.loaded_model import ModelChangedError, until_unchanged

__all__ = ["ask", "score_choices"]

_VERSION = 1
"""Version of the stored format; answers in another format are asked for again."""

A = TypeVar("A")


def ask(
    model: LanguageModel,
    questions: Sequence[ModelQuestion],
    cache: AnswerCache | None = None,
    listener: Listener | None = None,
) -> list[ModelAnswer]:
    """The answer to each question, in order; each distinct question that is not in the cache is asked once.

    Args:
        model: the language model.
        questions: may contain duplicates.
        cache: the cache of answers; None for none.
        listener: is told about progress, and hears the model's notes.

    Raises:
        SimilitudeError: the model raised it; answers that arrived before are stored.
    """

    def work() -> list[ModelAnswer]:
        model_key = model.key
        requests = _CachedRequests(
            keys=[question_key(model_key, question) for question in questions],
            stage=f"asking {model_key.name}",
            send=lambda missing, arrived: _sent(
                model, "answers", [questions[place] for place in missing], listener, arrived
            ),
            write=lambda answer: _answer_record(model_key.name, answer),
            read=_read_answer,
            is_current=lambda: model.key == model_key,
        )
        return requests.all(cache, listener)

    return until_unchanged(work, f"model '{model.key.name}'")


def score_choices(
    model: LanguageModel,
    choices: Sequence[ModelChoice],
    cache: AnswerCache | None = None,
    listener: Listener | None = None,
) -> list[tuple[Likelihood, ...]]:
    """The likelihoods of each choice's options, in order; each distinct choice that is not in the cache is scored once.

    The other arguments and the errors are those of `ask`. The model's ``scores_choices`` must be true.
    """

    def work() -> list[tuple[Likelihood, ...]]:
        model_key = model.key
        requests = _CachedRequests(
            keys=[choice_key(model_key, choice) for choice in choices],
            stage=f"scoring choices with {model_key.name}",
            send=lambda missing, arrived: _sent(
                model, "likelihoods", [choices[place] for place in missing], listener, arrived
            ),
            write=lambda likelihoods: _written(model_key.name, likelihoods=likelihoods),
            read=_read_likelihoods,
            is_current=lambda: model.key == model_key,
        )
        return requests.all(cache, listener)

    return until_unchanged(work, f"model '{model.key.name}'")


class _CachedRequests(NamedTuple, Generic[A]):
    """Looks up results in the cache and requests the others.

    Attributes:
        keys: the cache keys of the requests.
        stage: the name of the work, for the listener.
        send: sends the requests at these places, and calls a function with the position among them and the result as
            soon as one arrives; yields the position, the result and its receipt.
        write: writes a result as text.
        read: reads it back; raises ValueError, KeyError or TypeError if it cannot.
        is_current: whether the model is still the one of the keys; asked before a result is stored.
    """

    keys: Sequence[str]
    stage: str
    send: Callable[[Sequence[int], Callable[[int, A], None]], Iterator[tuple[int, A, Receipt]]]
    write: Callable[[A], str]
    read: Callable[[Any], A]
    is_current: Callable[[], bool]

    def all(self, cache: AnswerCache | None, listener: Listener | None) -> list[A]:
        """One result per key."""
        places = {key: place for place, key in reversed(list(enumerate(self.keys)))}
        found = {} if cache is None else self._cached(cache, list(places))
        missing = sorted(place for key, place in places.items() if key not in found)
        if missing:
            with (
                _AnswerWriter(cache, self.is_current) as writer,
                _closed_after(self._sent(missing, writer)) as arriving,
            ):
                _tell(listener, self.stage, 0, len(missing))
                for done, (position, answer, receipt) in enumerate(arriving, start=1):
                    key = self.keys[missing[position]]
                    found[key] = answer
                    writer.put(key, self.write(answer), receipt)
                    _tell(listener, self.stage, done, len(missing))
            if cache is None and not self.is_current():
                raise ModelChangedError
        return [found[key] for key in self.keys]

    def _sent(self, missing: Sequence[int], writer: _AnswerWriter) -> Iterator[tuple[int, A, Receipt]]:
        def arrived(position: int, answer: A) -> None:
            writer.arrived(self.keys[missing[position]], self.write(answer))

        return self.send(missing, arrived)

    def _cached(self, cache: AnswerCache, keys: Sequence[str]) -> dict[str, A]:
        found = {}
        for key, text in zip(keys, cache.get(keys), strict=True):
            if text is not None and (answer := self._parsed(text)) is not None:
                found[key] = answer
        return found

    def _parsed(self, text: str) -> A | None:
        """The result; None if the stored format is another one."""
        try:
            record = json.loads(text)
            return self.read(record) if record["version"] == _VERSION else None
        except (ValueError, KeyError, TypeError):
            return None


class _WaitingReceipt:
    """The receipt of a model that is asked for one answer after the other: it lets the reader wait."""

    def __init__(self) -> None:
        self._given = threading.Event()

    def kept(self) -> None:
        self._given.set()

    def lost(self, error: BaseException) -> None:
        self._given.set()  # the writer raises it

    def wait(self) -> None:
        self._given.wait()


class _NoReceipt:
    """The receipt of a model that computes its answers here: nothing is paid, so nothing waits."""

    def kept(self) -> None: ...

    def lost(self, error: BaseException) -> None: ...


def _sent(
    model: LanguageModel,
    what: str,
    asked: Sequence[Any],
    listener: Listener | None,
    arrived: Callable[[int, Any], None],
) -> Iterator[tuple[int, Any, Receipt]]:
    """Results with receipts, from any kind of model."""
    with_receipts = getattr(model, f"{what}_with_receipts", None)
    if with_receipts is not None:
        with _closed_after(with_receipts(asked, StageStarts(listener), arrived)) as arriving:
            yield from arriving
        return
    with _closed_after(getattr(model, what)(asked, StageStarts(listener))) as results:
        for position, result in results:
            if getattr(model, "computes_here", False):
                yield position, result, _NoReceipt()
                continue
            receipt = _WaitingReceipt()
            yield position, result, receipt
            receipt.wait()


class _AnswerWriter:
    """Stores answers in a thread, and gives their receipts; answers that arrive during a write are stored together."""

    def __init__(self, cache: AnswerCache | None, is_current: Callable[[], bool]) -> None:
        self._cache, self._is_current = cache, is_current
        self._waiting: queue.SimpleQueue[tuple[str, str, Receipt] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="answer writer", daemon=True)
        self._error: BaseException | None = None
        make_arrivals = getattr(cache, "arrivals", None)
        self._arrivals = None if make_arrivals is None else make_arrivals()

    def arrived(self, key: str, text: str) -> None:
        """Write down an answer at once, in whatever thread it arrives; `put` stores it."""
        if self._arrivals is not None:
            with suppress(OSError):  # `put` meets the same trouble, and tells of it
                self._arrivals.add(key, text)

    def __enter__(self) -> _AnswerWriter:
        if self._cache is not None:
            self._thread.start()
        return self

    def put(self, key: str, text: str, receipt: Receipt) -> None:
        """Hand over an answer; raises if an earlier one could not be stored, before more are paid for."""
        if self._cache is None:
            receipt.kept()
        else:
            self._waiting.put((key, text, receipt))
            self._raise()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._cache is not None:
            self._waiting.put(None)
            self._thread.join()
            if self._arrivals is not None:
                self._arrivals.close(is_stored=self._error is None)
            if error is None:
                self._raise()

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        more = True
        while more:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            more = batch[-1] is not None
            self._put([answer for answer in batch if answer is not None])

    def _put(self, answers: Sequence[tuple[str, str, Receipt]]) -> None:
        if not answers or self._cache is None:
            return
        try:
            if not self._is_current():
                raise ModelChangedError
            self._cache.put([(key, text) for key, text, _ in answers])
        except BaseException as error:  # raised again in `put`
            self._error = self._error or error
        for _, _, receipt in answers:
            if self._error is None:
                receipt.kept()
            else:
                receipt.lost(self._error)


@contextmanager
def _closed_after(arriving: Iterator[A]) -> Iterator[Iterator[A]]:
    """Stop sending requests at once when the reader stops, since each answer may cost money."""
    try:
        yield arriving
    finally:
        if isinstance(arriving, Generator):
            arriving.close()


def _tell(listener: Listener | None, stage: str, done: int, total: int) -> None:
    if listener is not None:
        listener.progress(stage, done, total)


def _written(model: str, **content: Any) -> str:
    """The record as JSON. The model's name is for people who want to know whose answers take up space."""
    return json.dumps({"version": _VERSION, "model": model, **content}, separators=(",", ":"))


def _answer_record(model: str, answer: ModelAnswer) -> str:
    tokens = (answer.prompt_tokens, answer.answer_tokens)
    return _written(model, text=answer.text, tokens=tokens, end=answer.finish, first=answer.first)


def _read_answer(record: Any) -> ModelAnswer:
    first = tuple((str(token), float(value)) for token, value in record["first"])
    return ModelAnswer(
        str(record["text"]), int(record["tokens"][0]), int(record["tokens"][1]), str(record["end"]), first
    )


def _read_likelihoods(record: Any) -> tuple[Likelihood, ...]:
    return tuple(Likelihood(float(a), int(b), int(c)) for a, b, c in record["likelihoods"])
