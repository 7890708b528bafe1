"""Bring a public data set to a folder: what is there stays, what ``evidence/`` has is unpacked, the rest is fetched."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from similitude.data.public.catalogue import PublicData, PublicFile
from similitude.data.public.download import FetchError, NoConnectionError, download, sha256_of
from similitude.data.public.evidence_folder import EvidenceFolder
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, InputError

if TYPE_CHECKING:
    from similitude.data.protocols import Listener

__all__ = ["Delivered", "Delivery", "Missing", "get_data"]

Source = Literal["there", "evidence", "home", "by hand"]
OTHER_FILE = "another file lies there, which we leave alone; move it away"


@dataclass(frozen=True, slots=True)
class Delivered:
    """A file that lies in the folder now.

    Attributes:
        path: where.
        source: how it came: it was there, from ``evidence/``, from its public home, or by hand and unchecked.
    """

    path: Path
    source: Source


@dataclass(frozen=True, slots=True)
class Missing:
    """A file that does not lie in the folder.

    Attributes:
        path: where it must lie.
        why: what went wrong.
        file: where it is to be had, and its hash; None where people have to fetch it themselves.
    """

    path: Path
    why: str
    file: PublicFile | None = None


@dataclass(slots=True)
class Delivery:
    """What came of an attempt."""

    data: PublicData
    folder: Path
    delivered: list[Delivered] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)

    def add(self, found: Delivered | Missing) -> None:
        """Note one file."""
        if isinstance(found, Missing):
            self.missing.append(found)
        else:
            self.delivered.append(found)


def get_data(
    data: PublicData, folder: Path, *, evidence: EvidenceFolder | None = None, listener: Listener | None = None
) -> Delivery:
    """Bring a data set to a folder.

    Args:
        data: what is wanted.
        folder: where it shall lie; made if it does not exist.
        evidence: a folder of packed originals that is asked before the network.
        listener: hears how far it is.

    Returns:
        The files that are there now, each with the hash that the catalogue says, and those that are missing.

    Raises:
        ArgumentError: the folder cannot be written.
        InputError: a packed file is damaged.
    """
    delivery = Delivery(data, folder)
    for name in data.expects:
        path = folder / name
        delivery.add(Delivered(path, "by hand") if path.is_file() else Missing(path, "people have to fetch it"))
    silent: set[str] = set()
    for done, file in enumerate(data.file):
        if listener is not None:
            listener.progress(f"get {data.name}", done, len(data.file))
        delivery.add(_delivered(file, folder / file.name, evidence, silent))
    if not delivery.missing:
        delivery.delivered += [member for file in data.file for member in _unpacked(file, folder)]
    return delivery


def _delivered(file: PublicFile, path: Path, evidence: EvidenceFolder | None, silent: set[str]) -> Delivered | Missing:
    if path.is_file():
        return Delivered(path, "there") if sha256_of(path) == file.sha256 else Missing(path, OTHER_FILE, file)
    content = None if evidence is None else evidence.content(file.sha256)
    if content is not None:
        _write(path, lambda draft: draft.write_bytes(content))
        return Delivered(path, "evidence")
    return _fetched(file, path, silent)


def _fetched(file: PublicFile, path: Path, silent: set[str]) -> Delivered | Missing:
    """One file from its home; hosts that did not answer once are not asked again."""
    host = urlsplit(file.address).netloc
    if host in silent:
        return Missing(path, "no connection", file)
    try:
        _write(path, partial(download, file))
    except FetchError as error:
        if isinstance(error, NoConnectionError):
            silent.add(host)
        return Missing(path, str(error), file)
    return Delivered(path, "home")


def _unpacked(file: PublicFile, folder: Path) -> list[Delivered]:
    """Members of the archive, where they are not there yet."""
    archive = folder / file.name
    absent = {name: archive.parent / name for name in file.unpack if not (archive.parent / name).is_file()}
    for name, path in absent.items():
        _write(path, partial(_unpack, archive, name))
    return [Delivered(path, "home") for path in absent.values()]


def _unpack(archive: Path, name: str, draft: Path) -> None:
    try:
        with zipfile.ZipFile(archive) as opened:
            draft.write_bytes(opened.read(name))
    except (KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"holds no {name}: {error}", where=str(archive), remedy="unpack it by hand") from None


def _write(path: Path, save: Callable[[Path], object]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"the folder cannot be made: {error.strerror or error}"
        raise ArgumentError(what, where=str(path.parent), remedy="name another folder") from None
    write_atomically(path, save)
