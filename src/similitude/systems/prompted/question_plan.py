"""Plans the requests for items: one question per item or per rater, or one choice among the scale's levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from similitude.data.item import Item
from similitude.errors import ArgumentError
from similitude.models.language.protocol import GenerationSettings, ModelChoice, ModelQuestion
from similitude.systems.prompted.expected_score import ALTERNATIVES, level_texts
from similitude.systems.prompted.prompt_window import Prompt, PromptRequest, PromptWindow

__all__ = ["Planner", "QuestionPlan"]

DRAWS = 1_000_000
"""Draw numbers reserved for each seed."""


class QuestionPlan(NamedTuple):
    """The requests to the model.

    Attributes:
        choices: the choices; there are either questions or choices.
        notes: what was left out of prompts.
        skipped: the indices of items without a request, since their prompts are too long.
    """

    questions: list[ModelQuestion]
    choices: list[ModelChoice]
    notes: list[str]
    skipped: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans the requests.

    Attributes:
        prompt_window: builds the prompts.
        settings: the generation settings.
        seed: separates the draws of one system from those of another.
        allowed: the only permitted answers; empty for any.
    """

    prompt_window: PromptWindow
    settings: GenerationSettings
    seed: int
    allowed: tuple[str, ...] = ()

    def one_each(self, items: Sequence[Item]) -> QuestionPlan:
        """One question per item."""
        prompts, notes, skipped = self.prompt_window.fit([PromptRequest(item) for item in items])
        draw = self._draw(0)
        asked = [
            self._question(prompt, item, draw)
            for place, (prompt, item) in enumerate(zip(prompts, items, strict=True))
            if place not in skipped
        ]
        return QuestionPlan(asked, [], notes, skipped)

    def by_raters(self, items: Sequence[Item], number: int, personas: Callable[[Item], Sequence[str]]) -> QuestionPlan:
        """One question per item and rater, item by item.

        Args:
            items: the items to rate.
            number: the number of raters.
            personas: the personas for an item. If there are fewer than raters, each is asked again; if there are none,
                no persona is named.

        Raises:
            ArgumentError: the same question would be asked twice and get the same answer.
        """
        asks, draws = [], []
        for item in items:
            known = personas(item)
            self._refuse_repetition(number, len(known))
            for rater in range(number):
                asks.append(PromptRequest(item, known[rater % len(known)] if known else None))
                draws.append(self._draw(rater // (len(known) or 1)))
        prompts, notes, long = self.prompt_window.fit(asks)
        skipped = frozenset(place // number for place in long)
        asked = [
            self._question(prompt, request.item, draw)
            for place, (prompt, draw, request) in enumerate(zip(prompts, draws, asks, strict=True))
            if place // number not in skipped
        ]
        return QuestionPlan(asked, [], notes, skipped)

    def between_levels(self, items: Sequence[Item], levels: Sequence[float]) -> QuestionPlan:
        """One choice per item, for a model that scores given texts."""
        prompts, notes, skipped = self.prompt_window.fit([PromptRequest(item) for item in items])
        spaces = [self.prompt_window.prompter.space(item) for item in items]
        texts = level_texts(levels)
        choices = [
            ModelChoice(messages=prompt, options=tuple(space + text for text in texts), about=f"item '{item.id}'")
            for place, (prompt, space, item) in enumerate(zip(prompts, spaces, items, strict=True))
            if place not in skipped
        ]
        return QuestionPlan([], choices, notes, skipped)

    def by_first_token(self, items: Sequence[Item], levels: Sequence[float]) -> QuestionPlan:
        """One question per item whose first token is examined, for a model that does not score given texts.

        Raises:
            ArgumentError: levels have more than one digit, so the first token does not distinguish them.
        """
        long = [text for text in level_texts(levels) if len(text) > 1]
        if long:
            raise ArgumentError(
                f"the endpoint returns only first tokens, which do not distinguish levels such as {long[-1]}",
                remedy="use levels of one digit, as in scale=0..5, or by=answer; scores are mapped to the gold scale",
            )
        one_token = replace(self, settings=replace(self.settings, longest=1))
        plan = one_token.one_each(items)
        return plan._replace(questions=[replace(one, alternatives=ALTERNATIVES) for one in plan.questions])

    def _question(self, prompt: Prompt, item: Item, draw: int) -> ModelQuestion:
        space = self.prompt_window.prompter.space(item)
        return ModelQuestion(
            messages=prompt,
            settings=self.settings,
            draw=draw,
            allowed=tuple(space + text for text in self.allowed),
            about=f"item '{item.id}'",
        )

    def _draw(self, number: int) -> int:
        return self.seed * DRAWS + number if self.settings.temperature > 0 else 0

    def _refuse_repetition(self, number: int, personas: int) -> None:
        if self.settings.temperature > 0 or number <= (personas or 1):
            return
        there = f"{personas} personas" if personas else "no personas"
        raise ArgumentError(
            f"{number} raters with {there} at temperature 0 would repeat the same answers",
            remedy="use a temperature above 0, more personas, or fewer raters",
        )
