"""What is known about a built image: the JSON file beside it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from weft.files import JsonObject


@dataclass(frozen=True, slots=True)
class Sidecar:
    """The record of one build; `bytes` is the image's size, `packages` are `name=version`."""

    image: str
    definition_sha256: str
    inputs_sha256: str
    squashfs_sha256: str
    apptainer: str
    mksquashfs: str
    bytes: int
    build_s: float
    packages: tuple[str, ...]


def sidecar_file(image: Path) -> Path:
    """The sidecar's path."""
    return image.with_suffix(".json")


def write_sidecar(sidecar: Sidecar, path: Path) -> None:
    """Write the record as JSON."""
    path.write_text(json.dumps(asdict(sidecar), indent=1) + "\n")


def read_sidecar(image: Path) -> Sidecar | None:
    """The record of a built image; None when there is none that can be read."""
    try:
        known: JsonObject = json.loads(sidecar_file(image).read_text())
        return Sidecar(**{**known, "packages": tuple(known["packages"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def squashfs_sha256(image: Path) -> str | None:
    """SHA-256 of the image's file system, which two builds of the same sources share."""
    sidecar = read_sidecar(image)
    return sidecar.squashfs_sha256 if sidecar else None
