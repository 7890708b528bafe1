"""The items file of a search tells nothing of it: not its order, not its ids, not which text is left."""

import json

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

import similitude as sim
from similitude.collect.candidates.pairs import STRATA
from similitude.data.item import ITEM_SCHEMA

pytestmark = pytest.mark.slow

TEXTS, CHANCE = 1200, 4
"""Four standard errors."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Texts in the order of their place on a line: the earlier a text is in the file, the larger its numbers."""
    folder, rng = tmp_path_factory.mktemp("search"), np.random.default_rng(0)
    words = [f"{a}{b}" for a in ("ba", "ke", "lo", "mi", "nu", "sa") for b in ("ra", "te", "vo", "zi", "du")]
    lines = [f"{' '.join(rng.choice(words, 9))} {row}." for row in range(TEXTS)]
    (folder / "texts.txt").write_text("\n".join(lines), encoding="utf-8")
    vectors = np.column_stack([np.linspace(2, 0, TEXTS)[:, None] * np.ones(8), rng.standard_normal((TEXTS, 8))])
    np.save(folder / "vectors.npy", vectors.astype(np.float32))
    sim.candidates(
        folder / "texts.txt",
        by=["neighbours", "random"],
        k=5,
        pairs={"random": 0.5},
        texts={"vectors": str(folder / "vectors.npy")},
        select={"items": 900, "spread": "cosine", "most": 3},
        duplicates=False,
        seed=3,
        out=folder / "out",
        quiet=True,
    )
    return folder / "out"


@pytest.fixture(scope="module")
def items(folder):
    return [json.loads(line) for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def beside(folder, items):
    """What the folder says of each item in another file, in the order of the items."""
    (path,) = [path for path in folder.iterdir() if path.name.startswith("descriptions")]
    table = pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_ndjson(path)
    return pl.DataFrame({"id": [item["id"] for item in items]}).join(table, on="id", how="left", maintain_order="left")


def test_items_hold_their_own_columns_only(items):
    assert len(items) == 900
    assert {name for item in items for name in item} <= {*ITEM_SCHEMA.names(), "score"}
    told = json.dumps(items)
    assert not any(secret in told for secret in (*STRATA, "cosine", "stratum"))
    assert not any(item.get("score") for item in items)


@pytest.mark.parametrize("secret", ["cosine", "stratum", "earlier"])
@pytest.mark.parametrize("sign", ["order", "id", "side"])
def test_nothing_in_the_file_predicts_the_search(items, beside, sign, secret):
    rows = {side: beside[f"{side}_id"].cast(pl.Int64).to_numpy() for side in ("left", "right")}
    signs = {
        "order": np.arange(len(items)),
        "id": pl.Series([item["id"] for item in items]).rank().to_numpy(),
        "side": (rows["left"] < rows["right"]).astype(int),
    }
    secrets = {
        "cosine": beside["cosine"].to_numpy(),
        "stratum": (beside["stratum"] == "random").to_numpy(),
        "earlier": np.minimum(rows["left"], rows["right"]),
    }
    assert secrets["stratum"].any()
    assert abs(spearmanr(signs[sign], secrets[secret]).statistic) < CHANCE / np.sqrt(len(items))


def test_half_of_the_pairs_have_the_earlier_text_left(beside):
    left = (beside["left_id"].cast(pl.Int64) < beside["right_id"].cast(pl.Int64)).sum()
    assert abs(left - 450) < CHANCE * 15  # a standard deviation is 15
