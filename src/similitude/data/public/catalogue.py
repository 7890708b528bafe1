"""The catalogue of public data sets: address, size and SHA-256 of every file, licence and citation."""

from __future__ import annotations

import tomllib
from pathlib import Path, PurePosixPath
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from similitude.errors import ArgumentError, InputError, UnknownNameError

__all__ = ["CATALOGUE", "PublicData", "PublicFile", "public_data", "read_catalogue"]

CATALOGUE = Path(__file__).with_name("catalogue.toml")
HERE = ("localhost", "127.0.0.1", "::1")
"""Hosts that may be asked without encryption: this machine."""


def _inside(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or not path.parts:
        raise ValueError("a name of a file below the folder of the data set, such as ustsc/test.json")
    return name


def _fetchable(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in HERE):
        raise ValueError("an address that starts with https://")
    return address


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PublicFile(_Record):
    """One file of a data set.

    Attributes:
        name: where it lies below the folder of the data set.
        address: where it is fetched from.
        bytes: its size.
        sha256: its hash.
        unpack: members of the ZIP archive that it is, to be laid beside it.
    """

    name: Annotated[str, AfterValidator(_inside)]
    address: Annotated[str, AfterValidator(_fetchable)]
    bytes: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    unpack: tuple[Annotated[str, AfterValidator(_inside)], ...] = ()


class PublicData(_Record):
    """A data set with a public home.

    Attributes:
        name: what `similitude data get` takes.
        holds: what is in it.
        licence: its licence.
        home: where it is published.
        citation: what to cite.
        read: what to read below its folder.
        file: its files; none where people have to fetch it themselves.
        steps: how people fetch it, where no program may or can.
        expects: the files that must lie in the folder then.
    """

    name: str
    holds: str
    licence: str
    home: str
    citation: str
    read: str = "."
    file: tuple[PublicFile, ...] = ()
    steps: tuple[str, ...] = ()
    expects: tuple[Annotated[str, AfterValidator(_inside)], ...] = ()

    @property
    def bytes(self) -> int:
        """The size of all files."""
        return sum(file.bytes for file in self.file)


class _Catalogue(_Record):
    data: tuple[PublicData, ...]


def read_catalogue(path: Path = CATALOGUE) -> tuple[PublicData, ...]:
    """The data sets of a catalogue, ours or one of your own with the same layout.

    Raises:
        InputError: the file cannot be read, or says something that a catalogue cannot say.
        ArgumentError: it names a data set twice.
    """
    try:
        found = _Catalogue.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).data
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path), remedy="name a TOML file") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        what = f"{where}: {first['msg']}, and this is {first['input']!r}"
        raise InputError(what, where=str(path), remedy="see docs/data.md for the layout") from None
    names = [data.name for data in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ArgumentError(f"{twice!r} is there twice", where=str(path), remedy="give each data set its own name")
    return found


def public_data(name: str, path: Path = CATALOGUE) -> PublicData:
    """The data set of that name.

    >>> public_data("nlu-de").licence
    'CC BY 4.0'

    Raises:
        UnknownNameError: there is none.
    """
    known = {data.name: data for data in read_catalogue(path)}
    if name not in known:
        raise UnknownNameError("public data set", name, known)
    return known[name]
