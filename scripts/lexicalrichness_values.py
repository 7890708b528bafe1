"""What LexicalRichness gives, for our tests: python scripts/lexicalrichness_values.py (pip install lexicalrichness).

GiCCS measured RTTR and MTLD with this library. It brings matplotlib and NLTK along, so tests compare ours with values
that it gave once, in tests/reference/lexicalrichness.json; after a change of the samples, run this again.
"""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lexicalrichness import LexicalRichness

from similitude.samples import read_sample

TARGET = Path(__file__).parents[1] / "tests" / "reference" / "lexicalrichness.json"
THRESHOLDS = (0.5, 0.66, 0.72, 0.75)
CHARACTERS = "aAäßİ9٣ \t\n-–—.,'\"„“…_/我。"


def of_words(words: list[str]) -> dict[str, Any]:
    found = LexicalRichness(words, preprocessor=None, tokenizer=None)
    return {"words": "".join(words), "rttr": found.rttr, "mtld": [found.mtld(each) for each in THRESHOLDS]}


def of_sample(part: str) -> dict[str, float]:
    found = LexicalRichness(" ".join(read_sample(part).items.texts()))
    return {"rttr": found.rttr, "mtld": found.mtld(0.72)}


def main() -> None:
    draw = random.Random(0)
    lists = [draw.choices("abcdefgh"[: draw.randint(1, 8)], k=draw.randint(1, 60)) for _ in range(200)]
    texts = ["".join(draw.choices(CHARACTERS, k=draw.randint(0, 30))) for _ in range(200)]
    values = {
        "made_by": f"LexicalRichness {version('lexicalrichness')}, scripts/lexicalrichness_values.py",
        "thresholds": THRESHOLDS,
        "richness": [of_words(words) for words in lists],
        "samples": {part: of_sample(part) for part in ("dialogues", "opinions")},
        "words": [{"text": text, "words": LexicalRichness(text).wordlist} for text in texts],
    }
    TARGET.write_text(json.dumps(values, ensure_ascii=True, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
