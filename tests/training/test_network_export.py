"""Which models sentence-transformers opens, and that it gives our scores; what their cards say."""

import json
import string

import numpy as np
import pytest
import yaml

import similitude as sim
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.conditional.input_text import read_item

pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

CONDITIONS = {"the colour": 5.0, "the number": 1.0}


@pytest.fixture(scope="module")
def bert(tiny_bert):
    letters = (*string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase))
    return tiny_bert([*["red", "blue", "one", "two", "six", "cars", "the", "colour", "number"], *letters])


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    rows = []
    for pair in range(30):
        colour, (first, second) = rng.choice(["red", "blue"]), rng.choice(["one", "two", "six"], 2, replace=False)
        sides = {"left": f"{first} {colour} cars", "right": f"{second} {colour} cars", "group": f"{pair}"}
        rows += [
            sides | {"condition": each, "score": score} for each, score in zip(CONDITIONS, (5.0, 1.0), strict=True)
        ]
    return sim.read([row | {"language": "en"} for row in rows], scale="1..5", name="toys")


def trained(kind, bert, data, folder, **shape):
    how = {"epochs": 1, "batch": 16, "lr": 1e-3, "device": "cpu", "quiet": True}
    getattr(sim.train, kind)(data, model=str(bert), out=folder, **how, **shape)
    record = json.loads((folder / "similitude.json").read_text())
    return record, Architecture(**record["architecture"])


def texts(architecture, data):
    return [read_item(architecture, item.left, item.right, item.condition) for item in data.items]


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("conditional", {}),
        ("conditional", {"mlp": True, "pooling": "cls", "place": "after"}),
        ("pairs", {}),
        ("conditional", {"architecture": "cross"}),
        ("conditional", {"architecture": "cross", "mlp": True, "pooling": "cls"}),
        ("pairs", {"architecture": "cross"}),
    ],
    ids=str,
)
def test_sentence_transformers_gives_our_scores(kind, shape, bert, data, tmp_path):
    import sentence_transformers

    _, architecture = trained(kind, bert, data, tmp_path / "model", **shape)
    ours = sim.system(f"conditional({tmp_path / 'model'}, device=cpu)").score(data.items).scores
    opened = getattr(sentence_transformers, architecture.opens_with)(str(tmp_path / "model"), device="cpu")
    if architecture.opens_with == "CrossEncoder":
        theirs = opened.predict([pair for (pair,) in texts(architecture, data)])
    else:
        lefts, rights = zip(*texts(architecture, data), strict=True)
        theirs = opened.similarity_pairwise(opened.encode([*lefts]), opened.encode([*rights])).numpy()
    np.testing.assert_allclose(theirs, ours, atol=2e-6)
    assert np.ptp(ours) > 0
    card = (tmp_path / "model/README.md").read_text()
    assert f"from sentence_transformers import {architecture.opens_with}" in card
    assert "library_name: sentence-transformers" in card


@pytest.mark.parametrize("architecture", ["tri", "joint"])
def test_a_card_says_what_cannot_be_opened(architecture, bert, data, tmp_path):
    trained("conditional", bert, data, tmp_path / "model", architecture=architecture)
    card = (tmp_path / "model/README.md").read_text()
    assert f"sentence-transformers cannot open it: it has no class for a {architecture} encoder" in card
    assert not (tmp_path / "model/modules.json").exists()


def test_a_card_has_data_recipe_and_intervals(bert, data, tmp_path):
    record, _ = trained("conditional", bert, data, tmp_path / "model", validation_share=0.3)
    text = (tmp_path / "model/README.md").read_text()
    _, head, body = text.split("---\n", 2)
    known = yaml.safe_load(head)
    assert (known["pipeline_tag"], known["language"]) == ("sentence-similarity", ["en"])
    assert "license" not in known  # nobody has said one yet
    metrics = {one["type"]: one["value"] for one in known["model-index"][0]["results"][0]["metrics"]}
    assert metrics == record["validation"]
    low, high = record["validation_intervals"]["pearson"]
    assert low < record["validation"]["pearson"] < high
    assert f"| pearson | {100 * record['validation']['pearson']:z.1f} [{100 * low:z.1f}, {100 * high:z.1f}] |" in body
    assert str(bert.parent) not in text  # folders of this machine are nobody's business
    for section in ("## Use", "## Training data", "## Training", "## Figures", "## Limits"):
        assert f"\n{section}\n" in body
