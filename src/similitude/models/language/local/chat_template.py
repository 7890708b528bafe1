"""Turns messages into tokens: chat template, tokeniser, and the boundary between a prompt and its continuation.

- **Prompt.** Messages go through the tokeniser's chat template, which writes all special tokens itself. Without a
  template, their contents are concatenated, after the special tokens that the tokeniser puts before a text (BOS, if
  the model has one).
- **Boundary.** A prompt is always tokenised by itself, so that its tokens are the same for all options and answers. The
  tokens of an option are those that follow when both are tokenised together, if that leaves the prompt's tokens
  unchanged; this is what the model saw in training, and the only correct way for tokenisers that insert a space before
  every text. If the boundary falls within a token (a prompt that ends in a space), the option is tokenised by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from similitude.errors import ArgumentError
from similitude.models.language.local.token_inputs import TokenChoice, Tokens
from similitude.models.language.protocol import Message, ModelChoice

__all__ = ["ChatTemplate"]

Prompt = tuple[Message, ...]


@dataclass(frozen=True)
class ChatTemplate:
    """A tokeniser and how it is used.

    Attributes:
        tokenizer: a tokeniser of transformers.
        is_chat: whether messages go through its chat template.
        has_encoder: whether an encoder reads the prompts, which also needs the tokeniser's closing tokens.
        ends: the tokens that end an answer.
    """

    tokenizer: Any
    is_chat: bool
    has_encoder: bool
    ends: frozenset[int]

    def prompts(self, prompts: Sequence[Prompt]) -> list[Tokens]:
        """The tokens of each prompt.

        Raises:
            ArgumentError: a prompt is empty, or the chat template rejects it.
        """
        tokens = self._tokens([self._written(prompt) for prompt in prompts])
        for place, own in enumerate(tokens):
            if not own:
                raise ArgumentError(
                    "the prompt is empty, and the model has no beginning-of-text token",
                    where=f"prompt {place + 1}",
                    remedy="write a prompt",
                )
        return tokens

    def choices(self, choices: Sequence[ModelChoice]) -> list[TokenChoice]:
        """The tokens of each choice.

        Raises:
            ArgumentError: a prompt or an option is empty.
        """
        prompts = self.prompts([choice.messages for choice in choices])
        texts = [self._written(choice.messages) for choice in choices]
        pairs = [(place, option) for place, choice in enumerate(choices) for option in choice.options]
        for place, option in pairs:
            if not option:
                raise ArgumentError(
                    "an option is empty", where=f"choice {place + 1}", remedy="write the text of the option"
                )
        together = [[]] * len(pairs) if self.has_encoder else self._tokens([texts[i] + option for i, option in pairs])
        options = [
            both[len(prompts[i]) :] if _begins(both, prompts[i]) else self._apart(option)
            for (i, option), both in zip(pairs, together, strict=True)
        ]
        split = iter(options)
        return [
            TokenChoice(prompt, [next(split) for _ in choice.options])
            for prompt, choice in zip(prompts, choices, strict=True)
        ]

    def text(self, tokens: Tokens) -> str:
        """The text of tokens, without special tokens."""
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False))

    def token_text(self, token: int) -> str:
        """The text that one token adds, with its leading space, which some tokenisers drop at the start of a text."""
        before = self._anchor
        both = self.tokenizer.decode([*before, token], clean_up_tokenization_spaces=False)
        alone = self.tokenizer.decode(before, clean_up_tokenization_spaces=False)
        return str(both[len(alone) :])

    def _written(self, messages: Prompt) -> str:
        if not self.is_chat:
            return "".join(message.content for message in messages)
        from jinja2 import TemplateError

        try:
            return self._templated(messages)
        except TemplateError:
            pass
        try:  # Many templates have no role "system".
            return self._templated(_without_system(messages))
        except (TemplateError, ValueError) as error:
            why = " ".join(str(error).split())
            remedy = "start with the user and alternate turns, or use chat=False to skip the template"
            raise ArgumentError(f"the model's chat template rejects the messages: {why[:200]}", remedy=remedy) from None

    def _templated(self, messages: Prompt) -> str:
        """The conversation up to the point where the model continues: a new turn of its own, or its last one."""
        goes_on = messages[-1].role == "assistant"
        return str(
            self.tokenizer.apply_chat_template(
                [message._asdict() for message in messages],
                tokenize=False,
                add_generation_prompt=not goes_on,
                continue_final_message=goes_on,
            )
        )

    def _tokens(self, texts: Sequence[str]) -> list[Tokens]:
        plain = self._plain_tokens(texts)
        if self.is_chat:
            return plain
        before, behind = self._own
        begun = [tokens if before and _begins(tokens, before) else before + tokens for tokens in plain]
        return [tokens + behind for tokens in begun] if self.has_encoder else begun

    def _plain_tokens(self, texts: Sequence[str]) -> list[Tokens]:
        if not texts:
            return []
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        tokens: list[Tokens] = self.tokenizer(clean, add_special_tokens=False, verbose=False)["input_ids"]
        return tokens

    def _apart(self, option: str) -> Tokens:
        """The tokens of an option by itself: those that follow a line break, where no space is inserted."""
        broken, both, alone = self._plain_tokens(["\n", "\n" + option, option])
        return both[len(broken) :] if broken and _begins(both, broken) and not self.has_encoder else alone

    @cached_property
    def _own(self) -> tuple[Tokens, Tokens]:
        """The special tokens that the tokeniser adds before and after a text."""
        inner = self._anchor
        outer: Tokens = self.tokenizer("a", verbose=False)["input_ids"]
        place = next((i for i in range(len(outer)) if outer[i : i + len(inner)] == inner), 0)
        return outer[:place], outer[place + len(inner) :]

    @cached_property
    def _anchor(self) -> Tokens:
        return self._plain_tokens(["a"])[0]


def _begins(tokens: Tokens, beginning: Tokens) -> bool:
    return len(tokens) > len(beginning) and tokens[: len(beginning)] == beginning


def _without_system(messages: Prompt) -> Prompt:
    """Move the system's messages to the start of the user's first message."""
    said = [message.content for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    if not said or not rest or rest[0].role != "user":
        return messages
    return (Message("user", "\n\n".join([*said, rest[0].content])), *rest[1:])
