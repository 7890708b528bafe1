"""Between messages and tokens: BOS, chat templates, and the border between prompt and option."""

import pytest

from similitude.errors import ArgumentError
from similitude.models.language.local.chat_template import ChatTemplate
from similitude.models.language.protocol import Message, ModelChoice


@pytest.fixture
def wording(make_tokenizer):
    def make(*, bos=False, template=None, has_encoder=False):
        tokenizer = make_tokenizer(bos=bos, ending=has_encoder, template=template)
        return ChatTemplate(
            tokenizer=tokenizer, is_chat=template is not None, has_encoder=has_encoder, ends=frozenset({1})
        )

    return make


def user(text: str) -> tuple[Message, ...]:
    return (Message("user", text),)


def said(wording: ChatTemplate, tokens: list[int]) -> list[str]:
    return wording.tokenizer.convert_ids_to_tokens(tokens)


def test_without_a_template_contents_stand_one_after_the_other(wording):
    own = wording()
    [tokens] = own.prompts([(Message("system", "xy"), Message("user", "z"))])
    assert said(own, tokens) == ["x", "y", "z"]


def test_bos_comes_once_where_the_tokeniser_has_it_and_never_where_not(wording):
    own = wording(bos=True)
    plain, written = own.prompts([user("xy"), user("<s>xy")])
    assert said(own, plain) == said(own, written) == ["<s>", "x", "y"]
    other = wording()
    assert said(other, other.prompts([user("xy")])[0]) == ["x", "y"]


def test_a_template_writes_special_tokens_itself(wording, chat_template):
    own = wording(bos=True, template=chat_template)
    [tokens] = own.prompts([user("hi")])
    assert "".join(said(own, tokens)) == "<turn>user:hi</s><turn>assistant:"


def test_a_last_turn_of_the_model_is_gone_on_with(wording, chat_template):
    own = wording(template=chat_template)
    [tokens] = own.prompts([(*user("hi"), Message("assistant", "So"))])
    assert "".join(said(own, tokens)) == "<turn>user:hi</s><turn>assistant:So"


NO_SYSTEM = (
    "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    "<turn>{{ m['content'] }}{% endfor %}"
)


def test_a_template_without_a_system_has_the_user_say_it(wording):
    own = wording(template=NO_SYSTEM)
    [tokens] = own.prompts([(Message("system", "Be x"), *user("y"))])
    assert "".join(said(own, tokens)) == "<turn>BeĠxĊĊy"


def test_a_template_that_refuses_is_a_mistake_with_a_remedy(wording):
    own = wording(template="{{ raise_exception('only on Sundays') }}")
    with pytest.raises(ArgumentError, match=r"only on Sundays.*chat=False"):
        own.prompts([user("y")])


def options_of(own: ChatTemplate, prompt: str, *options: str) -> list[list[str]]:
    [choice] = own.choices([ModelChoice(messages=user(prompt), options=options)])
    assert choice.prompt == own.prompts([user(prompt)])[0]
    return [said(own, option) for option in choice.options]


def test_an_options_leading_space_belongs_to_it(wording):
    assert options_of(wording(), "x:", " Ja", "Ja") == [["ĠJ", "a"], ["J", "a"]]


def test_where_the_border_falls_within_a_token_the_option_is_tokenised_apart(wording):
    # "x: Ja" together has the token " J", which the prompt "x: " would lose its end to; "ab" likewise.
    assert options_of(wording(), "x: ", "Ja") == [["J", "a"]]
    assert options_of(wording(), "xa", "b", " b") == [["b"], ["Ġb"]]


def test_options_get_no_bos(wording):
    assert options_of(wording(bos=True), "x:", " Ja") == [["ĠJ", "a"]]


def test_options_after_a_template(wording, chat_template):
    assert options_of(wording(template=chat_template), "hi", "ab") == [["ab"]]


def test_a_tokeniser_that_puts_a_space_before_each_text(wording):
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    words = ["<s>", "</s>", "<unk>", "▁", "▁J", *"xJa:\n"]
    tokenizer = Tokenizer(
        models.BPE(vocab={word: i for i, word in enumerate(words)}, merges=[("▁", "J")], unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>")
    own = ChatTemplate(tokenizer=wrapped, is_chat=False, has_encoder=False, ends=frozenset())
    # By itself "Ja" is "▁J a", as if a space stood before it.
    assert options_of(own, "x:", "Ja", " Ja") == [["J", "a"], ["▁J", "a"]]
    # Where the border falls within a token it is tokenised apart, and still gets no space of the tokeniser's.
    assert options_of(own, "x: ", "Ja") == [["J", "a"]]
    assert [own.token_text(words.index(word)) for word in ("▁J", "J")] == [" J", "J"]


def test_an_encoder_gets_its_ending_and_options_none(wording):
    own = wording(has_encoder=True)
    [choice] = own.choices([ModelChoice(messages=user("xy"), options=("z",))])
    assert said(own, choice.prompt) == ["x", "y", "</s>"]
    assert said(own, choice.options[0]) == ["z"]


def test_empty_prompts_and_options_are_refused(wording):
    with pytest.raises(ArgumentError, match=r"prompt 2: the prompt is empty"):
        wording().prompts([user("x"), user("")])
    assert wording(bos=True).prompts([user("")]) == [[0]]
    with pytest.raises(ArgumentError, match=r"choice 1: an option is empty"):
        wording().choices([ModelChoice(messages=user("x"), options=("a", ""))])


def test_half_a_character_is_no_reason_to_fail(wording):
    assert len(wording().prompts([user("x\ud83d")])[0]) == 2


def test_text_leaves_special_tokens_out(wording):
    own = wording()
    assert own.text([*own.prompts([user(" b ä")])[0], 1]) == " b ä"
