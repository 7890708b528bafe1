"""Builds the prompt for an item: instruction, examples, query.

The instruction is none, short, long, or the user's own. It names the scale of the answer; on 1..5 and 0..5 the long one
describes each level, on any other scale the two ends. The query contains everything that the item has: the two texts,
the condition, and the earlier turns of the dialogue.

``chat``
    The instruction is the system message; every example is a user message followed by the score as the answer; the
    query is the last message.
``text``
    Everything is one text that ends where the score belongs, for models without a chat format.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from similitude.data.item import Item
from similitude.data.scale import Scale
from similitude.models.language.protocol import Message
from similitude.systems.dialogue import earlier_turns
from similitude.systems.prompted.prompt_template import Template
from similitude.systems.prompted.translations import Language, Translation, language_of, translation_for

__all__ = ["Form", "Instruction", "PromptExample", "Prompter", "written_score"]

_DESCRIBED = {(1.0, 5.0): "1_5", (0.0, 5.0): "0_5"}
"""Scales whose levels the long instruction describes one by one."""
_COARSEST = 2.0
"""On a narrower scale, integers are too coarse, so the short instruction allows decimals."""

Form = Literal["chat", "text"]
Instruction = Literal["short", "long"] | None
Kind = Literal["plain", "conditioned", "dialogue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompter:
    """Builds prompts for items.

    Attributes:
        scale: the scale of the answer.
        decimals: whether the instruction allows decimals.
        language: the language of instruction and labels; None for that of the item.
        template: the user's own template, used instead of ours.
    """

    scale: Scale
    instruction: Instruction = "short"
    form: Form = "chat"
    decimals: bool = True
    language: Language | None = None
    template: Template | None = None

    def messages(
        self,
        item: Item,
        examples: tuple[PromptExample, ...] = (),
        persona: str | None = None,
        turns: tuple[str, ...] | None = None,
    ) -> tuple[Message, ...]:
        """The prompt for one item.

        Args:
            item: the item to score.
            examples: the examples before it, in order.
            persona: the persona that answers.
            turns: the earlier turns to include; None for all of them.
        """
        translation = self.translation(item)
        spoken = [] if persona is None else [translation.introduction.format(persona=persona)]
        told = self._instruct(item, translation)
        opening = "\n\n".join([*spoken, told] if told else spoken)
        query = self._ask(item, translation, turns)
        is_one_text = self.template is not None and self.template.is_one_text
        if self.form == "chat" and not is_one_text:
            return _as_chat(opening, [(self._ask(one.item, translation), one.answer) for one in examples], query)
        space = " " if is_one_text else self.space(item)
        shown = [self._ask(one.item, translation) + space + one.answer for one in examples]
        return (Message("user", "\n\n".join([opening, *shown, query] if opening else [*shown, query])),)

    def translation(self, item: Item) -> Translation:
        """The translation used for this item."""
        return translation_for(self.language or language_of(item))

    def space(self, item: Item) -> str:
        """The text between the prompt and the answer: empty in a chat."""
        if self.form == "chat":
            return ""
        return self.translation(item).labels["space"] if self.template is None else " "

    def _instruct(self, item: Item, translation: Translation) -> str:
        if self.template is not None:
            return self.template.instruct(self.scale)
        if self.instruction is None:
            return ""
        kind, ends = _kind(item), {"low": f"{self.scale.low:g}", "high": f"{self.scale.high:g}"}
        long = translation.long
        if self.instruction == "short":
            fine = [long["decimals"]] * (self.decimals and self.scale.width < _COARSEST)
            return translation.labels["space"].join([translation.short[kind].format(**ends), *fine])
        last = [long["decimals"]] * self.decimals + [long["only"]]
        levels = _levels(kind, self.scale, translation)
        return "\n".join([long[kind], long["scale"].format(**ends), *levels, translation.labels["space"].join(last)])

    def _ask(self, item: Item, translation: Translation, turns: tuple[str, ...] | None = None) -> str:
        if self.template is not None:
            return self.template.ask(item, self.scale, turns)
        told = earlier_turns(item) if turns is None else turns
        labels, labelled = translation.labels, translation.labelled
        first, second = ("last", "other") if earlier_turns(item) else ("left", "right")
        lines = [labelled(labels["dialogue"])] if told else []
        lines += [labelled(labels["turn"].format(number=place), turn) for place, turn in enumerate(told, 1)]
        lines += [labelled(labels[first], item.left), labelled(labels[second], item.right)]
        lines += [labelled(labels["condition"], item.condition)] if item.condition else []
        return "\n".join([*lines, labelled(labels["answer"])])


class PromptExample(NamedTuple):
    """An example: a pair with its score as the model would write it."""

    item: Item
    answer: str


def written_score(score: float, scale: Scale, digits: int | None = None) -> str:
    """A score as shown in an example: rounded to about a hundredth of the scale, without trailing zeros.

    Args:
        score: on the scale.
        scale: of the answers.
        digits: after the point; None for as many as needed.

    >>> written_score(3.6667, Scale(low=1, high=5)), written_score(4.0, Scale(low=1, high=5))
    ('3.7', '4')
    >>> written_score(4.0, Scale(low=1, high=5), digits=1)
    '4.0'
    """
    if digits is not None:
        return f"{score + 0.0:.{digits}f}"
    digits = max(0, 1 - math.floor(math.log10(scale.width)))
    return f"{round(score, digits) + 0.0:g}"  # + 0.0 turns -0 into 0


def _kind(item: Item) -> Kind:
    if item.condition:
        return "conditioned"
    return "dialogue" if earlier_turns(item) else "plain"


def _levels(kind: Kind, scale: Scale, translation: Translation) -> list[str]:
    """The descriptions of the levels: of all of them if available, else of the two ends."""
    what = "aspect" if kind == "conditioned" else "meaning"
    described = _DESCRIBED.get((scale.low, scale.high))
    meanings = translation.levels[f"{what}_{described or '0_5'}"]
    if described is None:
        ends = [(scale.high, meanings[-1]), (scale.low, meanings[0])]
        return [*(_level(number, meaning, translation) for number, meaning in ends), translation.long["between"]]
    steps = [(scale.low + place, meaning) for place, meaning in enumerate(meanings)]
    return [_level(number, meaning, translation) for number, meaning in reversed(steps)]


def _level(number: float, meaning: str, translation: Translation) -> str:
    return translation.long["level"].format(number=f"{number:g}", meaning=meaning)


def _as_chat(opening: str, examples: list[tuple[str, str]], query: str) -> tuple[Message, ...]:
    turns = [Message("system", opening)] if opening else []
    for asked, answer in examples:
        turns += [Message("user", asked), Message("assistant", answer)]
    return (*turns, Message("user", query))
