"""Prompts that fit into a model's window.

A prompt is too long where its tokens and those of the longest answer are more than the model reads and writes. It is
refused, or made shorter by this rule: the oldest turns of the dialogue go first, one at a time; then examples, the last
ones first, a pair's two conditions together. The two texts and the condition are never cut: where nothing else is left,
the item is refused.
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

Overlong = Literal["refuse", "truncate"]
Prompt = tuple[Message, ...]


class PromptRequest(NamedTuple):
    """An item, and who is to judge it."""

    item: Item
    persona: str | None = None


class FittedPrompts(NamedTuple):
    """Prompts that fit.

    Attributes:
        prompts: one for each that was wanted.
        notes: what was left out of them.
    """

    prompts: list[Prompt]
    notes: list[str]


class PromptDraft(NamedTuple):
    """A prompt as it would be.

    Attributes:
        prompt: the prompt.
        name: of what it is about, for messages.
        room: tokens that its answer may take.
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
    """What a model reads and writes at most, and what becomes of more.

    Attributes:
        model: whose window it is.
        overlong: what becomes of a prompt that is too long.
    """

    model: LanguageModel
    overlong: Overlong

    def fit(self, drafts: Sequence[PromptDraft], shorter: Callable[[int], Iterator[ShortenedPrompt]]) -> FittedPrompts:
        """Prompts that fit.

        Args:
            drafts: prompts as they would be.
            shorter: for the prompt at a place, shorter ones, the longest first.

        Raises:
            ArgumentError: a prompt is too long, and may not or cannot be made shorter.
        """
        window, prompts = self.model.window, [draft.prompt for draft in drafts]
        if window is None or not prompts:
            return FittedPrompts(prompts, [])
        needed = [count + draft.room for count, draft in zip(self.model.count_tokens(prompts), drafts, strict=True)]
        long = [place for place, tokens in enumerate(needed) if tokens > window]
        if long and self.overlong == "refuse":
            worst = max(long, key=lambda place: needed[place])
            raise ArgumentError(
                f"{len(long):,} of {len(prompts):,} prompts are longer than the {window:,} tokens that the model reads "
                f"and writes at most: that for {drafts[worst].name} needs {needed[worst]:,}",
                remedy="overlong=truncate leaves out old turns and examples; or ask for fewer shots",
            )
        made = {place: self._first_fitting(shorter(place), drafts[place], window) for place in long}
        fitted = [made[place].prompt if place in made else prompt for place, prompt in enumerate(prompts)]
        return FittedPrompts(fitted, _told(list(made.values()), len(prompts), window))

    def _first_fitting(
        self, candidates: Iterator[ShortenedPrompt], draft: PromptDraft, window: int
    ) -> ShortenedPrompt:
        for candidate in candidates:
            (count,) = self.model.count_tokens([candidate.prompt])
            if count + draft.room <= window:
                return candidate
        raise ArgumentError(
            f"the prompt for {draft.name} is longer than the {window:,} tokens that the model reads and writes at "
            "most, even without dialogue and examples",
            remedy="leave such items out, or use a model with a larger window",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptWindow:
    """Makes prompts about items, with examples, and sees to it that they fit.

    Attributes:
        prompter: puts items into words.
        shots: the examples, where there are any.
        window: that prompts must fit.
        room: tokens that an answer may take.
    """

    prompter: Prompter
    shots: Shots | None
    window: ContextWindow
    room: int

    def fit(self, asks: Sequence[PromptRequest]) -> FittedPrompts:
        """One prompt for each.

        Raises:
            ArgumentError: a prompt is too long, and may not or cannot be made shorter.
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
        f"{len(made):,} of {prompts:,} prompts were longer than the {window:,} tokens that the model reads and writes "
        f"at most: {turns:,} old turns and {examples:,} examples were left out of them"
    ]
