"""`candidates`: from raw texts to pairs that are worth judging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from similitude.data.byte_sizes import size_in
from similitude.data.keywords import as_names, as_path
from similitude.data.listeners import with_progress_bar
from similitude.data.number_arguments import check_seed, check_whole_numbers
from similitude.data.protocols import Listener
from similitude.data.reading.free_memory import free_memory
from similitude.data.versions import versions
from similitude.errors import ArgumentError
from similitude.study.candidates.candidates_run import CandidatesRun
from similitude.study.candidates.plan import CandidatesPlan
from similitude.study.candidates.search import Search
from similitude.study.candidates.search_folder import SearchFolder, TemporaryFolder
from similitude.study.candidates.search_systems import SearchSystems
from similitude.study.candidates.stages import run_stages
from similitude.study.engines import Engine, open_engine

__all__ = ["candidates"]

MOST_MEMORY = 4_000_000_000
"""Bytes that a search takes at most if nobody says how many."""
LEAST_MEMORY = 1_000_000_000
"""A third of it is taken up by libraries before anything is read, another by the search for neighbours."""
SHARE = 0.5
"""The share of free memory that a search takes if nobody says how much."""


@with_progress_bar
def candidates(
    data: Any = None,
    *,
    items: int | None = None,
    filters: str | Sequence[str] | None = None,
    pair: Any = None,
    k: int | None = None,
    by: str | Sequence[str] | None = None,
    texts: Mapping[str, Any] | None = None,
    clean: Mapping[str, Any] | None = None,
    dialogues: Mapping[str, Any] | None = None,
    duplicates: float | str | bool | None = None,
    pairs: Mapping[str, Any] | None = None,
    select: Mapping[str, Any] | None = None,
    systems: Mapping[str, Any] | None = None,
    name: str | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    memory: str | int | None = None,
    engine: str | Engine = "local",
    address: str | None = None,
    workers: int | None = None,
    gpus: float = 0.0,
    device: str | None = None,
    cache: bool = True,
    reading: Mapping[str, Any] | None = None,
    listener: Listener | None = None,
    quiet: bool = False,
) -> CandidatesRun:
    """Find pairs of texts that are worth judging.

    Texts are read, cleaned, and rid of near-duplicates. Each is paired with its nearest neighbours, pairs are filtered,
    and items are drawn from those that are left. Arguments override what a plan says.

    Args:
        data: texts: a list, a path, an address, a data frame; or a plan: a `.toml` file.
        items: how many pairs to draw; by default all that the filters keep.
        filters: which pairs to keep, as in ``["cosine >= 0.4", "iou <= 0.2"]``.
        pair: the system whose vectors find neighbours; "use" by default. An object with ``encode`` will do.
        k: neighbours of each text.
        by: ways to find pairs: "neighbours", "words", "random", "hard-negatives".
        texts: which column is which: ``{"text": "caption", "group": "image"}``, and ``vectors``, a file.
        clean: which texts are kept: ``{"characters": "20..100", "languages": ["en"]}``.
        dialogues: to how many turns they are cut: ``{"turns": [3, 5], "last": "user"}``.
        duplicates: the similarity from which on two texts are near-duplicates, "exact", or False.
        pairs: more on pairs: ``{"within": "domain", "never_same": ["document"], "data": "pairs.tsv"}``.
        select: more on the draw: ``{"spread": "cosine", "bins": 5, "over": ["source"]}``.
        systems: systems that filters name, which are objects in Python: ``{"mine": model}``.
        name: of the search.
        seed: of everything random.
        out: the folder; finished stages found there are not computed again. By default a temporary one.
        memory: how much may be used, such as "2GB"; by default half of what is free, and 4 GB at most.
        engine: "local" for this process, "ray" for the workers of a Ray cluster; or an open one (`open_engine`).
        address: of a Ray cluster that runs.
        workers: how many pieces are computed at a time.
        gpus: of a cluster, for each piece; 0.5 lets two pieces share one.
        device: on which neighbours are searched: "cpu", "cuda"; by default the CPU.
        cache: whether systems use the cache of vectors and answers.
        reading: how files are read: separator, encoding and the like.
        listener: is told the progress; by default a bar in notebooks and terminals.
        quiet: show no bar and no notes.

    Returns:
        Items, and what each step kept. The same data, plan and seed give the same items, whatever the engine.

    >>> import similitude as sim
    >>> texts = ["A dog runs.", "A dog is running.", "It rains.", "Rain falls.", "A cat sleeps.", "The cat is asleep."]
    >>> found = sim.candidates(texts, filters="cosine >= 0.6", k=2)
    >>> sorted({item.left, item.right} & {"It rains.", "Rain falls."} for item in found.items)[-1] != set()
    True

    Raises:
        InputError: texts, vectors or pairs are not valid.
        ArgumentError: the plan is not valid, or a filter keeps nothing.
        RunError: the folder cannot be used.
    """
    check_whole_numbers(items=items, k=k, workers=workers)
    objects = dict(systems or {})
    if pair is not None and not isinstance(pair, str):
        objects["pair"], pair = pair, "pair"
    given = {
        "name": name,
        "seed": seed,
        "texts": texts,
        "clean": clean,
        "dialogues": dialogues,
        "duplicates": None if duplicates is None else {"similarity": duplicates},
        "pairs": _with(pairs, system=pair, k=k, by=None if by is None else as_names("by", by)),
        "filters": None if filters is None else {"keep": as_names("filters", filters)},
        "select": _with(select, items=items),
    }
    plan, texts_data = _planned(data, {part: value for part, value in given.items() if value is not None})
    check_seed(plan.seed)
    holds = TemporaryFolder() if out is None else None
    folder = SearchFolder(as_path("out", out if holds is None else holds.path))
    with folder.claimed(), _opened(engine, address=address, workers=workers, gpus=gpus) as opened:
        opened.check_folder(folder.path)
        search = Search(
            plan=plan,
            folder=folder,
            engine=opened,
            memory=_memory(memory),
            systems=SearchSystems(objects, cache),
            device=device,
            listener=listener,
        )
        return _finished(search, texts_data, dict(reading or {}), holds)


def _opened(engine: str | Engine, **options: Any) -> AbstractContextManager[Engine]:
    """The engine, opened for a ``with`` block; one that is open already stays so.

    Raises:
        ArgumentError: options say how to open one that is open.
    """
    if isinstance(engine, str):
        return open_engine(engine, **options)
    if given := [f"{name}=" for name, value in options.items() if value]:
        raise ArgumentError(f"the engine is open, and {given[0]} would change nothing", remedy=f"leave out {given[0]}")
    return nullcontext(engine)


def _finished(search: Search, data: Any, reading: Mapping[str, Any], holds: TemporaryFolder | None) -> CandidatesRun:
    """Run all stages, and write what they found."""
    found, steps = run_stages(search, data, reading)
    made = CandidatesRun(
        plan=search.plan,
        steps=steps,
        items=found.items,
        descriptions=found.descriptions,
        folder=search.folder.path,
        versions=versions(),
        holds=holds,
    )
    search.folder.save(made.items, made.descriptions, made.plan_text, made.record())
    made.report(search.folder.path / "index.html")
    return made


def _planned(data: Any, given: Mapping[str, Any]) -> tuple[CandidatesPlan, Any]:
    """The plan with what was given beside it, and the texts.

    Raises:
        ArgumentError: there are no texts, or they were given twice.
    """
    if isinstance(data, CandidatesPlan) or _is_plan(data):
        plan = data if isinstance(data, CandidatesPlan) else CandidatesPlan.read(data)
        plan = plan.changed(given)
        if plan.texts.data is None and plan.pairs.data is None:
            raise ArgumentError("the plan names no texts", remedy='add data = "FILE" under [texts]')
        return plan, plan.texts.data
    plan = CandidatesPlan(name=_name_of(data)).changed(given)
    named = plan.texts.data
    if data is not None and named is not None:
        raise ArgumentError("the texts were given twice", remedy="leave out data, or texts['data']")
    if data is None and named is None and plan.pairs.data is None:
        raise ArgumentError("there are no texts", remedy="give texts, a file or a plan")
    is_path = isinstance(data, str | Path)
    return (plan.changed({"texts": {"data": str(data)}}) if is_path else plan), named if data is None else data


def _is_plan(data: Any) -> bool:
    return isinstance(data, str | Path) and str(data).endswith(".toml")


def _name_of(data: Any) -> str:
    """A name for a search whose plan has none: that of the file."""
    is_file = isinstance(data, str | Path) and not str(data).startswith(("hf:", "sample:"))
    return Path(data).stem if is_file else str(data) if isinstance(data, str) else "candidates"


def _with(part: Mapping[str, Any] | None, **single: Any) -> dict[str, Any] | None:
    """A part of the plan with single values that are given; None if there is nothing."""
    found = {**(part or {}), **{name: value for name, value in single.items() if value is not None}}
    return found or None


def _memory(written: str | int | None) -> int:
    """Bytes that a search may take.

    Raises:
        ArgumentError: it is no size, or too small.
    """
    if written is None:
        free = free_memory()
        return MOST_MEMORY if free is None else int(min(MOST_MEMORY, max(LEAST_MEMORY, SHARE * free)))
    size = written if isinstance(written, int) else size_in({"--memory": written}, "--memory")
    if size is None or size < LEAST_MEMORY:
        raise ArgumentError(f"--memory {written} is too little for a search", remedy="give --memory 1GB or more")
    return size
