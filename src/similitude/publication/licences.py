"""Licences of data and models: SPDX identifiers, the hub's names for them, and where their text is."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from similitude.errors import ArgumentError

__all__ = ["Licence", "is_licence", "licence_of"]

OTHER = "other"

CREATIVE_COMMONS = "https://creativecommons.org"
KNOWN = {
    **{
        f"CC-{kind}-{version}": f"{CREATIVE_COMMONS}/licenses/{kind.lower()}/{version}/"
        for kind in ("BY", "BY-SA", "BY-NC", "BY-ND", "BY-NC-SA", "BY-NC-ND")
        for version in ("2.0", "3.0", "4.0")
    },
    "CC0-1.0": f"{CREATIVE_COMMONS}/publicdomain/zero/1.0/",
    "PDDL-1.0": "https://opendatacommons.org/licenses/pddl/1-0/",
    "ODC-By-1.0": "https://opendatacommons.org/licenses/by/1-0/",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
    "CDLA-Permissive-1.0": "https://cdla.dev/permissive-1-0/",
    "CDLA-Permissive-2.0": "https://cdla.dev/permissive-2-0/",
    "CDLA-Sharing-1.0": "https://cdla.dev/sharing-1-0/",
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "MIT": "https://opensource.org/license/mit",
    "BSD-2-Clause": "https://opensource.org/license/bsd-2-clause",
    "BSD-3-Clause": "https://opensource.org/license/bsd-3-clause",
    "GPL-2.0-only": "https://www.gnu.org/licenses/old-licenses/gpl-2.0.html",
    "GPL-3.0-only": "https://www.gnu.org/licenses/gpl-3.0.html",
    "AGPL-3.0-only": "https://www.gnu.org/licenses/agpl-3.0.html",
    "LGPL-3.0-only": "https://www.gnu.org/licenses/lgpl-3.0.html",
    "MPL-2.0": "https://www.mozilla.org/MPL/2.0/",
    "EUPL-1.2": "https://eupl.eu/1.2/en/",
    "GFDL-1.3-only": "https://www.gnu.org/licenses/fdl-1.3.html",
    "Unlicense": "https://unlicense.org/",
}
"""SPDX identifiers of licences that data and models are published under, and the home of their text."""

HUB = {
    "PDDL-1.0": "pddl",
    "ODC-By-1.0": "odc-by",
    "ODbL-1.0": "odbl",
    "GPL-2.0-only": "gpl-2.0",
    "GPL-3.0-only": "gpl-3.0",
    "AGPL-3.0-only": "agpl-3.0",
    "LGPL-3.0-only": "lgpl-3.0",
    "GFDL-1.3-only": "gfdl",
}
"""The hub's names where they are not the identifier in small letters."""
ABSENT = ("CC-BY-SA-2.0", "CC-BY-ND-2.0", "CC-BY-ND-3.0", "CC-BY-NC-ND-2.0")
"""Licences for which the hub has no name of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Licence:
    """A licence.

    Attributes:
        name: the SPDX identifier; for a licence of one's own, its name.
        hub: the hub's name for it; "other" for a licence of one's own.
        url: where its text is; empty for a licence of one's own, whose text is beside the data.
        text: of the file LICENSE.
    """

    name: str
    hub: str
    url: str
    text: str

    @property
    def is_own(self) -> bool:
        """Whether it is a licence that has no common name."""
        return not self.url


def licence_of(name: str, text: str | None = None, *, own_name: str = "") -> Licence:
    """The licence of a name, as SPDX, the hub or people write it.

    Args:
        name: the name; "other" for a licence of one's own.
        text: of the licence; needed for "other".
        own_name: what a licence of one's own is called.

    >>> licence_of("CC BY 4.0").name, licence_of("odbl").name, licence_of("cc-by-sa-4.0").hub
    ('CC-BY-4.0', 'ODbL-1.0', 'cc-by-sa-4.0')

    Raises:
        ArgumentError: there is no such licence, or the text of one's own is missing.
    """
    if _key(name) == OTHER:
        if not (text or "").strip():
            what = "the text of your own licence is not given, and you say --license other"
            raise ArgumentError(what, remedy="give the file with --license-text FILE")
        return Licence(name=own_name or "see LICENSE", hub=OTHER, url="", text=_ended(text or ""))
    found = _names().get(_key(name))
    if found is None:
        raise ArgumentError(f"no licence '{name}'", remedy=_remedy(name))
    if own_name:
        what = f"--license-name '{own_name}' names a licence of your own, and --license is {found}"
        raise ArgumentError(what, remedy="leave it out, or say --license other")
    url = KNOWN[found]
    hub = OTHER if found in ABSENT else HUB.get(found, found.lower())
    written = text if (text or "").strip() else f"{found}\n\nThe text of the licence: {url}"
    return Licence(name=found, hub=hub, url=url, text=_ended(written or ""))


def is_licence(name: str, licence: Licence) -> bool:
    """Whether a name is another spelling of this licence.

    >>> is_licence("cc by 4.0", licence_of("CC-BY-4.0"))
    True
    """
    return _key(name) == _key(licence.name) or _names().get(_key(name)) == licence.name


def _remedy(name: str) -> str:
    near = difflib.get_close_matches(_key(name), _names(), n=1, cutoff=0.6)
    hint = f"did you mean --license {_names()[near[0]]}? " if near else ""
    common = "CC-BY-4.0, CC-BY-SA-4.0, CC-BY-NC-4.0, CC0-1.0, ODbL-1.0, ODC-By-1.0, Apache-2.0, MIT"
    return f"{hint}write an SPDX identifier, such as {common}; or --license other, with --license-text FILE"


def _names() -> dict[str, str]:
    """Spellings to identifiers."""
    spellings = {_key(name): name for name in KNOWN}
    return spellings | {_key(hub): name for name, hub in HUB.items()} | {"cc0": "CC0-1.0", "publicdomain": "CC0-1.0"}


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9.]", "", name.lower().replace("international", "").replace("licence", "license"))


def _ended(text: str) -> str:
    return text.strip() + "\n"
