"""The user's own multiple-choice question, or that of a paper: a text with fields in braces.

A line with ``{turn}`` is repeated for every turn of the dialogue, the last included, and may hold its ``{number}``. A
line with ``{option}`` is repeated for every option, and may hold its ``{letter}``. ``{left}`` is the last turn alone.
Write a literal brace twice:

    Dialogue:
    Turn {number}: {turn}

    Which of these is closest to the last turn?
    {letter}. {option}
    Answer:
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from similitude.errors import ArgumentError
from similitude.systems.prompted.paper_templates import paper_template
from similitude.systems.prompted.prompt_template import check_fields, fields_of, template_text

__all__ = ["CHOICE_FIELDS", "ChoiceTemplate", "read_choice_template"]

CHOICE_FIELDS = ("turn", "number", "option", "letter", "left")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceTemplate:
    """A multiple-choice question with fields.

    Attributes:
        file: where it was read from, for messages.
        text: the question with its fields.
    """

    file: str
    text: str

    def ask(self, turns: Sequence[str], options: Sequence[str]) -> str:
        r"""The question, filled in.

        Args:
            turns: the turns of the dialogue to show, the last one included.
            options: in the order of their letters.

        >>> made = ChoiceTemplate(file="own", text="{number}: {turn}\nWhich?\n{letter}) {option}")
        >>> print(made.ask(["Tea?", "Yes."], ["No.", "Sure."]))
        1: Tea?
        2: Yes.
        Which?
        A) No.
        B) Sure.
        """
        return "\n".join(line for written in self.text.split("\n") for line in _filled(written, turns, options))


def _filled(line: str, turns: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    """The line as often as its fields want it."""
    names = fields_of(line)
    if "turn" in names or "number" in names:
        for number, turn in enumerate(turns, start=1):
            yield line.format(number=number, turn=turn, left=turns[-1])
    elif "option" in names or "letter" in names:
        for letter, option in zip(string.ascii_uppercase, options, strict=False):
            yield line.format(letter=letter, option=option, left=turns[-1])
    else:
        yield line.format(left=turns[-1])


def read_choice_template(name: str) -> ChoiceTemplate:
    """Read a template: one of a paper by its name, or a file.

    Raises:
        InputError: there is no such file, or it is not text.
        ArgumentError: a field is unknown, there is no line with {option}, or neither {turn} nor {left}.
    """
    known = paper_template(name, "choice")
    text = template_text(name, "{turn} and {option}") if known is None else known.text
    check_fields(text, CHOICE_FIELDS, name, part="the template")
    names = fields_of(text)
    for wanted, told in ((("option",), "the options: {option}"), (("turn", "left"), "the last turn: {turn} or {left}")):
        if not set(wanted) & set(names):
            missing = " or ".join(f"{{{one}}}" for one in wanted)
            raise ArgumentError(f"the template lacks {missing}", where=name, remedy=f"include {told}")
    for line in text.split("\n"):
        if {"turn", "number"} & set(fields_of(line)) and {"option", "letter"} & set(fields_of(line)):
            raise ArgumentError(
                "a line of the template has turns and options", where=name, remedy="write them in lines of their own"
            )
    return ChoiceTemplate(file=name, text=text.strip("\\r\n").replace("\\r\n", "\n"))
