"""The contracts of a format of benchmarks."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from similitude.data.reading import read
from similitude.data.reading.catalogue import FORMATS
from similitude.data.reading.format import GENERAL, Format
from similitude.data.reading.recognition import recognise
from similitude.data.reading.sniffer import Sniffer
from similitude.testing.contract import check_contracts, require

__all__ = ["FORMAT_CONTRACTS", "check_format"]

PLAIN = "left,right,score\nA man plays.,A man is playing.,4.5\nA dog runs.,A cat sleeps.,0.5\n"


class _Example(NamedTuple):
    """A format with a file that has it."""

    format: Format
    path: str | Path


def check_format(name: str, example: str | Path) -> None:
    """Check that a format keeps every contract; `FORMAT_CONTRACTS` lists them.

    Args:
        name: as registered.
        example: a file, or a folder, of that format.

    Raises:
        AssertionError: a contract is broken; the message says which, and what was seen.

    >>> import tempfile
    >>> import similitude as sim
    >>> file = sim.write(sim.read("sample:opinions"), f"{tempfile.mkdtemp()}/opinions.csv")
    >>> check_format("csv", file)
    """
    check_contracts(f"format '{name}'", FORMAT_CONTRACTS, _Example(FORMATS.maker(name)(), example))


def says_what_it_is(example: _Example) -> None:
    """It has its registered name, a summary, and says how its files are told from others."""
    known = example.format
    require(bool(known.summary) and bool(known.recognised), "summary or recognised is empty")
    require(FORMATS.maker(known.name)().name == known.name, f"'{known.name}' is registered under another name")


def its_file_is_recognised(example: _Example) -> None:
    """A file of it is taken for one of it, before any format that is asked later."""
    found = recognise(example.path)
    require(found == example.format.name, f"{example.path} is taken for '{found}'")


def other_files_are_not_claimed(example: _Example) -> None:
    """A plain CSV is not taken for one of it, unless it is a general format."""
    if example.format.priority <= GENERAL:
        return
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.csv"
        plain.write_text(PLAIN, encoding="utf-8")
        require(not example.format.fits(Sniffer(plain)), "a plain CSV fits it")


def looking_does_not_fail(example: _Example) -> None:
    """Looking at a file of any kind, binary or of one line, raises nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for place, content in enumerate((b"\x00\xff\x80\n", b"one line", b"{", b"a\tb\tc\n")):
            file = Path(folder) / str(place)
            file.write_bytes(content)
            example.format.fits(Sniffer(file))


def its_items_are_read(example: _Example) -> None:
    """Every item has two texts and an id of its own, and the benchmark says which format it had."""
    found = read(example.path, format=example.format.name)
    require(len(found) > 0, "there are no items")
    frame = found.items.frame
    require(frame["id"].n_unique() == frame.height, "two items have one id")
    require(frame["left"].null_count() + frame["right"].null_count() == 0, "an item has no text")
    require(found.provenance.format == example.format.name, f"it says that it had '{found.provenance.format}'")


def the_same_again(example: _Example) -> None:
    """The same file gives the same benchmark."""
    once, twice = (read(example.path, format=example.format.name).fingerprint for _ in range(2))
    require(once == twice, "two readings differ")


FORMAT_CONTRACTS = (
    says_what_it_is,
    its_file_is_recognised,
    other_files_are_not_claimed,
    looking_does_not_fail,
    its_items_are_read,
    the_same_again,
)
"""What every format must keep."""
