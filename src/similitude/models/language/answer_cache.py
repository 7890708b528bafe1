"""Asking each question once, ever: answers are looked up by content, and kept the moment they arrive.

Answers are found by what was asked of which model and how, so neither order nor batches nor the number of workers
matters. They are written by a thread of its own, as fast as the disk takes them: whoever is killed loses no more than
was under way.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
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
    choice_key,
    question_key,
)

__all__ = ["ask", "score_choices"]

_VERSION = 1
"""Of how an answer is written; what was written in another way is asked for again."""

A = TypeVar("A")


def ask(
    model: LanguageModel,
    questions: Sequence[ModelQuestion],
    cache: AnswerCache | None = None,
    listener: Listener | None = None,
) -> list[ModelAnswer]:
    """The answer to each question, in order; each distinct question that is not in the cache is asked once.

    Args:
        model: is asked.
        questions: any number, some of them perhaps the same.
        cache: where answers are kept; None to keep none.
        listener: hears how far it is, and what the model has to say.

    Raises:
        SimilitudeError: what the model raises; answers that arrived before are kept.
    """
    model_key = model.key
    desk = _Desk(
        keys=[question_key(model_key, question) for question in questions],
        stage=f"asking {model_key.name}",
        asked=lambda missing: model.answers([questions[place] for place in missing], StageStarts(listener)),
        write=lambda answer: _answer_record(model_key.name, answer),
        read=_read_answer,
    )
    return desk.all(cache, listener)


def score_choices(
    model: LanguageModel,
    choices: Sequence[ModelChoice],
    cache: AnswerCache | None = None,
    listener: Listener | None = None,
) -> list[tuple[Likelihood, ...]]:
    """The likelihoods of each choice's options, in order; each distinct choice that is not in the cache is asked once.

    Args:
        model: is asked; one whose ``scores_choices`` is true.
        choices: any number, some of them perhaps the same.
        cache: where likelihoods are kept; None to keep none.
        listener: hears how far it is, and what the model has to say.

    Raises:
        SimilitudeError: what the model raises; likelihoods that arrived before are kept.
    """
    model_key = model.key
    desk = _Desk(
        keys=[choice_key(model_key, choice) for choice in choices],
        stage=f"weighing with {model_key.name}",
        asked=lambda missing: model.likelihoods([choices[place] for place in missing], StageStarts(listener)),
        write=lambda likelihoods: _written(model_key.name, likelihoods=likelihoods),
        read=_read_likelihoods,
    )
    return desk.all(cache, listener)


class _Desk(NamedTuple, Generic[A]):
    """Looks answers up and asks for the rest.

    Attributes:
        keys: of what is wanted.
        stage: what the listener is told.
        asked: the answers for these places, each with its position among them, as they come.
        write: an answer as text.
        read: and back; raises ValueError, KeyError or TypeError where that cannot be.
    """

    keys: Sequence[str]
    stage: str
    asked: Callable[[Sequence[int]], Iterator[tuple[int, A]]]
    write: Callable[[A], str]
    read: Callable[[Any], A]

    def all(self, cache: AnswerCache | None, listener: Listener | None) -> list[A]:
        """One answer a key."""
        places = {key: place for place, key in reversed(list(enumerate(self.keys)))}
        found = {} if cache is None else self._kept(cache, list(places))
        missing = sorted(place for key, place in places.items() if key not in found)
        if missing:
            with _Keeper(cache) as keeper, _closed_after(self.asked(missing)) as arriving:
                _tell(listener, self.stage, 0, len(missing))
                for done, (position, answer) in enumerate(arriving, start=1):
                    key = self.keys[missing[position]]
                    found[key] = answer
                    keeper.keep(key, self.write(answer))
                    _tell(listener, self.stage, done, len(missing))
        return [found[key] for key in self.keys]

    def _kept(self, cache: AnswerCache, keys: Sequence[str]) -> dict[str, A]:
        found = {}
        for key, text in zip(keys, cache.get(keys), strict=True):
            if text is not None and (answer := self._parsed(text)) is not None:
                found[key] = answer
        return found

    def _parsed(self, text: str) -> A | None:
        """The answer; None where it was written in another way."""
        try:
            record = json.loads(text)
            return self.read(record) if record["version"] == _VERSION else None
        except (ValueError, KeyError, TypeError):
            return None


class _Keeper:
    """Puts answers into the cache from a thread: at once, and those that came while it wrote, together."""

    def __init__(self, cache: AnswerCache | None) -> None:
        self._cache = cache
        self._waiting: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="keeping answers", daemon=True)
        self._error: BaseException | None = None

    def __enter__(self) -> _Keeper:
        if self._cache is not None:
            self._thread.start()
        return self

    def keep(self, key: str, text: str) -> None:
        """Hand an answer over; raises if an earlier one could not be kept, before more are paid for."""
        if self._cache is not None:
            self._waiting.put((key, text))
            self._raise()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._cache is not None:
            self._waiting.put(None)
            self._thread.join()
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

    def _put(self, answers: Sequence[tuple[str, str]]) -> None:
        if answers and self._cache is not None:
            try:
                self._cache.put(answers)
            except BaseException as error:  # raised where answers are handed over
                self._error = self._error or error


@contextmanager
def _closed_after(arriving: Iterator[A]) -> Iterator[Iterator[A]]:
    """Stop asking, at once, when the reader stops for whatever reason: each answer may cost money."""
    try:
        yield arriving
    finally:
        if isinstance(arriving, Generator):
            arriving.close()


def _tell(listener: Listener | None, stage: str, done: int, total: int) -> None:
    if listener is not None:
        listener.progress(stage, done, total)


def _written(model: str, **content: Any) -> str:
    """JSON. The model's name is for people, who want to know whose answers take up room."""
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
