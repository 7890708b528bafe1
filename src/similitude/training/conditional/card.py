"""The model card of a similarity model."""

from __future__ import annotations

import json
from typing import Any

from similitude.data.plural import counted
from similitude.systems.conditional.architecture import Architecture
from similitude.training.card_page import (
    UNPUBLISHED,
    ModelFacts,
    backbone_name,
    backbone_rows,
    card_page,
    figures_text,
    recipe_rows,
    suspect_rows,
)

__all__ = ["similarity_card"]

WHAT = {
    "cross": "a cross-encoder: f(s1; s2; c), one number from both sentences and the condition read together",
    "bi": "a bi-encoder: cos(f(s1; c), f(s2; c)), each sentence read together with the condition",
    "tri": "a tri-encoder: cos(h(c; s1), h(c; s2)), each text encoded alone",
    "joint": "a joint model: one number from both sentences read together with the condition, and each with it alone",
    "shift": "a shift-encoder: cos(p(f(s1; c) - f(c)), p(f(s2; c) - f(c))) with a learned projection p",
}
PLAIN = {
    "cross": "a cross-encoder: one number from two texts read together",
    "bi": "a bi-encoder: the cosine of two texts' vectors",
    "joint": "a joint model: one number from two texts read together and each alone",
}

CUT_ELSEWHERE = (
    "If the texts are longer than the model reads, Similitude cuts the sentences, as in training; "
    "sentence-transformers cuts the condition, so its scores of such texts differ."
)


def similarity_card(record: dict[str, Any], facts: ModelFacts = UNPUBLISHED) -> str:
    """The card in Markdown, from the content of ``similitude.json`` and what the release adds."""
    architecture = Architecture(**record["architecture"])
    kinds = WHAT if architecture.reads == "all" else {**WHAT, **PLAIN}
    is_plain = architecture.reads == "sentences"
    others = "domains and languages" if is_plain else "domains, languages and kinds of conditions"
    than = " than those above" if facts.evaluation else ""
    return card_page(
        record,
        facts,
        library="sentence-transformers" if architecture.opens_with else "similitude",
        title="Similarity of two texts" if is_plain else "Similarity under a condition",
        description=[
            f"This is {kinds[architecture.encoding]}. It was trained with Similitude from `{backbone_name(record)}`."
        ],
        system="conditional",
        elsewhere=_elsewhere(architecture, facts.place),
        sections=["", f"Scores range from 0 to 1, the ends of the scale {record['scale']} of the training data."],
        rows=[
            f"| objective | {_objective(record['objective'])} |",
            f"| pooling | {architecture.pooling}{_tokens(architecture)}"
            f"{', dense layer with tanh' if architecture.mlp else ''} |",
            *backbone_rows(record),
            *suspect_rows(record),
            *recipe_rows(record["recipe"]),
            f"| seeds | {record['seeds']} |",
            *_augmentation(record.get("augmentation", {})),
            *_teachers(record.get("teachers")),
            *_teaching(record.get("teaching")),
        ],
        limits=[f"Performance on other {others}{than} was not measured."],
        percent=True,
    )


def _elsewhere(architecture: Architecture, place: str) -> list[str]:
    """How sentence-transformers opens the model, or why it cannot."""
    if architecture.opens_with is None:
        return [f"sentence-transformers cannot open it: {architecture.why_closed}. Similitude can."]
    shown = ["```python", *SHOWN[architecture.opens_with](architecture, place), "```"]
    return [*shown, "", CUT_ELSEWHERE] if architecture.keeps_condition else shown


def _as_sentence_transformer(architecture: Architecture, place: str) -> list[str]:
    texts = {
        "sentences": '["A sentence.", "Another."]',
        "before": '[("condition", "A sentence."), ("condition", "Another.")]',
        "after": '[("A sentence.", "condition"), ("Another.", "condition")]',
    }["sentences" if architecture.reads == "sentences" else architecture.place]
    return [
        "from sentence_transformers import SentenceTransformer",
        "",
        f'model = SentenceTransformer("{place}")',
        f"left, right = model.encode({texts})",
        "model.similarity(left, right)",
    ]


def _as_cross_encoder(architecture: Architecture, place: str) -> list[str]:
    second = "Another." if architecture.reads == "sentences" else f"Another.{architecture.separator}condition"
    return [
        "from sentence_transformers import CrossEncoder",
        "",
        f'model = CrossEncoder("{place}")',
        f"model.predict([({json.dumps('A sentence.')}, {json.dumps(second)})])",
    ]


SHOWN = {"SentenceTransformer": _as_sentence_transformer, "CrossEncoder": _as_cross_encoder}


def _objective(objective: dict[str, Any]) -> str:
    if "name" in objective:
        return str(objective["name"])
    parts = [f"{objective['mse']:g} x MSE"] if objective["mse"] else []
    if objective["quad"]:
        parts.append(f"{objective['quad']:g} x Quad (margin {objective['margin']:g})")
    return " + ".join(parts)


def _tokens(architecture: Architecture) -> str:
    return "" if architecture.pooled == "all" else f" over the tokens of the {architecture.pooled}"


def _augmentation(changes: dict[str, Any]) -> list[str]:
    return [f"| {name.replace('_', ' ')} | {value:g} |" for name, value in changes.items()]


def _teaching(teaching: dict[str, Any] | None) -> list[str]:
    """Rows about a teacher that labelled items."""
    if teaching is None:
        return []
    kinds = {
        "new_conditions": ("rated pair", " under new conditions"),
        "new_pairs": ("new pair", ", each under two conditions" if "new_conditions" in teaching else ""),
        "unlabelled": ("given item", ""),
    }
    labelled = [counted(teaching[name], kind) + more for name, (kind, more) in kinds.items() if teaching.get(name)]
    source = teaching["conditions_from"]
    weight, blended = teaching["taught_weight"], teaching["teacher_weight"]
    return [
        f"| teacher | `{teaching['teacher']}` |",
        f"| labelled by the teacher | {'; '.join(labelled) or 'rated items alone'} |",
        *([] if source is None else [f"| new conditions from | `{source}` |"]),
        *([f"| weight of a label | {weight:g}, where one by people has 1 |"] if labelled else []),
        f"| targets of rated items | {1 - blended:g} x gold + {blended:g} x the teacher's scores |",
    ]


def _teachers(teachers: dict[str, Any] | None) -> list[str]:
    if teachers is None:
        return []
    return [
        f"| teachers | {teachers['count']}, each trained without the items that it scored |",
        f"| learned from | {1 - teachers['weight']:g} x gold + {teachers['weight']:g} x the teachers' scores |",
        f"| teachers against gold (x 100) | {figures_text(teachers['out_of_fold'], percent=True)} |",
    ]
