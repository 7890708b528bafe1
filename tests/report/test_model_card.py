import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.report.model_card import model_card_of

yaml = pytest.importorskip("yaml")


def test_the_metadata_is_what_the_hub_reads(opinions):
    text = model_card_of([opinions], "levenshtein")
    head = yaml.safe_load(text.split("---")[1])
    (model,) = head["model-index"]
    assert model["name"] == "levenshtein"
    (result,) = model["results"]
    assert result["task"]["type"] == "sentence-similarity"
    assert result["dataset"]["name"] == "sample:opinions (simulated judgements)"
    values = {metric["type"]: metric["value"] for metric in result["metrics"]}
    assert values.keys() == {"spearman", "pearson", "mae"}, "an undefined figure is left out"
    assert values["spearman"] == pytest.approx(opinions["levenshtein", "spearman"], rel=1e-5)


def test_data_without_a_figure_are_left_out_of_the_metadata(opinions, plain):
    nothing = sim.run("sample:opinions", ["levenshtein"], ["kl"])  # a system without sigma
    text = model_card_of([nothing], "levenshtein")
    assert text.startswith("## Semantic textual similarity")
    assert "| kl | undefined: " in text
    both = yaml.safe_load(model_card_of([nothing, plain], "levenshtein").split("---")[1])
    (result,) = both["model-index"][0]["results"]
    assert result["metrics"]


def test_the_table_has_intervals_and_says_that_judgements_are_simulated(opinions, plain):
    text = model_card_of([opinions], "levenshtein")
    assert "| spearman | 0.260 | [" in text
    assert "| kl | undefined: " in text
    assert "SIMULATED" in text
    assert "| spearman | 0.260 |\n" in model_card_of([plain], "levenshtein")


@pytest.mark.parametrize(("system", "words"), [(None, "about one of the 4 systems"), ("jaro", "no system 'jaro'")])
def test_one_system_must_be_named(opinions, system, words):
    with pytest.raises(ArgumentError, match=words):
        model_card_of([opinions], system)
