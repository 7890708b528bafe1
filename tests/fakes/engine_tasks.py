"""Tasks that workers of an engine import by name."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from similitude.data.writing.atomic import write_atomically
from similitude.errors import InputError, UnknownNameError


def square(piece: int) -> int:
    return piece * piece


def square_but_not_of_odd(piece: int) -> int:
    """As `square`; each odd piece fails, the later the sooner."""
    if piece % 2:
        time.sleep(0.3 / piece)
        raise InputError(f"{piece} is odd", where="pieces.txt", remedy="give even ones")
    return piece * piece


def unknown_name(piece: int) -> int:
    raise UnknownNameError("colour", f"gren{piece}", ["green", "red"])


def killed_always(piece: int) -> int:
    os.kill(os.getpid(), 9)
    return piece


def process_of(piece: int) -> int:
    return os.getpid()


def working_folder(piece: int) -> str:
    return str(Path.cwd())


def threads_of_blas(piece: int) -> list[int]:
    from threadpoolctl import threadpool_info

    np.ones((4, 4)) @ np.ones((4, 4))
    return [library["num_threads"] for library in threadpool_info()]


def visible_gpus(piece: int) -> str | None:
    time.sleep(0.2)
    return os.environ.get("CUDA_VISIBLE_DEVICES")


@dataclass(frozen=True)
class WaitsOnce:
    """Writes the process that runs a piece, and waits until it is killed; run again, it returns at once."""

    folder: Path

    def __call__(self, piece: int) -> int:
        mark = self.folder / f"process-{piece}"
        if piece == 1 and not mark.exists():
            write_atomically(mark, lambda path: path.write_text(str(os.getpid())))
            time.sleep(60)
        write_atomically(self.folder / f"done-{piece}", lambda path: path.write_text(str(piece)))
        return piece


@dataclass(frozen=True)
class FillsDisk:
    """Finds the disk full from a piece on; every call leaves a trace."""

    folder: Path
    first: int
    is_bare: bool = False

    def __call__(self, piece: int) -> int:
        (self.folder / f"started-{piece}").touch()
        if piece < self.first:
            return piece
        if self.is_bare:
            np.arange(100_000).tofile("/dev/full")
        write_atomically(self.folder / "whole", lambda path: _fill(path))
        return piece


def _fill(path: Path) -> None:
    path.symlink_to("/dev/full")
    path.write_text("x" * 100_000)
