r"""Reads which option of a multiple-choice question an answer names.

Thoughts between ``<think>`` and ``</think>`` are ignored, and so is what follows a first answer as another question.
The first of these rules that finds an option counts, and its name is kept with the answer:

``pattern``
    The letter that the user's own pattern finds.
``option``
    The answer, without a label, is the text of an option.
``marked``
    A letter in JSON (``{"answer": "C"}``), in a tag (``<answer>C</answer>``) or in ``\boxed{C}``.
``letter``
    The answer starts with a letter that ends there or is followed by punctuation: ``C``, ``(c)``, ``C. It rains.``
``labelled``
    The last letter labelled as the answer: ``The answer is C``, ``Antwort: C``, ``答案：C``, ``选C``.
``subject``
    A letter with a verb: ``C is the closest``, ``C ist am ähnlichsten``, ``Ich nehme C``, ``我认为C最相似``.
``text``
    The whole text of exactly one option stands in the answer, neither inside a word nor inside a longer option.
``standing``
    The only letter in brackets, in bold, before punctuation or at the end.
``none``
    No option is named, or several are.

A letter that is a word does not count: in ``Answer: A dog ran home``, A is an article. A rejected letter
(``not A but C``, ``A is wrong``) does not count either. Two letters at one place (``A or C``) name no option.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from similitude.systems.prompted.answer_parser import without_thoughts

__all__ = ["ReadLetter", "read_letter"]

_L = r"([A-Za-z])"
_CAPITAL = r"([A-Z])"
_ALONE = r"(?![A-Za-z0-9_]|['’][A-Za-z])"
"""No letter or digit of Latin script follows; Chinese may."""
_FREE = r"(?<![A-Za-z0-9_'’])"
_REASON = (
    r"is|was|are|seems|would|comes|matches|fits|has|means|says|expresses|conveys|captures|because|since|as|"
    r"ist|wäre|kommt|passt|trifft|hat|sagt|bedeutet|entspricht|drückt|gibt|weil|da|denn|scheint"
)
_OR_ANOTHER = r"\s*(?:/|&|\s(?:or|and|oder|und)\s)\s*\(?[A-Za-z]\b"
_THERE = (
    rf"(?:{_OR_ANOTHER}|\s*$|\s*[.)\]}}:,;!?\n*\"'`”]|\s+[-–—(]|[-–—]\s|\s+(?:{_REASON})\b|"
    r"(?=[\u3400-\u9fff，。：；、）】」]))"
)
"""What follows a letter that is not a word."""

_MARKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"[\"'](?:\w*answer|choice|option|letter|antwort|auswahl|答案|选项)[\"']\s*:\s*[\"']\(?{_L}\b",
        rf"<(?:answer|choice|option|letter|final)\w*>[\s*\"'(]*{_L}\b",
        rf"\\boxed\s*\{{\s*(?:\\(?:text|mathrm|textbf)\s*\{{)?\s*\(?{_L}\b",
    )
)
_FIRST = re.compile(
    rf"^[^\w]*{_L}{_ALONE}(?:{_OR_ANOTHER}|\W*$|\s*[.)\]:;!?*\n]|\s*,|\s+[-–—(]|[-–—]\s|[。：；，、）】])"
)
_STRONG = re.compile(
    rf"(?:\b(?:answer|solution|choice|antwort|lösung|auswahl|wahl)\b|答案|正确选项|(?:应该?|我|故|因此|所以|请)?选择?(?:项)?|最接近的|最相似的)"
    rf"[\s\"'*_:=-]*(?:(?:is|would be|ist|wäre|lautet|应该是|应为|应是|是|为|為)(?![a-z]))?"
    rf"[\s\"'*_:=]*(?:(?:the\s+)?(?:option|letter|choice|möglichkeit|antwort|buchstabe|选项))?[\s\"'*_:=(\[（【<]*{_L}{_ALONE}(?={_THERE})",
    re.IGNORECASE,
)
_STRONG_NO_WORD = re.compile(
    rf"(?i:\b(?:answer|antwort|lösung|solution)\b[\s\"'*_:=-]*(?:(?:is|ist|lautet)(?![a-z]))?)[\s\"'*_:=(\[]*([B-HJ-Z]){_ALONE}"
)
_WEAK = re.compile(
    rf"(?:\b(?:option|letter|möglichkeit|buchstabe|variante|alternative|äußerung|utterance)|选项)"
    rf"[\s\"'*_:=(\[（【]*{_CAPITAL}{_ALONE}|{_FREE}{_CAPITAL}(?=\s*(?:选项|项))",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    rf"{_FREE}{_CAPITAL}(?=\s+(?:is|was|seems|would|comes|matches|fits|means|says|expresses|conveys|captures|ist|wäre|kommt|"
    rf"passt|trifft|entspricht|scheint)\b)|"
    rf"\b(?:choose|pick|select|say|with|wähle|nehme|sage|für|kommt|is|ist|würde|would be)[\s\"'*(:]+{_CAPITAL}{_ALONE}"
    rf"(?=\s*$|\s*[.)\]:,;!?\n*\"'`”]|\s+(?:{_REASON}|wählen|nehmen|sagen)\b)|"
    rf"(?<=[\u3400-\u9fff，。：；、]){_CAPITAL}{_ALONE}|{_FREE}{_CAPITAL}(?=\s*[\u3400-\u9fff])"
)
_STANDING = re.compile(rf"\(([A-Za-z])\)|\*\*\(?{_CAPITAL}\)?[.:]?\*\*|{_FREE}{_CAPITAL}(?=[.):]|\s*$)")
_NEGATED = re.compile(
    r"(?:\b(?:not|isn't|isn’t|neither|nor|rather than|instead of|nicht|kein|statt|anstatt|weder|noch)"
    r"(?:\s+(?:option|answer|antwort|möglichkeit))?|不是|并非|不选|而非)[\s\"'*(（]*$",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"[\"'*)]*\s+(?:(?:is|was|ist|wäre|seems|scheint|fits|passt|matches|trifft)\s+)"
    r"(?:\w+\s+)?(?:not|nicht|wrong|incorrect|unrelated|falsch)\b|[\"'*)]*\s*(?:不|是错)",
    re.IGNORECASE,
)
_ANOTHER = re.compile(rf"^[\s\"'*)\]]*(?:or|and|oder|und|/|,|&|或|和|或者|、|，)[\s\"'*(\[]*{_L}{_ALONE}")
_NEXT_QUESTION = re.compile(
    r"\n\s*(?:question|dialogue|dialog|text|frage|options|auswahl|möglichkeiten|问题|对话|选项)\s*[:：]", re.IGNORECASE
)
_LABEL = re.compile(
    r"^\W*(?:(?:the|die)\s+)?(?:(?:correct|best|richtige|beste)\s+)?(?:answer|antwort|option|答案|选项)"
    r"(?:\s+(?:is|ist|lautet))?\s*(?:[:：是为]\s*)?",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")


class ReadLetter(NamedTuple):
    """The option that an answer names.

    Attributes:
        place: the index of the option; None if there is none.
        rule: the name of the rule that found it.
        is_prose: whether there is more in the answer than the letter or the option's text.
    """

    place: int | None
    rule: str = "none"
    is_prose: bool = False


def read_letter(answer: str, options: Sequence[str], pattern: re.Pattern[str] | None = None) -> ReadLetter:
    r"""The option that an answer names.

    Args:
        answer: what the model said.
        options: the texts of the options, in the order of the letters.
        pattern: finds the letter before all other rules: its first group, or all that it matches. If it matches no
            letter, no option is named.

    >>> options = ["a cat sleeps", "a dog barks", "it rains"]
    >>> answers = ("**B**", "A dog barks", "C is the closest", "Answer: A dog ran home")
    >>> [read_letter(answer, options).place for answer in answers]
    [1, 1, 2, None]
    """
    text = unicodedata.normalize("NFKC", without_thoughts(answer)).strip()
    if pattern is not None:
        return _by_pattern(text, options, pattern)
    cut = _NEXT_QUESTION.search(text)
    if cut is not None and text[: cut.start()].strip():
        text = text[: cut.start()].strip()
    for rule, places in _rules(text, options):
        found = {place for place in places if place is not None}
        if len(found) == 1:
            (place,) = found
            return ReadLetter(place, rule, _has_more(text, place, options))
        if found:
            break
    return ReadLetter(None, is_prose=bool(re.search(r"[^\W\d_]", text)))


def _rules(text: str, options: Sequence[str]) -> Iterator[tuple[str, list[int | None]]]:
    """The name of each rule, and the options that it finds; several if they contradict each other."""
    number = len(options)
    yield "option", _whole_options(text, options)
    yield "marked", _last([match for pattern in _MARKED for match in pattern.finditer(text)][-1:], text, number)
    yield "letter", _last([match for match in [_FIRST.match(text)] if match], text, number)
    yield "labelled", _last(list(_STRONG.finditer(text)) or list(_STRONG_NO_WORD.finditer(text)), text, number)
    yield "labelled", _every(_WEAK.finditer(text), text, number)
    yield "subject", _every(_SUBJECT.finditer(text), text, number)
    yield "text", list(_written(text, options))
    yield "standing", _every(_STANDING.finditer(text), text, number)


def _by_pattern(text: str, options: Sequence[str], pattern: re.Pattern[str]) -> ReadLetter:
    match = pattern.search(text)
    found = "" if match is None else next((group for group in match.groups() if group), match[0]).strip()
    place = _place(found, len(options)) if len(found) == 1 else None
    return ReadLetter(place, "none" if place is None else "pattern", is_prose=match is None or match[0] != text)


def _whole_options(text: str, options: Sequence[str]) -> list[int | None]:
    """The options whose text is the answer, with or without a label; a single letter is never an option's text."""
    said = {_plain(text), _plain(_LABEL.sub("", text))}
    return [place for place, option in enumerate(options) if len(_plain(option)) > 1 and _plain(option) in said]


def _last(matches: Sequence[re.Match[str]], text: str, number: int) -> list[int | None]:
    """The last letter that is not rejected, with those that follow it directly: "A or C" names two."""
    kept = [match for match in matches if not _is_rejected(match, text)]
    kept = [match for match in kept if _place(_letter(match), number) is not None]
    return _with_others(kept[-1], text, number) if kept else []


def _every(matches: Iterator[re.Match[str]], text: str, number: int) -> list[int | None]:
    """All letters that are not rejected."""
    kept = [match for match in matches if not _is_rejected(match, text)]
    return [place for match in kept for place in _with_others(match, text, number)]


def _is_rejected(match: re.Match[str], text: str) -> bool:
    start = _start(match)
    return bool(_NEGATED.search(text[:start][-40:]) or _REJECTED.match(text, start + 1))


def _with_others(match: re.Match[str], text: str, number: int) -> list[int | None]:
    places, end = [_place(_letter(match), number)], _start(match) + 1
    while (another := _ANOTHER.match(text[end : end + 40])) is not None:
        places.append(_place(another[1], number))
        end += another.end()
    return places


def _letter(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group)


def _start(match: re.Match[str]) -> int:
    return next(match.start(place) for place, group in enumerate(match.groups(), start=1) if group)


def _written(text: str, options: Sequence[str]) -> Iterator[int]:
    """The options whose text stands whole in the answer; the longest are looked for first, and taken out."""
    left = f" {_plain(text)} "
    for place in sorted(range(len(options)), key=lambda place: -len(_plain(options[place]))):
        option = _plain(options[place])
        if len(option) < 2:
            continue
        edge = "" if _CHINESE.search(option) else r"\b"
        left, times = re.subn(f"{edge}{re.escape(option)}{edge}", " \0 ", left)
        if times:
            yield place


def _has_more(text: str, place: int, options: Sequence[str]) -> bool:
    """Whether words remain besides the letter, its label and the option's text."""
    rest = _plain(_LABEL.sub("", re.sub(r"<[^<>]*>|\\\w+", " ", text))).replace(_plain(options[place]), " ", 1)
    return bool(re.sub(rf"\b{chr(ord('a') + place)}\b", " ", rest, count=1).strip())


def _place(letter: str, options: int) -> int | None:
    place = ord(letter.upper()) - ord("A")
    return place if 0 <= place < options else None


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.casefold()).split())
