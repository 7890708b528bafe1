"""Vision models of transformers that encode images: files, batches, loading."""

from similitude.models.images.image_encoder import ImageEncoder
from similitude.models.images.image_files import check_image_files

__all__ = ["ImageEncoder", "check_image_files"]
