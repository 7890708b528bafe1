"""What was asked of an endpoint, in requests, tokens and money."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["Usage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Totals.

    Attributes:
        requests: that were answered.
        repeated: requests that failed first and were sent again.
        prompt_tokens: read by the model.
        answer_tokens: written by it.
        estimated: requests whose tokens are an estimate, for want of a count from the endpoint.
        cut_short: answers without a word, because the tokens allowed were used up before: the model thinks first.
        price_in: of a million tokens read.
        price_out: of a million tokens written.
    """

    requests: int = 0
    repeated: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    estimated: int = 0
    cut_short: int = 0
    price_in: float | None = None
    price_out: float | None = None

    @property
    def cost(self) -> float | None:
        """In the currency of the prices; None where there are none.

        >>> Usage(prompt_tokens=2_000_000, answer_tokens=500_000, price_in=0.5, price_out=4.0).cost
        3.0
        """
        if self.price_in is None and self.price_out is None:
            return None
        return (self.prompt_tokens * (self.price_in or 0) + self.answer_tokens * (self.price_out or 0)) / 1e6

    def plus(self, **more: int) -> Usage:
        """With these added."""
        return replace(self, **{name: getattr(self, name) + count for name, count in more.items()})

    def since(self, before: Usage) -> Usage:
        """What was added since."""
        names = ("requests", "repeated", "prompt_tokens", "answer_tokens", "estimated", "cut_short")
        return replace(self, **{name: getattr(self, name) - getattr(before, name) for name in names})

    def sentence(self, name: str) -> str:
        """For people.

        >>> Usage(requests=2, prompt_tokens=1200, answer_tokens=8, price_in=0.5, price_out=4.0).sentence("gpt")
        'gpt was asked 2 times: 1,200 tokens read, 8 written, cost 0.000632'
        """
        about = "about " if self.estimated else ""
        told = f"{name} was asked {self.requests:,} {'time' if self.requests == 1 else 'times'}: "
        told += f"{about}{self.prompt_tokens:,} tokens read, {self.answer_tokens:,} written"
        if self.cost is not None:
            told += f", cost {about}{self.cost:{',.2f' if self.cost >= 1 else '.3g'}}"
        return told + (f"; {self.repeated:,} requests failed first and were sent again" if self.repeated else "")
