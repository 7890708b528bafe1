"""A connection to an endpoint: answers questions, and learns on the way which fields the endpoint accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from similitude.models.language.endpoint.caller import Caller
from similitude.models.language.endpoint.constraints import PROBE, Technique, candidates
from similitude.models.language.endpoint.echoed_prompt import PROBE_CHOICE, echo_request, read_likelihoods
from similitude.models.language.endpoint.endpoint import Endpoint
from similitude.models.language.endpoint.failures import RequestRefused
from similitude.models.language.endpoint.pace import Pace
from similitude.models.language.endpoint.request_format import ROUTES, plain_text, read_answer, request_for, tokens_used
from similitude.models.language.endpoint.support import Support
from similitude.models.language.endpoint.token_count import MESSAGE_TOKENS, estimate_tokens, read_count
from similitude.models.language.protocol import Likelihood, Message, ModelAnswer, ModelChoice, ModelQuestion

__all__ = ["Session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One connection to an endpoint.

    Attributes:
        support: what is known about the endpoint; updated here.
        pace: the rate limit of tokens.
        count: called with the requests and tokens used.
        tell: called with messages for the user.
    """

    caller: Caller
    endpoint: Endpoint
    support: Support
    pace: Pace
    count: Callable[..., None]
    tell: Callable[[str], None]

    async def prepare(self, questions: Sequence[ModelQuestion]) -> None:
        """Find out once how the endpoint restricts answers, if any question needs it."""
        for alternatives in sorted({question.alternatives > 0 for question in questions if question.allowed}):
            if alternatives not in self.support.techniques:
                self.support.techniques[alternatives] = await self._technique(alternatives)

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to a question.

        Raises:
            EndpointError: the request failed.
        """
        technique = self.support.techniques.get(question.alternatives > 0, "plain")
        try:
            answer = await self._adapted(question, technique if question.allowed else "plain")
        except RequestRefused as refused:
            if refused.trouble.kind != "filtered":
                raise refused.trouble.error(self.endpoint, question.about) from None
            answer = ModelAnswer("", finish="content_filter")
        if question.alternatives and self.support.alternatives and not answer.first:
            self.support.alternatives = 0
            self.tell("the endpoint returns no token probabilities")
        self.count(cut_short=int(not answer.text and answer.finish == "length"))
        return answer

    async def _adapted(self, question: ModelQuestion, technique: Technique, *, probing: bool = False) -> ModelAnswer:
        """Ask; if the endpoint refuses a field, ask again without it."""
        while True:
            before = self.support.state()
            body = request_for(self.endpoint, self.support, question, technique)
            try:
                return await self._ask(body, question, technique, probing)
            except RequestRefused as refused:
                if self.support.state() != before:
                    continue  # another request has learned it in the meantime
                note = self.support.learn(refused.trouble.message, body)
                if note is None:
                    raise
                self.tell(note)

    async def _ask(
        self, body: Mapping[str, Any], question: ModelQuestion, technique: Technique, probing: bool
    ) -> ModelAnswer:
        expected = estimate_tokens(question.messages) + question.settings.longest

        def read(response: Mapping[str, Any]) -> ModelAnswer:
            answer = read_answer(response, question, technique)
            self._book(response, question.messages, answer.text, expected)
            return answer

        return await self.caller.call(
            ROUTES[self.endpoint.api], body, read, tokens=expected, probing=probing, about=question.about
        )

    def _book(self, response: Mapping[str, Any], prompt: Sequence[Message], text: str, expected: int) -> None:
        tokens_read, written, estimated = tokens_used(response, prompt, text)
        self.pace.correct(tokens_read + written - expected)
        self.count(requests=1, prompt_tokens=tokens_read, answer_tokens=written, estimated=int(estimated))

    async def _technique(self, alternatives: bool) -> Technique:
        ways = candidates(alternatives=alternatives)
        if self.endpoint.constrain != "auto":
            if self.endpoint.constrain == "schema" and alternatives:
                self.tell("answers are not restricted: within a schema, their first token is uninformative")
            return self.endpoint.constrain if self.endpoint.constrain in ways else "plain"
        for technique in ways:
            try:
                answer = await self._adapted(PROBE, technique, probing=True)
            except RequestRefused:
                continue
            if answer.text.strip() in PROBE.allowed:
                return technique
        self.tell("the endpoint cannot restrict answers: they are parsed from its text")
        return "plain"

    async def score_choice(self, choice: ModelChoice, *, probing: bool = False) -> tuple[Likelihood, ...]:
        """The likelihood of each option.

        Raises:
            EndpointError: the request failed.
            RequestRefused: the endpoint returns none, while probing.
        """
        prompts = [Message("user", plain_text(choice.messages) + option) for option in choice.options]
        expected = estimate_tokens(prompts, chat=False)

        def read(response: Mapping[str, Any]) -> tuple[Likelihood, ...]:
            likelihoods = read_likelihoods(response, choice)
            self._book(response, prompts, "", expected)
            return likelihoods

        body = echo_request(self.endpoint, choice)
        try:
            return await self.caller.call(
                ROUTES["completions"], body, read, tokens=expected, probing=probing, about=choice.about
            )
        except RequestRefused as refused:
            if probing:
                raise
            raise refused.trouble.error(self.endpoint, choice.about) from None

    async def can_score_choices(self) -> bool:
        """Whether the endpoint returns likelihoods of given texts.

        Raises:
            EndpointError: the endpoint is down, or has no such model.
        """
        try:
            await self.score_choice(PROBE_CHOICE, probing=True)
        except RequestRefused as refused:
            if refused.trouble.kind == "absent" and not self.caller.answered:
                await self._adapted(PROBE, "plain")  # it may have no other API, or the URL or the model may be wrong
            return False
        return True

    async def tokens(self, prompt: Sequence[Message]) -> int:
        """The number of tokens as the server counts them (llama.cpp and vLLM do), plus a few per message of a chat."""
        text = plain_text(prompt)
        root = urlsplit(self.endpoint.url)._replace(path=urlsplit(self.endpoint.url).path.removesuffix("/v1"))
        body = {"model": self.endpoint.model, "content": text, "prompt": text}
        counted = await self.caller.call(f"{root.geturl()}/tokenize", body, read_count, probing=True)
        return counted + (MESSAGE_TOKENS * len(prompt) if self.endpoint.api == "chat" else 0)
