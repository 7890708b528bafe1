"""huggingface: datasets on the hub, datasets saved by ``datasets``, and folders of Parquet files.

Names on the hub are written::

    hf:NAME[:CONFIG][#SPLIT]        hf:OWNER/NAME/CONFIG[#SPLIT]

``NAME`` is ``owner/name`` (or an old name without owner, or a local folder that ``datasets.load_dataset`` can read),
``CONFIG`` one of its configurations, ``SPLIT`` one of its splits; by default all splits are read. Examples:
``hf:sentence-transformers/stsb``, ``hf:nyu-mll/glue:stsb#validation``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from similitude.data.reading.companion import read_best_worst
from similitude.data.reading.containers.columnar import read_columnar
from similitude.data.reading.containers.frames import POSITION, UNSPLIT, dataset_tables, in_order
from similitude.data.reading.containers.kinds import Kind
from similitude.data.reading.files import existing
from similitude.data.reading.format import NATIVE, BenchmarkSource, Format
from similitude.data.reading.sniffer import HUB, Sniffer
from similitude.data.reading.tables import RawTable
from similitude.errors import ArgumentError, FormatError, InputError, MissingExtraError, SimilitudeError

__all__ = ["POSITION", "UNSPLIT", "HubName", "huggingface", "parse_hub_name"]

SUMMARY = (
    "hf:owner/name[:config][#split], hf:owner/name/config, a folder saved by datasets, or a folder of Parquet files"
)
RECOGNISED = "the name begins with hf:, or the folder holds dataset_info.json or *.parquet"

WRITTEN = re.compile(rf"^{HUB}(?P<name>[^:#]+)(?::(?P<config>[^:#]+))?(?:#(?P<split>[^:#]+))?$")
THREE_PARTS = re.compile(r"^[\w.-]+/[\w.-]+/[\w.-]+$")
SAVED = ("dataset_dict.json", "dataset_info.json", "state.json")
SHARD = re.compile(r"^(?P<split>.+?)-\d+-of-\d+$")


class HubName(NamedTuple):
    """The name of a dataset on the hub, with a configuration and a split if they are given."""

    name: str
    config: str | None = None
    split: str | None = None


def huggingface() -> Format:
    """Hugging Face datasets."""
    return Format(name="huggingface", summary=SUMMARY, recognised=RECOGNISED, fits=_fits, tables=_tables, layout=NATIVE)


def parse_hub_name(written: str) -> HubName:
    """The parts of ``hf:owner/name:config#split``.

    >>> parse_hub_name("hf:nyu-mll/glue:stsb#validation")
    HubName(name='nyu-mll/glue', config='stsb', split='validation')
    >>> parse_hub_name("hf:nyu-mll/glue/stsb")
    HubName(name='nyu-mll/glue', config='stsb', split=None)
    """
    match = WRITTEN.match(written)
    if match is None:
        what = f"cannot read '{written}' as a name on the hub"
        raise ArgumentError(what, remedy="write hf:owner/name[:config][#split] or hf:owner/name/config")
    name, config = match["name"], match["config"]
    if THREE_PARTS.match(name) and config is None and not Path(name).exists():
        name, _, config = name.rpartition("/")
    return HubName(name, config, match["split"])


def _fits(sniffer: Sniffer) -> bool:
    return sniffer.on_hub or (sniffer.is_folder and bool(_is_saved(sniffer.path) or _shards(sniffer.path)))


def _tables(source: BenchmarkSource) -> list[RawTable]:
    if str(source.path).startswith(HUB):
        return _from_hub(parse_hub_name(str(source.path)))
    folder = existing(source.path)
    if not folder.is_dir():
        raise FormatError("not a folder", where=str(folder), remedy="pass a folder, or hf:owner/name")
    if _is_saved(folder):
        return _asked(lambda datasets: dataset_tables(datasets.load_from_disk(str(folder)), folder.name), str(folder))
    return _from_shards(folder)


def _is_saved(folder: Path) -> bool:
    return any((folder / name).is_file() for name in SAVED)


def _shards(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet")) + sorted(folder.glob("data/*.parquet"))


def _from_shards(folder: Path) -> list[RawTable]:
    """The tables of a folder of Parquet files, read without ``datasets``; in their original order if it is known."""
    shards = _shards(folder)
    if not shards:
        raise FormatError(
            "the folder has no Parquet files", where=str(folder), remedy="pass a folder saved by datasets"
        )
    tables = [replace(read_columnar(path, Kind.PARQUET), constants=_split_of(path)) for path in shards]
    judgements = folder / "judgements.jsonl"
    found = read_best_worst(judgements) if judgements.is_file() else None
    first, *others = in_order(tables, folder.name)
    return [replace(first, judgements=found), *others]


def _split_of(path: Path) -> dict[str, str]:
    match = SHARD.match(path.stem)
    return {"split": match["split"]} if match and match["split"] != UNSPLIT else {}


def _from_hub(wanted: HubName) -> list[RawTable]:
    def load(datasets: Any) -> list[RawTable]:
        found = datasets.load_dataset(wanted.name, wanted.config, split=wanted.split)
        return dataset_tables(found, wanted.name, wanted.split)

    return _asked(load, f"{HUB}{wanted.name}")


def _asked(load: Callable[[Any], list[RawTable]], where: str) -> list[RawTable]:
    """The tables that ``datasets`` loads; all its errors become an InputError."""
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("Hugging Face 'datasets'", "huggingface") from None
    try:
        return load(datasets)
    except SimilitudeError:
        raise
    except Exception as error:  # datasets and the network raise errors of many kinds
        why = str(error).split("\n")[0] or type(error).__name__
        remedy = "check name, configuration, split and network"
        raise InputError(f"datasets cannot load it ({why})", where=where, remedy=remedy) from None
