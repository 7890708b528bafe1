"""What tests of reading and writing share: files made on the spot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

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
