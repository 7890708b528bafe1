"""Vectors of the images that texts describe, as C-STS pairs captions by their images."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from similitude.errors import ColumnError, InputError
from similitude.models.images import ImageEncoder, check_image_files
from similitude.study.candidates.plan_parts import TextsPart
from similitude.study.candidates.read_stage import TextTable
from similitude.study.candidates.text_table import open_texts, text_slice
from similitude.study.candidates.vector_source import FoundVectors

__all__ = ["ImageVectors"]


@dataclass(frozen=True, slots=True)
class ImageVectors:
    """Vectors of images, one for each text.

    Attributes:
        texts: the table of texts.
        column: with the path of each text's image.
        encoder: gives the vectors.
        digest: of the paths, and of the size and time of each file.
    """

    is_remote: ClassVar[bool] = True

    texts: Path
    column: str
    encoder: ImageEncoder
    digest: str

    @classmethod
    def read(cls, part: TextsPart, table: TextTable) -> ImageVectors:
        """The images that a plan names; every file is opened, so that a missing one is told before any is encoded.

        Args:
            part: names the column and the model. Paths are relative to the folder of the texts.
            table: the texts that are left.

        Raises:
            ColumnError: there is no such column.
            InputError: a text has no image, or an image cannot be read.
        """
        column, root = _column(part), _root(part)
        frame = open_texts(table.path).frame
        if column not in frame.columns:
            raise ColumnError(
                f"no column '{part.images}' of paths to images", remedy=f"columns: {_shown(frame.columns)}"
            )
        paths = frame[column]
        if (missing := paths.is_null().arg_true().to_list()) != []:
            named = frame["id"][missing[0]]
            what = f"{len(missing):,} texts have no image; the first is '{named}'"
            raise InputError(what, remedy=f"fill in the column '{part.images}', or leave these texts out")
        distinct = paths.unique(maintain_order=True).to_list()
        check_image_files(distinct, root)
        states = [f"{path} {(root / path).stat().st_size} {(root / path).stat().st_mtime_ns}" for path in distinct]
        digest = sha256("\n".join([*states, *paths.to_list()]).encode()).hexdigest()
        return cls(table.path, column, ImageEncoder(str(part.image_model), root=root), digest)

    @property
    def name(self) -> str:
        """The model."""
        return f"image model '{self.encoder.model}'"

    @property
    def state(self) -> Any:
        """The images and the model."""
        return {"images": self.digest, "model": self.encoder.fingerprint()}

    def of(self, start: int, stop: int) -> FoundVectors:
        """The vectors of some rows."""
        return FoundVectors(self.encoder.vectors(text_slice(self.texts, start, stop).frame[self.column].to_list()), [])


def _column(part: TextsPart) -> str:
    """The column of paths under our name, if it is one of ours as well: images may be the groups of captions."""
    return next((ours for ours, theirs in part.columns.items() if theirs == part.images), str(part.images))


def _root(part: TextsPart) -> Path:
    """The folder of the file with the texts; the working folder if they are not in one file."""
    data = part.data
    return Path(data).parent if isinstance(data, str) and Path(data).is_file() else Path()


def _shown(columns: list[str]) -> str:
    return ", ".join(name for name in columns if name.isprintable())
