"""A language model behind an endpoint: sends questions concurrently, and yields answers as they arrive."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from typing import Any

from similitude.data.protocols import Listener, ModelKey
from similitude.errors import EndpointError, SimilitudeError
from similitude.models.language.endpoint.caller import Paces, open_caller
from similitude.models.language.endpoint.endpoint import OPENAI, USUAL_KEY, Api, Constrain, Endpoint
from similitude.models.language.endpoint.event_loop import Emit, LoopReceipt, iterate, iterate_with_receipts, run_jobs
from similitude.models.language.endpoint.failures import RequestRefused
from similitude.models.language.endpoint.pace import Pace
from similitude.models.language.endpoint.session import Session
from similitude.models.language.endpoint.support import Support
from similitude.models.language.endpoint.token_count import estimate_tokens
from similitude.models.language.endpoint.usage import Usage
from similitude.models.language.protocol import Likelihood, Message, ModelAnswer, ModelChoice, ModelQuestion

__all__ = ["EndpointModel", "open_endpoint"]

Tell = Callable[[str], None]
Arrived = Callable[[int, Any], None]
"""Called with the position and the result of a request as soon as it arrives."""


class EndpointModel:
    """A `similitude.models.language.protocol.LanguageModel` behind an endpoint, whose abilities are tested once."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._support = Support()
        self._paces = Paces(Pace(endpoint.requests_a_minute), Pace(endpoint.tokens_a_minute))
        self._usage = Usage(price_in=endpoint.price_in, price_out=endpoint.price_out)
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"EndpointModel({self.endpoint!r})"

    @property
    def key(self) -> ModelKey:
        """The model's name and fingerprint, known without a request."""
        return self.endpoint.key

    @property
    def window(self) -> int | None:
        """The context window as declared; None if it was not. Prompts must not depend on the server's state."""
        return self.endpoint.window

    @property
    def usage(self) -> Usage:
        """Totals of all requests so far, tests of the endpoint's abilities included."""
        return self._usage

    @property
    def scores_choices(self) -> bool:
        """Whether it returns likelihoods of given texts: as declared, or tested with one small request.

        Raises:
            EndpointError: it has to be tested, and the endpoint is down.
        """
        if self.endpoint.scores_choices is not None:
            return self.endpoint.scores_choices
        if self._support.likelihoods is None:
            [self._support.likelihoods] = self._found_out(Session.can_score_choices)
        return self._support.likelihoods

    @property
    def estimates_tokens(self) -> bool:
        """Whether `count_tokens` estimates; the endpoint is asked once, and true if it is down."""
        if self._support.counts is None:
            self._support.counts = not self.endpoint.is_openai and self._can_count()
        return not self._support.counts

    def count_tokens(self, prompts: Sequence[tuple[Message, ...]]) -> list[int]:
        """The number of tokens of each prompt; an estimate from its characters unless the server counts them."""
        if self.estimates_tokens:
            return [estimate_tokens(prompt, chat=self.endpoint.api == "chat") for prompt in prompts]
        return [count for _, count in sorted(iterate(self._spread(prompts, Session.tokens, _silent, alone=False)))]

    def answers(
        self, questions: Sequence[ModelQuestion], listener: Listener | None = None
    ) -> Iterator[tuple[int, ModelAnswer]]:
        """The position and answer of each question, as they arrive.

        Raises:
            EndpointError: a question cannot be answered; earlier answers have been yielded.
            ArgumentError: the key is missing.
        """
        for place, answer, receipt in self.answers_with_receipts(questions, listener):
            yield place, answer
            receipt.kept()

    def answers_with_receipts(
        self,
        questions: Sequence[ModelQuestion],
        listener: Listener | None = None,
        arrived: Arrived | None = None,
    ) -> Iterator[tuple[int, ModelAnswer, LoopReceipt]]:
        """The same with receipts: a connection asks its next question when it has the receipt for its last answer.

        Args:
            questions: the questions.
            listener: hears notes.
            arrived: called with the position and the answer at once, in the thread of the connections.
        """
        yield from self._told(questions, Session.answer, listener, arrived)

    def likelihoods(
        self, choices: Sequence[ModelChoice], listener: Listener | None = None
    ) -> Iterator[tuple[int, tuple[Likelihood, ...]]]:
        """The position of each choice and its likelihoods, as they arrive.

        Raises:
            EndpointError: the endpoint returns no likelihoods, or a request failed.
        """
        for place, likelihoods, receipt in self.likelihoods_with_receipts(choices, listener):
            yield place, likelihoods
            receipt.kept()

    def likelihoods_with_receipts(
        self, choices: Sequence[ModelChoice], listener: Listener | None = None, arrived: Arrived | None = None
    ) -> Iterator[tuple[int, tuple[Likelihood, ...], LoopReceipt]]:
        """The same with receipts, as for answers."""
        if not self.scores_choices:
            raise EndpointError(
                "the endpoint returns no likelihoods of given texts",
                where=f"{self.endpoint.model} at {self.endpoint.url}",
                remedy="choose by=answer, or use a server that echoes prompts with their logprobs",
            )
        yield from self._told(choices, Session.score_choice, listener, arrived)

    def _told(
        self, jobs: Sequence[Any], work: Any, listener: Listener | None, arrived: Arrived | None
    ) -> Iterator[Any]:
        """Run the jobs; pass each note on once and, at the end, report the usage."""
        said: set[str] = {""}

        def tell(text: str) -> None:
            if listener is not None and text not in said:
                said.add(text)
                listener.note(text)

        if not jobs:
            return
        before = self._usage
        if self.endpoint.sends_key and self.endpoint.url.startswith("http:") and not self.endpoint.is_loopback:
            tell(f"the key is sent to {self.endpoint.host} unencrypted, since its URL starts with http:")
        try:
            spread = self._spread(jobs, work, tell, alone=not self._support.answered, arrived=arrived)
            running = iterate_with_receipts(spread)
            with closing(running):
                for (place, result), receipt in running:
                    yield place, result, receipt
        finally:
            used = self._usage.since(before)
            if used.requests:
                tell(used.sentence(self.endpoint.model))
            if used.cut_short:
                tell(f"{used.cut_short:,} answers ended before their first word; the model needs more tokens to think")

    def _spread(
        self, jobs: Sequence[Any], work: Any, tell: Tell, *, alone: bool, arrived: Arrived | None = None
    ) -> Callable[[Emit[tuple[int, Any]]], Coroutine[Any, Any, None]]:
        """Runs jobs concurrently; if nothing was ever answered, the first one runs alone, so that only it fails."""

        async def run(hand_out: Emit[tuple[int, Any]]) -> None:
            async with self._session(tell) as session:
                if jobs and isinstance(jobs[0], ModelQuestion):
                    await session.prepare(jobs)
                first = int(alone)
                for start, part, workers in ((0, jobs[:first], 1), (first, jobs[first:], self.endpoint.concurrency)):

                    async def done(found: tuple[int, Any], start: int = start) -> None:
                        if arrived is not None:
                            arrived(start + found[0], found[1])
                        await hand_out((start + found[0], found[1]))

                    await run_jobs(part, lambda job: work(session, job), workers, done)

        return run

    def _found_out(self, work: Callable[[Session], Any]) -> list[Any]:
        async def run(hand_out: Emit[Any]) -> None:
            async with self._session(_silent) as session:
                await hand_out(await work(session))

        return list(iterate(run))

    def _can_count(self) -> bool:
        try:
            [count] = self._found_out(lambda session: session.tokens((Message("user", "one two"),)))
        except (SimilitudeError, RequestRefused):
            return False
        return bool(count > 0)

    @asynccontextmanager
    async def _session(self, tell: Tell) -> AsyncIterator[Session]:
        async with open_caller(self.endpoint, self._paces) as caller:
            caller.answered = self._support.answered
            caller.repeated = lambda: self._count(repeated=1)
            try:
                yield Session(
                    caller=caller,
                    endpoint=self.endpoint,
                    support=self._support,
                    pace=self._paces.tokens,
                    count=self._count,
                    tell=tell,
                )
            finally:
                self._support.answered = caller.answered

    def _count(self, **more: int) -> None:
        with self._lock:
            self._usage = self._usage.plus(**more)


def open_endpoint(
    model: str,
    *,
    url: str = OPENAI,
    key_variable: str | None = USUAL_KEY,
    api: Api = "chat",
    concurrency: int = 8,
    requests_a_minute: float | None = None,
    tokens_a_minute: float | None = None,
    timeout: float = 120.0,
    retries: int = 5,
    window: int | None = None,
    constrain: Constrain = "auto",
    scores_choices: bool | None = None,
    price_in: float | None = None,
    price_out: float | None = None,
    extra: Mapping[str, Any] | None = None,
) -> EndpointModel:
    """A language model behind an OpenAI-compatible endpoint; nothing is requested yet, and no key is read.

    The arguments are those of `Endpoint`.

    >>> open_endpoint("llama", url="http://localhost:8080/v1").key.name
    'llama at localhost:8080'

    Raises:
        ArgumentError: an argument is invalid.
    """
    return EndpointModel(
        Endpoint(
            model=model,
            url=url,
            key_variable=key_variable,
            api=api,
            concurrency=concurrency,
            requests_a_minute=requests_a_minute,
            tokens_a_minute=tokens_a_minute,
            timeout=timeout,
            retries=retries,
            window=window,
            constrain=constrain,
            scores_choices=scores_choices,
            price_in=price_in,
            price_out=price_out,
            extra=extra or {},
        )
    )


def _silent(text: str) -> None:
    """Ignore a message."""
