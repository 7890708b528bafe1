"""What came of fetching a public data set, in lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from similitude.data.plural import counted

if TYPE_CHECKING:
    from similitude.data.public import Delivery, Missing

__all__ = ["delivered_lines", "missing_lines"]

FROM = {
    "there": "there before",
    "evidence": "from evidence/",
    "home": "from its public home",
    "by hand": "by hand, not checked",
}


def delivered_lines(delivery: Delivery) -> Iterator[str]:
    """What lies where now, how it came, its licence, what to cite, and how to look at it."""
    data = delivery.data
    sources = [file.source for file in delivery.delivered]
    came = ", ".join(f"{sources.count(source)} {FROM[source]}" for source in dict.fromkeys(sources))
    if sources:
        yield f"{data.name}: {counted(len(sources), 'file')} in {delivery.folder} ({came})"
    yield f"holds: {data.holds}"
    yield f"licence: {data.licence}"
    yield f"cite: {data.citation}"
    yield f"home: {data.home}"
    if not delivery.missing:
        yield f"next: similitude data show {delivery.folder / data.read}"


def missing_lines(delivery: Delivery) -> Iterator[str]:
    """Which file must lie where, and where it is to be had; nothing where all are there."""
    if not delivery.missing:
        return
    yield f"error: {counted(len(delivery.missing), 'file')} of {delivery.data.name} could not be had"
    for position, step in enumerate(delivery.data.steps, start=1):
        yield f"  {position}. {step}"
    for missing in delivery.missing:
        yield from _missing(missing)
    checks = any(missing.file for missing in delivery.missing)
    yield "put them there and run the same command again" + (", which checks them" if checks else "")


def _missing(missing: Missing) -> Iterator[str]:
    yield f"  {missing.path}: {missing.why}"
    if missing.file is not None:
        yield f"    from {missing.file.address}"
        yield f"    {missing.file.bytes:,} bytes, SHA-256 {missing.file.sha256}"
