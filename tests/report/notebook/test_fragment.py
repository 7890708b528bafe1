"""What a notebook shows: scoped, escaped, small, and without ids or requests."""

import re
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.collect.design import TupleRequest, plan_best_worst
from similitude.data.item import Items
from similitude.drawing.stylesheet import schemes
from similitude.report.notebook import HOMES, html_of
from similitude.report.notebook.fragment import fragment
from similitude.report.page.sheet import Code, Fold, Option, Options
from similitude.report.tables import ranking_table

VOID = {"br", "img", "input", "meta", "hr"}


class Outline(HTMLParser):
    """Collects elements and texts, and checks that elements are closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def everything(opinions: sim.Run, hostile: sim.Run) -> dict[str, object]:
    bench = sim.read("sample:opinions")
    judgements = sim.read_judgements("sample:dialogues")
    names = [record.label for record in hostile.systems]
    return {
        "run": opinions,
        "hostile run": hostile,
        "comparison": opinions.compare("levenshtein", "length-ratio"),
        "hostile comparison": hostile.compare(names[0], names[1]),
        "disagreements": opinions.disagreements(3),
        "hostile disagreements": hostile.disagreements(40),
        "own disagreements": opinions.disagreements(2, system="levenshtein"),
        "scatter": opinions.plot(),
        "hostile scatter": hostile.plot(),
        "hostile intervals": hostile.plot("intervals"),
        "ranks": opinions.plot("ranks"),
        "suite": sim.run_suite([opinions.benchmark, hostile.benchmark], ["levenshtein", "length-ratio"], ["spearman"]),
        "choice": sim.choose(bench, ["levenshtein", "length-ratio"], sim.Requirements(cardinality="1:1"), resamples=0),
        "task": sim.task("sample:deduplication", ["levenshtein", "word-ngram-jaccard"], resamples=50),
        "benchmark": bench,
        "hostile benchmark": hostile.benchmark,
        "judgements": judgements,
        "ratings": sim.read_judgements("sample:opinions"),
        "assessment": sim.reliability(judgements, resamples=0),
        "findings": sim.check(hostile.benchmark),
        "suspects": sim.suspects(bench, "levenshtein", top=5),
        "candidates": sim.candidates(hostile.benchmark.items.texts(), k=2, items=5, quiet=True),
        "design": plan_best_worst(bench.items, TupleRequest(factor=1.5)),
    }


@pytest.fixture(scope="module")
def shown(opinions, hostile) -> dict[str, str]:
    return {name: html_of(one) for name, one in everything(opinions, hostile).items()}


def test_every_class_is_shown_by_its_own_blocks(shown):
    assert {name for name, html in shown.items() if html.startswith("<pre>")} == set()
    assert len(HOMES) == 15


def test_markup_is_balanced_and_nothing_from_users_becomes_markup(shown):
    for name, html in shown.items():
        outline = Outline(html)
        tags = [tag for tag, _ in outline.tags]
        assert tags.count("script") <= 1, name
        assert tags.count("style") == 1, name
        assert "img" not in tags, name
        for tag, attributes in outline.tags:
            assert not [key for key in attributes if key.startswith("on")], (name, tag)


def test_hostile_texts_are_shown_as_they_are(shown):
    for name in ("hostile run", "hostile disagreements", "hostile benchmark", "candidates"):
        assert "alert(" not in shown[name].replace("&lt;script&gt;alert(", "").replace("onerror=alert(1)&gt;", ""), name
    assert '<script>alert("x")</script>' in Outline(shown["hostile disagreements"]).text


def test_outputs_have_no_ids_and_ask_for_nothing(shown):
    for name, html in shown.items():
        for tag, attributes in Outline(html).tags:
            assert not {"id", "src", "href", "for", "aria-labelledby"} & set(attributes), (name, tag)
        assert "url(" not in html
        assert "@import" not in html
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", re.sub(r">[^<]*<", "><", html)), name


def test_every_rule_is_inside_the_class_of_the_output(shown):
    for name, html in shown.items():
        scope = re.match(r'<div class="(similitude-[0-9a-f]{8})">', html)[1]
        style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
        depth, heads, start = 0, [], 0
        for place, letter in enumerate(style):
            if letter == "{":
                if depth == 0:
                    heads.append(style[start:place])
                depth += 1
            if letter == "}":
                depth, start = depth - 1, place + 1
        assert depth == 0
        for selector in ",".join(heads).split(","):
            assert selector.endswith(f".{scope}.{scope}"), (name, selector)


def test_outputs_of_other_styles_have_other_classes(shown):
    classes = {re.search(r"similitude-[0-9a-f]{8}", html)[0] for html in shown.values()}
    assert len(classes) > 1
    for one in classes:
        styles = {re.search(r"<style>(.*?)</style>", html)[1] for html in shown.values() if f'class="{one}"' in html}
        assert len(styles) == 1


def test_both_schemes_and_their_hosts_are_there(opinions):
    html = html_of(opinions)
    light, dark = schemes()
    assert f"--text:light-dark({light['text']},{dark['text']})" in html
    assert re.search(r"\.vscode-dark[^{]*\{color-scheme:dark\}", html)
    assert re.search(r'body\[data-jp-theme-light="true"\][^{]*\{color-scheme:light\}', html)


def test_the_conclusion_comes_first_then_the_table_with_intervals_and_ranks(opinions):
    outline = Outline(html_of(opinions))
    text = outline.text
    assert text.startswith(opinions.conclusion.sentence[:1].upper() + opinions.conclusion.sentence[1:] + ".")
    table = ranking_table(opinions)
    for row in table.rows[:4]:
        assert row[1].text in text
        assert f"{row[2].text} {row[2].letters} {row[2].interval}" in text
    assert ("table", {"class": "sortable", "data-filter": None}) in outline.tags
    assert "SIMULATED judgements: simulated annotators" in text


def test_five_systems_take_less_than_thirty_kilobytes():
    names = ["levenshtein", "length-ratio", "jaro", "tfidf-cosine", "word-ngram-jaccard"]
    run = sim.run("sample:opinions", names, ["spearman", "pearson", "mae"])
    assert len(run._repr_html_().encode()) < 15_000


def test_the_same_object_is_shown_alike_every_time(opinions):
    assert opinions._repr_html_() == opinions._repr_html_()


def test_names_of_tables_go_from_folds_and_options_too(opinions):
    table = ranking_table(opinions)
    html = fragment(
        [Fold(summary="more", blocks=(table,)), Options("measure", (Option("a", (table,)),)), Code("x <y>")]
    )
    assert "id=" not in re.sub(r"<style>.*?</style>", "", html)
    assert html.count("<table") == 2
    assert "<code>x &lt;y&gt;</code>" in html


def test_texts_keep_their_paragraphs_and_their_direction():
    frame = pl.DataFrame({"left": ["one\n\ntwo", "مرحبا"], "right": ["x" * 300, "y"], "score": [1.0, 2.0]})
    html = html_of(sim.read(frame, scale="0..5"))
    assert "one\n\ntwo" in html
    assert '<td class="text shade-0" dir="auto">مرحبا</td>' in html
    assert f"{'x' * 280} … (300 characters)" in html
    assert "x" * 281 not in html
    assert "All 2 items." in html


def test_a_long_benchmark_shows_its_first_rows():
    html = html_of(sim.read("sample:opinions"))
    assert "The first 5 of 60 items." in html
    assert html.count("<tr>") == 6


def test_unknown_objects_show_their_repr():
    assert html_of({"a": "<b>"}) == "<pre>{&#39;a&#39;: &#39;&lt;b&gt;&#39;}</pre>"


def test_items_of_a_subclass_are_shown_as_their_parent(opinions):
    class Mine(sim.Run):
        pass

    assert html_of(Mine(**{name: getattr(opinions, name) for name in opinions.__dataclass_fields__})) == html_of(
        opinions
    )
    assert isinstance(opinions.benchmark.items, Items)


def test_simulated_judgements_are_named_on_every_table_and_figure(shown):
    for name in ("run", "comparison", "disagreements", "scatter", "ranks", "benchmark", "judgements", "assessment"):
        assert "SIMULATED judgements" in Outline(shown[name]).text, name
    assert "SIMULATED" not in shown["hostile comparison"]


def test_a_comparison_says_what_p_values_are_corrected_for(shown, opinions):
    text = Outline(shown["comparison"]).text
    assert "for all 6 pairs together" in text
    assert text.startswith(opinions.compare("levenshtein", "length-ratio").verdict + ".")
    two = sim.run("sample:opinions", ["levenshtein", "length-ratio"], ["spearman"])
    assert "pairs together" not in html_of(two.compare("levenshtein", "length-ratio"))


def test_long_tables_are_folded_and_very_long_ones_cut():
    rng = np.random.default_rng(0)
    people, items = 50, 12
    answers = pl.DataFrame(
        {
            "item": [f"i{place % items}" for place in range(people * items)],
            "annotator": [f"a{place // items}" for place in range(people * items)],
            "value": rng.integers(0, 6, people * items).astype(float),
        }
    )
    found = sim.reliability(sim.read_judgements(answers, scale="0..5"), resamples=0)
    html = html_of(found)
    assert "<summary>50 rows</summary>" in html
    assert "The first 40 of 50 rows." in html
    assert "a39" in html.partition("50 rows")[2]
