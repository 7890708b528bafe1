"""Croissant: a release described as JSON-LD in the format of MLCommons (1.0), which ``mlcroissant`` reads.

Every file has its SHA-256. There is one record set for each split, and one for the judgements.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import polars as pl

from similitude.data.plural import counted
from similitude.publication.columns import MEANINGS
from similitude.publication.release import Release

__all__ = ["TableFile", "croissant_text"]

TableFile = tuple[str, pl.DataFrame, bytes]
"""The path of a Parquet file, its rows and its bytes."""

PARQUET = "application/x-parquet"
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant_text(release: Release, files: Mapping[str, TableFile], url: str) -> str:
    """The description as JSON.

    Args:
        release: what is published.
        files: the tables by the name of their record set.
        url: the home of the release.
    """
    facts = release.facts
    described: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.name,
        "description": facts.description or f"{facts.name}: pairs of texts with similarity scores.",
        "version": facts.version,
        "license": facts.licence.url or facts.licence.name,
        "url": url,
        "inLanguage": [language.tag for language in facts.languages],
        "keywords": ["semantic textual similarity", "sentence similarity", *facts.tags],
        "isLiveDataset": False,
    }
    if facts.authors:
        described["creator"] = [{"@type": "sc:Person", "name": name} for name in facts.authors]
    if facts.citation or facts.bibtex:
        described["citeAs"] = facts.bibtex or facts.citation
    if facts.date:
        described["datePublished"] = facts.date
    described["distribution"] = [_file(path, content) for path, _, content in files.values()]
    described["recordSet"] = [_records(name, path, table) for name, (path, table, _) in files.items()]
    return json.dumps(described, ensure_ascii=False, indent=1) + "\n"


def _file(path: str, content: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path.rpartition("/")[2],
        "contentUrl": path,
        "contentSize": f"{len(content)} B",
        "encodingFormat": PARQUET,
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _records(name: str, path: str, table: pl.DataFrame) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"{counted(table.height, 'row')} of {path}",
        **({"key": {"@id": f"{name}/id"}} if "id" in table.columns else {}),
        "field": [_field(name, path, column, dtype) for column, dtype in table.schema.items()],
    }


def _field(records: str, path: str, column: str, dtype: pl.DataType) -> dict[str, Any]:
    is_list = isinstance(dtype, pl.List)
    return {
        "@type": "cr:Field",
        "@id": f"{records}/{column}",
        "name": column,
        "description": MEANINGS.get(column, column),
        "dataType": _data_type(dtype.inner if isinstance(dtype, pl.List) else dtype),  # type: ignore[arg-type]
        **({"repeated": True} if is_list else {}),
        "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
    }


def _data_type(dtype: pl.DataType) -> str:
    if dtype == pl.Boolean:
        return "sc:Boolean"
    if dtype.is_integer():
        return "sc:Integer"
    return "sc:Float" if dtype.is_numeric() else "sc:Text"
