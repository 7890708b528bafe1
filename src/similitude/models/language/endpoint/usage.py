"""The usage of an endpoint: requests, tokens and cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["Usage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Totals over requests.

    Attributes:
        requests: answered requests.
        repeated: requests that failed and were sent again.
        prompt_tokens: tokens read by the model.
        price_in: price per million tokens read.
        answer_tokens: tokens written by the model.
        price_out: price per million tokens written.
        estimated: requests whose tokens are an estimate, because the endpoint reported none.
        cut_short: empty answers of models that think first and used up their tokens.
    """

    requests: int = 0
    repeated: int = 0
    prompt_tokens: int = 0
    price_in: float | None = None
    answer_tokens: int = 0
    price_out: float | None = None
    estimated: int = 0
    cut_short: int = 0

    @property
    def cost(self) -> float | None:
        """The cost in the currency of the prices; None if no price is known.

        >>> Usage(prompt_tokens=2_000_000, answer_tokens=500_000, price_in=0.5, price_out=4.0).cost
        3.0
        """
        if self.price_in is None and self.price_out is None:
            return None
        return (self.prompt_tokens * (self.price_in or 0) + self.answer_tokens * (self.price_out or 0)) / 1e6

    def plus(self, **more: int) -> Usage:
        """The totals with these added."""
        return replace(self, **{name: getattr(self, name) + count for name, count in more.items()})

    def since(self, before: Usage) -> Usage:
        """The difference to earlier totals."""
        names = ("requests", "repeated", "prompt_tokens", "answer_tokens", "estimated", "cut_short")
        return replace(self, **{name: getattr(self, name) - getattr(before, name) for name in names})

    def sentence(self, name: str) -> str:
        """A sentence for the user.

        >>> Usage(requests=2, prompt_tokens=1200, answer_tokens=8, price_in=0.5, price_out=4.0).sentence("gpt")
        'gpt was asked 2 times: 1,200 tokens read, 8 written, cost 0.000632'
        """
        about = "about " if self.estimated else ""
        sentence = f"{name} was asked {self.requests:,} {'time' if self.requests == 1 else 'times'}: "
        sentence += f"{about}{self.prompt_tokens:,} tokens read, {self.answer_tokens:,} written"
        if self.cost is not None:
            sentence += f", cost {about}{self.cost:{',.2f' if self.cost >= 1 else '.3g'}}"
        return sentence + (f"; {self.repeated:,} requests failed first and were sent again" if self.repeated else "")
