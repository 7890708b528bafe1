"""Fits prompts into a model's context window.

A prompt is too long if its tokens and those of the longest answer exceed the context window. It is refused, or
shortened by this rule: the oldest turns of the dialogue are removed first, one at a time; then the examples, starting
with the last, a pair's two conditions together. The two texts and the condition are never cut: if nothing else is left,
the item is refused. Or it is skipped: the question is not asked, and the item counts as skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from similitude.data.item import Item
from similitude.errors import ArgumentError
from similitude.models.language.protocol import LanguageModel, Message
from similitude.systems.dialogue import earlier_turns
from similitude.systems.prompted.prompts import Prompter
from similitude.systems.prompted.shots import Shots, ShotUnit

__all__ = [
    "ContextWindow",
    "FittedPrompts",
    "Overlong",
    "Prompt",
    "PromptDraft",
    "PromptRequest",
    "PromptWindow",
    "ShortenedPrompt",
]

Overlong = Literal["refuse", "truncate", "skip"]
Prompt = tuple[Message, ...]


class PromptRequest(NamedTuple):
    """An item, and the persona that judges it."""

    item: Item
    persona: str | None = None


class FittedPrompts(NamedTuple):
    """Prompts that fit into the context window.

    Attributes:
        prompts: one per request.
        notes: what was left out of them.
        skipped: the indices of requests that are not to be asked, since their prompts are too long.
    """

    prompts: list[Prompt]
    notes: list[str]
    skipped: frozenset[int] = frozenset()


class PromptDraft(NamedTuple):
    """A prompt before it is fitted.

    Attributes:
        name: what it is about, for messages.
        room: maximum tokens of its answer.
    """

    prompt: Prompt
    name: str
    room: int


class ShortenedPrompt(NamedTuple):
    """A prompt without some of its turns and examples."""

    prompt: Prompt
    turns: int
    examples: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextWindow:
    """The context window of a model, and what to do with longer prompts.

    Attributes:
        overlong: what to do with a prompt that is too long.
    """

    model: LanguageModel
    overlong: Overlong

    def fit(self, drafts: Sequence[PromptDraft], shorter: Callable[[int], Iterator[ShortenedPrompt]]) -> FittedPrompts:
        """Shorten the prompts that are too long.

        Args:
            drafts: the prompts before they are fitted.
            shorter: yields shorter versions of the prompt at an index, longest first.

        Raises:
            ArgumentError: a prompt is too long and may not, or cannot, be shortened.
        """
        window, prompts = self.model.window, [draft.prompt for draft in drafts]
        if window is None or not prompts:
            return FittedPrompts(prompts, [])
        needed = [count + draft.room for count, draft in zip(self.model.count_tokens(prompts), drafts, strict=True)]
        long = [place for place, tokens in enumerate(needed) if tokens > window]
        if long and self.overlong == "refuse":
            worst = max(long, key=lambda place: needed[place])
            raise ArgumentError(
                f"{len(long):,} of {len(prompts):,} prompts exceed the model's context window of {window:,} tokens: "
                f"the prompt for {drafts[worst].name} needs {needed[worst]:,}",
                remedy="use overlong=truncate to leave out old turns and examples, overlong=skip to leave out items, "
                "or use fewer shots",
            )
        if self.overlong == "skip":
            return FittedPrompts(prompts, [], frozenset(long))
        made = {place: self._first_fitting(shorter(place), drafts[place], window) for place in long}
        fitted = [made[place].prompt if place in made else prompt for place, prompt in enumerate(prompts)]
        return FittedPrompts(fitted, _told(list(made.values()), len(prompts), window))

    def _first_fitting(self, candidates: Iterator[ShortenedPrompt], draft: PromptDraft, window: int) -> ShortenedPrompt:
        for candidate in candidates:
            (count,) = self.model.count_tokens([candidate.prompt])
            if count + draft.room <= window:
                return candidate
        raise ArgumentError(
            f"the prompt for {draft.name} exceeds the model's context window of {window:,} tokens, "
            "even without dialogue and examples",
            remedy="remove such items, or use a model with a larger context window",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptWindow:
    """Builds prompts with examples, and fits them into the context window.

    Attributes:
        prompter: builds the prompts.
        shots: the examples, if any.
        room: maximum tokens of an answer.
    """

    prompter: Prompter
    shots: Shots | None
    window: ContextWindow
    room: int

    def fit(self, asks: Sequence[PromptRequest]) -> FittedPrompts:
        """One prompt per request.

        Raises:
            ArgumentError: a prompt is too long and may not, or cannot, be shortened.
        """
        units = [() if self.shots is None else self.shots.units_for(ask.item) for ask in asks]
        drafts = [
            PromptDraft(self._prompt(ask, held), f"item '{ask.item.id}'", self.room)
            for ask, held in zip(asks, units, strict=True)
        ]
        return self.window.fit(drafts, lambda place: self._shorter(asks[place], units[place]))

    def _prompt(self, ask: PromptRequest, units: Sequence[ShotUnit], turns: tuple[str, ...] | None = None) -> Prompt:
        examples = () if self.shots is None else self.shots.examples_of(units)
        return self.prompter.messages(ask.item, examples, ask.persona, turns)

    def _shorter(self, ask: PromptRequest, units: tuple[ShotUnit, ...]) -> Iterator[ShortenedPrompt]:
        turns = earlier_turns(ask.item)
        for gone in range(1, len(turns) + 1):
            yield ShortenedPrompt(self._prompt(ask, units, turns[gone:]), gone)
        for left in reversed(range(len(units))):
            examples = sum(len(unit.items) for unit in units[left:])
            yield ShortenedPrompt(self._prompt(ask, units[:left], ()), len(turns), examples)


def _told(made: Sequence[ShortenedPrompt], prompts: int, window: int) -> list[str]:
    if not made:
        return []
    turns, examples = sum(one.turns for one in made), sum(one.examples for one in made)
    return [
        f"{len(made):,} of {prompts:,} prompts exceeded the model's context window of {window:,} tokens: "
        f"{turns:,} old turns and {examples:,} examples were left out of them"
    ]
