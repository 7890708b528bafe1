"""The release of a model: its card with licence, figures on named data, and what is pushed."""

import polars as pl
import pytest
import yaml
from fake_hub import fake_hub

import similitude as sim
from similitude.cli.app import run as command
from similitude.errors import ArgumentError, InputError

pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")


@pytest.fixture(scope="module")
def model(tiny_bert, letters, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "my-model"
    bert = tiny_bert(letters)
    how = {"epochs": 1, "batch": 16, "device": "cpu", "quiet": True}
    sim.train.pairs("sample:opinions", model=str(bert), out=folder, **how)
    return folder


def card(folder):
    _, head, body = (folder / "README.md").read_text().split("---\n", 2)
    return yaml.safe_load(head), body


def test_the_card_has_licence_figures_and_citation(model, tmp_path):
    other = tmp_path / "other.jsonl"
    sim.write(sim.read("sample:conditions"), other)
    made = sim.publish(model, license="MIT", language="de", authors="A. Person", evaluate=str(other), quiet=True)
    head, body = card(model)
    assert (head["license"], head["language"], head["library_name"]) == ("mit", ["de"], "sentence-transformers")
    [results] = head["model-index"][0]["results"]
    figures = {one["type"]: one["value"] for one in results["metrics"]}
    again = sim.run(other, f"conditional({model}, device=cpu)", ["spearman", "pearson"], quiet=True)
    for name, value in figures.items():
        one = again[again.labels[0], name]
        assert value == pytest.approx(one.value, abs=1e-5)
        assert f"| {name} | {one.value:z.3f} | [{one.low:z.2f}, {one.high:z.2f}] |" in body
    assert head["model-index"][0]["name"] == "my-model"
    assert "## Citation\n\n```bibtex\n@misc{mymodel,\n  author = {A. Person}," in body
    assert made.files.keys() == {"README.md", "LICENSE", "CITATION.bib"}
    assert "Performance on other domains and languages than those above was not measured." in body
    assert "my-model" in repr(made)
    sim.system(f"conditional({model}, device=cpu)")("Ein Satz.", "Noch einer.")  # still opens


def test_no_results_without_a_figure_are_in_the_metadata(model, tmp_path):
    other = tmp_path / "other.jsonl"
    sim.write(sim.read("sample:conditions"), other)
    how = {"license": "MIT", "language": "de", "evaluate": str(other), "quiet": True}
    sim.publish(model, measures="kl", **how)  # of a system without sigma: the hub refuses results without metrics
    head, body = card(model)
    assert "model-index" not in head
    assert "| kl | undefined: " in body


def test_training_data_is_refused(model, tmp_path):
    with pytest.raises(ArgumentError, match="sample:opinions: the model was trained or selected on items of this data"):
        sim.publish(model, license="MIT", language="de", evaluate="sample:opinions", quiet=True)
    # Under another name, in another order and with sides swapped, the pairs are known by their sketch.
    frame = sim.read("sample:opinions").to_polars().with_columns(benchmark=pl.lit("others")).reverse().head(20)
    frame.rename({"left": "right", "right": "left"}).write_parquet(tmp_path / "others.parquet")
    with pytest.raises(ArgumentError, match=r"others: .* \(20 of 60 pairs of its sketch are there\)"):
        sim.publish(model, license="MIT", language="de", evaluate=str(tmp_path / "others.parquet"), quiet=True)


def test_only_the_model_is_pushed(model, monkeypatch):
    client = pytest.importorskip("huggingface_hub")
    monkeypatch.setattr(client, "get_token", lambda: "hf_token")
    with fake_hub() as hub:
        api = client.HfApi(endpoint=hub.url, token="hf_token")
        monkeypatch.setattr(client, "HfApi", lambda: api)
        made = sim.publish(model, license="MIT", language="de", push="me/my-model", quiet=True)
        there = hub.files["models/me/my-model"]
        assert made.address == f"{hub.url}/models/me/my-model"
    assert {"model.safetensors", "similitude.json", "modules.json", "README.md", "LICENSE"} <= there.keys()
    assert not [path for path in there if path.startswith("runs/")]
    assert 'SentenceTransformer("me/my-model")' in there["README.md"].decode()


def test_options_of_data_are_refused_for_models_and_the_other_way_round(model, tmp_path):
    with pytest.raises(ArgumentError, match="--split is about data"):
        command(["publish", str(model), "--split", "test=1", "--license", "MIT"])
    with pytest.raises(ArgumentError, match="--evaluate is about models"):
        command(["publish", "sample:opinions", "--name", "x", "--evaluate", "sample:opinions"])
    with pytest.raises(ArgumentError, match="a release needs a licence"):
        command(["publish", str(model)])
    (tmp_path / "similitude.json").write_text("{}")
    with pytest.raises(InputError, match="holds no finished training"):
        sim.publish(tmp_path, license="MIT", language="de")


def test_what_is_about_an_evaluation_needs_one(model):
    for about in ({"measures": "spearman"}, {"evaluation_split": "test"}):
        with pytest.raises(ArgumentError, match=f"{next(iter(about))}= is for evaluate=, and there is none"):
            sim.publish(model, license="MIT", language="de", quiet=True, **about)
