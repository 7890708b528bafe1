"""``similitude publish``: gold as a data set that others can use, cite and judge; a trained model likewise."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_notes, print_path, results
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.publication.published import Published

__all__ = ["publish"]

Creators = Literal["crowdsourced", "expert-generated", "found", "machine-generated", "no-annotation", "other"]
MANY = {"author": "authors", "tag": "tags", "source_dataset": "source_datasets", "measure": "measures"}
"""Options that can be repeated, and the keys of the plan that hold them all."""


@dataclass(frozen=True, kw_only=True)
class FactOptions:
    """What the release says of itself.

    Attributes:
        name: its name, as in file names.
        version: three numbers. By default 1.0.0.
        language: ISO 639 code of the texts; repeatable. By default what the items state.
        license: an SPDX identifier such as CC-BY-4.0, or other with --license-text. By default what the data states.
        license_text: the text of a licence of your own.
        license_name: the name of a licence of your own.
        author: a person or group; repeatable.
        citation: BibTeX or a sentence; the text, or a file with it.
        description: what it is, in Markdown; the text, or a file with it.
        homepage: an address.
        date: the day of publication, as in 2026-05-31. By default none is stated.
        tag: a further tag for the hub; repeatable.
        repo: the repository on the hub where it will be, for the card.
    """

    name: str | None = None
    version: str | None = None
    language: Annotated[tuple[str, ...] | None, Parameter(metavar="CODE")] = None
    license: str | None = None
    license_text: Annotated[str | None, Parameter(metavar="FILE")] = None
    license_name: str | None = None
    author: Annotated[tuple[str, ...] | None, Parameter(metavar="NAME")] = None
    citation: Annotated[str | None, Parameter(metavar="TEXT|FILE")] = None
    description: Annotated[str | None, Parameter(metavar="TEXT|FILE")] = None
    homepage: Annotated[str | None, Parameter(metavar="URL")] = None
    date: str | None = None
    tag: Annotated[tuple[str, ...] | None, Parameter(metavar="NAME")] = None
    repo: Annotated[str | None, Parameter(metavar="OWNER/NAME")] = None


@dataclass(frozen=True, kw_only=True)
class ContentOptions:
    """What a data set consists of, and what its card tells.

    Attributes:
        split: shares of splits to draw, as in train=0.7,dev=0.1,test=0.2. By default the data's own, or all in test.
        by: how splits are drawn. By default random.
        keep_together: what is never in two splits: items that share a text, or only equal pairs. Groups never are.
        resplit: draw new splits though the data has its own.
        allow_leaks: publish the data's own splits even if they leak.
        seed: the seed of everything random. By default 0.
        judgements: the answers behind gold, for reliability and a table of their own.
        positions_are_people: the ratings at one place of unnamed lists are by one person.
        keep_annotators: publish annotators' names instead of pseudonyms.
        instructions: what annotators were told; the text, or a file with it.
        construction: how the pairs were found; the text, or a file with it.
        limits: what the data is not good for; the text, or a file with it.
        annotated_by: who annotated, in the hub's words.
        texts_by: who wrote the texts, in the hub's words.
        source_dataset: a data set that this one extends; repeatable. By default it is original.
        baseline: a system for the table of baselines; repeatable.
        measure: a measure of baselines, and of --evaluate; repeatable. By default spearman and pearson.
        evaluation_split: the split that systems are measured on. By default test, or the last that is not for
            training.
    """

    split: Annotated[str | None, Parameter(metavar="NAME=SHARE,...")] = None
    by: Literal["random", "group", "source", "stratified"] | None = None
    keep_together: Literal["texts", "pairs"] | None = None
    resplit: bool = False
    allow_leaks: bool = False
    seed: int | None = None
    judgements: Annotated[str | None, Parameter(metavar="FILE")] = None
    positions_are_people: bool = False
    keep_annotators: bool = False
    instructions: Annotated[str | None, Parameter(metavar="TEXT|FILE")] = None
    construction: Annotated[str | None, Parameter(metavar="TEXT|FILE")] = None
    limits: Annotated[str | None, Parameter(metavar="TEXT|FILE")] = None
    annotated_by: Creators | None = None
    texts_by: Creators | None = None
    source_dataset: Annotated[tuple[str, ...] | None, Parameter(metavar="NAME")] = None
    baseline: Annotated[tuple[str, ...] | None, Parameter(metavar="SYSTEM")] = None
    measure: Annotated[list[str] | None, Parameter(name=["--measure", "-m"], metavar="MEASURE")] = None
    evaluation_split: Annotated[str | None, Parameter(metavar="NAME")] = None


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """What is told of a model only.

    Attributes:
        evaluate: a benchmark to measure the model on, which it was not trained on; repeatable.
        base_model: what the model was trained from, by its name on the hub.
    """

    evaluate: Annotated[tuple[str, ...] | None, Parameter(metavar="DATA")] = None
    base_model: Annotated[str | None, Parameter(metavar="OWNER/NAME")] = None


def publish(
    data: Annotated[
        str,
        parameters.data("Gold, a folder of a trained model, or a plan: publish.toml.", "GOLD|MODEL|PLAN"),
    ],
    /,
    *,
    facts: Annotated[FactOptions, parameters.flat(parameters.COMMON)] = FactOptions(),
    content: Annotated[ContentOptions, parameters.flat(parameters.COMMON)] = ContentOptions(),
    model: Annotated[ModelOptions, parameters.flat(parameters.MODEL)] = ModelOptions(),
    out: Annotated[Path | None, parameters.file("Write the release here. By default NAME-VERSION.", "DIR")] = None,
    push: Annotated[
        str | None, Parameter(metavar="OWNER/NAME", help="Upload it to this repository of the hub.")
    ] = None,
    private: Annotated[bool, Parameter(help="Make a new repository private.")] = False,
    dry_run: Annotated[bool, Parameter(help="Check and compute everything; write and upload nothing.")] = False,
    input: options.Input = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Publish gold as a data set with splits and a card: for the hub, MTEB, Croissant, and as an archive.

    Options override what a plan says. The same input gives the same bytes. In the folder of a trained model, the card
    is written anew, with licence, citation and the figures of --evaluate.

    Example: similitude publish gold.jsonl --name my-data --language de --license CC-BY-4.0 --out release
    """
    from similitude.publication.model_release import is_model

    given = {**_given(facts), **_given(content), **({"repo": push} if push else {})}
    given |= {"reading": reading} if (reading := _reading(input)) else {}
    if is_model(Path(data)):
        _refuse_for_models(content, out)
        given |= _given(model)
        with output.progress(Path(data).name) as listener:
            made = _publish_model(data, given, push=push, private=private, dry_run=dry_run, listener=listener)
        _show(made, output)
        return
    if options_given := _flags(model):
        raise ArgumentError(f"{options_given[0]} is about models, and this is data", remedy="leave it out")
    with output.progress(Path(data).name) as listener:
        made = _publish_data(data, given, out, push=push, private=private, dry_run=dry_run, listener=listener)
    _show(made, output)


def _publish_data(
    data: str, given: dict[str, Any], out: Path | None, *, push: str | None, private: bool, dry_run: bool, listener: Any
) -> Published:
    from similitude.publication.plan import checked_plan, read_plan
    from similitude.publication.publish import publish_plan

    if data.endswith(".toml"):
        plan = read_plan(data, given)
        default = Path(data).parent if _is_release(Path(data)) else None
    else:
        plan, default = checked_plan({**given, "data": data}), None
    return publish_plan(plan, out or default, push=push, private=private, dry_run=dry_run, listener=listener)


def _publish_model(
    folder: str, given: dict[str, Any], *, push: str | None, private: bool, dry_run: bool, listener: Any
) -> Published:
    from similitude.publication.model_release import publish_model

    return publish_model(folder, push=push, private=private, dry_run=dry_run, listener=listener, **given)


OF_MODELS = ("limits", "measure", "evaluation_split", "seed")
"""Options of content that models have, too."""


def _refuse_for_models(content: ContentOptions, out: Path | None) -> None:
    flags = [flag for flag in _flags(content) if flag[2:].replace("-", "_") not in OF_MODELS]
    flags += [] if out is None else ["--out"]
    if flags:
        what = f"{flags[0]} is about data, and this is the folder of a model, in which the card is written"
        raise ArgumentError(what, remedy="leave it out")


def _flags(chosen: ContentOptions | ModelOptions) -> list[str]:
    given = (item.name for item in fields(chosen) if getattr(chosen, item.name) != item.default)
    return [f"--{name.replace('_', '-')}" for name in given]


def _is_release(plan: Path) -> bool:
    """Whether a plan lies in the folder of the release that it made."""
    from similitude.publication.release_files import HUB_FOLDER

    return plan.name == "publish.toml" and (plan.parent / HUB_FOLDER).is_dir()


def _given(chosen: FactOptions | ContentOptions | ModelOptions) -> dict[str, Any]:
    """The options that were given, by the keys of the plan."""
    keys = {"baseline": "baselines", **MANY}
    values = {keys.get(item.name, item.name): getattr(chosen, item.name) for item in fields(chosen)}
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in values.items()
        if value is not None and value is not False
    }


def _reading(input: options.InputOptions) -> dict[str, Any]:
    """The arguments of the reader that differ from their default."""
    usual = options.InputOptions().arguments()
    return {name: value for name, value in input.arguments().items() if value != usual[name]}


def _show(made: Published, output: options.OutputOptions) -> None:
    if output.json:
        print_json(made.record())
        return
    print_notes(made.notes, quiet=output.quiet)
    told = f"{made.name} {made.version}: {made.summary}"
    results.print(told, markup=False, highlight=False, soft_wrap=True)
    for path, size in made.files.items():
        would = "would write " if made.is_dry else ""
        results.print(f"{would}{made.folder / path} ({size:,} bytes)", markup=False, highlight=False, soft_wrap=True)
    if made.address:
        print_path(made.address)
