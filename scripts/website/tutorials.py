"""The tutorials: which files each notebook reads, and the archive that a reader downloads."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "docs" / "notebooks"
WALK = ("crowd", "duplicates", "paper")
"""The tutorials of the three newcomers, which need the core alone."""
FROM_REPOSITORY = {"paper": ("evidence/usts/LICENSE", "evidence/usts/ustsu", "evidence/usts/ustsc")}
"""Files and folders of the repository that a notebook reads under the same path."""
WRITTEN_AT = (2026, 1, 1, 0, 0, 0)
"""All files of an archive have this time, so that the same files give the same bytes."""


def tutorial_names() -> list[str]:
    """All notebooks."""
    return sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def unpack_tutorial(name: str, folder: Path) -> Path:
    """Put a notebook and its files into a folder, as a reader has them; returns the path of the notebook."""
    for place, file in tutorial_files(name).items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / place)
    return folder / f"{name}.ipynb"


def tutorial_files(name: str) -> dict[str, Path]:
    """The files of a tutorial by their place in the folder of the reader."""
    own = NOTEBOOKS / "files" / name
    found = {f"{name}.ipynb": NOTEBOOKS / f"{name}.ipynb"}
    found |= {file.relative_to(own).as_posix(): file for file in sorted(own.rglob("*")) if file.is_file()}
    for path in FROM_REPOSITORY.get(name, ()):
        place = ROOT / path
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        found |= {file.relative_to(ROOT).as_posix(): file for file in files}
    return found


def write_archive(name: str, path: Path) -> None:
    """Write the archive of a tutorial."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for place, file in tutorial_files(name).items():
            entry = zipfile.ZipInfo(f"{name}/{place}", date_time=WRITTEN_AT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
