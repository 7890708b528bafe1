"""``similitude.publish``: gold with everything that others need to use and judge it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from similitude.data.addresses import BenchmarkData, JudgementData
from similitude.data.counted_work import uncounted_work
from similitude.data.judgements import Judgements
from similitude.data.keywords import as_names, as_path
from similitude.data.listeners import with_progress_bar
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError
from similitude.publication.facts import REPOSITORY
from similitude.publication.hub import check_client, push_folder
from similitude.publication.model_release import is_model, publish_model
from similitude.publication.plan import ReleasePlan, checked_plan
from similitude.publication.published import Published
from similitude.publication.release import make_release
from similitude.publication.release_files import HUB_FOLDER, MAY_GO, check_folder, release_files, write_files
from similitude.study.labels import Systems

__all__ = ["publish", "publish_plan"]

MODEL_KEYS = (
    "name",
    "version",
    "license",
    "license_text",
    "license_name",
    "citation",
    "description",
    "homepage",
    "date",
    "limits",
    "evaluation_split",
    "repo",
    "seed",
)
MODEL_LISTS = ("language", "authors", "tags", "measures")
"""Arguments that models have, too."""


@with_progress_bar
def publish(
    data: BenchmarkData,
    *,
    name: str | None = None,
    out: str | Path | None = None,
    version: str = "1.0.0",
    language: str | Sequence[str] = (),
    license: str | None = None,
    license_text: str | None = None,
    license_name: str = "",
    authors: str | Sequence[str] = (),
    citation: str = "",
    description: str = "",
    homepage: str = "",
    date: str = "",
    tags: str | Sequence[str] = (),
    split: str | None = None,
    by: Literal["random", "group", "source", "stratified"] = "random",
    keep_together: Literal["texts", "pairs"] = "texts",
    resplit: bool = False,
    allow_leaks: bool = False,
    seed: int = 0,
    judgements: Judgements | JudgementData | None = None,
    positions_are_people: bool = False,
    keep_annotators: bool = False,
    instructions: str = "",
    construction: str = "",
    limits: str = "",
    annotated_by: str | None = None,
    texts_by: str | None = None,
    source_datasets: str | Sequence[str] = (),
    baselines: Systems = (),
    measures: str | Sequence[str] = (),
    evaluation_split: str | None = None,
    evaluate: str | Sequence[str] = (),
    base_model: str | None = None,
    repo: str = "",
    push: str | None = None,
    private: bool = False,
    dry_run: bool = False,
    listener: Listener | None = None,
    quiet: bool = False,
) -> Published:
    """Write gold as a data set for the hub, for MTEB, as Croissant and as a plain archive, with a full card.

    Of the folder of a trained model, the card is written anew, with licence, citation and figures.

    The same arguments give the same bytes. Texts (citation, description, instructions, construction, limits and the
    text of a licence) are given as they are, or as the name of a file.

    Args:
        data: the gold: a benchmark, or what `similitude.read` takes; or the folder of a trained model.
        name: as in file names; of a model, by default that of its folder.
        out: the folder to write, by default NAME-VERSION; an earlier release there is replaced.
        version: three numbers.
        language: ISO 639 codes of the texts; by default those that the items state.
        license: an SPDX identifier, or "other" with ``license_text``; by default the one that the data states.
        license_text: of a licence of your own.
        license_name: of a licence of your own.
        authors: their names.
        citation: BibTeX, or a sentence.
        description: what the data set is, in Markdown.
        homepage: an address.
        date: of publication, such as 2026-05-31; without it, none is stated.
        tags: further tags for the hub.
        split: shares of splits to draw, such as "train=0.7,dev=0.1,test=0.2"; by default the data's own, or one: test.
        by: how they are drawn: "random", "group", "source" or "stratified" by score.
        keep_together: what is never in two splits: "texts", or only "pairs"; groups never are.
        resplit: draw new splits though the data has its own.
        allow_leaks: publish the data's own splits even if they leak.
        seed: of everything random.
        judgements: the answers behind gold, published as a second table; figures of reliability come from them, or from
            those that gold keeps.
        positions_are_people: whether the ratings at one place of unnamed lists are by one person.
        keep_annotators: publish annotators' names instead of pseudonyms.
        instructions: what annotators were told.
        construction: how the pairs were found.
        limits: what the data set is not good for.
        annotated_by: the hub's word: "crowdsourced", "expert-generated" and so on.
        texts_by: the same for the texts.
        source_datasets: data sets that this one extends; by default it is original.
        baselines: systems to measure, as for `similitude.run`.
        measures: of the baselines; by default Spearman's and Pearson's correlation.
        evaluation_split: the split that systems are measured on; by default test, or the last
            that is not for training.
        evaluate: benchmarks to measure a model on.
        base_model: what a model was trained from, by its name on the hub.
        repo: the repository on the hub where it will be, for the card.
        push: the repository to push to, now.
        private: whether a new repository is private.
        dry_run: check and compute everything, but write and push nothing.
        listener: is told the progress.
        quiet: show no progress bar.

    Returns:
        What was written.

    Raises:
        ArgumentError: something is missing or not valid; the message names it.
        InputError: the data cannot be read, or its own splits leak.

    >>> import tempfile
    >>> import similitude as sim
    >>> folder = f"{tempfile.mkdtemp()}/opinions"
    >>> made = sim.publish("sample:opinions", name="opinions", out=folder, split="train=0.5,test=0.5", quiet=True)
    >>> made.splits, sorted(made.files)[-2:]
    ({'train': 30, 'test': 30}, ['opinions-1.0.0.zip', 'publish.toml'])
    """
    keys = {key: value for key, value in locals().items() if key in ReleasePlan.model_fields}
    if isinstance(data, (str, Path)) and is_model(Path(data)):
        told = {key: keys[key] for key in MODEL_KEYS} | {key: as_names(key, keys[key]) for key in MODEL_LISTS}
        benchmarks = as_names("evaluate", evaluate)
        to: dict[str, Any] = {"push": push, "private": private, "dry_run": dry_run, "listener": listener}
        return publish_model(data, **told, evaluate=benchmarks, base_model=base_model, **to)
    named = [baselines] if isinstance(baselines, str) else baselines
    is_written = isinstance(named, (list, tuple)) and all(isinstance(each, str) for each in named)
    keys["judgements"] = str(judgements) if isinstance(judgements, (str, Path)) else None
    keys["data"] = str(data) if isinstance(data, (str, Path)) else None
    keys |= {"baselines": list(named) if is_written else [], "repo": push or repo}
    return publish_plan(
        checked_plan(keys),
        out,
        data=data,
        judgements=judgements,
        systems=named,
        push=push,
        private=private,
        dry_run=dry_run,
        listener=listener,
    )


def publish_plan(
    plan: ReleasePlan,
    out: str | Path | None = None,
    *,
    data: BenchmarkData | None = None,
    judgements: Judgements | JudgementData | None = None,
    systems: Systems = None,
    push: str | None = None,
    private: bool = False,
    dry_run: bool = False,
    listener: Listener | None = None,
) -> Published:
    """Publish what a plan says; data, judgements and systems may be objects instead of names in the plan.

    Raises:
        ArgumentError: something is missing or not valid.
        InputError: the data cannot be read, or its own splits leak.
        RunError: the hub refuses, or cannot be reached.
    """
    folder = _folder(plan, out)
    check_folder(folder)
    if push is not None:
        _check_repository(push)
        if not dry_run:
            check_client()
    given = data if data is not None else plan.data
    if given is None:
        raise ArgumentError("there is no data to publish", remedy="name it: data = 'gold.jsonl'")
    answers = judgements if judgements is not None else plan.judgements
    release = make_release(
        given,
        plan,
        judgements=answers,
        systems=plan.baselines if systems is None else systems,
        listener=listener,
    )
    uncounted_work(listener, "cards, tables and archive")
    files = release_files(release, folder)
    address = ""
    if not dry_run:
        write_files(folder, files)
    if push is not None and not dry_run:
        address = push_folder(
            folder / HUB_FOLDER,
            push,
            kind="dataset",
            version=release.facts.version,
            private=private,
            instead_of=MAY_GO,
        )
    sizes = dict(release.benchmark.frame["split"].value_counts().rows())
    return Published(
        folder=folder,
        name=release.facts.name,
        version=release.facts.version,
        splits={name: sizes[name] for name in release.splits},
        files={path: len(content) for path, content in files.items()},
        leaks=release.leaks,
        baselines=release.baselines,
        address=address,
        notes=release.notes,
        is_dry=dry_run,
    )


def _folder(plan: ReleasePlan, out: str | Path | None) -> Path:
    if out is not None:
        return as_path("out", out)
    if not plan.name:
        raise ArgumentError("a release needs --name", remedy="write --name home-utterances-de")
    return Path(f"{plan.name}-{plan.version}")


def _check_repository(repository: str) -> None:
    if not REPOSITORY.fullmatch(repository):
        remedy = "name owner and repository: --push my-group/my-data"
        raise ArgumentError(f"'{repository}' is no repository of the hub", remedy=remedy)
