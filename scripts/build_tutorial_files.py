"""Write the files that the tutorial ``crowd`` reads, from the public data in evidence/.

The 200 English pairs of the case study of USTS and the ratings of 18 people, as a linguist would have them: a table of
pairs and a table of answers. The texts and ratings are the published ones (MIT, Wang et al. 2023); the names of people
are ours: a place in the published list of a group is taken as one person.
"""

from __future__ import annotations

import bz2
import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PUBLISHED = ROOT / "evidence" / "usts" / "usts_multilingual_case_study_examples.json.bz2"
FOLDER = ROOT / "docs" / "notebooks" / "files" / "crowd"
GROUPS = {
    "English native": "native",
    "Translator": "translator",
    "Oversea student": "student",
    "General user": "general",
}


def tables() -> dict[str, str]:
    """The text of each file by its name."""
    published = json.loads(bz2.decompress(PUBLISHED.read_bytes()))
    pairs = [
        {"id": key, "sentence1": each["en"]["s1"], "sentence2": each["en"]["s2"]} for key, each in published.items()
    ]
    answers = [
        {"pair": key, "annotator": f"{group}-{place}", "background": group, "rating": rating}
        for key, each in published.items()
        for published_group, group in GROUPS.items()
        for place, rating in enumerate(each["en"][published_group], start=1)
    ]
    return {"pairs.csv": _csv(pairs), "answers.csv": _csv(answers)}


def _csv(rows: list[dict[str, Any]]) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in tables().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    shutil.copyfile(ROOT / "evidence" / "usts" / "LICENSE", FOLDER / "LICENSE")


if __name__ == "__main__":
    main()
