"""The card of a data set: metadata that the hub reads, then what people need to know, in Markdown."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from similitude._version import __version__
from similitude.data.plural import counted
from similitude.data.writing.front_matter import front_matter
from similitude.gold.reliability.ceiling import Ceiling
from similitude.gold.reliability.estimate import Estimate
from similitude.publication.columns import ANSWERS, MEANINGS, ReleaseTables, column_type
from similitude.publication.figures import LEVEL
from similitude.publication.leaks import OF_GROUPS
from similitude.publication.mteb_task import task_class
from similitude.publication.release import Release
from similitude.report.dataset_card import distribution_texts
from similitude.report.markdown import escaped, markdown_table
from similitude.report.reading_lines import reading_lines
from similitude.report.reliability import about_judgements, agreement_table
from similitude.report.tables import ranking_table

__all__ = ["SECTIONS", "data_card"]

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"
FEW = 100
"""Fewer items in the split that systems are measured on are a limit that the card states."""

SECTIONS = ("Use", "Columns", "Construction", "Annotation", "Reliability", "Splits", "Scores", "Baselines")
"""Sections of every card, in order; further ones are Known limits, Licence and Citation."""

ABOUT_COLUMNS = re.compile(r"^columns matched|(?:^|: )columns not used: ")
"""Notes that say again what the lines on a file say of its columns."""

BESIDE = re.compile(r" \(see .*\.provenance\.json\)$")
"""The end of a note that names a file which is not published."""

CEILINGS = {"one_person": "one person", "panel": "another panel", "perfect": "a perfect system"}

ONE_JUDGE = (
    "The single judgements are not known, so neither the agreement of the annotators nor a human ceiling can be "
    "computed: nobody knows how high a correlation with these scores can be."
)


def data_card(release: Release, tables: ReleaseTables, paths: Mapping[str, str], digest: str) -> str:
    """The text of README.md.

    Args:
        release: what is published.
        tables: its tables.
        paths: the path of each split's file, and of the judgements' under `ANSWERS`.
        digest: of all tables. ``datasets`` keeps what it has read of a local folder under a hash of the folder's name
            and of this metadata, so that without it the rows of another release would be taken for these.
    """
    head = front_matter(_metadata(release, tables, paths, digest))
    return "\n\n".join([head, *_body(release, tables)]) + "\n"


def _metadata(release: Release, tables: ReleaseTables, paths: Mapping[str, str], digest: str) -> dict[str, Any]:
    facts, licence = release.facts, release.facts.licence
    described = f"{facts.title}, SHA-256 {digest[:16]}"
    rows = sum(table.height for table in tables.splits.values())
    configs: list[dict[str, Any]] = [
        {
            "config_name": "default",
            "default": True,
            "description": described,
            "data_files": [{"split": name, "path": paths[name]} for name in tables.splits],
        }
    ]
    if tables.judgements is not None:
        files = [{"split": ANSWERS, "path": paths[ANSWERS]}]
        configs.append({"config_name": "judgements", "description": described, "data_files": files})
    return {
        "pretty_name": facts.name,
        "version": facts.version,
        "language": list(dict.fromkeys(language.code for language in facts.languages)),
        "language_details": [language.tag for language in facts.languages if "-" in language.tag],
        "multilinguality": "monolingual" if len(facts.languages) == 1 else "multilingual",
        "license": licence.hub,
        "license_name": licence.name if licence.hub == "other" else None,
        "license_link": (licence.url or "LICENSE") if licence.hub == "other" else None,
        "annotations_creators": [release.annotated_by] if release.annotated_by else None,
        "language_creators": [release.plan.texts_by] if release.plan.texts_by else None,
        "source_datasets": release.plan.source_datasets or ["original"],
        "size_categories": [next((name for most, name in SIZES if rows < most), LARGEST)],
        "task_categories": ["sentence-similarity"],
        "task_ids": ["semantic-similarity-scoring"],
        "tags": ["semantic-textual-similarity", "mteb", "similitude", *facts.tags],
        "configs": configs,
    }


def _body(release: Release, tables: ReleaseTables) -> Iterator[str]:
    facts = release.facts
    yield f"# {facts.name}"
    if release.is_simulated:
        by = escaped(release.benchmark.provenance.judged_by or "")
        yield f"**The judgements are simulated: {by}.** No person was asked."
    yield facts.description or "Pairs of texts with a score that says how similar they are in meaning."
    yield _at_a_glance(release, tables)
    yield f"## Use\n\n{_use(release, tables)}"
    yield f"## Columns\n\n{_columns(tables)}"
    yield "\n\n".join(["## Construction", *_construction(release)])
    yield "\n\n".join(["## Annotation", *_annotation(release)])
    yield "\n\n".join(["## Reliability", *_reliability(release)])
    yield "\n\n".join(["## Splits", *_splits(release, tables)])
    yield "\n\n".join(["## Scores", *distribution_texts(release.benchmark)])
    yield "\n\n".join(["## Baselines", *_baselines(release)])
    yield "\n\n".join(["## Known limits", *_limits(release, tables)])
    yield f"## Licence\n\n{_licence(release)}"
    yield f"## Citation\n\n{_citation(release)}"
    again = "" if release.unnamed else ": `similitude publish publish.toml` makes the same files again"
    yield f"Made with Similitude {__version__}{again}."


def _at_a_glance(release: Release, tables: ReleaseTables) -> str:
    facts = release.facts
    splits = ", ".join(f"{name} {table.height:,}" for name, table in tables.splits.items())
    rows = {
        "items": f"{len(release.benchmark):,} ({splits})",
        "languages": ", ".join(f"{language.name} ({language.tag})" for language in facts.languages),
        "score": f"{release.benchmark.scale}, higher is more similar",
        "judgements": "not known singly" if release.about is None else about_judgements(release.about),
        "version": facts.version + (f", {facts.date}" if facts.date else ""),
        "authors": escaped(", ".join(facts.authors)),
        "licence": f"[{escaped(facts.licence.name)}]({facts.licence.url or 'LICENSE'})",
        "homepage": _address(facts.homepage),
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items() if value)])


def _address(written: str) -> str:
    """A link, if that is an address, for a cell of a table."""
    return f"<{written.replace('|', '%7C')}>" if re.fullmatch(r"https?://[^\s<>]+", written) else escaped(written)


def _use(release: Release, tables: ReleaseTables) -> str:
    where, split = release.facts.repository or "THIS FOLDER", release.evaluation_split
    name = task_class(release.facts.name)
    more = "" if tables.judgements is None else f'\nanswers = load_dataset("{where}", "judgements", split="{ANSWERS}")'
    address = f"hf:{where}" if release.facts.repository else '"THIS FOLDER"'
    return "\n".join(
        [
            "```python",
            "from datasets import load_dataset",
            "",
            f'data = load_dataset("{where}", split="{split}"){more}',
            'data[0]["left"], data[0]["right"], data[0]["score"]',
            "```",
            "",
            "Measure a system, with intervals and tests:",
            "",
            "```",
            f"similitude evaluate {address} --split {split} -s use-multilingual -m spearman",
            "```",
            "",
            "In this folder, any model of MTEB:",
            "",
            "```python",
            "import mteb",
            f"from mteb_task import {name}",
            "",
            f'mteb.evaluate(mteb.get_model("sentence-transformers/all-MiniLM-L6-v2"), {name}())',
            "```",
        ]
    )


def _columns(tables: ReleaseTables) -> str:
    first = next(iter(tables.splits.values()))
    parts = [_column_table(first)]
    if tables.judgements is not None:
        parts += ["The table `judgements` has one row per answer:", _column_table(tables.judgements)]
    return "\n\n".join(parts)


def _column_table(table: pl.DataFrame) -> str:
    rows = (f"| `{name}` | {column_type(dtype)} | {MEANINGS.get(name, '')} |" for name, dtype in table.schema.items())
    return "\n".join(["| column | type | meaning |", "|---|---|---|", *rows])


def _construction(release: Release) -> Iterator[str]:
    origin = release.benchmark.provenance
    if release.texts["construction"]:
        yield release.texts["construction"]
    else:
        yield "How the pairs were found is not stated."
    if origin.aggregation:
        yield f"Gold was made from the judgements by `{origin.aggregation}`."
    lines = [f"{name}: {value}" for reading in origin.readings for name, value in reading_lines(reading)]
    if lines:
        notes = (BESIDE.sub("", note) for note in origin.notes if not ABOUT_COLUMNS.search(note))
        yield "The files behind this release were read like this:"
        yield "\n".join(f"- {escaped(line)}" for line in (*lines, *notes))


def _annotation(release: Release) -> Iterator[str]:
    answers, by = release.about, release.benchmark.provenance.judged_by
    if answers is not None:
        yield f"There are {about_judgements(answers)}."
    if by and not (answers is not None and by == counted(len(answers.annotators), "annotator")):
        yield f"Judged by: {escaped(by)}."
    if not release.plan.keep_annotators:
        published = release.judgements is not None and bool(release.judgements.annotators)
        in_gold = release.benchmark.frame["raters"].explode().count() > 0
        both = ", the same in gold and in the judgements" if published and in_gold else ""
        if published or in_gold:
            yield f"Annotators have pseudonyms{both}."
    if release.texts["instructions"]:
        yield "The annotators were told:"
        yield "\n".join(f"> {line}".rstrip() for line in release.texts["instructions"].splitlines())
    else:
        yield "The annotators' instructions are not part of this release."


def _reliability(release: Release) -> Iterator[str]:
    figures = release.figures
    if release.about is None:
        yield ONE_JUDGE
        return
    if figures.agreement:
        yield markdown_table(agreement_table("reliability", "Agreement of the annotators", figures.agreement, LEVEL))
    if figures.ceiling is not None and figures.has_ceiling:
        yield (
            "Human ceilings: the correlation with gold that one annotator reaches against the others, that as many "
            "other people would reach, and that a system would reach which knows what all people would say on average; "
            f"in brackets the {LEVEL:.0%} interval."
        )
        yield _ceilings(figures.ceiling.pearson, figures.ceiling.spearman)
    if notes := [*figures.undefined, *figures.notes, *_notes_on_ceilings(release)]:
        yield "\n".join(f"- {_without_flags(note)}" for note in notes)


def _notes_on_ceilings(release: Release) -> Iterator[str]:
    """Why a ceiling, or its interval, is not in the table."""
    ceiling = release.figures.ceiling
    if ceiling is None:
        return
    for which, name in CEILINGS.items():
        if not getattr(ceiling.spearman, which).is_defined:
            yield f"no ceiling for {name}: {getattr(ceiling.spearman, which).reason}"
        for correlation, known in (("Pearson", ceiling.pearson), ("Spearman", ceiling.spearman)):
            one: Estimate = getattr(known, which)
            if one.is_defined and math.isnan(one.low):
                yield f"no interval for the ceiling of {name}, {correlation}: {one.reason}"


def _without_flags(note: str) -> str:
    """A note without the option that would change it: readers of a card run no command."""
    return note.partition("; --")[0] + (")" if "; --" in note and note.endswith(")") else "")


def _ceilings(pearson: Ceiling, spearman: Ceiling) -> str:
    rows = (
        f"| {name} | {_estimate(getattr(pearson, which))} | {_estimate(getattr(spearman, which))} |"
        for which, name in CEILINGS.items()
    )
    return "\n".join(["| | Pearson | Spearman |", "|---|---:|---:|", *rows])


def _estimate(one: Estimate) -> str:
    if not one.is_defined:
        return "–"
    ends = "" if math.isnan(one.low) else f" [{one.low:z.3f}, {one.high:z.3f}]"
    return f"{one.value:z.3f}{ends}"


def _splits(release: Release, tables: ReleaseTables) -> Iterator[str]:
    yield release.drawn
    heads = ["split", "items", "with a score", "mean score", "sd of scores", "distinct texts"]
    rows = [_split_row(name, table) for name, table in tables.splits.items()]
    rule = "|".join(["---", *("---:" for _ in heads[1:])])
    yield "\n".join([f"| {' | '.join(heads)} |", f"|{rule}|", *rows])
    if len(tables.splits) > 1:
        found = [f"- {one.message}" for one in release.leaks]
        yield "\n".join(found) if found else "No pair, no text and no group is in more than one split."


def _split_row(name: str, table: pl.DataFrame) -> str:
    scores = table["score"].drop_nulls()
    texts = pl.concat([table["left"], table["right"]]).n_unique()
    known = scores.to_numpy()
    numbers = (
        f"{known.mean():z.2f}" if known.size else "–",
        f"{known.std(ddof=1):.2f}" if known.size > 1 else "–",
    )
    return f"| {name} | {table.height:,} | {len(scores):,} | {' | '.join(numbers)} | {texts:,} |"


def _baselines(release: Release) -> Iterator[str]:
    run = release.baselines
    if run is None:
        yield "None were measured for this release."
        return
    yield markdown_table(ranking_table(run))


def _limits(release: Release, tables: ReleaseTables) -> Iterator[str]:
    if release.texts["limits"]:
        yield release.texts["limits"]
    known = [*_own_limits(release, tables)]
    if known:
        yield "\n".join(f"- {limit}" for limit in known)
    elif not release.texts["limits"]:
        yield "None are stated."


def _own_limits(release: Release, tables: ReleaseTables) -> Iterator[str]:
    """Limits that follow from the data itself."""
    measured = tables.splits[release.evaluation_split].height
    if release.is_simulated:
        yield "The judgements are simulated: figures say nothing about people."
    if not release.figures.has_ceiling:
        yield "No human ceiling is known, so it is not known how much room is left above a system."
    if measured < FEW:
        yield f"The split {release.evaluation_split} has {counted(measured, 'item')}: intervals are wide."
    if release.leaks:
        what = "groups" if all(one.code == OF_GROUPS for one in release.leaks) else "texts"
        yield f"Some {what} are in more than one split (see Splits): a system trained on one has seen part of another."
    frame = release.benchmark.frame
    if frame["condition"].null_count() < frame.height:
        yield "MTEB's encoders read no condition: `mteb_task.py` appends it to both texts."
    if frame["context"].null_count() < frame.height:
        yield "MTEB's encoders read no dialogue: `mteb_task.py` compares the two texts without their context."


def _licence(release: Release) -> str:
    licence = release.facts.licence
    if licence.is_own:
        return f"{licence.name}: the text is in [LICENSE](LICENSE)."
    return f"[{licence.name}]({licence.url}); see [LICENSE](LICENSE)."


def _citation(release: Release) -> str:
    facts = release.facts
    if facts.bibtex:
        return f"```bibtex\n{facts.bibtex}\n```"
    return facts.citation or "No citation is stated."
