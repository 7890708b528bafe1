"""String systems against the features that DKPro Similarity published: correlation and equality, measure by measure.

``python benchmarks/string_features.py STS.input.MSRpar.txt FEATURES ...``

The first file has the pairs of SemEval-2012, one a line, separated by a tab (MSRpar is distributed by Microsoft and
cannot ship with Similitude). Each further file has values of DKPro Similarity for the same pairs, in the same order: an
ARFF file with one attribute a measure, or a text file with one value a line that is named after its measure, such as
``WordNGramContainmentMeasure_1.txt``. Both are in the history of https://github.com/dkpro/dkpro-similarity, under
``src/main/resources`` of its examples (``models/semeval-train-all-combined.arff``,
``semeval-train-all-combined-features/content/n-grams``). Their first 750 values are those of the training pairs of
MSRpar; values beyond the pairs that are given are left out.

For every measure, the table has Similitude's system with the published definition and the one with the nearest default.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from similitude.data.protocols import FitsTexts
from similitude.systems import make_system

Values = NDArray[np.float64]

TOKENS = "tokens=break-iterator, short=nothing"
MEASURES = {
    r"Jaro": ("jaro(definition=second-string)", "jaro"),
    r"JaroWinkler": ("jaro-winkler(definition=second-string)", "jaro-winkler"),
    r"MongeElkan": ("monge-elkan(definition=second-string)", "monge-elkan"),
    r"Levenshtein": ("levenshtein(lowercase=false, edits=number)", "levenshtein"),
    r"LongestCommonSubsequenceComparator": (
        "longest-common-subsequence(lowercase=false)",
        "longest-common-subsequence",
    ),
    r"LongestCommonSubsequenceNormComparator": ("longest-common-subsequence(of=left)", "longest-common-subsequence"),
    r"LongestCommonSubstringComparator": ("longest-common-substring(lowercase=false)", "longest-common-substring"),
    r"GreedyStringTiling_(\d)": (
        r"greedy-string-tiling(min_match=\1, unit=character, of=left)",
        r"greedy-string-tiling(min_match=\1)",
    ),
    r"WordNGramContainmentMeasure_(\d)": (
        rf"word-ngram-containment(n=\1, of=left, {TOKENS})",
        r"word-ngram-containment(n=\1)",
    ),
    r"WordNGramJaccardMeasure_(\d)": (rf"word-ngram-jaccard(n=\1, {TOKENS})", r"word-ngram-jaccard(n=\1)"),
    r"CharacterNGramMeasure_(\d)": (r"char-ngram-tfidf(n=\1, alphabet=dkpro)", r"char-ngram-cosine(n=\1)"),
}
"""Measures of DKPro Similarity: the system with its definition, and the nearest with the defaults."""


def read_pairs(path: Path) -> tuple[list[str], list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = [re.split(r"\t| {4}", line.rstrip("\n")) for line in lines if line.strip()]
    wrong = [number for number, pair in enumerate(pairs, 1) if len(pair) != 2]
    if wrong:
        sys.exit(f"{path}, line {wrong[0]}: expected two texts separated by a tab")
    return [left for left, _ in pairs], [right for _, right in pairs]


def read_features(path: Path) -> Iterator[tuple[str, Values]]:
    """The measures of a file and their values."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".arff":
        yield path.stem, np.array(text.split(), np.float64)
        return
    head, data = re.split(r"(?im)^@data\s*$", text)
    names = re.findall(r"(?im)^@attribute\s+(\S+)", head)
    table = np.array([line.split(",") for line in data.split()], np.float64)
    for name, values in zip(names, table.T, strict=True):
        yield name.rpartition("/")[2], values


def systems_for(measure: str) -> tuple[str, str] | None:
    for pattern, systems in MEASURES.items():
        if found := re.fullmatch(f"(?:{pattern})", measure):
            published, usual = (found.expand(system) for system in systems)
            return published, usual
    return None


def score(name: str, lefts: list[str], rights: list[str]) -> Values:
    system = make_system(name)
    fitted = system.fit([*lefts, *rights]) if isinstance(system, FitsTexts) else system
    return np.abs(fitted.similarities(lefts, rights))  # a number of edits is negative here and positive there


def compare(measure: str, theirs: Values, lefts: list[str], rights: list[str]) -> tuple[str, ...] | None:
    systems = systems_for(measure)
    theirs = theirs[: len(lefts)]
    if systems is None or len(theirs) < len(lefts) or not np.isfinite(theirs).all():
        return None
    published, usual = (score(name, lefts, rights) for name in systems)
    equal = np.isclose(published, theirs, rtol=0, atol=1e-9).mean()
    correlations = [f"{np.corrcoef(theirs, ours)[0, 1]:.3f}" for ours in (published, usual)]
    return measure, systems[0], correlations[0], f"{equal:.1%}", systems[1], correlations[1]


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lefts, rights = read_pairs(Path(sys.argv[1]))
    table = Table("measure of DKPro", "as published", title=f"{len(lefts)} pairs")
    for column in ("r", "equal"):
        table.add_column(column, justify="right")
    table.add_column("as by default")
    table.add_column("r", justify="right")
    for path in map(Path, sys.argv[2:]):
        for measure, values in read_features(path):
            row = compare(measure, values, lefts, rights)
            table.add_row(*(row or (measure, "- (no system, other pairs, or nan)")))
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
