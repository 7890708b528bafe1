"""The form that uploads the file of a new study, which two pages show."""

from __future__ import annotations

from typing import Any

from similitude.collect.annotation.drafts.study_templates import TEMPLATES
from similitude.collect.annotation.drafts.uploads import ENDINGS
from similitude.collect.annotation.web.visit import Visit

__all__ = ["upload_context"]


def upload_context(visit: Visit) -> dict[str, Any]:
    """What ``wizard/upload.html`` needs: templates, endings of files, and the largest size in megabytes."""
    return {
        "templates": TEMPLATES,
        "endings": ",".join(ENDINGS),
        "limit": f"{visit.services.settings.largest_body / 1_000_000:g}",
    }
