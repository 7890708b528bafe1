"""Pairs are tokenised as the tokeniser itself does it, although each distinct text is tokenised once."""

import pytest

pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from similitude.models.encoders.token_lists import _pair_layout, token_rows

WORDS = ["[CLS]", "[SEP]", "[PAD]", "[UNK]", "a", "red", "car", "bus", "colour", "the", "##s"]
BERT = "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1"
ROBERTA = "[CLS]:0 $A:0 [SEP]:0 [SEP]:0 $B:0 [SEP]:0"
BARE = "$A:0 $B:1"
BACKWARDS = "[CLS]:0 $B:1 [SEP]:0 $A:0"
TWICE = "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1 [SEP]:0"  # tokens at one place have different types
PAIRS = [
    ("the colour", "a red car"),
    ("the colour", "a bus"),
    ("a red car", "the colour"),
    ("a", "bus"),
    ("the colour", ""),
]


def tokenizer(layout, names=("input_ids", "token_type_ids")):
    backend = Tokenizer(models.WordPiece({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    special = [(word, WORDS.index(word)) for word in ("[CLS]", "[SEP]")]
    backend.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair=layout, special_tokens=special)
    found = PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]", pad_token="[PAD]")
    found.model_input_names = [*names, "attention_mask"]
    return found


@pytest.mark.parametrize("layout", [BERT, ROBERTA, BARE, BACKWARDS, TWICE])
def test_the_tokens_of_pairs(layout):
    own = tokenizer(layout)
    found = token_rows(own, PAIRS)
    for pair, row in zip(PAIRS, found, strict=True):
        expected = own.backend_tokenizer.encode(*pair)
        assert (row["input_ids"], row["token_type_ids"]) == (expected.ids, expected.type_ids)


def test_types_only_where_the_tokeniser_has_them():
    (row,) = token_rows(tokenizer(ROBERTA, ["input_ids"]), PAIRS[:1])
    assert set(row) == {"input_ids"}


@pytest.mark.parametrize(
    ("layout", "is_known"), [(BERT, True), (ROBERTA, True), (BARE, True), (BACKWARDS, False), (TWICE, False)]
)
def test_which_layouts_are_joined_from_parts(layout, is_known):
    assert (_pair_layout(tokenizer(layout).backend_tokenizer, PAIRS[0]) is not None) == is_known


def test_a_text_is_tokenised_once():
    own = tokenizer(BERT)
    seen = []

    class Counted:
        def __getattr__(self, name):
            return getattr(own.backend_tokenizer, name)

        def encode_batch_fast(self, texts, **options):
            seen.extend(texts)
            return own.backend_tokenizer.encode_batch_fast(texts, **options)

    _pair_layout(own.backend_tokenizer, PAIRS[0]).joined(Counted(), PAIRS)
    assert sorted(seen) == sorted({text for pair in PAIRS for text in pair})


def test_texts_and_pairs_together():
    own = tokenizer(BERT)
    mixed = ["a bus", PAIRS[0]]
    expected = [own.backend_tokenizer.encode("a bus").ids, own.backend_tokenizer.encode(*PAIRS[0]).ids]
    assert [row["input_ids"] for row in token_rows(own, mixed)] == expected
