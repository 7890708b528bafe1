"""A run as a results folder in the layout of MTEB 2, which its tools can read.

::

    FOLDER/
      similitude__SYSTEM/      the model's name, "similitude/SYSTEM", with "/" written "__"
        VERSION/               the model's revision: the version of Similitude that ran the system
          model_meta.json      MTEB's ModelMeta; what we do not know is null
          TASK.json            MTEB's TaskResult; TASK is the name of the data

The object ``similitude`` inside each entry of ``scores`` is our addition: every measure with its interval or the
reason why it is undefined, who judged, the scale, and the identity of the system. ``mteb_version`` and
``kg_co2_emissions`` are null because MTEB measured neither. ``pearson`` and ``spearman`` are MTEB's names for the
figures of a model's own similarity; ``cosine_pearson`` and ``cosine_spearman``, which MTEB's tables read, repeat them
whatever the score is. There are no embeddings, so distances have no figures.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError
from similitude.study.runs import Run
from similitude.systems.record import SystemRecord

__all__ = ["write_mteb_results"]

UNKNOWN = (
    "release_date",
    "languages",
    "n_parameters",
    "n_active_parameters_override",
    "n_embedding_parameters",
    "memory_usage_mb",
    "max_tokens",
    "embed_dim",
    "license",
    "open_weights",
    "public_training_code",
    "public_training_data",
    "reference",
    "similarity_fn_name",
    "use_instructions",
    "training_datasets",
    "adapted_from",
    "superseded_by",
    "citation",
    "contacts",
    "experiment_kwargs",
    "output_dtypes",
    "extra_requirements_groups",
    "loader",
)
"""Fields of MTEB's ModelMeta that are unknown for a similarity system."""

SCRIPTS = {
    "ar": "ara-Arab",
    "cs": "ces-Latn",
    "da": "dan-Latn",
    "de": "deu-Latn",
    "el": "ell-Grek",
    "en": "eng-Latn",
    "es": "spa-Latn",
    "fa": "fas-Arab",
    "fi": "fin-Latn",
    "fr": "fra-Latn",
    "he": "heb-Hebr",
    "hi": "hin-Deva",
    "hu": "hun-Latn",
    "id": "ind-Latn",
    "it": "ita-Latn",
    "ja": "jpn-Jpan",
    "ko": "kor-Hang",
    "nl": "nld-Latn",
    "no": "nob-Latn",
    "pl": "pol-Latn",
    "pt": "por-Latn",
    "ro": "ron-Latn",
    "ru": "rus-Cyrl",
    "sv": "swe-Latn",
    "th": "tha-Thai",
    "tr": "tur-Latn",
    "uk": "ukr-Cyrl",
    "vi": "vie-Latn",
    "zh": "cmn-Hans",
}
"""MTEB's language codes: ISO 639-3 and script."""

UNDETERMINED = "und-Zyyy"


def write_mteb_results(run: Run, folder: Path) -> list[Path]:
    """Write the results of every system atomically; existing files are replaced.

    Returns:
        The result files, one per system.

    Raises:
        ArgumentError: the folder cannot be written.
    """
    written = []
    for place, (record, name) in enumerate(zip(run.systems, _model_names(run), strict=True)):
        home = _made(folder / name.replace("/", "__") / _safe(record.similitude))
        _write_json(home / "model_meta.json", _model_meta(record, name))
        written.append(home / f"{_safe(run.data.name)}.json")
        _write_json(written[-1], _task_result(run, place))
    return written


def _model_names(run: Run) -> Iterator[str]:
    """``organisation/model``, as MTEB requires; unique for every system."""
    seen: dict[str, int] = {}
    for record in run.systems:
        name = _safe(record.identity)
        seen[name] = seen.get(name, 0) + 1
        yield f"similitude/{name}" + (f"-{seen[name]}" if seen[name] > 1 else "")


def _safe(text: str) -> str:
    """A name that is valid as a file or folder name on any platform."""
    return re.sub(r"[^\w.=+,()@-]+", "_", text).strip("._") or "unnamed"


def _model_meta(record: SystemRecord, name: str) -> dict[str, Any]:
    known: dict[str, Any] = {
        "name": name,
        "revision": record.similitude,
        "loader_kwargs": record.arguments,
        "framework": [],
        "modalities": ["text"],
        "model_type": [],
    }
    return known | dict.fromkeys(UNKNOWN)


def _task_result(run: Run, place: int) -> dict[str, Any]:
    return {
        "dataset_revision": run.data.fingerprint,
        "task_name": _safe(run.data.name),
        "mteb_version": None,
        "scores": {_split(run): [_scores(run, place)]},
        "evaluation_time": run.systems[place].seconds,
        "kg_co2_emissions": None,
        "date": datetime.fromisoformat(run.created).timestamp(),
        "evaluation_phases": None,
    }


def _split(run: Run) -> str:
    """The measured split; "test" for data without splits, "all" for several splits together."""
    there = run.benchmark.splits
    return run.data.split or (there[0] if len(there) == 1 else "all" if there else "test")


def _scores(run: Run, place: int) -> dict[str, Any]:
    values = {str(measure): _known(one.value) for measure, one in zip(run.measures, run.figures[place], strict=True)}
    main = "spearman" if "spearman" in values else str(run.measures[0])
    correlations: dict[str, float | None] = {name: values[name] for name in ("pearson", "spearman") if name in values}
    return {
        "main_score": values[main],
        **correlations,
        **{f"cosine_{name}": value for name, value in correlations.items()},
        "hf_subset": "default",
        "languages": _languages(run),
        "similitude": _ours(run, place, main),
    }


def _languages(run: Run) -> list[str]:
    there = run.benchmark.frame["language"].drop_nulls().unique(maintain_order=True).to_list()
    codes = {re.split("[-_]", code.lower())[0] for code in there}
    return sorted(SCRIPTS.get(code, f"{code}-Zyyy") for code in codes) or [UNDETERMINED]


def _ours(run: Run, place: int, main: str) -> dict[str, Any]:
    data, confidence = run.data, run.confidence
    measures = {}
    for column, (measure, figure) in enumerate(zip(run.measures, run.figures[place], strict=True)):
        interval = None if confidence is None else confidence.intervals[place][column]
        is_known = interval is not None and not math.isnan(interval.low)
        measures[str(measure)] = {
            "value": _known(figure.value),
            "interval": [_known(interval.low), _known(interval.high)] if interval is not None and is_known else None,
            "higher_is_better": measure.higher_is_better,
            "undefined_because": figure.reason,
        }
    return {
        "system": run.systems[place].identity,
        "main_measure": main,
        "measures": measures,
        "interval_level": None if confidence is None else confidence.level,
        "data": data.name,
        "items": data.items,
        "scale": data.scale,
        "judged_by": data.judged_by,
        "is_simulated": data.is_simulated,
        "seed": run.seed,
    }


def _known(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), 6)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(
            f"cannot be created: {error.strerror}", where=str(folder), remedy="choose another folder"
        ) from None
    return folder


def _write_json(path: Path, content: dict[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False, default=str) + "\n"
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"))
