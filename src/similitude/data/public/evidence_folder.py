"""``evidence/``: public data that travels with the repository, packed, with the hash of every file.

``scripts/build_evidence.py`` makes it from the original files. Each packed file unpacks to the original, byte by byte,
and `similitude.read` reads it as it is.
"""

from __future__ import annotations

import bz2
import tomllib
from dataclasses import dataclass
from pathlib import Path

from similitude.errors import InputError

__all__ = ["MANIFEST", "PACKED", "EvidenceFolder", "evidence_beside"]

MANIFEST = "MANIFEST.toml"
PACKED = ".bz2"


@dataclass(frozen=True, slots=True)
class EvidenceFolder:
    """The folder.

    Attributes:
        path: where it is.
        packed: the packed file of each original, by the original's SHA-256.
    """

    path: Path
    packed: dict[str, Path]

    @classmethod
    def at(cls, path: Path) -> EvidenceFolder:
        """The folder at a path, by its manifest.

        Raises:
            InputError: the manifest cannot be read.
        """
        manifest = path / MANIFEST
        try:
            files = tomllib.loads(manifest.read_text(encoding="utf-8"))["file"]
            return cls(path, {file["original_sha256"]: path / file["path"] for file in files})
        except (OSError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
            raise InputError(f"cannot be read: {error}", where=str(manifest), remedy="check it out again") from None

    def content(self, sha256: str) -> bytes | None:
        """The original file of that hash; None if it is not here.

        Raises:
            InputError: the packed file is damaged.
        """
        packed = self.packed.get(sha256)
        if packed is None:
            return None
        try:
            return bz2.decompress(packed.read_bytes())
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be unpacked: {error}", where=str(packed), remedy="check it out again") from None


def evidence_beside() -> EvidenceFolder | None:
    """The folder of the repository that this package runs from; None where it was installed without one."""
    path = Path(__file__).resolve().parents[4] / "evidence"
    return EvidenceFolder.at(path) if (path / MANIFEST).is_file() else None
