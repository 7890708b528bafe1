import re

import pytest

from similitude.errors import ArgumentError
from similitude.report.latex import _escaped, latex_tables
from similitude.study.labels import renamed


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"50% of a_b & #1", r"50\% of a\_b \& \#1"),
        ("{x} $5 ~ ^", r"\{x\} \$5 \textasciitilde{} \textasciicircum{}"),
        ("a\\b", r"a\textbackslash{}b"),
        ("[0.1, 0.2] ↑", r"{[}0.1, 0.2{]} $\uparrow$"),
        ("<x> 1–2", r"\textless{}x\textgreater{} 1--2"),
    ],
)
def test_special_characters_are_escaped(text, written):
    assert _escaped(text) == written


def test_tables_are_whole(opinions, plain, hostile):
    for run, tables in ((opinions, 3), (plain, 3), (hostile, 2)):
        text = latex_tables(run).text
        assert text.count(r"\begin{table}") == text.count(r"\end{table}") == text.count(r"\caption{") == tables
        for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
            assert text.count(rule) == tables
        bare = re.sub(r"\\[{}]", "", text)
        assert bare.count("{") == bare.count("}")
        assert not re.search(r"(?<!\\)[#_~]", re.sub(r"\}~", "}", text))


def test_rows_have_as_many_cells_as_the_table_has_columns(opinions):
    for spec, body in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end", latex_tables(opinions).text, re.DOTALL):
        lines = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert {len(re.split(r"(?<!\\)&", line)) for line in lines} == {len(spec)}


def test_ties_intervals_and_labels(opinions):
    text = latex_tables(opinions).text
    narrow = latex_tables(opinions, columns=["spearman"]).text
    assert re.search(r"\\textbf\{0\.\d{3}\}\\textsuperscript\{a\} \{\\scriptsize \{\[\}", narrow)
    assert re.search(r"\\textbf\{0\.\d{3}\}\\textsuperscript\{a\} & ", text)
    assert r"\label{tab:sample-opinions-ranking}" in text
    assert r"\textsuperscript{1}~undefined: the system gives no standard deviation" in text
    assert text.count("SIMULATED") == 3
    assert r"spearman $\uparrow$ & pearson $\uparrow$ & mae $\downarrow$" in text


def test_parts_by_a_column_come_as_tables_of_their_own(opinions):
    text = latex_tables(opinions, ["contention"]).text
    assert text.count(r"\begin{table}") == 5
    assert r"\label{tab:sample-opinions-contention-2}" in text
    assert text.partition("contention-2")[2].count(r"--\textsuperscript{1} \\") == 4, "four systems without a sigma"


def test_intervals_stand_below_figures_where_a_line_would_be_too_wide(opinions):
    assert r"\\[-2pt]" in latex_tables(opinions).text
    narrow = latex_tables(opinions, columns=["spearman"]).text.partition(r"\end{table}")[0]
    assert r"\\[-2pt]" not in narrow
    assert "pearson" not in narrow.partition(r"\toprule")[2]


def test_a_table_that_must_shrink_says_what_helps(opinions):
    long = ["very " * 12 + name for name in "abcd"]
    wide = latex_tables(renamed(opinions, long))
    assert wide.notes[0].startswith("LaTeX table 'ranking' is scaled to about ")
    assert "--landscape" in wide.notes[0]
    assert not latex_tables(opinions).notes
    assert "--landscape" not in "".join(latex_tables(renamed(opinions, long), is_landscape=True).notes)


def test_tables_are_turned(opinions):
    text = latex_tables(opinions, is_landscape=True).text
    assert text.count(r"\begin{sidewaystable}") == text.count(r"\end{sidewaystable}") == 3
    assert r"\begin{table}" not in text


def test_a_column_that_is_not_there_is_refused(opinions):
    with pytest.raises(ArgumentError, match="no column 'kendall'; columns there: spearman, pearson, mae, kl"):
        latex_tables(opinions, columns=["kendall"])
