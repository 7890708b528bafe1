"""Pack the public data that travels with the repository: python scripts/build_evidence.py ORIGINALS [--out evidence].

ORIGINALS is any folder that holds the original files, under any names: they are found by the SHA-256 that the catalogue
of `similitude data get` says. Each becomes one bzip2 file in ``evidence/NAME/``, whose content is the original, byte by
byte; the licences and MANIFEST.toml are written beside them. The same originals give the same bytes on every machine.
"""

from __future__ import annotations

import argparse
import bz2
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from similitude.data.public.catalogue import PublicFile, public_data
from similitude.data.public.download import sha256_of
from similitude.data.public.evidence_folder import MANIFEST, PACKED

ROOT = Path(__file__).parents[1]
LICENCES = {
    "usts": "e87c80433f143b23548531662b45afb0aec8eaa1060b4c4eed205f03fc5e0e86",
    "ruddit": "c7b599c4a4fe45064d8972d3a40468bd6598b42c6f501df53a2f974554d347cb",
    "nlu-de": "9e5f1b3c610b9c2da5c313bf81d577a7d1acec686bdb0384edefa6df0f90cd94",
}
"""The data sets whose licence lets them travel, and the SHA-256 of the text of each licence."""


def by_hash(originals: Path) -> dict[str, Path]:
    return {sha256_of(path): path for path in sorted(originals.rglob("*")) if path.is_file()}


def wanted() -> Iterator[tuple[str, PublicFile]]:
    for name in LICENCES:
        for file in public_data(name).file:
            yield name, file


def refuse_missing(found: dict[str, Path], originals: Path) -> None:
    lost = [f"{name}/{file.name} ({file.address})" for name, file in wanted() if file.sha256 not in found]
    lost += [f"the licence of {name} (SHA-256 {sha256})" for name, sha256 in LICENCES.items() if sha256 not in found]
    if lost:
        sys.exit(f"{originals} does not hold:\n" + "\n".join(lost))


def packed(original: Path) -> bytes:
    """One stream of the largest blocks: bzip2 has written the same bytes for them since 1.0."""
    return bz2.compress(original.read_bytes(), 9)


def entry(path: str, content: bytes, file: PublicFile) -> str:
    return (
        f'[[file]]\npath = "{path}"\nbytes = {len(content)}\nsha256 = "{hashlib.sha256(content).hexdigest()}"\n'
        f'original_bytes = {file.bytes}\noriginal_sha256 = "{file.sha256}"\naddress = "{file.address}"\n'
    )


def build(originals: Path, out: Path) -> None:
    found = by_hash(originals)
    refuse_missing(found, originals)
    entries = []
    for name, file in wanted():
        content = packed(found[file.sha256])
        target = out / name / (file.name + PACKED)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        entries.append(entry(target.relative_to(out).as_posix(), content, file))
    for name, sha256 in LICENCES.items():
        (out / name / "LICENSE").write_bytes(found[sha256].read_bytes())
    head = "# Written by scripts/build_evidence.py: each packed file, and the original that it unpacks to.\n\n"
    (out / MANIFEST).write_text(head + "\n".join(entries), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("originals", type=Path)
    parser.add_argument("--out", type=Path, default=ROOT / "evidence")
    arguments = parser.parse_args()
    build(arguments.originals, arguments.out)


if __name__ == "__main__":
    main()
