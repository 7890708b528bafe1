"""String systems against a plain Python loop over pairs: ``python benchmarks/string_systems.py``.

The peer is what one would write without this package: rapidfuzz's scorer called pair by pair, or the textbook
algorithm with sets, Counters and tables. Both sides must give the same scores. They run in turns, and the best of
several turns counts, so that other load on the machine affects neither.
"""

from __future__ import annotations

import difflib
import math
import random
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein, Jaro, JaroWinkler, LCSseq, Levenshtein
from rich.console import Console
from rich.table import Table

from similitude.data.protocols import FitsTexts
from similitude.systems import make_system
from similitude.systems.strings.affine_alignment import ALIKE

PAIRS, TURNS, PEER_SECONDS = 3000, 5, 0.4

ENGLISH = """the a of in to and is was with for on at by from this that one two many few old new small large young
man woman child dog cat bird horse house street city river market school teacher doctor player team company price
report minister government country music guitar piano kitchen garden window table water bread coffee morning evening
plays walks runs sits stands speaks says announced reported bought sold found lost opened closed slowly quickly again
today yesterday never always near under over between during before after because although red green white black
playing walking running sitting speaking buying selling opening closing"""
GERMAN = """der die das ein eine und ist war mit für auf in bei von zu nicht auch nur noch schon alt neu klein groß jung
Mann Frau Kind Hund Katze Vogel Pferd Haus Straße Stadt Fluss Markt Schule Lehrer Ärztin Spieler Mannschaft Firma Preis
Bericht Minister Regierung Land Musik Gitarre Klavier Küche Garten Fenster Tisch Wasser Brot Kaffee Morgen Abend
spielt läuft geht sitzt steht spricht sagt kündigte berichtete kaufte verkaufte fand verlor öffnete schloss langsam
schnell wieder heute gestern nie immer über unter zwischen während bevor nachdem weil obwohl rot grün weiß schwarz
Bürgermeisterin Fußballspieler Größe Höhe Übung müde schön"""

Peer = Callable[[str, str], float]


def make_pairs(seed: int = 11) -> tuple[list[str], list[str]]:
    """Sentences of 10 to 25 words, in English and German by turns: near copies, rearranged ones, and strangers."""
    rng = random.Random(seed)
    lefts, rights = [], []
    for number in range(PAIRS):
        vocabulary = (GERMAN if number % 2 else ENGLISH).split()
        left = rng.choices(vocabulary, k=rng.randint(10, 25))
        right = list(left) if number % 3 else rng.choices(vocabulary, k=rng.randint(10, 25))
        for place in rng.sample(range(len(right)), k=rng.randint(1, len(right) // 2)):
            right[place] = rng.choice(vocabulary)
        if number % 5 == 0:
            half = len(right) // 2
            right = right[half:] + right[:half]
        lefts.append(" ".join(left).capitalize() + ".")
        rights.append(" ".join(right).capitalize() + ".")
    return lefts, rights


def fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def grams(sequence: str | list[str], n: int) -> list[str | tuple[str, ...]]:
    pieces = [sequence[i : i + n] for i in range(len(sequence) - n + 1)]
    return [piece if isinstance(piece, str) else tuple(piece) for piece in pieces]


def folded(scorer: Callable[[str, str], float]) -> Peer:
    return lambda left, right: scorer(fold(left), fold(right))


def share(common: int, left: str | list[str], right: str | list[str]) -> float:
    return 2 * common / (len(left) + len(right))


def subsequence(read: Callable[[str], str | list[str]]) -> Peer:
    def peer(left: str, right: str) -> float:
        a, b = read(left), read(right)
        return share(LCSseq.similarity(a, b), a, b)

    return peer


def substring(read: Callable[[str], str | list[str]]) -> Peer:
    def peer(left: str, right: str) -> float:
        a, b = read(left), read(right)
        return share(difflib.SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size, a, b)

    return peer


def jaccard(read: Callable[[str], str | list[str]], n: int) -> Peer:
    def peer(left: str, right: str) -> float:
        a, b = set(grams(read(left), n)), set(grams(read(right), n))
        return len(a & b) / len(a | b)

    return peer


def containment(n: int) -> Peer:
    def peer(left: str, right: str) -> float:
        a, b = set(grams(words(left), n)), set(grams(words(right), n))
        return len(a & b) / min(len(a), len(b))

    return peer


def cosine(a: dict[str, float], b: dict[str, float]) -> float:
    dot = sum(weight * b[key] for key, weight in a.items() if key in b)
    return dot / math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))


def char_cosine(n: int) -> Peer:
    return lambda left, right: cosine(Counter(grams(fold(left), n)), Counter(grams(fold(right), n)))


def length_ratio(left: str, right: str) -> float:
    a, b = len(fold(left)), len(fold(right))
    return min(a, b) / max(a, b)


def monge_elkan(left: str, right: str) -> float:
    def one_way(own: list[str], other: list[str]) -> float:
        return sum(max(JaroWinkler.similarity(a, b) for b in other) for a in own) / len(own)

    a, b = words(left), words(right)
    return (one_way(a, b) + one_way(b, a)) / 2


def second_string_common(own: str, other: str, reach: int) -> list[str]:
    left_over, found = list(other), []
    for i, character in enumerate(own):
        for j in range(max(0, i - reach), min(i + reach, len(other))):
            if left_over[j] == character:
                left_over[j] = ""
                found.append(character)
                break
    return found


def second_string_jaro(left: str, right: str) -> float:
    reach = min(len(left), len(right)) // 2 + 1
    one, two = second_string_common(left, right, reach), second_string_common(right, left, reach)
    if not one or len(one) != len(two):
        return 0.0
    swapped = sum(a != b for a, b in zip(one, two, strict=True)) // 2
    return (len(one) / len(left) + len(two) / len(right) + (len(one) - swapped) / len(one)) / 3


def second_string_alignment(left: str, right: str) -> float:
    """Local alignment with affine gaps, cell by cell; only characters of the left text may be skipped."""
    group = {character: number for number, alike in enumerate(ALIKE) for character in alike}
    matched, skipped = [0] * (len(right) + 1), [0] * (len(right) + 1)
    best = 0
    for one in left:
        above, above_skipped = matched, skipped
        matched, skipped = [0], [0]
        for j, other in enumerate(right, 1):
            alike = 3 if one in group and group[one] == group.get(other) else -3
            before = max(above[j - 1], above_skipped[j - 1])
            matched.append(max(0, before + (5 if one == other else alike)))
            skipped.append(max(0, above[j] - 5, above_skipped[j] - 1))
        best = max(best, *matched)
    return best / (5 * min(len(left), len(right)))


def weigher(texts: list[str]) -> Callable[[str], dict[str, float]]:
    seen = Counter(word for text in texts for word in set(words(text)))
    idf = {word: math.log((1 + len(texts)) / (1 + count)) + 1 for word, count in seen.items()}
    return lambda text: {word: count * idf[word] for word, count in Counter(words(text)).items()}


def soft_tfidf(weigh: Callable[[str], dict[str, float]], threshold: float = 0.9) -> Peer:
    def one_way(own: dict[str, float], other: dict[str, float]) -> float:
        total = 0.0
        for word, weight in own.items():
            likeness, closest = max((JaroWinkler.similarity(word, candidate), candidate) for candidate in other)
            total += weight * other[closest] * likeness if likeness > threshold else 0.0
        return total

    def peer(left: str, right: str) -> float:
        a, b = weigh(left), weigh(right)
        norm = math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))
        return min((one_way(a, b) + one_way(b, a)) / 2 / norm, 1.0)

    return peer


def tiling(min_match: int, *, of_left: bool = False) -> Peer:
    def peer(left: str, right: str) -> float:
        pattern, text = sorted((words(left), words(right)), key=lambda side: (len(side), side))
        if of_left:
            pattern, text = list(fold(left)), list(fold(right))
        marked: tuple[set[int], set[int]] = (set(), set())
        covered = 0
        while matches := longest_matches(pattern, text, marked, min_match):
            for p, t, size in matches:
                if not marked[0] & {*range(p, p + size)} and not marked[1] & {*range(t, t + size)}:
                    marked[0].update(range(p, p + size))
                    marked[1].update(range(t, t + size))
                    covered += size
        return covered / len(pattern) if of_left else share(covered, pattern, text)

    return peer


def longest_matches(
    pattern: list[str], text: list[str], marked: tuple[set[int], set[int]], longest: int
) -> list[tuple[int, int, int]]:
    """One scan of Wise's algorithm: the longest runs of unmarked words."""
    matches: list[tuple[int, int, int]] = []
    for p in range(len(pattern)):
        for t in range(len(text)):
            size = 0
            while p + size < len(pattern) and t + size < len(text) and pattern[p + size] == text[t + size]:
                if p + size in marked[0] or t + size in marked[1]:
                    break
                size += 1
            if size > longest:
                matches, longest = [(p, t, size)], size
            elif size == longest:
                matches.append((p, t, size))
    return matches


def peers(texts: list[str]) -> dict[str, Peer]:
    weigh = weigher(texts)
    return {
        "levenshtein": folded(Levenshtein.normalized_similarity),
        "damerau": folded(DamerauLevenshtein.normalized_similarity),
        "jaro": folded(Jaro.normalized_similarity),
        "jaro-winkler": folded(JaroWinkler.normalized_similarity),
        "longest-common-subsequence": subsequence(fold),
        "longest-common-subsequence(unit=word)": subsequence(words),
        "longest-common-substring": substring(fold),
        "longest-common-substring(unit=word)": substring(words),
        "greedy-string-tiling": tiling(3),
        "word-ngram-jaccard": jaccard(words, 1),
        "word-ngram-jaccard(n=3)": jaccard(words, 3),
        "word-ngram-containment(n=2)": containment(2),
        "char-ngram-jaccard": jaccard(fold, 3),
        "char-ngram-cosine": char_cosine(3),
        "char-ngram-cosine(n=5)": char_cosine(5),
        "tfidf-cosine": lambda left, right: cosine(weigh(left), weigh(right)),
        "soft-tfidf": soft_tfidf(weigh),
        "monge-elkan": monge_elkan,
        "word-cosine": lambda left, right: cosine(Counter(words(left)), Counter(words(right))),
        "jaro(definition=second-string)": folded(second_string_jaro),
        "monge-elkan(definition=second-string)": folded(second_string_alignment),
        "greedy-string-tiling(unit=character, of=left)": tiling(3, of_left=True),
        "length-ratio": length_ratio,
    }


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def compare(name: str, peer: Peer, lefts: list[str], rights: list[str], texts: list[str]) -> tuple[float, float]:
    """Pairs a second of ours and of the peer, which scores as many pairs as it can in `PEER_SECONDS`."""
    system = make_system(name)
    ready = system.fit(texts) if isinstance(system, FitsTexts) else system
    scores = ready.similarities(lefts, rights)
    trial = 30
    spent = seconds(lambda: list(map(peer, lefts[:trial], rights[:trial])))
    sample = max(min(PAIRS, int(trial * PEER_SECONDS / spent)), trial)
    expected = list(map(peer, lefts[:sample], rights[:sample]))
    np.testing.assert_allclose(scores[:sample], expected, rtol=0, atol=1e-9, err_msg=name)
    ours, theirs = [], []
    for _ in range(TURNS):
        ours.append(seconds(lambda: ready.similarities(lefts, rights)))
        theirs.append(seconds(lambda: list(map(peer, lefts[:sample], rights[:sample]))))
    return PAIRS / min(ours), sample / min(theirs)


def main() -> None:
    lefts, rights = make_pairs()
    texts = list(dict.fromkeys([*lefts, *rights]))
    table = Table("system", title=f"pairs a second, {PAIRS} pairs of 10 to 25 words; scores equal to 1e-9")
    for column in ("similitude", "plain loop", "ratio"):
        table.add_column(column, justify="right")
    for name, peer in peers(texts).items():
        ours, theirs = compare(name, peer, lefts, rights, texts)
        table.add_row(name, f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
