import re

import pytest

from similitude.report.latex import _escaped, latex_tables


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
        text = latex_tables(run)
        assert text.count(r"\begin{table}") == text.count(r"\end{table}") == text.count(r"\caption{") == tables
        for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
            assert text.count(rule) == tables
        bare = re.sub(r"\\[{}]", "", text)
        assert bare.count("{") == bare.count("}")
        assert not re.search(r"(?<!\\)[#_~]", re.sub(r"\}~", "}", text))


def test_rows_have_as_many_cells_as_the_table_has_columns(opinions):
    for spec, body in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end", latex_tables(opinions), re.DOTALL):
        lines = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert {len(re.split(r"(?<!\\)&", line)) for line in lines} == {len(spec)}


def test_ties_intervals_and_labels(opinions):
    text = latex_tables(opinions)
    assert re.search(r"\\textbf\{0\.\d{3}\}\\textsuperscript\{a\} \{\\scriptsize \{\[\}", text)
    assert r"\label{tab:sample-opinions-ranking}" in text
    assert r"\textsuperscript{1}~undefined: the system gives no standard deviation" in text
    assert text.count("SIMULATED") == 3
    assert r"spearman $\uparrow$ & pearson $\uparrow$ & mae $\downarrow$" in text


def test_parts_by_a_column_come_as_tables_of_their_own(opinions):
    text = latex_tables(opinions, ["contention"])
    assert text.count(r"\begin{table}") == 5
    assert r"\label{tab:sample-opinions-contention-2}" in text
    assert text.partition("contention-2")[2].count(r"--\textsuperscript{1} \\") == 4, "four systems without a sigma"
