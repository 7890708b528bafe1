"""Keys of tables about judgements that their figures read."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from similitude.gold.reliability.bootstrap import Resampling

__all__ = ["DataOptions"]


class DataOptions(BaseModel):
    """What figures of judgements can be told.

    Attributes:
        above: a standard deviation; ``above`` counts the items beyond it. By default a tenth of the scale.
        raters: the numbers of raters of ``kl_by_raters``; by default all that nine in ten items have.
        reference: the group of raters that others are compared with; by default the first.
        components: Gaussians of the mixture of ``components`` and ``mixture_fit``.
        train: so many items are drawn at random to fit that mixture; it is tested on the rest.
        starts: random starts of that mixture.
        repeats: random halvings of ``split_half``.
        resamples: 0 for no intervals.
        level: of the intervals.
        seed: determines everything random.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    above: float | None = Field(default=None, ge=0)
    raters: tuple[int, ...] = ()
    reference: str | None = None
    components: int = Field(default=4, ge=1)
    train: int | None = Field(default=None, ge=1)
    starts: int = Field(default=1, ge=1)
    repeats: int = Field(default=100, ge=1)
    resamples: int = Field(default=1000, ge=0)
    level: float = Field(default=0.95, ge=0.5, lt=1)
    seed: int = Field(default=0, ge=0)

    @property
    def resampling(self) -> Resampling:
        """How intervals are drawn."""
        return Resampling(resamples=self.resamples, level=self.level, seed=self.seed)
