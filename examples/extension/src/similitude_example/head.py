"""A head: a Laplace distribution of opinions, by its mean and standard deviation."""

from dataclasses import dataclass
from typing import Any, ClassVar

from similitude.extend import Camps, Head, Shape, make_head


@dataclass(frozen=True)
class Laplace(Head):
    """Mean and standard deviation as a Gaussian has them; ratings far off surprise it less."""

    name: ClassVar[str] = "laplace"
    meaning: ClassVar[str] = "mean and standard deviation of people's opinions, whose tails are heavy"

    def outputs(self, shape: Shape) -> int:
        return 2

    def camps(self, shape: Shape, outputs: Any) -> Camps:
        return make_head("gaussian").camps(shape, outputs)

    def surprise(self, outputs: Any, camps: Camps, ratings: Any) -> Any:
        width = camps.sigmas / 2**0.5
        return (ratings - camps.means).abs() / width + (2 * width).log()
