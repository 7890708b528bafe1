"""Systems that give the vector of each text are those whose cosine they score."""

from __future__ import annotations

import numpy as np
import pytest
from trigram_encoder import TrigramEncoder, trigram_vector

from similitude.data.item import Items
from similitude.data.protocols import GivesVectors
from similitude.errors import PredictionError
from similitude.systems import make_system
from similitude.systems.encoders import universal_sentence_encoder as use

TEXTS = ["a small dog", "", "the cat", "a small dog", "two birds sing in the old tree"]


@pytest.fixture(params=["use", "wordllama", "encoder"])
def system(request, tiny_bert):
    if request.param != "encoder":
        return make_system(request.param)
    words = sorted({word for text in TEXTS for word in text.split()})
    return make_system(f"encoder('{tiny_bert(words)}')")


def test_vectors_of_texts_are_those_of_pairs(system):
    assert isinstance(system, GivesVectors)
    vectors = system.text_vectors(TEXTS)
    pairs = system.pair_vectors(Items.from_pairs(TEXTS, TEXTS))
    np.testing.assert_array_equal(vectors, pairs.left)
    np.testing.assert_array_equal(vectors[0], vectors[3])
    assert not vectors[1].any()


def test_an_object_gives_the_vectors_of_its_encode():
    made = make_system(TrigramEncoder())
    assert isinstance(made, GivesVectors)
    np.testing.assert_array_equal(made.text_vectors(TEXTS), np.stack([trigram_vector(text) for text in TEXTS]))


def test_an_object_that_raises_is_named():
    class Broken:
        def encode(self, texts):
            raise ValueError("no model")

    with pytest.raises(PredictionError, match="raised ValueError: no model"):
        make_system(Broken()).text_vectors(TEXTS)


def test_systems_without_vectors_have_none():
    assert not isinstance(make_system("levenshtein"), GivesVectors)


def test_bits_of_use_do_not_depend_on_the_number_of_cores(monkeypatch):
    texts = [f"sentence number {number} is {'rather ' * (number % 7)}long" for number in range(300)]
    found = []
    for cores in (1, 3, 16):
        monkeypatch.setattr(use, "_cores", lambda cores=cores: cores)
        found.append(make_system("use").text_vectors(texts))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
