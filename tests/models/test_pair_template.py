"""Pairs in a template: both texts are cut where they are too long, and the template's own words stay."""

import numpy as np
import pytest

from similitude.models.encoders.pair_template import fill_template, fit_template

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")

from similitude.models.encoders.text_model import TokenModel  # noqa: E402

TEMPLATE = "1:{left} 2:{right}?"  # six bytes of its own: 1 : space 2 : ?
LONGEST = 16


@pytest.fixture(scope="module")
def by_bytes(tiny_language_model):
    return transformers.AutoTokenizer.from_pretrained(tiny_language_model(longest=LONGEST))


@pytest.fixture(scope="module")
def by_letters(tiny_bert, letters):
    return transformers.AutoTokenizer.from_pretrained(tiny_bert([*letters, "?", "1", "2"]))


def reader(tokenizer, template: str = TEMPLATE, longest: int = LONGEST) -> TokenModel:
    return TokenModel(
        tokenizer, lambda features: features["input_ids"], "cpu", longest, workers=1, tokens=64, template=template
    )


def read(model: TokenModel, *pairs: tuple[str, str], prompt: str = "") -> tuple[list[str], list[bool]]:
    prepared = model.prepare(pairs, prompt)
    texts = [model.tokenizer.decode(tokens["input_ids"], skip_special_tokens=True) for tokens in prepared.inputs]
    assert list(prepared.lengths) == [len(tokens["input_ids"]) for tokens in prepared.inputs]
    assert max(prepared.lengths) <= model.longest
    return texts, prepared.cut.tolist()


class TestBytes:
    """Of 16 tokens the template has six, so that ten are left for the texts."""

    @pytest.mark.parametrize(
        ("left", "right", "expected"),
        [
            ("abcdefghijkl", "xyz", "1:abcdefg 2:xyz?"),  # three of the right one leave seven
            ("abc", "stuvwxyz", "1:abc 2:stuvwxy?"),
            ("abcdefghijkl", "qrstuvwxyz", "1:abcde 2:qrstu?"),  # neither fits beside half of the room
            ("abcdefghijkl", "", "1:abcdefghij 2:?"),
        ],
    )
    def test_the_longer_text_is_cut_first(self, by_bytes, left, right, expected):
        assert read(reader(by_bytes), (left, right)) == ([expected], [True])

    @pytest.mark.parametrize(
        ("left", "right", "expected"),
        [
            ("abcdefghijkl", "x", "1:abcd 2:x abcd?"),  # the template has seven; 9 = 2 x 4 + 1
            ("ab", "stuvwxyz", "1:ab 2:stuvw ab?"),  # 9 = 2 x 2 + 5
        ],
    )
    def test_a_text_that_is_shown_twice_takes_its_room_twice(self, by_bytes, left, right, expected):
        assert read(reader(by_bytes, "1:{left} 2:{right} {left}?"), (left, right)) == ([expected], [True])

    def test_an_odd_room_leaves_one_more_to_the_left(self, by_bytes):
        assert read(reader(by_bytes, longest=13), ("abcdefgh", "stuvwxyz")) == (["1:abcd 2:stu?"], [True])

    def test_cut_is_told_of_exactly_the_pairs_that_are(self, by_bytes):
        fits, too_long = ("abcde", "uvwxy"), ("abcde", "uvwxyz")
        texts, cut = read(reader(by_bytes), fits, too_long, ("a", "b"), too_long[::-1])
        assert cut == [False, True, False, True]
        assert texts == ["1:abcde 2:uvwxy?", "1:abcde 2:uvwxy?", "1:a 2:b?", "1:uvwxy 2:abcde?"]

    def test_only_what_is_too_long_pays(self, by_bytes, monkeypatch):
        from similitude.models.encoders import text_model as models

        seen = []
        honest = models.fit_template
        monkeypatch.setattr(models, "fit_template", lambda *given: seen.append(tuple(given[1])) or honest(*given))
        read(reader(by_bytes), ("a", "b"), ("a" * 20, "b"), ("abcde", "uvwxy"))
        assert seen == [("a" * 20, "b")]

    @pytest.mark.parametrize(
        ("left", "right", "expected"),
        [
            # é has two bytes, 好 three, 👍 four; the right text leaves six, six, five and seven of the ten
            ("éééééé", "wxyz", "1:ééé 2:wxyz?"),
            ("好好好好", "wxyz", "1:好好 2:wxyz?"),
            ("好好好好", "vwxyz", "1:好 2:vwxyz?"),  # and two bytes of the next, which are not read
            ("a👍👍👍", "wxy", "1:a👍 2:wxy?"),
        ],
    )
    def test_no_character_is_broken(self, by_bytes, left, right, expected):
        assert read(reader(by_bytes), (left, right)) == ([expected], [True])

    def test_braces_in_a_text_that_is_cut(self, by_bytes):
        assert read(reader(by_bytes), ("{right} {0} {", "{}")) == (["1:{right}  2:{}?"], [True])

    def test_a_prompt_stands_before_the_left_text(self, by_bytes):
        texts, _ = read(reader(by_bytes), ("abcdefgh", "xyz"), prompt="q ")
        assert texts == ["1:q abcde 2:xyz?"]

    def test_a_template_that_leaves_no_room_is_read_alone(self, by_bytes):
        assert read(reader(by_bytes, longest=6), ("abc", "xyz")) == (["1: 2:?"], [True])

    def test_a_template_that_does_not_fit_is_cut_at_its_end(self, by_bytes):
        assert read(reader(by_bytes, longest=5), ("abc", "xyz")) == (["1:abc"], [True])

    def test_long_texts_in_any_mixture(self, by_bytes):
        rng = np.random.default_rng(0)
        for _ in range(50):
            left, right = ("".join(rng.choice([*"ab é好"], rng.integers(0, 30))) for _ in range(2))
            ((text,), (cut,)) = read(reader(by_bytes), (left, right))
            assert "\ufffd" not in text
            assert cut == (len(fill_template(TEMPLATE, left, right).encode()) > LONGEST)
            assert text.startswith("1:")
            assert text.endswith("?")
            # at most one character of three bytes is left out at the end of each text
            assert len(text.encode()) > LONGEST - 5 or not cut


class TestOtherTokenisers:
    def test_marks_of_the_tokeniser_count(self, by_letters):
        # [CLS] 1 2 ? [SEP] are five of ten: of the two words, each a token a letter, three and two letters are left
        texts, cut = read(reader(by_letters, "1 {left} 2 {right} ?", 10), ("abcdef", "uvwxyz"), ("ab", "xyz"))
        assert texts == ["1 abc 2 uv?", "1 ab 2 xyz?"]
        assert cut == [True, False]

    def test_tokens_that_are_others_beside_the_template(self):
        # "xy" is one token of the template alone and two around a text, so that x aa y b would be five where four fit
        from tokenizers import Tokenizer, models

        pieces = {piece: number for number, piece in enumerate(["x", "y", "a", "b", "xy"])}
        merging = Tokenizer(models.BPE(vocab=pieces, merges=[("x", "y")]))
        tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=merging)
        assert len(tokenizer("xy")["input_ids"]) == 1
        assert fit_template("x{left}y{right}", ("aaaaa", "bbb"), tokenizer, 4) == "xayb"
        assert fit_template("x{left}y{right}", ("aaaaa", "bbb"), tokenizer, 3) == "xay"
        assert fit_template("x{left}y{right}", ("aaaaa", "bbb"), tokenizer, 1) == "xy"
        assert fit_template("x{left}y{right}", ("a", "b"), tokenizer, 4) == "xayb"

    def test_a_tokeniser_that_does_not_say_where_its_tokens_stand(self):
        class Words:
            """A token a word."""

            is_fast = False

            def __call__(self, text: str, **_: object) -> dict[str, list[int]]:
                return {"input_ids": [0] * len(text.split())}

        # eight words of three letters in 31 characters: three eighths are 11 of them, and what is left of a word counts
        left = "abc def ghi jkl mno pqr stu vwx"
        sentence = fit_template("one {left} two {right} three", (left, "yes"), Words(), 7)
        assert sentence == "one abc def ghi two yes three"
