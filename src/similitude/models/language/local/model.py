"""A language model on this machine: computes its answers and likelihoods row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from similitude.data.protocols import Listener, ModelKey
from similitude.errors import ArgumentError
from similitude.models.batch_executor import execute
from similitude.models.encoders.loader import Dtype
from similitude.models.fingerprint import ModelState
from similitude.models.language.local.chat_template import ChatTemplate
from similitude.models.language.local.loader import (
    NETWORK,
    LoadedNetwork,
    Placement,
    cached_chat_template,
    choose_placement,
    load_network,
)
from similitude.models.language.local.model_store import ModelStore, default_model_store
from similitude.models.language.local.origin import ModelOrigin, in_package
from similitude.models.language.local.prompt_rows import PromptRow, RowQueue, rows_of
from similitude.models.language.local.token_inputs import TokenChoice, TokenQuestion
from similitude.models.language.protocol import Likelihood, Message, ModelAnswer, ModelChoice, ModelQuestion
from similitude.models.loaded_model import ModelChangedError, until_unchanged

__all__ = ["LocalModel", "open_local"]

TOKENS_ON_CPU, READ_ELSEWHERE, WRITTEN_ELSEWHERE = 2048, 4096, 8192
"""Default tokens per row: the fastest on one core and on an H200. Generation, one token per step, gains more from large
batches than reading.
"""

T = TypeVar("T")


@dataclass(frozen=True)
class LocalModel:
    """A `similitude.models.language.protocol.LanguageModel` that loads its weights when they are first needed.

    Attributes:
        where: the device and precision.
        chat: whether messages go through the chat template; None if the model has one.
        tokens: maximum tokens per row; None for 2,048 on a CPU, and on a GPU 4,096 for likelihoods and 8,192 for
            answers.
    """

    origin: ModelOrigin
    where: Placement
    chat: bool | None = None
    tokens: int | None = None
    scores_choices: bool = field(default=True, init=False)
    computes_here: bool = field(default=True, init=False)

    @property
    def key(self) -> ModelKey:
        """The model's name, and a hash of weights, tokeniser, device, precision and libraries as they are now."""
        return ModelKey(self.origin.name, self._state(self.chat).fingerprint)

    @property
    def window(self) -> int | None:
        """The context window in tokens, from the configuration or else from the tokeniser; None if unknown."""
        return self.origin.window(self.where.dtype)

    @property
    def is_chat(self) -> bool:
        """Whether messages go through a chat template."""
        return self._chat_template.is_chat

    def count_tokens(self, prompts: Sequence[tuple[Message, ...]]) -> list[int]:
        """The number of tokens of each prompt."""
        return [len(tokens) for tokens in self._chat_template.prompts(prompts)]

    def answers(
        self, questions: Sequence[ModelQuestion], listener: Listener | None = None
    ) -> Iterator[tuple[int, ModelAnswer]]:
        """The position and answer of each question, as they are generated.

        Raises:
            ArgumentError: a prompt exceeds the context window, or a single prompt exceeds the memory.
        """
        free = [i for i, question in enumerate(questions) if not question.allowed]
        bound = [i for i, question in enumerate(questions) if question.allowed]
        asked = self._token_questions([questions[i] for i in free])
        limited = self._token_choices([_as_choice(questions[i]) for i in bound])
        progress = _Progress("answering", len(questions), listener)
        for place, answer in self._written(asked, listener) if asked else ():
            yield progress.one((free[place], answer))
        for place, answer in self._chosen([questions[i] for i in bound], limited, listener) if limited else ():
            yield progress.one((bound[place], answer))

    def likelihoods(
        self, choices: Sequence[ModelChoice], listener: Listener | None = None
    ) -> Iterator[tuple[int, tuple[Likelihood, ...]]]:
        """The position of each choice and one likelihood per option, as they are computed.

        Raises:
            ArgumentError: a prompt exceeds the context window, an option is empty, or a prompt exceeds the memory.
        """
        tokens = self._token_choices(choices)
        progress = _Progress("weighing choices", len(choices), listener)
        for place, totals in self._totals(tokens, listener) if tokens else ():
            own = zip(totals, tokens[place].options, choices[place].options, strict=True)
            found = tuple(Likelihood(total, len(option), len(text)) for total, option, text in own)
            yield progress.one((place, found))

    def _totals(self, choices: list[TokenChoice], listener: Listener | None) -> Iterator[tuple[int, list[float]]]:
        loaded = self._load(listener)
        following = [sum(len(option) - 1 for option in choice.options) for choice in choices]
        rows = rows_of(
            [choice.prompt for choice in choices], following, self._limit(READ_ELSEWHERE), only_shared=self._on_cpu
        )

        def compute(positions: list[int]) -> list[list[float]]:
            return loaded.network.likelihoods([choices[i] for i in positions])

        yield from self._work(rows, compute, loaded.workers, listener)

    def _written(self, asked: list[TokenQuestion], listener: Listener | None) -> Iterator[tuple[int, ModelAnswer]]:
        loaded = self._load(listener)
        from similitude.models.language.local.generation import generate

        rows = rows_of([one.prompt for one in asked], [one.room for one in asked], self._limit(WRITTEN_ELSEWHERE))

        template = self._chat_template

        def compute(positions: list[int]) -> list[ModelAnswer]:
            return generate(loaded.network, template, [asked[i] for i in positions])

        yield from self._work(rows, compute, 1, listener)

    def _chosen(
        self, questions: list[ModelQuestion], choices: list[TokenChoice], listener: Listener | None
    ) -> Iterator[tuple[int, ModelAnswer]]:
        from similitude.models.language.local.allowed_answers import choose_option, option_log_probabilities
        from similitude.models.language.local.token_sampler import question_rng

        first = self._first_tokens(questions, listener)
        for place, totals in self._totals(choices, listener):
            question, (prompt, options) = questions[place], choices[place]
            best = choose_option(question, option_log_probabilities(options, totals), question_rng(question).random())
            said = question.allowed[best]
            yield place, ModelAnswer(said, len(prompt), len(options[best]), "stop", first.get(place, ()))

    def _first_tokens(
        self, questions: list[ModelQuestion], listener: Listener | None
    ) -> dict[int, tuple[tuple[str, float], ...]]:
        """The likeliest first tokens for the questions that request them."""
        wanted = [i for i, question in enumerate(questions) if question.alternatives > 0]
        asked = [one._replace(room=0) for one in self._token_questions([questions[i] for i in wanted])]
        return {wanted[i]: answer.first for i, answer in (self._written(asked, listener) if asked else ())}

    def _work(
        self, rows: list[PromptRow], compute: Callable[[list[int]], list[T]], workers: int, listener: Listener | None
    ) -> Iterator[tuple[int, T]]:
        def note(text: str) -> None:
            if listener is not None:
                listener.note(text)

        def without_gradients(row: PromptRow) -> list[T]:
            import torch

            with torch.inference_mode():
                return compute(row.positions)

        finished = execute(RowQueue(rows), without_gradients, workers=workers, one_core_each=workers > 1, note=note)
        for row, results in finished:
            yield from zip(row.positions, results, strict=True)

    def _token_questions(self, questions: Sequence[ModelQuestion]) -> list[TokenQuestion]:
        if not questions:
            return []
        template, window = self._chat_template, self.window
        prompts = template.prompts([question.messages for question in questions])
        lengths = [len(prompt) + (not template.has_encoder) for prompt in prompts]
        self._check_window(lengths, [question.about for question in questions])
        room = [None if template.has_encoder or window is None else window - len(prompt) for prompt in prompts]
        longest = [question.settings.longest for question in questions]
        return [
            TokenQuestion(question, prompt, most if left is None else min(most, left))
            for question, prompt, most, left in zip(questions, prompts, longest, room, strict=True)
        ]

    def _token_choices(self, choices: Sequence[ModelChoice]) -> list[TokenChoice]:
        if not choices:
            return []
        template = self._chat_template
        tokens = template.choices(choices)
        behind = [0 if template.has_encoder else max(map(len, one.options), default=1) - 1 for one in tokens]
        lengths = [len(one.prompt) + more for one, more in zip(tokens, behind, strict=True)]
        self._check_window(lengths, [choice.about for choice in choices])
        return tokens

    def _check_window(self, lengths: list[int], about: list[str]) -> None:
        window = self.window
        long = [i for i, length in enumerate(lengths) if window is not None and length > window]
        if window is not None and long:
            raise ArgumentError(
                f"the prompt needs {lengths[long[0]]:,} tokens with its answer; the context window of "
                f"'{self.origin.name}' is {window:,} ({len(long):,} of {len(lengths):,} prompts are too long)",
                where=about[long[0]] or f"prompt {long[0] + 1}",
                remedy="shorten it (fewer examples, a shorter instruction), or use a model with a larger window",
            )

    def _state(self, chat: bool | None) -> ModelState:
        return self.origin.state(device=self.where.device, dtype=self.where.dtype, chat=chat)

    @property
    def _chat_template(self) -> ChatTemplate:
        def load() -> ChatTemplate:
            state = self._state(self.chat)
            template = cached_chat_template(self.origin.files(self.where.dtype), self.chat, state.fingerprint)
            if self._state(self.chat) != state:
                cached_chat_template.cache_clear()
                raise ModelChangedError
            return template

        return until_unchanged(load, f"model '{self.origin.model}'")

    def _load(self, listener: Listener | None) -> LoadedNetwork:
        if listener is not None:
            listener.progress("loading the model", 0, 1)
        loaded = until_unchanged(
            lambda: NETWORK.get(
                self._state(None),
                lambda: load_network(self.origin.files(self.where.dtype), self.where),
                lambda: self._state(None),
            ),
            f"model '{self.origin.model}'",
        )
        if listener is not None and loaded.note:
            listener.note(loaded.note)
        return loaded

    @property
    def _on_cpu(self) -> bool:
        return self.where.device == "cpu"

    def _limit(self, elsewhere: int) -> int:
        return self.tokens or (TOKENS_ON_CPU if self._on_cpu else elsewhere)


class _Progress:
    """Counts results and reports progress."""

    def __init__(self, stage: str, total: int, listener: Listener | None) -> None:
        self.stage, self.total, self.listener, self.done = stage, total, listener, 0

    def one(self, result: T) -> T:
        """Pass a result on and report progress."""
        self.done += 1
        if self.listener is not None:
            self.listener.progress(self.stage, self.done, self.total)
        return result


def _as_choice(question: ModelQuestion) -> ModelChoice:
    return ModelChoice(messages=question.messages, options=question.allowed, about=question.about)


def open_local(
    model: str,
    *,
    revision: str | None = None,
    device: str | None = None,
    dtype: Dtype = "auto",
    chat: bool | None = None,
    tokens: int | None = None,
    store: Path | None = None,
) -> LocalModel:
    """A causal or encoder-decoder language model on this machine; nothing is loaded yet.

    Args:
        model: a folder, a name on the hub, or a GGUF file, which is converted once; ``package:NAME`` for the GGUF file
            in an installed package.
        revision: a branch, tag or commit on the hub.
        device: a torch device; None for a GPU if there is one, else the CPU.
        dtype: the precision; "auto" is float32 on a CPU, and bfloat16 on a GPU that supports it.
        chat: whether messages go through the tokeniser's chat template; None if it has one.
        tokens: maximum tokens per row; None for the defaults of `LocalModel`. It affects only the speed, and the last
            digits of sums.
        store: the folder for converted weights and hashes; None for the default cache.

    Raises:
        ArgumentError: there is no such device, or it does not support the precision.
        MissingExtraError: torch is not installed.
    """
    if tokens is not None and tokens < 1:
        raise ArgumentError(f"tokens={tokens} is not valid", remedy="give tokens as 1 or more, or leave it out")
    where = choose_placement(device, dtype)
    origin = ModelOrigin(in_package(model), revision, default_model_store() if store is None else ModelStore(store))
    return LocalModel(origin=origin, where=where, chat=chat, tokens=tokens)
