"""Published layouts of similarity data, each as a small file of its own, and what goes wrong in files like them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .builders import LEFTS, RIGHTS, ROWS, SCORES, csv_of, json_file, json_lines, records, several, text
from .case import Case, Make, Reads, Refuses
from .corpus_layouts import SEMEVAL, WHOLE, benchmark

__all__ = ["PUBLISHED"]

BINARY = tuple(float(score > 2) for score in SCORES)
PARAPHRASES = replace(WHOLE, scores=BINARY, scale="0..1")
KNOWN = replace(WHOLE, origin="format")
LISTED = tuple(zip(LEFTS, RIGHTS, SCORES, BINARY, strict=True))
WORDS = (("car", "automobile"), ("gem", "jewel"), ("noon", "string"), ("boy", "lad"), ("coast", "shore"),
         ("rooster", "voyage"), ("oven", "stove"), ("glass", "magician"))  # fmt: skip
FOREIGN = Refuses("not recognised", "--header no", "--column")
BY_NUMBER = {"left": "1", "right": "2", "score": "3"}


def _tabs(name: str, rows: Sequence[Sequence[object]], *header: str, end: str = "\n") -> Make:
    """A file of tabs without quotes."""
    lines = [*([header] if header else []), *rows]
    return text(name, "".join("\t".join(map(str, line)) + end for line in lines))


def _csv(rows: Sequence[Sequence[object]], *header: str) -> Make:
    return text("a.csv", csv_of(rows, header or None))


def _word_rows(*more: object) -> list[tuple[object, ...]]:
    return [(*pair, score, *more) for pair, score in zip(WORDS, SCORES, strict=True)]


WORD_PAIRS = replace(WHOLE, lefts=tuple(left for left, _ in WORDS), rights=tuple(right for _, right in WORDS))

GLUE = ("index", "genre", "filename", "year", "old_index", "source1", "source2", "sentence1", "sentence2", "score")
GLUE_WITH_QUOTES = _tabs(
    "train.tsv",
    [
        (at, "main", "MSRpar", "2012", at, "none", "none", f'"""Hi,"" {a}"' if at == 4 else a, b, s)
        for at, (a, b, s, _) in enumerate(LISTED)
    ],
    *GLUE,
)

SENTENCES = [
    benchmark(
        "STS-B as published",
        _tabs(
            "sts-dev.csv",
            [("main-captions", "MSRvid", "2012test", f"{at:04d}", s, a, b) for at, (a, b, s, _) in enumerate(LISTED)],
        ),
        KNOWN,
    ),
    benchmark(
        "KorSTS: the columns of STS-B with names, an open quote in a text",
        _tabs(
            "sts-dev.tsv",
            [
                ("main", "MSRvid", "2012test", f"{at:04d}", s, f'"{a}' if at == 3 else a, b)
                for at, (a, b, s, _) in enumerate(LISTED)
            ],
            *("genre", "filename", "year", "id", "score", "sentence1", "sentence2"),
        ),
        replace(WHOLE, lefts=(*LEFTS[:3], f'"{LEFTS[3]}', *LEFTS[4:])),
    ),
    benchmark("STS-B in other languages: commas, no header", text("stsb-dev.csv", csv_of(ROWS, None)), FOREIGN),
    benchmark("STSb Multi MT, known by its name", text("stsb-de-dev.csv", csv_of(ROWS, None)), SEMEVAL),
    benchmark(
        "STS-B in other languages, its columns named",
        text("stsb-de-dev.csv", csv_of(ROWS, None)),
        WHOLE,
        header=False,
        columns=BY_NUMBER,
    ),
    benchmark(
        "JSTS",
        text(
            "valid-v1.1.json",
            json_lines(
                [
                    {"sentence_pair_id": str(at), "yjcaptions_id": "1-2-3", "sentence1": a, "sentence2": b, "label": s}
                    for at, (a, b, s, _) in enumerate(LISTED)
                ]
            ),
        ),
        WHOLE,
    ),
    benchmark(
        "KLUE-STS: labels are objects",
        json_file(
            "klue.json",
            [{"sentence1": a, "sentence2": b, "labels": {"label": s, "binary-label": int(y)}} for a, b, s, y in LISTED],
        ),
        Refuses("entry 1", "labels.label, labels.binary-label", "--column score=NAME"),
    ),
    benchmark(
        "KLUE-STS with a member of the labels",
        json_file("klue.json", [{"sentence1": a, "sentence2": b, "labels": {"label": s}} for a, b, s, _ in LISTED]),
        WHOLE,
        columns={"score": "labels.label"},
    ),
    benchmark(
        "columns of SICK with scores of another name",
        _tabs(
            "a.tsv",
            [(at, a, b, s) for at, (a, b, s, _) in enumerate(LISTED)],
            "pair_ID",
            "sentence_A",
            "sentence_B",
            "score",
        ),
        WHOLE,
    ),
    benchmark(
        "STS-B of GLUE, saved again with quotes around quotes",
        GLUE_WITH_QUOTES,
        Reads(items=8, scores=SCORES, says=("1 text seems to be enclosed in quotes.*--format csv",)),
    ),
    benchmark(
        "STS-B of GLUE, saved again with quotes around quotes, read as CSV",
        GLUE_WITH_QUOTES,
        Reads(items=8, scores=SCORES, lefts=(*LEFTS[:4], f'"Hi," {LEFTS[4]}', *LEFTS[5:])),
        format="csv",
    ),
    benchmark(
        "no header: scores before texts in quotes",
        text("a.tsv", "".join(f'{s}\t"{a}"\t"{b}"\n' for a, b, s in ROWS)),
        Reads(items=8, scores=SCORES, says=("16 texts seem to be enclosed in quotes",)),
    ),
    benchmark(
        "no header: scores before texts in quotes, read as CSV",
        text("a.tsv", "".join(f'{s}\t"{a}"\t"{b}"\n' for a, b, s in ROWS)),
        WHOLE,
        format="csv",
        header=False,
        columns={"score": "1", "left": "2", "right": "3"},
    ),
    benchmark("ClinicalSTS: texts, then scores, no header", _tabs("train.txt", ROWS), FOREIGN),
    benchmark("ClinicalSTS, its columns named", _tabs("train.txt", ROWS), WHOLE, header=False, columns=BY_NUMBER),
    benchmark("Opusparcus", text("en.jsonl", json_lines(records(ROWS, ("sent1", "sent2", "annot_score")))), WHOLE),
    benchmark(
        "PIT-2015: votes in brackets",
        _tabs("train.data", [(13, "EJ", a, b, "(3, 2)", "x/O/NN", "y/O/NN") for a, b, _ in ROWS]),
        FOREIGN,
    ),
    benchmark(
        "PIT-2015, its columns named",
        _tabs("train.data", [(13, "EJ", a, b, "(3, 2)", "x/O/NN", "y/O/NN") for a, b, _ in ROWS]),
        Refuses("line 1", "\\(3, 2\\)"),
        header=False,
        columns={"left": "3", "right": "4", "score": "5"},
    ),
]

PAIRS_OF_CLASSES = [
    benchmark(
        "MRPC, its columns named",
        _tabs(
            "msr_paraphrase_test.txt",
            [(int(y), 1000 + at, 2000 + at, a, b) for at, (a, b, _, y) in enumerate(LISTED)],
            *("\ufeffQuality", "#1 ID", "#2 ID", "#1 String", "#2 String"),
            end="\r\n",
        ),
        PARAPHRASES,
        columns={"left": "#1 String", "right": "#2 String", "score": "Quality"},
    ),
    benchmark(
        "QQP",
        _tabs(
            "train.tsv",
            [(at, 2 * at, 2 * at + 1, a, b, int(y)) for at, (a, b, _, y) in enumerate(LISTED)],
            *("id", "qid1", "qid2", "question1", "question2", "is_duplicate"),
        ),
        PARAPHRASES,
    ),
    benchmark(
        "PAWS with its noisy labels",
        _tabs(
            "train.tsv",
            [(at, a, b, int(not y), int(y)) for at, (a, b, _, y) in enumerate(LISTED)],
            *("id", "sentence1", "sentence2", "noisy_label", "label"),
        ),
        PARAPHRASES,
    ),
    benchmark(
        "AFQMC: labels are texts",
        text("dev.json", json_lines([{"sentence1": a, "sentence2": b, "label": str(int(y))} for a, b, _, y in LISTED])),
        PARAPHRASES,
    ),
    benchmark("LCQMC: no header", _tabs("dev.txt", [(a, b, int(y)) for a, b, _, y in LISTED]), FOREIGN),
]

PAIRS_OF_WORDS = [
    benchmark("WordSim-353", _csv(_word_rows(), "Word 1", "Word 2", "Human (mean)"), WORD_PAIRS),
    benchmark(
        "WordSim-353 with its subjects",
        _csv(_word_rows(3, 4, 5), "Word 1", "Word 2", "Human (mean)", "1", "2", "3"),
        WORD_PAIRS,
    ),
    benchmark(
        "MEN: blanks between words", text("men.txt", csv_of(_word_rows(), None, " ")), Refuses("--separator|--column")
    ),
    benchmark(
        "MEN, its separator and columns named",
        text("men.txt", csv_of(_word_rows(), None, " ")),
        WORD_PAIRS,
        separator=" ",
        header=False,
        columns=BY_NUMBER,
    ),
    benchmark("RG-65: semicolons, no header", text("rg65.csv", csv_of(_word_rows(), None, ";")), FOREIGN),
    benchmark(
        "rare words with four raters: seven columns, but not those of STS-B",
        _tabs("rw.txt", _word_rows(3, 4, 4, 5)),
        FOREIGN,
    ),
    benchmark(
        "rare words, their columns named",
        _tabs("rw.txt", _word_rows(3, 4, 4, 5)),
        WORD_PAIRS,
        header=False,
        columns=BY_NUMBER,
    ),
    benchmark(
        "seven columns with a number in the fifth, but not those of STS-B",
        _tabs("a.tsv", [(a, b, "x", "y", s, "other", "text") for a, b, s in ROWS]),
        FOREIGN,
    ),
]

TWO_READINGS = [
    benchmark(
        "ids called left and right beside the texts",
        _csv([(at, at + 90, *row) for at, row in enumerate(ROWS)], "left", "right", "left_text", "right_text", "score"),
        Refuses("several pairs", "left_text, right_text", "--column left=NAME --column right=NAME"),
    ),
    benchmark(
        "two pairs of texts",
        _csv([(a, b, f"{a}!", f"{b}!", s) for a, b, s in ROWS], "sentence1", "sentence2", "text1", "text2", "score"),
        Refuses("several pairs", "sentence1", "text1"),
    ),
    benchmark(
        "two pairs of texts, one of them named",
        _csv([(f"{a}!", f"{b}!", a, b, s) for a, b, s in ROWS], "sentence1", "sentence2", "text1", "text2", "score"),
        WHOLE,
        columns={"left": "text1", "right": "text2"},
    ),
    benchmark(
        "words in sentences",
        _csv([("car", "auto", *row) for row in ROWS], "word1", "word2", "sentence1", "sentence2", "score"),
        Refuses("several pairs", "word1"),
    ),
    benchmark(
        "numbers s1 and s2 beside the texts",
        _csv([(a, b, 1, 2, s) for a, b, s in ROWS], "sentence1", "sentence2", "s1", "s2", "score"),
        WHOLE,
    ),
    benchmark(
        "texts under names that differ only in case",
        _csv([(a, b, s, f"{a}!") for a, b, s in ROWS], "sentence1", "sentence2", "score", "Sentence1"),
        Refuses("several pairs", "Sentence1", "--column left=NAME --column right=NAME"),
    ),
    benchmark(
        "a label beside an average",
        _csv([(a, b, int(y), s) for a, b, s, y in LISTED], "sentence1", "sentence2", "label", "average"),
        Refuses("label, average", "--column score=NAME"),
    ),
    benchmark(
        "a model's score beside that of people",
        _csv([(a, b, s / 5, s) for a, b, s in ROWS], "sentence1", "sentence2", "score", "human"),
        Refuses("score, human", "--column score=NAME"),
    ),
    benchmark(
        "ids in place of texts",
        _csv([(at, at + 90, s) for at, (_, _, s) in enumerate(ROWS)], "caption1", "caption2", "score"),
        Reads(items=8, says=("left texts look like ids", "right texts look like ids")),
    ),
    benchmark(
        "judgements of relevance: ids of queries and documents",
        _csv([(f"q{at}", f"doc:{at}", s) for at, (_, _, s) in enumerate(ROWS)], "query", "document", "score"),
        Reads(items=8, says=("left texts look like ids", "right texts look like ids")),
    ),
    benchmark(
        "classes of inference as numbers",
        _csv([(a, b, at % 3) for at, (a, b, _) in enumerate(ROWS)], "sentence1", "sentence2", "gold_label"),
        Reads(items=8, says=("only 0, 1 and 2: classes of inference",)),
    ),
    benchmark(
        "answers of people without their names",
        _csv([(a, b, score) for a, b, _ in ROWS for score in (1, 4, 5)], "sentence1", "sentence2", "score"),
        Reads(items=24, says=("8 of 8 pairs of texts have several scores.*similitude gold",)),
    ),
    benchmark(
        "nan for a text",
        _csv([("nan", *ROWS[0][1:]), *ROWS[1:]], "sentence1", "sentence2", "score"),
        Reads(items=8, says=("1 text is 'nan'",)),
    ),
    benchmark(
        "one text on both sides",
        _csv([(a, a, s) for a, _, s in ROWS], "sentence1", "sentence2", "score"),
        Reads(items=8, says=("same text in every row",)),
    ),
    benchmark(
        "no header: ids of groups before the texts",
        _tabs("a.tsv", [(at // 2, a, b) for at, (a, b, _) in enumerate(ROWS)]),
        Refuses("ids, or scores", "--column left=NUMBER"),
    ),
    benchmark(
        "more fields than names, numbers first",
        text("a.csv", "sentence1,sentence2,score\n" + csv_of([(at, *row) for at, row in enumerate(ROWS)], None)),
        Refuses("line 2", "4 fields"),
    ),
]

ODD_SCORES = [
    benchmark(
        "years as labels",
        _csv([(a, b, 2012 + at % 4) for at, (a, b, _) in enumerate(ROWS)], "sentence1", "sentence2", "label"),
        Refuses("2012", "--scale", "--column score="),
    ),
    benchmark(
        "ids with gaps as labels",
        _csv([(a, b, 103 + 11 * at) for at, (a, b, _) in enumerate(ROWS)], "sentence1", "sentence2", "label"),
        Refuses("103", "--scale", "--column score="),
    ),
    benchmark(
        "a point forgotten: 45 among scores from 0 to 5",
        _csv([*ROWS, ("a b", "c d", 1.2), ("e f", "g h", 45)], "sentence1", "sentence2", "score"),
        Refuses("line 11", "45", "--missing 45", "--scale"),
    ),
    benchmark(
        "an underscore in a number of JSON",
        text("a.jsonl", json_lines(records([(*ROWS[0][:2], "1_0"), *ROWS[1:]]))),
        Refuses("line 1", "1_0"),
    ),
    benchmark(
        "a count in place of ratings",
        _csv([(*row, 5) for row in ROWS], "sentence1", "sentence2", "mean", "ratings"),
        Refuses("line 2", "--column ratings="),
    ),
    benchmark(
        "a count in place of ratings, left out",
        _csv([(*row, 5) for row in ROWS], "sentence1", "sentence2", "mean", "ratings"),
        WHOLE,
        columns={"ratings": ""},
    ),
]

NARROW = csv_of([(f"{a}?", b, s / 5) for a, b, s in ROWS])
STATED = csv_of([(*row, "0..5") for row in ROWS], ("left", "right", "score", "scale"))
SHIFTED = csv_of([(f"{a} {at}", b, s / 2.5 - 1) for at in range(2) for a, b, s in ROWS])
TWICE = csv_of([(f"{a} {at}", b, s / 5) for at in range(2) for a, b, s in ROWS])
SEVERAL_FILES = [
    benchmark(
        "two files together, only one of which states its scale",
        several(text("one.csv", STATED), text("two.csv", NARROW)),
        Refuses("0..5", "0..1", "--scale", name="two.csv"),
    ),
    benchmark(
        "two files together, only one with negative scores",
        several(text("one.csv", SHIFTED), text("two.csv", TWICE)),
        Refuses("-1..1", "--scale", name="two.csv"),
    ),
    benchmark(
        "two splits in one document: the scale is that of both",
        json_file("a.json", {"train": records(), "test": records([("a b", "c d", 3.2), ("e f", "g h", 3.8)])}),
        Reads(items=10, scores=SCORES, scale="0..5"),
    ),
    benchmark(
        "two names of splits in one name of a file",
        several(text("train-test.csv", csv_of(ROWS[:4])), text("rest.csv", csv_of(ROWS[4:]))),
        WHOLE,
    ),
]

QUOTED_TEXTS = [
    benchmark(
        "tabs: a quote opens one text and closes another, and every line is a whole row",
        _tabs(
            "a.tsv",
            [({1: f'"{a}', 4: f'{a}"'}.get(at, a), b, s) for at, (a, b, s, _) in enumerate(LISTED)],
            *("sentence1", "sentence2", "score"),
        ),
        replace(
            WHOLE,
            lefts=(LEFTS[0], f'"{LEFTS[1]}', *LEFTS[2:4], f'{LEFTS[4]}"', *LEFTS[5:]),
            says=("quotes do not enclose fields",),
        ),
    ),
    benchmark(
        "tabs: a quoted text of two lines",
        _tabs(
            "a.tsv",
            [(f'"{a}\nAnd more."' if at == 1 else a, b, s) for at, (a, b, s, _) in enumerate(LISTED)],
            *("sentence1", "sentence2", "score"),
        ),
        replace(WHOLE, lefts=(LEFTS[0], f"{LEFTS[1]}\nAnd more.", *LEFTS[2:])),
    ),
    benchmark(
        "commas: a quote opens one text and closes another, and every line is a whole row",
        text("a.csv", 'sentence1,sentence2,score\n"An open quote,foo,2\nbar,baz,1\nclosed",buz,4\nx,y,3\n'),
        Refuses("line 2", "each of these lines is a whole row", "remove the quote"),
    ),
    benchmark(
        "commas: a quoted text with lists of numbers",
        text("a.csv", 'sentence1,sentence2,score\n"one, 1\ntwo, 2\nand, so on",foo,4\nx,y,3\n'),
        Reads(items=2, lefts=("one, 1\ntwo, 2\nand, so on", "x"), scores=(4.0, 3.0)),
    ),
    benchmark(
        "training triples with a margin",
        _csv([(a, b, a, s) for a, b, s, _ in LISTED], "anchor", "positive", "negative", "score"),
        Refuses("training triples", "--column"),
    ),
    benchmark(
        "a query with a passage and a document",
        _csv([(a, b, f"{a} {b}", s) for a, b, s, _ in LISTED], "query", "passage", "document", "score"),
        Refuses("several pairs", "query, passage; query, document", "--column right=NAME"),
    ),
    benchmark(
        "a space between comma and quote",
        text("a.csv", "sentence1, sentence2, score\n" + "".join(f'"{a}", "{b}", {s}\n' for a, b, s, _ in LISTED)),
        Refuses("space before quotes", "'sentence2'", "remove the spaces"),
    ),
    benchmark(
        "every text in single quotes",
        text("a.csv", "sentence1,sentence2,score\n" + "".join(f"'{a}','{b}',{s}\n" for a, b, s, _ in LISTED)),
        Reads(items=8, scores=SCORES, says=("single quotes",)),
    ),
    benchmark(
        "pandas' split orient with names in its index",
        json_file(
            "a.json",
            {
                "columns": ["sentence1", "sentence2", "score"],
                "index": [f"p{at}" for at in range(8)],
                "data": [(a, b, s) for a, b, s, _ in LISTED],
            },
        ),
        replace(WHOLE, ids=tuple(f"p{at}" for at in range(8))),
    ),
]

PUBLISHED: list[Case] = [
    *QUOTED_TEXTS,
    *SENTENCES,
    *PAIRS_OF_CLASSES,
    *PAIRS_OF_WORDS,
    *TWO_READINGS,
    *ODD_SCORES,
    *SEVERAL_FILES,
]
