"""What a release says of itself: name, version, languages, licence, authors, citation and texts of its card."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from similitude.errors import ArgumentError, InputError
from similitude.publication.languages import Language, languages_of
from similitude.publication.licences import Licence, licence_of

__all__ = ["ReleaseFacts", "checked_facts", "text_of"]

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9])?")
VERSION = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?")
DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
ADDRESS = re.compile(r"https?://[^\s<>\"/]+\S*")
REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
FILES = (".md", ".txt", ".bib", ".tex", ".html", ".rst", ".cff")
"""Endings by which a text is taken for the name of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFacts:
    """The facts about a release that its data does not hold.

    Attributes:
        name: as in file names: letters, digits, dots and hyphens.
        version: three numbers: 1.0.0.
        languages: of the texts.
        licence: of the whole.
        authors: their names.
        citation: BibTeX, or a sentence.
        description: what it is, in Markdown.
        homepage: an address.
        date: of publication, if it is to be stated.
        repository: on the hub, if it is known.
        tags: further tags for the hub.
    """

    name: str
    version: str
    languages: tuple[Language, ...]
    licence: Licence
    authors: tuple[str, ...] = ()
    citation: str = ""
    description: str = ""
    homepage: str = ""
    date: str = ""
    repository: str = ""
    tags: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Name and version, as in the names of files."""
        return f"{self.name}-{self.version}"

    @property
    def bibtex(self) -> str:
        """The citation if it is BibTeX; otherwise an entry made of what is known, or nothing without authors."""
        if self.citation.lstrip().startswith("@"):
            return self.citation.strip()
        if not self.authors:
            return ""
        fields = {
            "author": _tex(" and ".join(self.authors)),
            "title": _tex(f"{self.name} {self.version}"),
            "year": self.date[:4],
            "note": _tex(self.citation.strip()),
            "url": self.homepage or (f"https://huggingface.co/datasets/{self.repository}" if self.repository else ""),
        }
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        key = re.sub(r"\W", "", self.name) + self.date[:4]
        return f"@misc{{{key},\n{lines}\n}}"


def checked_facts(
    *,
    name: str | None,
    version: str = "1.0.0",
    language: Sequence[str] = (),
    license: str | None = None,
    license_text: str | None = None,
    license_name: str = "",
    authors: Sequence[str] = (),
    citation: str = "",
    description: str = "",
    homepage: str = "",
    date: str = "",
    repository: str = "",
    tags: Sequence[str] = (),
) -> ReleaseFacts:
    """The facts, checked; texts may be names of files.

    Raises:
        ArgumentError: one is missing or not valid; the message names the option.
        InputError: a file cannot be read.
    """
    _check(name, "--name", NAME, "letters, digits, dots and hyphens: --name home-utterances-de")
    _check(version, "--version", VERSION, "three numbers: --version 1.0.0")
    if date:
        _check(date, "--date", DATE, "--date 2026-05-31")
        _check_day(date)
    if homepage:
        _check(homepage, "--homepage", ADDRESS, "an address: --homepage https://example.org/data")
    if repository:
        _check(repository, "the repository", REPOSITORY, "owner and name: my-group/my-data")
    languages = languages_of(language)
    if not languages:
        raise ArgumentError("a release needs the language of its texts", remedy="give --language CODE, such as de")
    if not license:
        remedy = "give --license NAME, such as CC-BY-4.0; or --license other, with --license-text FILE"
        raise ArgumentError("a release needs a licence", remedy=remedy)
    text = None if license_text is None else text_of(license_text, "--license-text")
    return ReleaseFacts(
        name=name or "",
        version=version,
        languages=languages,
        licence=licence_of(license, text, own_name=license_name),
        authors=tuple(author.strip() for author in authors if author.strip()),
        citation=text_of(citation, "--citation"),
        description=text_of(description, "--description"),
        homepage=homepage,
        date=date,
        repository=repository,
        tags=tuple(tags),
    )


def _tex(text: str) -> str:
    """A text in which the characters that mean something to LaTeX are escaped, unless they are already."""
    return re.sub(r"(?<!\\)([&%$#_])", r"\\\1", text)


def text_of(written: str, option: str) -> str:
    """A text as it is, or the content of the file that it names.

    Raises:
        InputError: it looks like the name of a file, and there is none; or the file cannot be read.
    """
    if not written or "\n" in written or len(written) > 1000:
        return written
    path = Path(written)
    if not path.is_file():
        if path.suffix.lower() in FILES and " " not in written:
            raise InputError("no such file", where=written, remedy=f"give {option} a file, or the text itself")
        return written
    try:
        return path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=written, remedy="save it as UTF-8 text") from None


def _check_day(date: str) -> None:
    try:
        datetime.date.fromisoformat(date)
    except ValueError as error:
        raise ArgumentError(f"--date '{date}' is not valid: {error}", remedy="write --date 2026-05-31") from None


def _check(value: str | None, option: str, valid: re.Pattern[str], remedy: str) -> None:
    if not value:
        raise ArgumentError(f"a release needs {option}", remedy=f"write {remedy}")
    if not valid.fullmatch(value):
        raise ArgumentError(f"{option} '{value}' is not valid", remedy=f"write {remedy}")
