"""Apptainer images: named by their contents, built from `containers/*.def`."""

from weft.images.definition import has_definition
from weft.images.digest import image_file
from weft.images.errors import ImageError
from weft.images.record import engine_images
from weft.images.runtime import exec_command, find_runtime
from weft.images.sidecar import squashfs_sha256
from weft.images.start import start_problem

__all__ = [
    "ImageError",
    "engine_images",
    "exec_command",
    "find_runtime",
    "has_definition",
    "image_file",
    "squashfs_sha256",
    "start_problem",
]
