"""All formats of benchmarks, registered in the order in which those of equal priority are tried."""

from __future__ import annotations

from similitude.data.reading.format import FORMATS
from similitude.data.reading.formats.csts import csts
from similitude.data.reading.formats.general import arrow, json, parquet, workbook
from similitude.data.reading.formats.huggingface import huggingface
from similitude.data.reading.formats.json_lines import jsonl
from similitude.data.reading.formats.semeval import semeval_pair, semeval_tsv
from similitude.data.reading.formats.sentence_transformers import sentence_transformers
from similitude.data.reading.formats.separated_values import csv
from similitude.data.reading.formats.sick import sick
from similitude.data.reading.formats.sts_benchmark import stsb, stsb_glue
from similitude.data.reading.formats.usts import usts, usts_groups

__all__ = ["FORMATS"]

FORMATS.register("huggingface", "hf")(huggingface)
FORMATS.register("parquet")(parquet)
FORMATS.register("arrow", "feather")(arrow)
FORMATS.register("workbook", "xlsx", "excel")(workbook)
FORMATS.register("semeval-pair")(semeval_pair)
FORMATS.register("stsb-glue")(stsb_glue)
FORMATS.register("sick")(sick)
FORMATS.register("csts", "c-sts")(csts)
FORMATS.register("usts")(usts)
FORMATS.register("usts-groups")(usts_groups)
FORMATS.register("sentence-transformers")(sentence_transformers)
FORMATS.register("stsb")(stsb)
FORMATS.register("semeval-tsv")(semeval_tsv)
FORMATS.register("json")(json)
FORMATS.register("jsonl", "ndjson")(jsonl)
FORMATS.register("csv", "tsv")(csv)
