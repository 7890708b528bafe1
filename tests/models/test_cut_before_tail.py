"""Pairs under a condition that are too long: the sentences are cut, and the condition stays."""

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.models.encoders.token_lists import cut_before_tail, token_rows

transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

LETTERS = [*"abcdefgh"]


@pytest.fixture(scope="module")
def tokenizer(tiny_bert):
    return transformers.AutoTokenizer.from_pretrained(tiny_bert(LETTERS, longest=12))


def read(tokenizer, columns) -> list[str]:
    return [tokenizer.decode(ids) for ids in (row["input_ids"] for row in columns)]


def test_the_longer_sentence_loses_its_end(tokenizer):
    pair = ("a b", "c d e f g h[SEP]a h")
    # 12 tokens; 3 for the condition and its mark, 3 more marks: 6 for both sentences, and the left one has 2.
    assert read(tokenizer, cut_before_tail(tokenizer, [pair], 12, "[SEP]")) == [
        "[CLS] a b [SEP] c d e f [SEP] a h [SEP]"
    ]


def test_what_fits_is_as_the_tokeniser_writes_it(tokenizer):
    pair = ("a b", "c d[SEP]e")
    columns, plain = cut_before_tail(tokenizer, [pair], 12, "[SEP]"), token_rows(tokenizer, [pair])
    assert list(columns) == list(plain)


def test_a_condition_of_more_than_half_is_cut_itself(tokenizer):
    pair = ("a", "b[SEP]a b c d e f g h")
    assert read(tokenizer, cut_before_tail(tokenizer, [pair], 12, "[SEP]")) == [
        "[CLS] a [SEP] b [SEP] a b c d e f [SEP]"
    ]


def test_the_last_mark_counts(tokenizer):
    pair = ("a", "b[SEP]c d e f g h a b[SEP]h")
    (said,) = read(tokenizer, cut_before_tail(tokenizer, [pair], 12, "[SEP]"))
    assert said.endswith("[SEP] h [SEP]")
    assert len(said.split()) == 12


def test_a_pair_without_a_mark_loses_the_end_of_its_longer_text(tokenizer):
    pairs = [("a b", "c d e f g h a b c d"), ("a", "b[SEP]c d e f g h a b[SEP]h")]
    first, second = read(tokenizer, cut_before_tail(tokenizer, pairs, 12, "[SEP]"))
    assert first == "[CLS] a b [SEP] c d e f g h a [SEP]"
    assert second.endswith("[SEP] h [SEP]")


@pytest.mark.parametrize("encoding", ["cross", "joint"])
def test_a_model_of_opinions_reads_the_condition_of_long_texts(tiny_bert, tmp_path, encoding):
    pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
    from similitude.models.encoders.loader import LoadOptions
    from similitude.models.files import ModelFiles
    from similitude.systems.uncertain.architecture import Architecture
    from similitude.systems.uncertain.input_text import read_orders
    from similitude.training.uncertain.initial_network import InitialNetwork, build_initial_network

    folder = tiny_bert(LETTERS, longest=12, initializer_range=0.3)
    start = InitialNetwork(Architecture(encoding=encoding, reads="all"))
    opened = build_initial_network(LoadOptions(ModelFiles(str(folder)), "cpu", "float32"), start)
    long = "a b c d e f g h"
    items = Items.from_pairs([long] * 2, [long] * 2, ["a", "b"])
    prepared = opened.reader.prepare(read_orders(opened.network.architecture, items, both=False).texts, "")
    assert prepared.cut.all()
    rows = opened.reader.run(prepared.inputs, 12, 0)
    assert not np.allclose(rows[0], rows[1])
