"""A local model as others see it: answers and likelihoods, whatever they are asked with, in whatever order and rows."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.models.language.protocol import GenerationSettings, Message, ModelChoice, ModelQuestion

torch = pytest.importorskip("torch", reason="the extra 'prompted' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'prompted' is not installed")

BLOCK = "Rate how alike two sentences are, from 1 to 5. "
TEXTS = ["a cat sat", "Ja, bitte", "一二三", "b", "the cab sat on a jab and nobody cared at all", "x y z"]


def user(text: str) -> tuple[Message, ...]:
    return (Message("user", text),)


class Ear:
    def __init__(self):
        self.notes, self.stages = [], []

    def progress(self, stage, done, total):
        self.stages.append((stage, done, total))

    def note(self, text):
        self.notes.append(text)


def questions(**settings) -> list[ModelQuestion]:
    how = GenerationSettings(**{"longest": 12, **settings})
    asked = [ModelQuestion(messages=user(BLOCK + text), settings=how) for text in TEXTS]
    return asked + [replace(question, draw=draw) for question in asked for draw in (1, 2)]


def choices() -> list[ModelChoice]:
    options = (" Ja", " Nein", "10", "1", "abc abc abc")
    return [ModelChoice(messages=user(BLOCK + text), options=options[i % 2 :]) for i, text in enumerate(TEXTS)]


def by_place(results) -> list:
    found = dict(results)
    assert sorted(found) == list(range(len(found)))
    return [found[place] for place in range(len(found))]


@pytest.mark.parametrize("kind", ["llama", "t5", "bloom"])
@pytest.mark.parametrize("settings", [{}, {"temperature": 1.0}, {"temperature": 0.8, "top_p": 0.7}])
class TestAnswers:
    @pytest.mark.slow
    def test_order_and_rows_do_not_matter(self, opened, kind, settings):
        asked = questions(**settings)
        together = by_place(opened(kind).answers(asked))
        backwards = by_place(opened(kind).answers(asked[::-1]))[::-1]
        single = opened(kind, tokens=1)
        alone = [by_place(single.answers([question]))[0] for question in asked]
        assert together == backwards == alone

    def test_draws_differ_where_there_is_chance(self, opened, kind, settings):
        asked = questions(**settings)
        texts = [answer.text for answer in by_place(opened(kind).answers(asked))]
        draws = [{texts[i], *texts[len(TEXTS) + 2 * i : len(TEXTS) + 2 * i + 2]} for i in range(len(TEXTS))]
        sizes = [len(own) for own in draws]
        assert sizes == [1] * len(TEXTS) if not settings else max(sizes) == 3


def greedy(network, prompt: list[int], longest: int) -> list[int]:
    """The plain way: the whole text again for each token."""
    tokens = list(prompt)
    with torch.inference_mode():
        for _ in range(longest):
            tokens.append(int(network(input_ids=torch.tensor([tokens])).logits[0, -1].argmax()))
    return tokens[len(prompt) :]


def test_the_likeliest_tokens_are_those_of_the_plain_way(opened, tiny):
    network = transformers.AutoModelForCausalLM.from_pretrained(tiny("gpt2"))
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny("gpt2"))
    asked = questions()[: len(TEXTS)]
    for question, answer in zip(asked, by_place(opened("gpt2").answers(asked)), strict=True):
        prompt = tokenizer(question.messages[0].content)["input_ids"]
        tokens = greedy(network, prompt, 12)
        end = tokens.index(1) if 1 in tokens else 12
        assert answer.text == tokenizer.decode(tokens[:end])
        assert (answer.prompt_tokens, answer.answer_tokens) == (len(prompt), end)
        assert answer.finish == ("stop" if end < 12 else "length")


def test_an_answer_ends_before_a_stop(opened):
    [plain] = by_place(opened().answers([questions()[0]]))
    mark = plain.text[3]
    question = replace(questions()[0], settings=GenerationSettings(longest=12, stop=("never", mark)))
    [cut] = by_place(opened().answers([question]))
    assert cut.text == plain.text[: plain.text.index(mark)]
    assert cut.finish == "stop"


def test_the_first_tokens_come_with_their_probabilities(opened, tiny):
    network = transformers.AutoModelForCausalLM.from_pretrained(tiny("llama"))
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny("llama"))
    question = replace(questions(temperature=1.0)[0], alternatives=5)
    [answer] = by_place(opened().answers([question]))
    with torch.inference_mode():
        logits = network(**tokenizer(question.messages[0].content, return_tensors="pt")).logits[0, -1]
    best = torch.log_softmax(logits, -1).topk(5)
    assert [text for text, _ in answer.first] == [tokenizer.decode([token]) for token in best.indices.tolist()]
    np.testing.assert_allclose([share for _, share in answer.first], best.values, atol=1e-4)
    [bound] = by_place(opened().answers([replace(question, allowed=("1", "2"))]))
    assert [text for text, _ in bound.first] == [text for text, _ in answer.first]


@pytest.mark.parametrize("kind", ["llama", "gpt2", "bloom", "t5"])
class TestLikelihoods:
    @pytest.mark.slow
    def test_order_and_rows_do_not_matter(self, opened, kind):
        asked = choices()
        together = by_place(opened(kind).likelihoods(asked))
        backwards = by_place(opened(kind).likelihoods(asked[::-1]))[::-1]
        single = opened(kind, tokens=1)
        alone = [by_place(single.likelihoods([choice]))[0] for choice in asked]
        for one, other, third in zip(together, backwards, alone, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-4)
            np.testing.assert_allclose(one, third, atol=1e-4)

    def test_tokens_and_characters_are_counted(self, opened, kind):
        first = by_place(opened(kind).likelihoods(choices()))[0]
        assert [(one.tokens, one.characters) for one in first[:2]] == [(2, 3), (4, 5)]
        assert all(one.total < 0 for one in first)


def test_on_a_cpu_a_choice_that_shares_little_is_the_same_to_the_last_bit(opened):
    apart = [replace(choice, messages=user(text * 4)) for choice, text in zip(choices(), TEXTS, strict=True)]
    together = by_place(opened().likelihoods(apart))
    assert together == [by_place(opened().likelihoods([choice]))[0] for choice in apart]


def test_an_answer_from_a_few_is_the_likeliest_of_them(opened):
    asked = [ModelQuestion(messages=choice.messages, allowed=choice.options) for choice in choices()]
    found = by_place(opened().answers(asked))
    weighed = by_place(opened().likelihoods(choices()))
    for question, answer, likelihoods in zip(asked, found, weighed, strict=True):
        totals = np.exp([one.total for one in likelihoods])
        # "1" begins "10" for us, but not for this tokeniser, where "10" is one token.
        assert answer.text == question.allowed[int(np.argmax(totals))]
        assert answer.finish == "stop"


def test_an_answer_from_a_few_may_be_drawn(opened):
    how = GenerationSettings(temperature=1.0)
    asked = [
        ModelQuestion(messages=user("How alike? "), allowed=("1", "2", "3"), settings=how, draw=draw)
        for draw in range(600)
    ]
    [weighed] = by_place(opened().likelihoods([ModelChoice(messages=user("How alike? "), options=("1", "2", "3"))]))
    shares = np.exp([one.total for one in weighed])
    drawn = [answer.text for answer in by_place(opened().answers(asked))]
    found = np.array([drawn.count(text) for text in ("1", "2", "3")]) / 600
    # Four standard errors of a share of 600 draws.
    np.testing.assert_allclose(found, shares / shares.sum(), atol=4 * 0.5 / 600**0.5)
    backwards = by_place(opened().answers(asked[::-1]))[::-1]
    assert [answer.text for answer in backwards] == drawn


class TestWindow:
    def test_is_read_off_the_configuration(self, opened):
        assert opened().window == 256
        assert opened("mamba").window is None

    def test_a_prompt_that_is_too_long_is_refused_with_its_length(self, opened):
        asked = [ModelQuestion(messages=user(text)) for text in ("x", "x" * 300, "x" * 400)]
        with pytest.raises(ArgumentError, match=r"prompt 2: .* 301 tokens.* is 256 \(2 of 3 prompts.*; shorten"):
            next(opened().answers(asked))
        with pytest.raises(ArgumentError, match=r"prompt 1: .* 257 tokens"):
            next(opened().likelihoods([ModelChoice(messages=user("x" * 250), options=("x" * 8,))]))

    def test_up_to_the_last_token_it_is_not(self, opened):
        [answer] = by_place(
            opened().answers([ModelQuestion(messages=user("x" * 255), settings=GenerationSettings(longest=9))])
        )
        assert (answer.answer_tokens, answer.finish) == (1, "length")
        assert by_place(opened().likelihoods([ModelChoice(messages=user("x" * 249), options=("x" * 8,))]))

    def test_tokens_are_counted_as_they_are_read(self, opened, chat_template):
        prompts = [user("xy"), user("x ab")]
        assert opened().count_tokens(prompts) == [2, 3]
        assert opened(bos=True).count_tokens(prompts) == [3, 4]
        chat = opened(template=chat_template)
        assert chat.is_chat
        # <turn> user: xy </s> <turn> assistant:
        assert chat.count_tokens(prompts[:1]) == [1 + 5 + 2 + 1 + 1 + 10]
        assert opened(template=chat_template, chat=False).count_tokens(prompts) == [2, 3]
        [answer] = by_place(chat.answers([ModelQuestion(messages=prompts[0])]))
        assert answer.prompt_tokens == 20


class TestMemory:
    @pytest.fixture
    def small(self, monkeypatch):
        """A machine with room for so many tokens."""
        from similitude.models.language.local.tree_network import TreeNetwork

        def limit(tokens: int):
            forward = TreeNetwork.forward

            def fails(self, row, *others):
                if len(row) > tokens:
                    raise torch.OutOfMemoryError("CUDA out of memory")
                return forward(self, row, *others)

            monkeypatch.setattr(TreeNetwork, "forward", fails)

        return limit

    def test_rows_are_halved_until_they_fit(self, opened, small):
        asked, weighed = questions()[: len(TEXTS)], choices()
        whole = by_place(opened().answers(asked)), by_place(opened().likelihoods(weighed))
        small(110)
        ear = Ear()
        parts = by_place(opened().answers(asked, ear)), by_place(opened().likelihoods(weighed, ear))
        assert parts[0] == whole[0]
        for one, other in zip(parts[1], whole[1], strict=True):
            np.testing.assert_allclose(one, other, atol=1e-4)
        assert len(ear.notes) == 2
        assert all("memory ran out: batches were halved" in note for note in ear.notes)

    def test_where_not_even_one_fits_it_says_so(self, opened, small):
        opened()._load(None)
        small(20)
        with pytest.raises(ArgumentError, match="not enough memory for a single prompt; use a smaller"):
            list(opened().answers(questions()))


def test_a_listener_hears_how_far_it_is_and_of_a_slow_network(opened):
    ear = Ear()
    list(opened("bloom").answers(questions()[:3], ear))
    assert ear.stages == [("loading the model", 0, 1), *[("answering", done, 3) for done in (1, 2, 3)]]
    assert "each prompt is read again" in ear.notes[0]


def test_nothing_is_loaded_for_nothing(opened, monkeypatch):
    model = opened()
    monkeypatch.setattr("similitude.models.language.local.model.load_network", None)
    monkeypatch.setattr("similitude.models.language.local.model.cached_chat_template", None)
    assert list(model.answers([])) == list(model.likelihoods([])) == []
    assert model.key.fingerprint
    assert model.scores_choices
