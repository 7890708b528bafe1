"""From items to what is asked: one question an item, one for each rater, or one choice between the scale's levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from similitude.data.item import Item
from similitude.errors import ArgumentError
from similitude.models.language.protocol import GenerationSettings, ModelChoice, ModelQuestion
from similitude.systems.prompted.expected_score import ALTERNATIVES, level_texts
from similitude.systems.prompted.prompt_window import PromptRequest, PromptWindow

__all__ = ["Planner", "QuestionPlan"]

DRAWS = 1_000_000
"""Draws of one seed; those of the next come after."""


class QuestionPlan(NamedTuple):
    """What is asked of the model.

    Attributes:
        questions: to be answered in words.
        choices: to be weighed; there are either questions or choices.
        notes: what was left out of prompts.
    """

    questions: list[ModelQuestion]
    choices: list[ModelChoice]
    notes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans what is asked.

    Attributes:
        prompt_window: makes the prompts.
        settings: of answers.
        seed: sets the draws of one system apart from those of another.
    """

    prompt_window: PromptWindow
    settings: GenerationSettings
    seed: int

    def one_each(self, items: Sequence[Item]) -> QuestionPlan:
        """One question an item."""
        prompts, notes = self.prompt_window.fit([PromptRequest(item) for item in items])
        draw = self._draw(0)
        return QuestionPlan(
            [ModelQuestion(messages=prompt, settings=self.settings, draw=draw) for prompt in prompts], [], notes
        )

    def by_raters(self, items: Sequence[Item], number: int, personas: Callable[[Item], Sequence[str]]) -> QuestionPlan:
        """A question for each rater: item by item, rater after rater.

        Args:
            items: to be rated.
            number: of raters.
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
        prompts, notes = self.prompt_window.fit(asks)
        asked = [
            ModelQuestion(messages=prompt, settings=self.settings, draw=draw)
            for prompt, draw in zip(prompts, draws, strict=True)
        ]
        return QuestionPlan(asked, [], notes)

    def between_levels(self, items: Sequence[Item], levels: Sequence[float]) -> QuestionPlan:
        """A choice an item, for a model that weighs given texts."""
        prompts, notes = self.prompt_window.fit([PromptRequest(item) for item in items])
        spaces = [self.prompt_window.prompter.space(item) for item in items]
        texts = level_texts(levels)
        choices = [
            ModelChoice(messages=prompt, options=tuple(space + text for text in texts))
            for prompt, space in zip(prompts, spaces, strict=True)
        ]
        return QuestionPlan([], choices, notes)

    def by_first_token(self, items: Sequence[Item], levels: Sequence[float]) -> QuestionPlan:
        """A question an item whose first token is looked at, for a model that weighs nothing.

        Raises:
            ArgumentError: levels have more than one digit, so that the first token does not tell them apart.
        """
        long = [text for text in level_texts(levels) if len(text) > 1]
        if long:
            raise ArgumentError(
                f"the endpoint shows how likely first tokens are, which does not tell levels such as {long[-1]} apart",
                remedy="ask for levels of one digit, as in scale=0..5, or by=answer; it is mapped to the gold scale",
            )
        one_token = replace(self, settings=replace(self.settings, longest=1))
        plan = one_token.one_each(items)
        return plan._replace(questions=[replace(one, alternatives=ALTERNATIVES) for one in plan.questions])

    def _draw(self, number: int) -> int:
        return self.seed * DRAWS + number if self.settings.temperature > 0 else 0

    def _refuse_repetition(self, number: int, personas: int) -> None:
        if self.settings.temperature > 0 or number <= (personas or 1):
            return
        there = f"{personas} personas" if personas else "no personas"
        raise ArgumentError(
            f"{number} raters with {there} at temperature 0 would say the same again",
            remedy="give a temperature above 0, more personas, or ask fewer raters",
        )
