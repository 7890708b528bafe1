"""Random files: whatever they hold, nothing but our own errors comes out of the readers."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import similitude as sim
from similitude.errors import SimilitudeError

SEEDS = range(40)
WORDS = (
    "a", "A man plays.", "left", "right", "score", "sentence1", "sentence2", "id", "rater", "item", "annotator",
    "value", "1", "2", "3", "4.5", "-1", "0,5", "nan", "", " ", '"', '""', "'", "# made by us", "1e400", "\x00", "é",
    "日本", "2024-04-08", "best", "worst", "Unnamed: 0", "a\tb", "null", "True",
)  # fmt: skip
HEADERS = (
    ("sentence1", "sentence2", "score"), ("id", "left", "right", "score"), ("text_a", "text_b", "label"),
    ("item", "annotator", "value"), ("item", "rater1", "rater2", "rater3"), ("item1", "item2", "best", "worst"),
    ("sentence1", "sentence2", "ratings"), ("a", "b", "winner"), ("", "ann", "bob"),
)  # fmt: skip
CELLS = ("A man plays.", "b c", "1", "2", "3", "4", "4.5", "d")
FRAME = pl.DataFrame(
    {"sentence1": ["A man plays.", "b", "c"] * 5, "sentence2": ["d", "e", "f"] * 5, "score": [0.5, 3.0, 4.5] * 5}
)


def random_row(random: random.Random, width: int) -> list[str]:
    """Cells of a row: mostly as many as there are columns, and mostly harmless."""
    count = width if random.random() < 0.9 else random.randrange(6)
    return [random.choice(CELLS if random.random() < 0.95 else WORDS) for _ in range(count)]


def random_rows(random: random.Random) -> bytes:
    """Rows, some of different widths, under a header or none."""
    separator = random.choice([",", "\t", ";", "|", "||", " ", "^", "  "])
    end = random.choice(["\n", "\n", "\r\n", "\r", "\n\n"])
    header = list(random.choice(HEADERS))
    first = {0: [random.choice(WORDS)], 1: random_row(random, 3)}.get(random.randrange(4), header)
    body = [random_row(random, len(header)) for _ in range(random.randrange(8))]
    rows = [first, *([header] if random.random() < 0.1 else []), *body]
    return end.join(separator.join(row) for row in rows).encode()


def random_value(random: random.Random, depth: int = 3) -> Any:
    """A random value of JSON."""
    kind = random.randrange(8 if depth else 5)
    if kind < 3:
        return random.choice(WORDS)
    if kind < 5:
        return random.choice([None, True, 0, 1, 3, 2.5, -1, 10**30, 1e300, float("nan")])
    if kind == 5:
        return [random_value(random, depth - 1) for _ in range(random.randrange(4))]
    if kind == 6:
        return {random.choice(WORDS): random_value(random, depth - 1) for _ in range(random.randrange(5))}
    return random_objects(random, depth - 1)


def random_objects(random: random.Random, depth: int) -> list[dict[str, Any]]:
    """Objects with the same keys, of which a few are missing."""
    keys, count = random.choice(HEADERS), random.randrange(1, 5)
    rows = [{key: random.choice([*CELLS, 1, 2.5]) for key in keys if random.random() < 0.97} for _ in range(count)]
    if random.random() < 0.3:
        rows[0][random.choice(keys)] = random_value(random, depth)
    return rows


def random_document(random: random.Random) -> bytes:
    """A JSON document, perhaps cut off."""
    data = json.dumps(random_value(random), ensure_ascii=False).encode()
    return data if random.random() < 0.8 else data[: random.randrange(len(data) + 1)]


def random_lines(random: random.Random) -> bytes:
    """JSON lines, of which some are no objects."""
    lines = [json.dumps(random_value(random, 2)).encode() for _ in range(random.randrange(1, 5))]
    lines = lines if random.random() < 0.3 else []
    lines += [json.dumps(each).encode() for each in random_objects(random, 1)]
    random.shuffle(lines)
    return b"\n".join(lines)


def damaged(random: random.Random, data: bytes) -> bytes:
    """Bytes with a few of them changed, or cut off."""
    if random.random() < 0.2:
        return data[: random.randrange(len(data))]
    changed = bytearray(data)
    for _ in range(random.randrange(1, 6)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def stored(write: Callable[[BytesIO], Any]) -> bytes:
    """The bytes that a function writes."""
    buffer = BytesIO()
    write(buffer)
    return buffer.getvalue()


PARQUET, ARROW = stored(FRAME.write_parquet), stored(FRAME.write_ipc)
STREAM, WORKBOOK = stored(FRAME.write_ipc_stream), stored(FRAME.write_excel)
KINDS: dict[str, tuple[str, Callable[[random.Random], bytes]]] = {
    "rows": ("a.csv", random_rows),
    "document": ("a.json", random_document),
    "lines": ("a.jsonl", random_lines),
    "parquet": ("a.parquet", lambda random: damaged(random, PARQUET)),
    "arrow": ("a.arrow", lambda random: damaged(random, ARROW)),
    "stream": ("a.arrow", lambda random: damaged(random, STREAM)),
    "workbook": ("a.xlsx", lambda random: damaged(random, WORKBOOK)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_random_files_are_read_or_refused(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name, make = KINDS[kind]
    for seed in SEEDS:
        path = tmp_path / name
        path.write_bytes(make(random.Random(f"{kind} {seed}")))
        for read in (sim.read, sim.read_judgements):
            wrong = fault(read, path)
            assert not wrong, f"seed {seed}, {read.__name__}: {wrong}\n{path.read_bytes()[:600]!r}"
    assert "panicked" not in capfd.readouterr().err


def fault(read: Callable[[Path], object], path: Path) -> str:
    """What is wrong with what comes of a file; empty if it is read, or refused in one line with a remedy."""
    try:
        read(path)
    except SimilitudeError as error:
        return "" if error.remedy and str(error).isprintable() else f"not one line with a remedy: {error}"
    except BaseException as error:
        return repr(error)
    return ""
