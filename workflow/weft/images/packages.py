"""The locks of Debian packages, `envs/<image>.apt.lock`, written anew from what a mirror has."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from weft.images.apptainer import tell
from weft.images.build import build_image, packages
from weft.images.definition import PROJECT, names, read_definition
from weft.images.digest import IMAGES
from weft.images.errors import ImageError
from weft.images.space import work_folder

HEADER = "# Every Debian package of this image; `snakemake lock_packages` writes this file.\n"


def lock_packages(root: Path = PROJECT) -> None:
    """Build every image that has a lock from the newest packages, and write what is in it.

    The locks change only when all builds are done. Raises ImageError.
    """
    logs = root / IMAGES
    logs.mkdir(parents=True, exist_ok=True)
    locks: dict[Path, tuple[str, ...]] = {}
    with work_folder() as work:
        built: dict[str, Path] = {}
        for name in _parents_first(_with_lock(root), root):
            definition = read_definition(name, root)
            image = work / f"{name}.sif"
            parents = {parent: built[parent] for parent in definition.parents}
            tell(f"{name}: building from the newest packages")
            build_image(definition, image, parents, root, logs / f"{name}.log", pinned=False)
            built[name] = image
            if definition.lock:
                locks[root / definition.lock] = _listed(image, name)
    for path, pins in locks.items():
        unfinished = path.with_name(f".{path.name}.tmp")
        unfinished.write_text(HEADER + "".join(f"{pin}\n" for pin in pins))
        unfinished.replace(path)
        tell(f"{path.relative_to(root)}: {len(pins)} packages")


def _with_lock(root: Path) -> list[str]:
    return [name for name in names(root) if read_definition(name, root).lock]


def _parents_first(wanted: Iterable[str], root: Path) -> list[str]:
    """The images and all they start from, each after its parents."""
    order: dict[str, None] = {}
    for name in wanted:
        order |= dict.fromkeys(_parents_first(read_definition(name, root).parents, root))
        order[name] = None
    return list(order)


def _listed(image: Path, name: str) -> tuple[str, ...]:
    found = packages(image)
    if not found:
        raise ImageError(
            f"containers/{name}.def: the image lists no packages in /weft/packages: "
            "install them with containers/install_packages"
        )
    return found
