"""The release of a trained model: its card with licence, citation, and figures on data that it was not trained on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, InputError
from similitude.inspect.pair_sketch import sketched_pairs
from similitude.publication.facts import ReleaseFacts, checked_facts, text_of
from similitude.publication.figures import MEASURES
from similitude.publication.hub import check_client, push_folder
from similitude.publication.published import Published
from similitude.report.model_card import result_entry, result_lines
from similitude.study.execution import run
from similitude.study.runs import Run
from similitude.training.card_page import ModelFacts
from similitude.training.model_card import model_card, system_of

__all__ = ["is_model", "publish_model"]

RECORD = "similitude.json"
NOT_PUSHED = ("runs/*", "*.tmp", ".*")
"""Files of the training rather than of the model."""


def is_model(path: Path) -> bool:
    """Whether this is the folder of a model that ``similitude train`` made."""
    return (path / RECORD).is_file()


def publish_model(
    folder: str | Path,
    *,
    name: str | None = None,
    language: Sequence[str] = (),
    license: str | None = None,
    limits: str = "",
    evaluate: Sequence[str] = (),
    measures: Sequence[str] = (),
    evaluation_split: str | None = None,
    base_model: str | None = None,
    repo: str = "",
    seed: int = 0,
    reading: dict[str, Any] | None = None,
    push: str | None = None,
    private: bool = False,
    dry_run: bool = False,
    listener: Listener | None = None,
    **facts: Any,
) -> Published:
    """Write the card of a trained model anew, with what makes it a release, and push it if that is asked for.

    Args:
        folder: of the model.
        name: of the model; by default that of the folder.
        language: ISO 639 codes; by default those that the training data states.
        license: of the model.
        limits: what it is not good for; a text, or a file with it.
        evaluate: benchmarks to measure it on.
        measures: by default Spearman's and Pearson's correlation.
        evaluation_split: the split to measure on; by default test where the data has one, otherwise all items.
        base_model: what it was trained from, by its name on the hub.
        repo: the repository on the hub, for the card.
        seed: of everything random.
        reading: how the benchmarks are read.
        push: the repository to push to, now.
        private: whether a new repository is private.
        dry_run: write and push nothing.
        listener: is told the progress.
        **facts: the other arguments of `checked_facts`.

    Raises:
        ArgumentError: something is missing or not valid, or a benchmark is what the model was trained on.
        InputError: the folder holds no trained model.
    """
    path = Path(folder)
    for option, value in (("--measure", measures), ("--evaluation-split", evaluation_split)):
        if value and not evaluate:
            raise ArgumentError(f"{option} is for --evaluate, and there is none", remedy="add it, or leave this out")
    record = _record(path)
    if base_model:
        record = {**record, "backbone": base_model}
    told = checked_facts(
        name=name or path.resolve().name,
        language=language or record["data"].get("languages", ()),
        license=license,
        repository=push or repo,
        **facts,
    )
    if push is not None and not dry_run:
        check_client()
    runs = [
        _measured(path, record, told.name, each, measures, evaluation_split, seed, reading or {}, listener)
        for each in evaluate
    ]
    files = {
        "README.md": model_card(record, _model_facts(told, runs, text_of(limits, "--limits"))),
        "LICENSE": told.licence.text,
        **({"CITATION.bib": told.bibtex + "\n"} if told.bibtex else {}),
    }
    address = ""
    if not dry_run:
        for file, text in files.items():
            write_atomically(path / file, lambda draft, text=text: draft.write_text(text, encoding="utf-8"))  # type: ignore[misc]
    if push is not None and not dry_run:
        address = push_folder(path, push, kind="model", version=told.version, private=private, without=NOT_PUSHED)
    return Published(
        folder=path,
        name=told.name,
        version=told.version,
        splits={},
        files={file: len(text.encode()) for file, text in files.items()},
        leaks=(),
        evaluations=tuple(runs),
        address=address,
        is_dry=dry_run,
    )


def _record(folder: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        record["data"], record["validation"], record["recipe"]
        return record
    except (OSError, ValueError, KeyError):
        what = f"holds no finished training: {RECORD} is missing or damaged"
        raise InputError(what, where=str(folder), remedy="name a folder that 'similitude train' made") from None


def _measured(
    folder: Path,
    record: dict[str, Any],
    name: str,
    data: str,
    measures: Sequence[str],
    split: str | None,
    seed: int,
    reading: dict[str, Any],
    listener: Listener | None,
) -> Run:
    benchmark = open_benchmark(data, **reading)
    chosen = split or ("test" if "test" in benchmark.splits else None)
    _refuse_training_data(benchmark, chosen, record)
    system = f'{system_of(record)}("{folder}")'
    asked = list(measures) or list(MEASURES)
    return run(benchmark, {name: system}, asked, split=chosen, seed=seed, listener=listener)


def _refuse_training_data(benchmark: Benchmark, split: str | None, record: dict[str, Any]) -> None:
    known = record["data"].get("fingerprint", ())
    learned = [known] if isinstance(known, str) else list(known)
    measured = benchmark if split is None else benchmark.select(split=split)
    is_whole = split is None and benchmark.name in str(record["data"]["name"]).split(" + ")
    sketch = record["data"].get("pair_sketch", ())
    shared = sketched_pairs(sketch, measured)
    if is_whole or shared or measured.fingerprint in learned:
        told = f" ({shared} of {len(sketch)} pairs of its sketch are there)" if shared else ""
        what = f"the model was trained or selected on items of this data{told}, so that figures on it say nothing"
        raise ArgumentError(what, where=benchmark.name, remedy="name other data, or --evaluation-split test")


def _model_facts(facts: ReleaseFacts, runs: Sequence[Run], limits: str) -> ModelFacts:
    licence = facts.licence
    own = {"license_name": licence.name, "license_link": licence.url or "LICENSE"} if licence.hub == "other" else {}
    codes = list(dict.fromkeys(language.code for language in facts.languages))
    return ModelFacts(
        name=facts.name,
        version=facts.version,
        repository=facts.repository,
        metadata={"language": codes, "license": licence.hub, **own, "tags": list(facts.tags)},
        description=facts.description,
        results=[result_entry(each, 0) for each in runs],
        evaluation="\n".join(_evaluation(runs)).strip(),
        limits=limits,
        licence=f"[{licence.name}]({licence.url or 'LICENSE'}); see [LICENSE](LICENSE).",
        citation=f"```bibtex\n{facts.bibtex}\n```" if facts.bibtex else facts.citation,
    )


def _evaluation(runs: Sequence[Run]) -> Iterator[str]:
    if runs:
        yield "On data that played no part in training or selection:"
        yield ""
    for each in runs:
        yield from result_lines(each, 0)
