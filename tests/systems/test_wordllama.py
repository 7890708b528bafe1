import logging
import sys

import numpy as np
import pytest

from similitude.errors import MissingExtraError
from similitude.systems.encoders import wordllama
from similitude.systems.encoders.wordllama import WordLlamaEncoder


def test_a_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[wordllama\]'"):
        wordllama._import_quietly()


class TestInstalled:
    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        pytest.importorskip("wordllama")

    def test_a_paraphrase_is_nearer_than_an_unrelated_text(self) -> None:
        text = "A man is playing a guitar."
        near, far = WordLlamaEncoder().similarities([text, text], ["Someone plays the guitar.", "The market fell."])
        assert near > far + 0.2

    def test_the_same_vectors_as_the_package(self) -> None:
        package = wordllama._import_quietly()
        from pathlib import Path

        theirs = package.WordLlama.load(cache_dir=Path(package.__file__).parent, disable_download=True)
        texts = ["A man is playing a guitar.", "word", "?!", "一个男人在弹吉他。", "x y z " * 300]
        np.testing.assert_allclose(WordLlamaEncoder().embed(texts), theirs.embed(texts), atol=1e-5)

    def test_neighbours_in_a_batch_do_not_matter(self) -> None:
        texts = sorted((f"{'word ' * (i % 30)}number {i}" for i in range(150)), key=len)
        together = WordLlamaEncoder().embed(texts)
        alone = np.concatenate([WordLlamaEncoder().embed([text]) for text in texts])
        np.testing.assert_array_equal(together, alone)

    def test_same_texts_blank_texts_and_odd_texts(self) -> None:
        odd = ["?!", "😀", "\u200b", "一个男人", "a\x00b"]
        assert WordLlamaEncoder().similarities(odd, odd).tolist() == [1.0] * len(odd)
        assert WordLlamaEncoder().similarities(["", " ", "a"], ["", "a", "\t"]).tolist() == [1.0, 0.0, 0.0]

    def test_importing_it_sets_up_no_logging(self, monkeypatch: pytest.MonkeyPatch) -> None:
        root = logging.getLogger()
        monkeypatch.setattr(root, "handlers", [])
        for module in [name for name in sys.modules if name.split(".")[0] == "wordllama"]:
            monkeypatch.delitem(sys.modules, module)
        level = root.level
        wordllama._import_quietly()
        assert root.handlers == []
        assert root.level == level
