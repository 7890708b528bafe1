"""Multiple choice: which of several texts is closest in meaning to the last turn of a dialogue.

The items of a group are the options of one question: in GiCCS, the five utterances paired with the last turn of a
dialogue. Options come in a random order and its rotations, so that each can be at every position.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from similitude.data.item import Item, Items
from similitude.errors import ArgumentError
from similitude.models.language.protocol import Message
from similitude.systems.dialogue import earlier_turns
from similitude.systems.prompted.choice_template import ChoiceTemplate
from similitude.systems.prompted.prompt_window import Prompt, ShortenedPrompt
from similitude.systems.prompted.prompts import Form
from similitude.systems.prompted.translations import Language, Translation, language_of, translation_for

__all__ = ["LETTERS", "ChoiceGroup", "ChoicePrompter", "Orders", "groups_of", "orders_of"]

LETTERS = string.ascii_uppercase
Orders = int | Literal["rotations", "file"]
"""The number of orders of the options; "rotations": as many as there are options, so that each is at every position
once; or "file": the order of the items, once.
"""


class ChoiceGroup(NamedTuple):
    """One question.

    Attributes:
        name: the name of the group, for messages.
        item: one of its items.
        options: the distinct texts to choose from, sorted.
        places: the indices of the group's items among all items.
        option_of: for each of them, the index of its option.
    """

    name: str
    item: Item
    options: tuple[str, ...]
    places: tuple[int, ...]
    option_of: tuple[int, ...]


def groups_of(items: Items) -> list[ChoiceGroup]:
    """The questions in some items: items that share a group or, without groups, left text and dialogue.

    Raises:
        ArgumentError: a group has two left texts or too many options, or no group has at least two options.
    """
    members: dict[object, list[tuple[int, Item]]] = {}
    for place, item in enumerate(items):
        members.setdefault(item.group or (item.left, item.context), []).append((place, item))
    groups = [_group(rows) for rows in members.values()]
    if groups and all(len(group.options) == 1 for group in groups):
        raise ArgumentError(
            "no group of items has at least two options",
            remedy="use data in which one text has several candidates, as in GiCCS",
        )
    return groups


def orders_of(group: ChoiceGroup, orders: Orders, seed: int) -> list[tuple[int, ...]]:
    """Orders of the options: a random one and its rotations, then another one and its rotations, and so on.

    Random draws depend only on the seed and the group.

    >>> made = ChoiceGroup("d", Item(id="1", left="x", right="a"), ("a", "b", "c"), (0, 1, 2), (0, 1, 2))
    >>> rotated = np.array(orders_of(made, "rotations", seed=0))
    >>> [sorted(column) for column in rotated.T.tolist()]
    [[0, 1, 2], [0, 1, 2], [0, 1, 2]]
    """
    number = len(group.options)
    if orders == "file":
        return [tuple(dict.fromkeys(group.option_of))]
    wanted = number if orders == "rotations" else orders
    content = repr((group.item.left, group.item.context, group.options, seed))
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()[:16]))
    made: list[tuple[int, ...]] = []
    while len(made) < wanted:
        drawn = rng.permutation(number)
        made += [tuple(np.roll(drawn, -turn).tolist()) for turn in range(number)]
    return made[:wanted]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicePrompter:
    """Builds the prompts of multiple-choice questions.

    Attributes:
        language: the language of the prompt; None for that of the item.
        dialogue: whether the prompt includes the earlier turns.
        letters: whether to ask for a letter rather than the option's text.
        template: the question of a paper or the user's own, used instead of ours.
    """

    form: Form
    language: Language | None
    dialogue: bool
    letters: bool
    template: ChoiceTemplate | None = None

    def prompt(self, group: ChoiceGroup, order: Sequence[int], turns: tuple[str, ...] | None = None) -> Prompt:
        """The prompt with its options in this order.

        Args:
            group: the question.
            order: the indices of the options by position.
            turns: the earlier turns to include; None for all of them.
        """
        if self.template is not None:
            told = (*(self._turns(group) if turns is None else turns), group.item.left)
            asked = self.template.ask(told, [group.options[option] for option in order])
            return (Message("user", asked),)
        translation = self.translation(group)
        choice, labelled = translation.choice, translation.labelled
        about = "of_turn" if self._turns(group) else "of_text"
        options = [f"{LETTERS[place]}. {group.options[option]}" for place, option in enumerate(order)]
        lines = [*self._told(group, translation, turns), "", labelled(choice["question"], choice[about])]
        lines += [labelled(choice["options"]), *options, *([choice["letter"]] if self.letters else [])]
        return (Message("user", "\n".join([*lines, labelled(choice["answer"])])),)

    def shorter(self, group: ChoiceGroup, order: Sequence[int]) -> Iterator[ShortenedPrompt]:
        """The same prompt with fewer and fewer of the earlier turns."""
        turns = self._turns(group)
        for gone in range(1, len(turns) + 1):
            yield ShortenedPrompt(self.prompt(group, order, turns[gone:]), gone)

    def answers(self, group: ChoiceGroup, order: Sequence[int]) -> tuple[str, ...]:
        """The possible answers in this order: letters or texts."""
        usual = " " if self.template is not None else self.translation(group).labels["space"]
        space = usual if self.form == "text" else ""
        texts = LETTERS[: len(order)] if self.letters else [group.options[option] for option in order]
        return tuple(space + text for text in texts)

    def translation(self, group: ChoiceGroup) -> Translation:
        """The translation that this question uses."""
        return translation_for(self.language or language_of(group.item))

    def _turns(self, group: ChoiceGroup) -> tuple[str, ...]:
        return earlier_turns(group.item) if self.dialogue else ()

    def _told(self, group: ChoiceGroup, translation: Translation, turns: tuple[str, ...] | None) -> list[str]:
        if not self._turns(group):
            return [translation.labelled(translation.choice["text"], group.item.left)]
        told = (*(self._turns(group) if turns is None else turns), group.item.left)
        names = [translation.labels["turn"].format(number=place) for place in range(1, len(told) + 1)]
        lines = [translation.labelled(name, turn) for name, turn in zip(names, told, strict=True)]
        return [translation.labelled(translation.choice["dialogue"]), *lines]


def _group(rows: Sequence[tuple[int, Item]]) -> ChoiceGroup:
    first = rows[0][1]
    name = f"group '{first.group}'" if first.group else f"item '{first.id}'"
    if any((item.left, item.context) != (first.left, first.context) for _, item in rows):
        raise ArgumentError(
            f"{name} has items with different left texts or dialogues",
            remedy="all items of a group must share the left text; the right texts are the options",
        )
    options = tuple(sorted({item.right for _, item in rows}))
    if len(options) > len(LETTERS):
        raise ArgumentError(f"{name} has {len(options)} options", remedy=f"use at most {len(LETTERS)}")
    return ChoiceGroup(
        name, first, options, tuple(place for place, _ in rows), tuple(options.index(item.right) for _, item in rows)
    )
