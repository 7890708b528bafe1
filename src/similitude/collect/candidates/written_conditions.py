"""Conditions that a language model writes for pairs: one under which a pair is alike, one under which it differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from similitude.collect.candidates.condition_prompt import ConditionAnswer, condition_messages, read_conditions
from similitude.data.item import ITEM_SCHEMA, Item, Items
from similitude.data.item_keys import PairKey, condition_key, item_keys, pair_key
from similitude.data.protocols import AnswerCache, Listener
from similitude.models.language.answer_cache import ask
from similitude.models.language.protocol import GenerationSettings, LanguageModel, Message, ModelQuestion

__all__ = ["HIGH", "LOW", "WrittenConditions", "write_conditions"]

HIGH, LOW = "written as alike", "written as different"
"""What the column ``source`` says of an item."""

LONGEST = 96
"""The most tokens of an answer: two conditions with their labels."""

OVERLONG, KNOWN = "a prompt longer than the model reads", "a condition that the pair has already"


@dataclass(frozen=True, kw_only=True, eq=False)
class WrittenConditions:
    """Pairs under conditions that a language model wrote.

    Attributes:
        items: two for each pair with a valid answer, which share a group; the column source says which is which.
        pairs: how many pairs the model was asked about.
        left_out: the number of pairs without conditions, by reason.
    """

    items: Items
    pairs: int
    left_out: Mapping[str, int]

    @property
    def notes(self) -> tuple[str, ...]:
        """For the user: how many answers could not be used, and why."""
        bad = sum(self.left_out.values())
        if not bad:
            return ()
        why = ", ".join(f"{count:,} {reason}" for reason, count in sorted(self.left_out.items()))
        return (f"{bad:,} of {self.pairs:,} pairs got no conditions ({100 * bad / self.pairs:.3g} %): {why}",)


def write_conditions(
    items: Items,
    model: LanguageModel,
    *,
    is_chat: bool = True,
    answers: AnswerCache | None = None,
    listener: Listener | None = None,
) -> WrittenConditions:
    """Have a language model write two conditions for each distinct pair of some items.

    The model takes the likeliest token each time, so the same pair gets the same conditions. Answers are kept in the
    cache as they arrive: a second call asks only what is missing.

    Args:
        items: pairs, with or without conditions; a pair that occurs several times, in either order, is asked once.
        model: the language model.
        is_chat: whether it has a chat format.
        answers: where answers are kept; None for nowhere.
        listener: is told the progress.
    """
    asked, known = _distinct(items), _known(items)
    prompts = [condition_messages(item.left, item.right, is_chat=is_chat) for item in asked]
    settings = GenerationSettings(longest=LONGEST, stop=() if is_chat else ("\n\n",))
    texts = _answers(asked, prompts, model, settings, answers, listener)
    rows: list[dict[str, object]] = []
    left_out = Counter[str]()
    for item, text in zip(asked, texts, strict=True):
        read = None if text is None else read_conditions(text, item.left, item.right, is_chat=is_chat)
        fault = OVERLONG if read is None else read.fault or _already(read, known[pair_key(item.left, item.right)])
        if read is None or fault:
            left_out[str(fault)] += 1
        else:
            rows += _rows(item, read, number=len(rows) // 2 + 1)
    made = Items(pl.DataFrame(rows, schema=ITEM_SCHEMA))
    return WrittenConditions(items=made, pairs=len(asked), left_out=dict(left_out))


def _answers(
    asked: Sequence[Item],
    prompts: Sequence[tuple[Message, ...]],
    model: LanguageModel,
    settings: GenerationSettings,
    answers: AnswerCache | None,
    listener: Listener | None,
) -> list[str | None]:
    """The answer to each prompt; None for one that is longer than the model reads."""
    sizes = model.count_tokens(prompts)
    fits = [model.window is None or size + settings.longest <= model.window for size in sizes]
    questions = [
        ModelQuestion(messages=prompt, settings=settings, about=f"item '{item.id}'")
        for prompt, item, fit in zip(prompts, asked, fits, strict=True)
        if fit
    ]
    texts = iter(answer.text for answer in ask(model, questions, answers, listener))
    return [next(texts) if fit else None for fit in fits]


def _distinct(items: Items) -> list[Item]:
    """The first item of each pair, in order."""
    seen: set[PairKey] = set()
    found = []
    for item in items:
        key = pair_key(item.left, item.right)
        if key not in seen:
            seen.add(key)
            found.append(item)
    return found


def _known(items: Items) -> dict[PairKey, set[str]]:
    """The conditions that each pair has already."""
    found: dict[PairKey, set[str]] = {}
    for pair, condition in item_keys(items):
        found.setdefault(pair, set()).add(condition)
    return found


def _already(read: ConditionAnswer, known: set[str]) -> str | None:
    return KNOWN if known & {condition_key(read.high), condition_key(read.low)} else None


def _rows(item: Item, read: ConditionAnswer, number: int) -> Iterator[dict[str, object]]:
    group = f"written-{number:06d}"
    for end, condition, source in (("a", read.high, HIGH), ("b", read.low, LOW)):
        yield {
            "id": f"{group}-{end}",
            "left": item.left,
            "right": item.right,
            "context": None if item.context is None else list(item.context),
            "condition": condition,
            "group": group,
            "language": item.language,
            "domain": item.domain,
            "source": source,
            "split": item.split,
        }
