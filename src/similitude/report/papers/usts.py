"""The tables of USTS: where the figures of a study stand in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from similitude.report.papers.template import Template

__all__ = ["TEMPLATES"]

SOURCES = {"domain=ted-x": "TED-X", "domain=xnli": "XNLI", "domain=pawsx": "PAWS-X", "domain=all": "USTS"}
PARTS = {"source=usts-u": "USTS-U", "source=usts-c": "USTS-C", "source=all": "USTS"}
BENCHMARKS = {"data=ustsu": "USTS-U", "data=ustsc": "USTS-C", "data=C-MTEB/STSB": "STS-B"}


def _sizes() -> Iterator[Template]:
    """Table 3: amounts, lengths, and the raters of the first round, by source."""
    rows = {
        "Amount, raw": {"figure": "items"},
        "Amount, σ > 0.5": {"figure": "contentious", "of": "number"},
        "Amount, ratio": {"figure": "contentious", "of": "share"},
        "Length, S1": {"figure": "length", "of": "left"},
        "Length, S2": {"figure": "length", "of": "right"},
        "Length, pair": {"figure": "length", "of": "pair"},
        "Raters, r": {"figure": "pearson"},
        "Raters, ρ": {"figure": "spearman"},
        "Raters, σ": {"figure": "sigma"},
    }
    for row, only in rows.items():
        times = 100 if only.get("of") == "share" else 1
        yield Template(table="Table 3", row=row, column="{domain}", names=SOURCES, only=only, times=times)


def _agreement() -> Iterator[Template]:
    """Table 5: sizes, raters, range of the means, and agreement."""
    columns = {
        "#": {"figure": "items"},
        "Annotators": {"figure": "raters"},
        "μ, from": {"figure": "mean_range", "of": "from"},
        "μ, to": {"figure": "mean_range", "of": "to"},
        "σ": {"figure": "sigma"},
        "r": {"figure": "pearson"},
        "ρ": {"figure": "spearman"},
    }
    for column, only in columns.items():
        for source in ("Table 5", "Table 5, STS-B"):
            yield Template(table="Table 5", source=source, row="{data}", column=column, only=only)


def _components() -> Iterator[Template]:
    """Table 6: effective components of held-out and of fitted pairs."""
    for split, amount, share, sigma in (
        ("test", "Testing, amount", "Testing, prop(%)", "Testing, σ"),
        ("train", "Train, amount", "Train, prop", "Train, σ"),
    ):
        for of, column in (("number", amount), ("share", share), ("sigma", sigma)):
            only = {"figure": "components", "split": split, "of": of}
            times = 100 if of == "share" else 1
            yield Template(table="Table 6", row="K = {components}", column=column, only=only, times=times)


def _values(table: str, rows: Mapping[str, tuple[str, str | None, float]]) -> Iterator[Template]:
    """A figure of the paper whose values stand in its text: row, our figure, of what, times."""
    for row, (figure, of, times) in rows.items():
        only = {"figure": figure} if of is None else {"figure": figure, "of": of}
        yield Template(table=table, row=row, column="value", only=only, times=times)


FIGURE_1 = {
    "σ, from": ("sigma_range", "from", 1.0),
    "σ, to": ("sigma_range", "to", 1.0),
    "pairs with σ up to 0.5": ("contentious", "rest", 1.0),
    "pairs with σ above 0.5": ("contentious", "number", 1.0),
    "mean σ of the raters": ("sigma", None, 1.0),
}
FIGURE_3 = {
    "mean σ, first round": ("rounds", "sigma, first", 1.0),
    "mean σ, second round": ("rounds", "sigma, second", 1.0),
    "pairs above the mean σ of USTS-U": ("rounds", "share above", 100.0),
    "μ1 - μ2, from": ("rounds", "means apart, from", 1.0),
    "μ1 - μ2, to": ("rounds", "means apart, to", 1.0),
}
FIGURE_5 = {
    "pairs that a mixture fits better": ("mixture_fit", "better", 100.0),
    "pairs with a second component (weight 0.2 or more)": ("mixture_fit", "second", 100.0),
    "pairs whose first component weighs over 0.8": ("mixture_fit", "dominant", 100.0),
    "weight of the second component, from": ("mixture_fit", "weight, from", 1.0),
    "weight of the second component, to": ("mixture_fit", "weight, to", 1.0),
    "pairs of the training set": ("mixture_fit", "train items", 1.0),
    "pairs of the test set": ("mixture_fit", "test items", 1.0),
}
GROUPS = {"English native": "NT", "Translator": "+PT", "Oversea student": "+OS", "General user": "+GU"}
MEASURES = {"pearson": "r", "spearman": "ρ", "ece_wang2022": "ECE", "nlpd_wang2022": "NLPD", "kl": "KL"}
SPREADS = {"sigma_pearson": "r", "sigma_spearman": "ρ", "mean_sigma": "σ_M", "sigma": "σ_H"}

TEMPLATES: tuple[Template, ...] = (
    *_sizes(),
    Template(table="Table 4", row="{source}", column="{raters}", names=PARTS, only={"source": ("usts-u", "usts-c")}),
    *_agreement(),
    *_components(),
    Template(
        table="Table 7",
        row="({setting}) {system}",
        column="{data}, {measure}",
        names=BENCHMARKS | MEASURES,
        only={"measure": tuple(MEASURES)},
    ),
    Template(
        table="Table 8",
        source="Table 7",
        row="({setting}) {system}",
        column="{data}, {measure}",
        names=BENCHMARKS | SPREADS,
        only={"measure": ("sigma_pearson", "sigma_spearman", "mean_sigma")},
    ),
    Template(
        table="Table 8",
        source="Table 7",
        row="{system}",
        column="{data}, {measure}",
        names=BENCHMARKS | SPREADS,
        only={"measure": "sigma", "system": "people"},
    ),
    Template(
        table="Table 9",
        row="{source}",
        column="{group}",
        names=PARTS | GROUPS,
        only={"source": ("usts-u", "usts-c"), "figure": "kl_by_groups"},
    ),
    Template(table="Table 10", row="{language}", column="{source}", names=PARTS, only={"language": ("zh", "en")}),
    *_values("Figure 1", FIGURE_1),
    Template(
        table="Figure 2",
        row="{source}, σ",
        column="{of}",
        names=PARTS,
        only={"figure": "growth_range", "source": ("usts-u", "usts-c")},
    ),
    Template(
        table="Figure 2",
        row="{source}, {of}, {raters} raters",
        column="",
        names=PARTS | {"sigma": "σ", "mean": "μ"},
        only={"figure": "growth", "source": ("usts-u", "usts-c")},
    ),
    *_values("Figure 3", FIGURE_3),
    Template(
        table="Figure 3",
        row="mean σ of USTS-U",
        source="Table 5",
        column="value",
        only={"figure": "sigma", "data": "USTS-U"},
    ),
    *_values("Figure 5", FIGURE_5),
    Template(table="Figure 6", source="Table 7", row="({setting}) {system}", column="{sigmas}"),
    *(
        Template(table="Section 3.3", source=f"Section 3.3, {part}", row=part, column="{measure}", names=MEASURES)
        for part in ("validation", "test")
    ),
)
