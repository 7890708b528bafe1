"""Public data sets: where they lie, under which licence, and how they come to this machine unchanged."""

from similitude.data.public.catalogue import PublicData, PublicFile, public_data, read_catalogue
from similitude.data.public.delivery import Delivered, Delivery, Missing, get_data
from similitude.data.public.evidence_folder import EvidenceFolder, evidence_beside

__all__ = [
    "Delivered",
    "Delivery",
    "EvidenceFolder",
    "Missing",
    "PublicData",
    "PublicFile",
    "evidence_beside",
    "get_data",
    "public_data",
    "read_catalogue",
]
