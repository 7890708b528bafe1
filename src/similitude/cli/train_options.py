"""What ``similitude train`` is asked with, shared by its commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "Average",
    "Batch",
    "Checkpoint",
    "Compile",
    "Device",
    "Dtype",
    "Epochs",
    "Kind",
    "LayerDecay",
    "Mlp",
    "Model",
    "Out",
    "Patience",
    "Pooling",
    "Rate",
    "Schedule",
    "Seed",
    "Seeds",
    "Share",
    "Split",
    "TeacherWeight",
    "Teachers",
    "Tokens",
    "UsualTeachers",
    "Validation",
    "ValidationSplit",
    "Warmup",
    "WeightDecay",
]

Model = Annotated[
    str,
    typer.Option("--model", metavar="FOLDER|NAME", help="The encoder to start from: a folder, or a name on the hub."),
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder of the model; the same command goes on.")]
Kind = Annotated[
    str, typer.Option("--encoding", metavar="bi|cross|tri", help="bi, cross or tri (see docs/training.md).")
]
Pooling = Annotated[str, typer.Option("--pooling", metavar="auto|mean|cls", help="How token vectors become one.")]
Mlp = Annotated[bool, typer.Option("--mlp", help="A dense layer with tanh after the pooling.")]
Epochs = Annotated[int, typer.Option("--epochs", help="Times that every item is seen.")]
Batch = Annotated[int, typer.Option("--batch", help="Items of one step.")]
Tokens = Annotated[
    int | None, typer.Option("--tokens", help="Computed at a time at most; steps with more are computed in parts.")
]
Rate = Annotated[
    float | None, typer.Option("--lr", help="The highest learning rate; by the model's size if none is given.")
]
LayerDecay = Annotated[float, typer.Option("--layer-decay", help="A layer's rate as a share of that of the one above.")]
Warmup = Annotated[float, typer.Option("--warmup", help="Share of the steps in which the rate rises.")]
Schedule = Annotated[str, typer.Option("--schedule", metavar="linear|cosine|constant", help="How the rate falls.")]
WeightDecay = Annotated[float, typer.Option("--weight-decay", help="Of AdamW.")]
Average = Annotated[
    float, typer.Option("--average", help="Epochs over which weights are averaged; 0 for the last ones.")
]
Seed = Annotated[int, typer.Option("--seed", help="Everything random follows from it.")]
Seeds = Annotated[int, typer.Option("--seeds", min=1, help="Train with so many seeds and average their weights.")]
Teachers = Annotated[
    int,
    typer.Option("--teachers", help="Train so many on parts of the data first; learn from their scores as well."),
]
UsualTeachers = Annotated[
    int | None,
    typer.Option(
        "--teachers",
        help="Train so many on parts of the data first; learn from their scores as well. 3 for a bi-encoder with 300 "
        "pairs or more; 0 trains one model only, four times as fast.",
    ),
]
TeacherWeight = Annotated[
    float, typer.Option("--teacher-weight", help="Of the teachers' scores in what is learned from; gold has the rest.")
]
Patience = Annotated[
    int, typer.Option("--patience", help="Epochs without a better validation before it stops; 0: never.")
]
Dtype = Annotated[str, typer.Option("--dtype", metavar="auto|float32|bfloat16", help="auto: bfloat16 on a GPU.")]
Device = Annotated[str | None, typer.Option("--device", help="cpu, cuda, cuda:1; a GPU where there is one.")]
Compile = Annotated[bool, typer.Option("--compile", help="Compile the model; pays for long trainings of large models.")]
Validation = Annotated[
    str | None, typer.Option("--validation", metavar="DATA", help="Validate on this file instead of a part of DATA.")
]
Split = Annotated[str | None, typer.Option("--split", help="Learn from this split; 'train' where there is one.")]
ValidationSplit = Annotated[
    str | None,
    typer.Option("--validation-split", help="Validate on this split; 'validation' or 'dev' if there is one."),
]
Share = Annotated[float, typer.Option("--validation-share", help="Of the pairs to hold out where there is no split.")]
Checkpoint = Annotated[float, typer.Option("--checkpoint-seconds", help="Between checkpoints inside an epoch.")]
