"""usts and usts-groups: Chinese pairs with all ratings, and 200 of them rated by groups of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.reading.compression import SUFFIXES
from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.files import existing
from similitude.data.reading.format import BenchmarkSource, Format
from similitude.data.reading.formats.sts_benchmark import ZERO_TO_FIVE
from similitude.data.reading.json_text import JsonEntry, entries_table, read_entries
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.spool import local_files
from similitude.data.reading.tables import RawTable
from similitude.errors import FormatError

__all__ = ["usts", "usts_groups"]

SPLITS = ("train", "dev", "test")
FIRST_ROUND = 4
"""The last four ratings are the first round; those before them are the second."""

ROUNDING = 0.006
COLUMNS = {"id": ("id",), "left": ("s1",), "right": ("s2",), "ratings": ("ratings",), "raters": ("raters",),
           "rounds": ("rounds",)}  # fmt: skip


def usts() -> Format:
    """USTS-U and USTS-C."""
    return Format(
        name="usts",
        summary="USTS: Chinese pairs with all ratings, as JSON; or a folder with train, dev and test",
        recognised="a JSON document of entries with raw_annotation, or a folder of such train, dev and test files",
        fits=_fits,
        tables=_tables,
        layout=ColumnLayout(
            aliases={**COLUMNS, "ratings": ("raw_annotation",), "score": ("mean_score",), "sigma": ("std",),
                     "domain": ("source",)},
            scale=ZERO_TO_FIVE,
            notes=_notes,
        ),
    )  # fmt: skip


def usts_groups() -> Format:
    """The multilingual case study of USTS."""
    return Format(
        name="usts-groups",
        summary="USTS case study: pairs in two languages, rated by groups of people, as JSON",
        recognised="a JSON document of entries with languages, each of which has s1 and s2",
        fits=lambda sniffer: any(_is_version(value) for value in sniffer.entry.values()),
        tables=_group_tables,
        layout=ColumnLayout(
            aliases={**COLUMNS, "group": ("group",), "language": ("language",), "source": ("source",)},
            scale=ZERO_TO_FIVE,
            derive=lambda frame: frame.with_columns(
                score=pl.col("ratings").list.mean(), sigma=pl.col("ratings").list.std(ddof=0)
            ),
        ),
    )


def _fits(sniffer: Sniffer) -> bool:
    if sniffer.is_folder:
        return any(_has_ratings(path) for path in _splits(sniffer.path).values())
    return {"s1", "s2", "raw_annotation"} <= set(sniffer.entry)


def _has_ratings(path: Path) -> bool:
    with local_files([path]) as (plain,):
        return "raw_annotation" in Sniffer(Path(plain)).entry


def _splits(folder: Path) -> dict[str, Path]:
    """The file of each split, plain or packed."""
    files = {split: _first_file(folder, f"{split}.json") for split in SPLITS}
    return {split: path for split, path in files.items() if path}


def _first_file(folder: Path, name: str) -> Path | None:
    paths = (folder / f"{name}{suffix}" for suffix in ("", *SUFFIXES))
    return next((path for path in paths if path.is_file()), None)


def _tables(source: BenchmarkSource) -> list[RawTable]:
    if not existing(source.path).is_dir():
        return [_table(source.path, source.encoding)]
    files = _splits(source.path)
    if not files:
        what = "the folder has no train.json, dev.json or test.json"
        raise FormatError(what, where=str(source.path), remedy="pass a file")
    return [_table(path, source.encoding, split=split) for split, path in files.items()]


def _table(path: Path, encoding: str, **constants: str) -> RawTable:
    with local_files([path]) as (plain,):
        entries, problems = read_entries(Path(plain), encoding)
    named = [JsonEntry(place, name, {"id": name, **fields, **_each_round(fields)}) for place, name, fields in entries]
    return entries_table(path.name, named, problems, language="zh", **constants)


def _each_round(fields: Mapping[str, Any]) -> dict[str, list[str]]:
    """The round of each rating; raters are not named."""
    ratings = fields.get("raw_annotation")
    return {"rounds": _rounds(len(ratings) if isinstance(ratings, list) else 0)}


def _rounds(count: int) -> list[str]:
    second = max(count - FIRST_ROUND, 0)
    return ["second"] * second + ["first"] * (count - second)


def _one_round(count: int) -> list[str]:
    return ["first"] * count


def _notes(frame: pl.DataFrame) -> Sequence[str]:
    if not {"ratings", "score"} <= set(frame.columns):
        return []
    apart = frame.filter((pl.col("ratings").list.mean() - pl.col("score")).abs() > ROUNDING).height
    return [f"{apart:,} published means differ from the mean of their ratings by more than {ROUNDING}"] if apart else []


def _group_tables(source: BenchmarkSource) -> list[RawTable]:
    entries, problems = read_entries(source.path, source.encoding)
    versions = [version for entry in entries for version in _versions(entry)]
    numbered = [JsonEntry(place, name, fields) for place, (_, name, fields) in enumerate(versions, start=1)]
    return [entries_table(source.path.name, numbered, problems)]


def _is_version(value: object) -> bool:
    return isinstance(value, dict) and {"s1", "s2"} <= set(value)


def _versions(entry: JsonEntry) -> Iterator[JsonEntry]:
    """One entry for each language in which the pair was rated."""
    for language, version in entry.fields.items():
        if _is_version(version):
            name = f"{entry.name}-{language}"
            texts = {"id": name, "group": entry.name, "language": language, "source": entry.fields.get("split")}
            yield JsonEntry(entry.place, name, {**texts, "s1": version["s1"], "s2": version["s2"], **_ratings(version)})


def _ratings(version: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The ratings of all groups, one group after the other.

    Only pairs that were rated by Chinese speakers alone have two rounds: the last four ratings are the first round.
    """
    groups = {group: ratings for group, ratings in version.items() if isinstance(ratings, list)}
    rounds = _rounds if len(groups) == 1 else _one_round
    return {
        "ratings": [rating for ratings in groups.values() for rating in ratings],
        "raters": [f"{group}/{n}" for group, ratings in groups.items() for n in range(1, len(ratings) + 1)],
        "rounds": [name for ratings in groups.values() for name in rounds(len(ratings))],
    }
