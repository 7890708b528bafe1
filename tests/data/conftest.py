"""What tests of reading and writing share: files made on the spot, and the real ones where they are there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "data"

MakeFile = Callable[..., Path]


@pytest.fixture
def make_file(tmp_path: Path) -> MakeFile:
    """Write text or bytes to a file and give back its path."""

    def make(name: str, content: str | bytes, encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return make


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data; tests that need it are skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip(f"real data are not there: {SHARED}")
    return SHARED
