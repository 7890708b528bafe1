"""Image vectors through transformers: CLIP and its like, and models that only see."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.listeners import OptionalListener
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.batch_executor import execute
from similitude.models.device_class import device_class, resolved_precision
from similitude.models.encoders.loader import Dtype, quiet_libraries, usable_cores, usable_device
from similitude.models.files import ModelFiles, resolve
from similitude.models.fingerprint import fingerprint
from similitude.models.images.image_files import BadImage, check_image_files, open_image, refuse_bad_images
from similitude.models.loaded_model import ModelSlot, until_unchanged

__all__ = ["ImageEncoder"]

ORGANISATION = "openai"
"""Where a name without an organisation is looked up first: openai/clip-vit-base-patch32 and its sisters."""
IMAGES_ON_CPU, IMAGES_ON_GPU = 8, 128
"""Images of one batch unless somebody says."""
_PACKAGES = ("torch", "transformers", "pillow")


class _Opened(NamedTuple):
    """A vision model: turns images into tensors, and tensors into rows."""

    processor: Any
    forward: Callable[[Any], Any]
    device: str
    dtype: Any


_SLOT: ModelSlot[str, _Opened] = ModelSlot()
_ONE_AT_A_TIME = Lock()
"""A call uses all cores or the GPU, so that several at a time would only hold more memory."""


@dataclass(frozen=True)
class ImageEncoder:
    """Vectors of images.

    Any model of transformers that sees: CLIP, SigLIP and others that have image features; CLIP's vision tower with its
    projection; and models without texts, such as ViT or DINOv2, of which the pooled output is taken, or else the first
    token's.

    Attributes:
        model: a folder, or a name on the Hugging Face hub, such as openai/clip-vit-base-patch32.
        revision: a branch, tag or commit on the hub.
        device: a torch device; None for a GPU if there is one.
        dtype: the precision to compute in.
        batch: images of one batch; None for what suits the device.
        root: the folder that relative paths are relative to; None for the working folder.
        listener: hears progress and notes.
    """

    model: str
    revision: str | None = None
    device: str | None = None
    dtype: Dtype = "auto"
    batch: int | None = None
    root: Path | None = None
    listener: Listener | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.batch is not None and self.batch < 1:
            raise ArgumentError(f"batch={self.batch}", remedy="a batch has one image at least")

    @property
    def files(self) -> ModelFiles:
        """The files of the model.

        Raises:
            ArgumentError: there is no such model, or the hub cannot be reached.
        """
        return resolve(self.model, self.revision, ORGANISATION)

    def fingerprint(self) -> str:
        """A hash of all that shapes the vectors but the images."""
        device = device_class(self.device)
        return fingerprint(self.files, None, _PACKAGES, device=device, dtype=resolved_precision(self.dtype, device))

    def vectors(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """One vector of length 1 for each path; each distinct file is read once.

        Files that do not exist or hold no image are found before the model is loaded; files that turn out to be damaged
        are all named at the end.

        Raises:
            InputError: some of the files are no images.
            ArgumentError: the model cannot be loaded or does not see, or an image does not fit into memory.
            MissingExtraError: torch, transformers or Pillow is not installed.
        """
        check_image_files(paths, self.root)
        distinct = {path: row for row, path in enumerate(dict.fromkeys(paths))}
        with _ONE_AT_A_TIME:
            opened = until_unchanged(lambda: _SLOT.get(self._state(), self._open, self._state), f"model '{self.model}'")
            rows = self._rows(list(distinct), opened)
        return rows[[distinct[path] for path in paths]]

    def _state(self) -> str:
        return f"{self.fingerprint()} on {self.device}"

    def _rows(self, paths: list[str], opened: _Opened) -> NDArray[np.float32]:
        hears, on_cpu = OptionalListener(self.listener), opened.device.startswith("cpu")
        queue = _ImageQueue(len(paths), self.batch or (IMAGES_ON_CPU if on_cpu else IMAGES_ON_GPU), hears)
        found: dict[int, NDArray[np.float32]] = {}
        bad: list[tuple[int, BadImage]] = []

        def compute(batch: range) -> tuple[NDArray[np.float32], list[tuple[int, BadImage]]]:
            return _encode(batch, [open_image(paths[row], self.root) for row in batch], opened)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of images with very many pixels
            work = execute(queue, compute, workers=usable_cores() if on_cpu else 2, one_core_each=True, note=hears.note)
            for batch, (rows, broken) in work:
                bad += broken
                found |= dict(zip(batch, rows, strict=True))
                hears.progress("images", len(found), len(paths))
        refuse_bad_images([each for _, each in sorted(bad)])
        return _of_length_one(np.stack([found[row] for row in range(len(paths))]), paths)

    def _open(self) -> _Opened:
        try:
            import torch
            import transformers
        except ImportError:
            raise MissingExtraError("transformers", "images") from None
        files, device = self.files, usable_device(self.device)
        precision = resolved_precision(self.dtype, device.partition(":")[0])
        how = {"revision": files.commit, "local_files_only": files.is_folder}
        with quiet_libraries():
            try:
                processor = transformers.AutoImageProcessor.from_pretrained(files.reference, **how)
                dtype = "auto" if precision == "own" else getattr(torch, precision)
                model = _class_of(files).from_pretrained(files.reference, dtype=dtype, **how).eval().to(device)
            except Exception as error:
                raise _not_loaded(files, error) from error
        return _Opened(processor, _forward(model, files), device, next(model.parameters()).dtype)


def _class_of(files: ModelFiles) -> Any:
    """The class that loads a model: a tower with a projection would lose it as a plain model."""
    import transformers

    built_as = files.settings("config.json").get("architectures") or [""]
    projected = str(built_as[0]).endswith("WithProjection")
    return getattr(transformers, built_as[0]) if projected else transformers.AutoModel


class _ImageQueue:
    """Batches of images in order; smaller ones once memory has run out."""

    limit = None  # counts tokens

    def __init__(self, images: int, size: int, hears: OptionalListener) -> None:
        self._waiting = [range(start, min(start + size, images)) for start in range(0, images, size)][::-1]
        self._hears = hears

    def take(self) -> range | None:
        return self._waiting.pop() if self._waiting else None

    def put_back(self, batch: range) -> None:
        if len(batch) == 1:
            raise ArgumentError("one image does not fit into memory", remedy="use a smaller model, or device=cpu")
        self._hears.note(f"memory ran out: a batch of {len(batch)} images was halved; a smaller batch avoids it")
        middle = len(batch) // 2
        self._waiting += [batch[middle:], batch[:middle]]


def _encode(batch: range, images: list[Any], opened: _Opened) -> tuple[NDArray[np.float32], list[tuple[int, BadImage]]]:
    """The rows of one batch, with nan for images that could not be read, and these."""
    import torch

    bad = [(row, image) for row, image in zip(batch, images, strict=True) if isinstance(image, BadImage)]
    good = [place for place, image in enumerate(images) if not isinstance(image, BadImage)]
    if not good:
        return np.full((len(images), 1), np.nan, np.float32), bad
    pixels = opened.processor(images=[images[place] for place in good], return_tensors="pt")["pixel_values"]
    with torch.inference_mode():
        made = opened.forward(pixels.to(opened.device, opened.dtype)).float().cpu().numpy()
    rows = np.full((len(images), made.shape[1]), np.nan, np.float32)
    rows[good] = made
    return rows, bad


def _forward(model: Any, files: ModelFiles) -> Callable[[Any], Any]:
    """What turns pixels into one row for each image.

    Raises:
        ArgumentError: the model does not see.
    """
    if "pixel_values" not in str(getattr(model, "main_input_name", "")) and not hasattr(model, "get_image_features"):
        raise ArgumentError(
            f"a {type(model).__name__} does not see images",
            where=f"model '{files.reference}'",
            remedy="name a vision model, such as openai/clip-vit-base-patch32",
        )

    def rows(pixels: Any) -> Any:
        if hasattr(model, "get_image_features"):
            return _pooled(model.get_image_features(pixel_values=pixels))
        return _pooled(model(pixel_values=pixels))

    return rows


def _pooled(output: Any) -> Any:
    """The row of each image in what a model returns: projected, pooled, or that of the first token."""
    for name in ("image_embeds", "pooler_output"):
        if (rows := getattr(output, name, None)) is not None:
            return rows.flatten(1)  # convolutional models pool to a map of one by one
    return output.last_hidden_state[:, 0] if hasattr(output, "last_hidden_state") else output


def _of_length_one(rows: NDArray[np.float32], paths: list[str]) -> NDArray[np.float32]:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    odd = np.flatnonzero(~(np.isfinite(norms[:, 0]) & (norms[:, 0] > 0)))
    if len(odd):
        what = f"the model gives no vector that has a direction for {paths[odd[0]]}"
        raise ArgumentError(what, remedy="compute in dtype=float32, or use another model")
    return np.asarray(rows / norms, np.float32)


def _not_loaded(files: ModelFiles, error: Exception) -> ArgumentError:
    why = " ".join(str(error).split()) or type(error).__name__
    return ArgumentError(
        f"transformers cannot load it as a vision model: {why[:300]}",
        where=f"model '{files.reference}'",
        remedy="name a vision model whose folder has config.json, preprocessor_config.json and the weights",
    )
