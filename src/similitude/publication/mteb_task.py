"""A Python file that makes a release a task of MTEB."""

from __future__ import annotations

import keyword
import re
from typing import Any

from similitude.publication.facts import ReleaseFacts
from similitude.publication.release import Release

__all__ = ["mteb_task_text", "task_class"]

LICENCES = frozenset(
    [
        "mit",
        "cc-by-2.0",
        "cc-by-3.0",
        "cc-by-4.0",
        "cc-by-sa-3.0",
        "cc-by-sa-4.0",
        "cc-by-nc-3.0",
        "cc-by-nc-4.0",
        "cc-by-nc-sa-3.0",
        "cc-by-nc-sa-4.0",
        "cc-by-nc-nd-4.0",
        "cc-by-nd-4.0",
        "odc-by",
        "apache-2.0",
        "cc0-1.0",
        "bsd-3-clause",
        "gpl-3.0",
        "lgpl-3.0",
        "cdla-sharing-1.0",
        "mpl-2.0",
        "eupl-1.2",
    ]
)
"""Licences that MTEB has names for; others go by their address."""

ANNOTATORS = {
    "crowdsourced": "human-annotated",
    "expert-generated": "expert-annotated",
    "found": "derived",
    "machine-generated": "algorithmic",
}
CREATION = {"found": "found", "crowdsourced": "created", "expert-generated": "created"}

TEMPLATE = '''"""The MTEB task {title}, written by Similitude. It needs mteb 2.

    import mteb
    from mteb_task import {name}

    model = mteb.get_model("sentence-transformers/all-MiniLM-L6-v2")
    print(mteb.evaluate(model, {name}()))

The data lies beside this file{or_hub}.
"""

from pathlib import Path

from mteb.abstasks.sts import AbsTaskSTS
from mteb.abstasks.task_metadata import TaskMetadata

FOLDER = Path(__file__).resolve().parent


class {name}(AbsTaskSTS):
    """{summary}"""

    min_score = {low!r}
    max_score = {high!r}
    column_names = ("left", "right")
    metadata = TaskMetadata(
{fields}
    )

    def dataset_transform(self, num_proc=None, **others):
        """Leave out items whose score is hidden{and_append}."""
        self.dataset = self.dataset.filter(lambda row: row["score"] is not None)
{append}'''

APPEND = """        self.dataset = self.dataset.map(
            lambda row: {side: "\\n".join(filter(None, (row[side], row["condition"]))) for side in ("left", "right")}
        )
"""


def task_class(name: str) -> str:
    """The name of the class of a release.

    >>> task_class("home-utterances.de"), task_class("2gether"), task_class("none")
    ('HomeUtterancesDe', 'Task2gether', 'TaskNone')
    """
    joined = "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name) if part)
    return joined if joined[0].isalpha() and not keyword.iskeyword(joined) else f"Task{joined}"


def mteb_task_text(release: Release) -> str:
    """The file: a class whose metadata MTEB accepts, which loads the data beside the file, or from the hub.

    MTEB's encoders read texts alone. A condition is appended to both texts, as ``encoder(MODEL, condition=append)``
    does; a dialogue's earlier turns are not read.
    """
    facts, scale = release.facts, release.benchmark.scale
    assert scale is not None
    has_condition = release.benchmark.frame["condition"].null_count() < len(release.benchmark)
    return TEMPLATE.format(
        title=f"{facts.name} {facts.version}",
        name=task_class(facts.name),
        summary=_one_line(facts.description)[:80].replace('"', "'") or "Similarity of two texts.",
        or_hub=f"; without it, it is fetched from the hub ({facts.repository})" if facts.repository else "",
        low=_plain(scale.low),
        high=_plain(scale.high),
        fields="\n".join(f"        {name}={value}," for name, value in _metadata(release).items()),
        and_append=", and append the condition to both texts" if has_condition else "",
        append=APPEND if has_condition else "",
    )


def _metadata(release: Release) -> dict[str, str]:
    """Arguments of MTEB's TaskMetadata, as Python."""
    facts = release.facts
    hub = f' if (FOLDER / "data").is_dir() else {facts.repository!r}' if facts.repository else ""
    values: dict[str, Any] = {
        "name": task_class(facts.name),
        "description": _one_line(facts.description) or f"{facts.name}: similarity of two texts.",
        "reference": facts.homepage or None,
        "type": "STS",
        "category": "t2t",
        "modalities": ["text"],
        "eval_splits": [release.evaluation_split],
        "eval_langs": [language.mteb for language in facts.languages],
        "main_score": "cosine_spearman",
        "date": None,
        "domains": None,
        "task_subtypes": None,
        "license": _licence(facts),
        "annotations_creators": ANNOTATORS.get(release.annotated_by or ""),
        "dialect": [language.tag for language in facts.languages if "-" in language.tag],
        "sample_creation": CREATION.get(release.plan.texts_by or ""),
        "bibtex_citation": facts.bibtex,
    }
    dataset = f'{{"path": str(FOLDER){hub}, "revision": {facts.version!r}}}'
    return {name: repr(value) for name, value in values.items()} | {"dataset": dataset}


def _licence(facts: ReleaseFacts) -> str:
    licence = facts.licence
    return licence.hub if licence.hub in LICENCES else (licence.url or "not specified")


def _one_line(text: str) -> str:
    return " ".join(text.replace("\\", "/").split())


def _plain(number: float) -> float | int:
    return int(number) if number == int(number) else number
