"""Small pieces for all tests of searches, so that few texts make several."""

from __future__ import annotations

import pytest

from similitude.study.candidates import search

PIECE = 8


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> int:
    """Pieces of eight texts."""
    monkeypatch.setattr(search, "ROWS", PIECE)
    monkeypatch.setattr(search, "PAGE_ROWS", 1)
    return PIECE
