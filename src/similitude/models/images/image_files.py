"""Image files: are they there, can they be read, and what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from similitude.data.plural import agreeing
from similitude.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["BadImage", "check_image_files", "open_image", "refuse_bad_images"]

NAMED = 5
"""So many of the files that cannot be read are named."""
READERS = 8
"""Files that are opened at the same time; they wait for the disk."""


class BadImage(NamedTuple):
    """A file that is no image.

    Attributes:
        path: as it was given.
        why: in a few words.
    """

    path: str
    why: str


def check_image_files(paths: Sequence[str], root: Path | None = None) -> None:
    """Open every distinct file and read the head of its image.

    Args:
        paths: of image files.
        root: the folder that relative paths are relative to; None for the working folder.

    Raises:
        InputError: files do not exist, are empty or hold no image; the message names the first of them.
        MissingExtraError: Pillow is not installed.
    """
    _pillow()
    distinct = list(dict.fromkeys(paths))
    with ThreadPoolExecutor(READERS) as pool:
        reasons = list(pool.map(lambda path: _reason(path, root), distinct))
    refuse_bad_images([BadImage(path, why) for path, why in zip(distinct, reasons, strict=True) if why])


def refuse_bad_images(bad: Sequence[BadImage]) -> None:
    """Raise if there are any.

    Raises:
        InputError: names the first of them, and how many there are.
    """
    if bad:
        named = "; ".join(f"{each.path or 'an empty path'} ({each.why})" for each in bad[:NAMED])
        more = f"; and {len(bad) - NAMED:,} more" if len(bad) > NAMED else ""
        raise InputError(
            f"{agreeing(len(bad), 'image', 'cannot', 'cannot')} be read: {named}{more}",
            remedy="restore these files, or leave their rows out; paths are relative to the file that names them",
        )


def open_image(path: str, root: Path | None) -> Image | BadImage:
    """The image of a file, upright and in RGB; or why there is none."""
    from PIL import Image, ImageOps

    try:
        with Image.open(_place(path, root)) as image:
            return ImageOps.exif_transpose(image).convert("RGB")
    except Exception as error:  # decoders raise errors of all kinds on damaged files
        return BadImage(path, _reason(path, root) or f"damaged: {' '.join(str(error).split())[:80]}")


def _reason(path: str, root: Path | None) -> str:
    """Why a file holds no image, as far as its head tells; empty if it does."""
    from PIL import Image

    if path.startswith(("http://", "https://")):
        return "an address, not a file: download it first"
    place = _place(path, root)
    if not path or place.is_dir():
        return "no file" if not path else "a folder"
    if not place.is_file():
        return "no such file"
    try:
        with Image.open(place):
            return ""
    except Image.DecompressionBombError:
        return "too many pixels"
    except Exception:
        return "empty" if place.stat().st_size == 0 else "not an image"


def _place(path: str, root: Path | None) -> Path:
    return Path(path).expanduser() if root is None else root / Path(path).expanduser()


def _pillow() -> None:
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        raise MissingExtraError("Pillow", "images") from None
