r"""The user's own prompt: a text file with fields in braces.

``{left}``, ``{right}``, ``{condition}``, ``{context}`` (the earlier turns, one per line), ``{scale_low}`` and
``{scale_high}``; write a literal brace twice. A line of three or more equals signs separates an instruction, which
appears once, from the pair, which is repeated for every example:

    Say from {scale_low} to {scale_high} how alike both questions are.
    ===
    Q1: {left}
    Q2: {right}
    Score:
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from pathlib import Path

from similitude.data.item import Item
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.systems.dialogue import earlier_turns
from similitude.systems.prompted.paper_templates import PAPER_TEMPLATES, paper_template

__all__ = ["FIELDS", "Template", "check_fields", "fields_of", "read_template", "template_text"]

FIELDS = ("left", "right", "condition", "context", "scale_low", "scale_high")
_SCALE_FIELDS = ("scale_low", "scale_high")
_PARTING = re.compile(r"^={3,}[ \t]*\r?\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A prompt written by the user, or that of a paper.

    Attributes:
        file: the file it was read from, for messages.
        instruction: the text that appears once; empty for none.
        pair: the text for the pair and for every example.
        is_one_text: whether a chat gets the whole prompt in one message, as the models of a paper did.
        score_digits: digits after the point of the scores of examples; None for as many as needed.
    """

    file: str
    instruction: str
    pair: str
    is_one_text: bool = False
    score_digits: int | None = None

    def instruct(self, scale: Scale) -> str:
        """The instruction, filled in."""
        return self.instruction.format(**_ends(scale))

    def ask(self, item: Item, scale: Scale, turns: tuple[str, ...] | None = None) -> str:
        """The pair, filled in.

        Args:
            item: the pair.
            scale: the scale of the answer.
            turns: the earlier turns to include; None for all of them.

        Raises:
            ArgumentError: the template has a field that the item lacks.
        """
        told = earlier_turns(item) if turns is None else turns
        texts = {"left": item.left, "right": item.right, "condition": item.condition, "context": "\n".join(told)}
        for name in fields_of(self.pair):
            if name in texts and texts[name] is None:
                raise ArgumentError(
                    f"the template has {{{name}}}, but item '{item.id}' has none",
                    where=self.file,
                    remedy="remove the field, or use data that has it",
                )
        return self.pair.format(**texts, **_ends(scale))


def read_template(path: str | Path) -> Template:
    """Read a template, one of a paper by its name or a file, and check its fields.

    Raises:
        InputError: there is no such file, or it is not text.
        ArgumentError: a field is unknown, or left or right is missing.
    """
    known = paper_template(str(path), "scores")
    text = template_text(path, "{left} and {right}") if known is None else known.text
    parts = _PARTING.split(text, maxsplit=1)
    instruction, pair = ("", parts[0]) if len(parts) == 1 else (parts[0], parts[1])
    check_fields(instruction, _SCALE_FIELDS, str(path), part="the instruction")
    check_fields(pair, FIELDS, str(path), part="the template")
    missing = [name for name in ("left", "right") if name not in fields_of(pair)]
    if missing:
        what = f"the template lacks {' and '.join(f'{{{name}}}' for name in missing)}"
        raise ArgumentError(what, where=str(path), remedy="include both texts: {left} and {right}")
    return Template(
        file=str(path),
        instruction=instruction.strip(),
        pair=pair.strip("\r\n"),
        is_one_text=known is not None,
        score_digits=None if known is None else known.score_digits,
    )


def template_text(path: str | Path, fields: str) -> str:
    """The text of a template file.

    Args:
        path: the file.
        fields: that it should have, for the error.

    Raises:
        InputError: there is no such file, or it is not text.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else "cannot be read"
        raise InputError(
            f"the template {why}",
            where=str(path),
            remedy=f"name a text file with {fields}, or a template of a paper: {', '.join(PAPER_TEMPLATES)}",
        ) from None


def check_fields(text: str, known: tuple[str, ...], where: str, part: str) -> None:
    """Refuse fields that a template may not have.

    Raises:
        ArgumentError: one is unknown, or a brace is not closed.
    """
    remedy = f"use the fields of {part}: {', '.join(f'{{{name}}}' for name in known)}; write {{{{ for a brace"
    try:
        parsed = list(string.Formatter().parse(text))
    except ValueError as error:
        raise ArgumentError(f"cannot read {part}: {str(error).lower()}", where=where, remedy=remedy) from None
    for _, name, form, conversion in parsed:
        if name is not None and (name not in known or form or conversion):
            whole = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            raise ArgumentError(f"{part} has an unknown field {{{whole}}}", where=where, remedy=remedy)


def fields_of(text: str) -> list[str]:
    """The names of the fields of a text."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def _ends(scale: Scale) -> dict[str, str]:
    return {"scale_low": f"{scale.low:g}", "scale_high": f"{scale.high:g}"}
