import base64
import hashlib
import re
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.report.page import report_page
from similitude.report.page.provenance import command

VOID = {"meta", "link", "img", "br", "hr", "input", "base", "source"}
LOADING = {"src", "srcset", "data", "action", "formaction", "poster", "background", "xlink:href", "style"}


class Outline(HTMLParser):
    """The elements of a page: how many of each, whether they are balanced, and what hangs on them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.open, self.attributes = Counter(), [], []
        self.ids, self.content = [], Counter()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        self.attributes += [(tag, *pair) for pair in attributes]
        self.ids += [value for name, value in attributes if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags[tag] += 1
        self.attributes += [(tag, *pair) for pair in attributes]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.content[self.open[-1]] += len(data.strip()) > 0


@pytest.fixture(scope="module")
def pages(opinions, plain, hostile, dialogues) -> dict[str, str]:
    runs = {"opinions": opinions, "plain": plain, "hostile": hostile, "dialogues": dialogues}
    return {name: report_page(run) for name, run in runs.items()}


@pytest.fixture(params=["opinions", "plain", "hostile", "dialogues"])
def page(request, pages) -> str:
    return pages[request.param]


def test_the_page_is_well_formed(page):
    outline = Outline(page)
    assert outline.open == []
    assert page.startswith("<!DOCTYPE html>")
    assert len(outline.ids) == len(set(outline.ids))
    links = [value for tag, name, value in outline.attributes if tag == "a" and name == "href"]
    assert {link.removeprefix("#") for link in links} <= set(outline.ids)


def test_nothing_is_loaded_from_anywhere(page):
    outline = Outline(page)
    assert not {"link", "img", "iframe", "object", "embed", "base", "form", "use", "image"} & set(outline.tags)
    data = [value for tag, name, value in outline.attributes if (tag, name) == ("script", "type")]
    assert set(data) <= {"application/json"}, "what runs has no type; files are data"
    assert outline.tags["script"] - len(data) == outline.tags["style"] == 1
    for tag, name, value in outline.attributes:
        assert name not in LOADING, f"<{tag} {name}={value}>"
        assert not name.startswith("on"), f"<{tag} {name}>"
        if name == "href":
            assert value.startswith("#")
    assert "url(" not in page
    assert "@import" not in page
    assert not re.search(r"https?://", page)


def test_the_policy_lets_in_our_own_style_and_script_and_nothing_else(page):
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    for element, directive in (("style", "style-src"), ("script", "script-src")):
        (content,) = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} &#39;sha256-{digest}&#39;" in policy
    assert policy.startswith("default-src &#39;none&#39;;")
    assert "unsafe" not in policy


def test_sections_come_in_order(pages):
    heads = re.findall(r"<h2>(.*?)</h2>", pages["opinions"])
    assert heads == [
        "Ranking",
        "Predictions against gold",
        "Distributions",
        "Rank changes between measures",
        "Breakdown",
        "Worst disagreements",
        "Left out",
        "Raw data",
        "Provenance",
    ]


def test_tables_and_figures_can_be_heard(page):
    outline = Outline(page)
    assert outline.tags["table"] == outline.tags["caption"] == outline.content["caption"]
    scopes = [value for tag, name, value in outline.attributes if tag == "th" and name == "scope"]
    assert len(scopes) == outline.tags["th"]
    labels = [value for tag, name, value in outline.attributes if tag == "svg" and name == "aria-label"]
    roles = [value for tag, name, value in outline.attributes if tag == "svg" and name == "role"]
    assert len(labels) == len(roles)
    assert all(labels)
    assert ("html", "lang", "en") in outline.attributes


def test_simulated_judgements_say_so_everywhere(pages):
    for name in ("opinions", "plain", "dialogues"):
        outline = Outline(pages[name])
        assert 'class="simulated"' in pages[name]
        captions = re.findall(r"<(?:fig)?caption[^>]*>(.*?)</(?:fig)?caption>", pages[name], re.DOTALL)
        without = [words for words in captions if "SIMULATED" not in words]
        assert without == ["The systems, in the order of the run.", "The measures."]
        assert outline.tags["figure"] >= 3
    assert "SIMULATED" not in pages["hostile"]


def test_texts_are_escaped(pages):
    page = pages["hostile"]
    body = page[page.index("<body>") :]
    outline = Outline(page)
    assert not {"b", "i", "u"} & ({*outline.tags} - {"b"}), "no element comes from a text"
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;" in body
    assert "nasty &lt;b&gt;&#34;data&#34;&lt;/b&gt; &amp; more" in body
    for tag, name, value in outline.attributes:
        assert not (name == "lang" and value not in ("en", "ar")), f"<{tag} lang={value}>"


def test_texts_keep_their_direction_and_script(pages):
    page = pages["hostile"]
    assert '<p dir="auto">مرحبا بالعالم، كيف حالك اليوم؟</p>' in page
    assert 'lang="ar"' in page
    assert "你好，世界" in page
    assert "👩‍👩‍👧‍👦" in page
    assert "(1,500 characters)" in page


def test_context_and_condition_are_shown(pages):
    assert "2 earlier turns" in pages["hostile"]
    assert "condition: <bdi>The &lt;i&gt;colour&lt;/i&gt;</bdi>" in pages["hostile"]
    assert 'class="turns"' in pages["dialogues"]
    assert "the items have a context, which no system here reads" in pages["dialogues"]


def test_undefined_figures_show_a_dash_and_a_reason(pages):
    assert '<li id="ranking-note-1">undefined: the system gives no standard deviation</li>' in pages["opinions"]
    assert re.search(r"–<sup class=\"note\"><a href=\"#ranking-note-1\"", pages["opinions"])


def test_provenance_and_command(pages, opinions):
    page = pages["opinions"]
    for words in (
        opinions.data.fingerprint,
        "Apache-2.0",
        "python 3.",
        "linear from 0..1 to 0..5",
        "n=3",
        opinions.created,
    ):
        assert words in page
    (shown,) = re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    assert shown.startswith("similitude evaluate sample:opinions \\\n  --system char-ngram-cosine")
    assert "--seed 0" in shown
    assert "--resamples 300 --level 0.95" in shown


def test_a_saved_run_knows_its_date_and_versions(tmp_path):
    sim.run("sample:opinions", ["jaro"], ["mae"], out=tmp_path, resamples=0)
    record = (tmp_path / "run.json").read_text()
    (tmp_path / "run.json").write_text(record.replace('"similitude": "', '"similitude": "9.9.', 1))
    page = report_page(sim.load_run(tmp_path))
    date = re.search(r'"created": "(\d{4}-\d\d-\d\d)T', record)[1]
    assert f'<time datetime="{date}">{date}</time>' in page


def test_what_was_left_out_is_named(scripted):
    size = 30
    columns = {"left": ["a"] * size, "right": ["b"] * size, "score": [i % 6 for i in range(size)]}
    benchmark = sim.Benchmark.from_columns("gaps", scale="0..5", **columns)
    system = scripted(benchmark, "torn", 0.5)
    system.answers.update({str(i): np.nan for i in range(1, 26)})
    run = sim.run(benchmark, [system], ["mae"], on_error="skip", resamples=0)
    page = report_page(run)
    assert "item &#39;1&#39;: system &#39;torn&#39; gave nan" in page
    assert "and 5 more" in page
    assert "--on-error skip" in command(run)


def test_many_items_are_drawn_as_squares_and_the_page_stays_small(scripted):
    size = 5000
    gold = np.random.default_rng(0).uniform(0, 5, size)
    texts = [f"a sentence of ordinary length, number {i}, as benchmarks have them" for i in range(size)]
    columns = {"left": texts, "right": texts, "score": gold, "domain": [f"d{i % 7}" for i in range(size)]}
    benchmark = sim.Benchmark.from_columns("big", scale="0..5", **columns)
    systems = [scripted(benchmark, f"system-{'x' * place}", 0.2 + place / 2) for place in range(10)]
    run = sim.run(benchmark, systems, ["spearman", "mae", "f1_low"], resamples=0)
    page = report_page(run)
    assert len(page.encode()) < 2_000_000
    assert "Above 1,500 items, squares hold items" in page
    assert page == report_page(run), "the same run gives the same page"


def test_gold_in_steps_is_spread_and_said_so(scripted):
    columns = {"left": ["a"] * 60, "right": ["b"] * 60, "score": [i % 6 for i in range(60)]}
    benchmark = sim.Benchmark.from_columns("likert", scale="0..5", **columns)
    run = sim.run(benchmark, [scripted(benchmark, "s", 0.5)], ["spearman"], resamples=0)
    assert "dots are spread slightly to both sides" in report_page(run)


def test_a_single_system_and_a_constant_one_make_a_page(scripted):
    benchmark = sim.Benchmark.from_columns("one", scale="0..5", left=["a", "b"], right=["c", "d"], score=[1, 2])
    for noise in (0.0, 1.0):
        for scale in (None, sim.Scale(low=0, high=5)):
            system = scripted(benchmark, "alone", noise, range=scale)
            page = report_page(sim.run(benchmark, [system], ["spearman", "mae"], resamples=20))
            assert Outline(page).open == []
    perfect = report_page(sim.run(benchmark, [scripted(benchmark, "alone", 0.0)], ["mae"], resamples=0))
    assert "Every prediction equals gold." in perfect


def test_the_command_names_resamples_only_where_they_were_asked_for(tmp_path):
    """A number of resamples would turn the jackknife into a bootstrap."""
    page = report_page(sim.run("sample:opinions", ["jaro", "levenshtein"], ["pearson", "ndcg@10"]))
    (shown,) = re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    assert "--level 0.95 \\\n  --interval auto --test auto" in shown
    assert "--resamples" not in shown
    assert "jackknife or percentile bootstrap, by measure" in page
    assert "paired jackknife test or paired bootstrap, by measure, 2,000 resamples" in page


def test_a_run_over_objects_of_python_promises_no_command():
    """A command with ``object(mine)`` or the name of a class of data frames would be refused."""
    columns = {"left": ["a b", "c d", "e f", "g"], "right": ["a", "d", "x", "g"], "score": [1, 2, 0, 5]}
    systems = {"mine": lambda left, right: float(len(left)), "edits": "levenshtein"}
    page = report_page(sim.run(sim.read(pl.DataFrame(columns), scale=(0, 5)), systems, ["ndcg@2"], resamples=0))
    assert "No command repeats this, since objects in Python were given: the data, mine." in page
    assert "similitude evaluate" not in page
    assert " ndcg@2 ranks all 4 pairs" in page  # the name of a measure keeps its letters
    assert "objects in Python" not in report_page(sim.run("sample:opinions", ["jaro"], ["mae"], resamples=0))
