"""Build the documentation site in build/site: one command, no network.

Run ``make site`` and open ``build/site/index.html``. A warning of Sphinx, such as a link that leads nowhere, fails the
build. docs/site.md says why it is Sphinx.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from sphinx.application import Sphinx

from website.accessible_pages import make_accessible
from website.assembly import assemble

ROOT = Path(__file__).parents[1]


def build(out: Path, source: Path) -> int:
    """Assemble the source and build the pages; returns the exit code of Sphinx."""
    assemble(source)
    app = Sphinx(
        srcdir=source,
        confdir=source,
        outdir=out,
        doctreedir=source.with_name(f"{source.name}-doctrees"),
        buildername="html",
        status=None,
        warningiserror=True,
        freshenv=True,
    )
    app.build(force_all=True)
    make_accessible(out)
    return int(app.statuscode)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="where the pages go")
    out = options.parse_args().out.resolve()
    started = time.perf_counter()
    code = build(out, out.with_name(f"{out.name}-source"))
    pages = len(list(out.rglob("*.html")))
    print(f"{pages} pages in {time.perf_counter() - started:.0f} s: {out / 'index.html'}" if not code else "failed")
    return code


if __name__ == "__main__":
    sys.exit(main())
