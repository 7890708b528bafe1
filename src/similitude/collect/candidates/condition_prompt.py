"""The prompt for two conditions of a pair, in the manner of C-STS, and the rule by which an answer is read.

People who wrote the conditions of C-STS were shown two sentences and wrote one condition under which they are alike and
one under which they differ. A language model gets the same instruction, two examples, and answers in two lines.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from similitude.data.item_keys import condition_key
from similitude.models.language.protocol import Message

__all__ = ["ConditionAnswer", "Fault", "condition_messages", "read_conditions"]

Fault = Literal["no two lines", "the same condition twice", "too long", "a text of the pair"]
"""Why an answer is not valid."""

MOST_WORDS, MOST_CHARACTERS = 15, 120
"""A longer condition is no phrase any more; characters count for languages without blanks between words."""

INSTRUCTION: Final = (
    "You are shown two sentences. A condition is a short phrase that names one aspect of what they describe, such as "
    '"The color of the animal." or "The number of people.". Write two conditions under which the sentences can be '
    "compared: under the first (High) they are similar, under the second (Low) they are different. Do not say how "
    "similar they are, and do not repeat the sentences. Answer in two lines, in the language of the sentences:\n"
    "High: ...\n"
    "Low: ..."
)
EXAMPLES: Final = (
    (
        "Two brown dogs run across a beach.",
        "A black dog walks along the shore.",
        "The place.",
        "The number of animals.",
    ),
    (
        "A chef slices tomatoes in a restaurant kitchen.",
        "A woman fries eggs at home.",
        "The kind of activity.",
        "The setting.",
    ),
)

_LINE = re.compile(r"^[\W\d]*(high|low)\b[^:：\n]{0,30}[:：]\s*(.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_AROUND = " \t\"'`*_“”„‘’«»"


class ConditionAnswer(NamedTuple):
    """The two conditions of an answer, or why it has none."""

    high: str = ""
    low: str = ""
    fault: Fault | None = None


def condition_messages(left: str, right: str, *, is_chat: bool = True) -> tuple[Message, ...]:
    """The prompt for one pair.

    Args:
        left: the first text.
        right: the second one.
        is_chat: whether the model has a chat format; otherwise the prompt is one text that ends with ``High:``.
    """
    shown = [(_pair(one, other), f"High: {high}\nLow: {low}") for one, other, high, low in EXAMPLES]
    if is_chat:
        examples = [Message(*each) for pair, answer in shown for each in (("user", pair), ("assistant", answer))]
        return (Message("system", INSTRUCTION), *examples, Message("user", _pair(left, right)))
    parts = [INSTRUCTION, *(f"{pair}\n{answer}" for pair, answer in shown), f"{_pair(left, right)}\nHigh:"]
    return (Message("user", "\n\n".join(parts)),)


def read_conditions(answer: str, left: str, right: str, *, is_chat: bool = True) -> ConditionAnswer:
    r"""The conditions that an answer names.

    The first line that begins with *High* and the first that begins with *Low* count; marks and numbers before the
    word, up to 30 characters before the colon, and quotation marks around the condition do not. An answer is not valid
    if a line is missing or empty, if the two conditions are the same, if one has more than 15 words or 120 characters,
    or if one is a text of the pair.

    Args:
        answer: of the model.
        left: the first text of the pair.
        right: the second one.
        is_chat: as for `condition_messages`.

    >>> read_conditions('**High:** "The place."\nLow (different): the number', "a", "b")
    ConditionAnswer(high='The place.', low='the number', fault=None)
    >>> read_conditions("They are similar.", "a", "b").fault
    'no two lines'
    """
    found: dict[str, str] = {}
    for line in _LINE.finditer(answer if is_chat else f"High:{answer}"):
        found.setdefault(line[1].lower(), line[2].strip(_AROUND))
    high, low = found.get("high", ""), found.get("low", "")
    fault = _fault(high, low, {condition_key(left), condition_key(right)})
    return ConditionAnswer(high, low) if fault is None else ConditionAnswer(fault=fault)


def _fault(high: str, low: str, texts: set[str]) -> Fault | None:
    keys = {condition_key(high), condition_key(low)}
    if "" in keys:
        return "no two lines"
    if len(keys) == 1:
        return "the same condition twice"
    if any(len(one.split()) > MOST_WORDS or len(one) > MOST_CHARACTERS for one in (high, low)):
        return "too long"
    return "a text of the pair" if keys & texts else None


def _pair(left: str, right: str) -> str:
    return f"Sentence 1: {left}\nSentence 2: {right}"
