"""The locks of Debian packages, `envs/<image>.apt.lock`, written anew from what a mirror has."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from weft.files import replace_text
from weft.files.layout import CLONE
from weft.images.apptainer import announce
from weft.images.build import build_image, ensure_image, is_pinned, packages
from weft.images.definition import names, read_definition
from weft.images.digest import IMAGES
from weft.images.errors import ImageError
from weft.images.space import work_folder

HEADER = "# Every Debian package of this image; `snakemake lock_packages` writes this file.\n"


def lock_packages(root: Path = CLONE) -> None:
    """Build images from the newest packages, and write what is in them into their locks.

    All locks are written anew; while some are empty, only those, and those of images that start
    from them. They change only when all builds are done. Raises ImageError.
    """
    logs = root / IMAGES
    logs.mkdir(parents=True, exist_ok=True)
    wanted = images_to_lock(root)
    locks: dict[Path, tuple[str, ...]] = {}
    with work_folder() as work:
        built: dict[str, Path] = {}
        new: set[str] = set()
        for name in _parents_first(wanted, root):
            definition = read_definition(name, root)
            if name not in wanted and not new.intersection(definition.parents):
                built[name] = ensure_image(name, root)
                continue
            new.add(name)
            built[name] = image = work / f"{name}.sif"
            parents = {parent: built[parent] for parent in definition.parents}
            announce(f"{name}: building from the newest packages")
            build_image(definition, image, parents, root, logs / f"{name}.log", pinned=False)
            if definition.lock:
                locks[root / definition.lock] = _listed(image, name)
    for path, pins in locks.items():
        replace_text(path, HEADER + "".join(f"{pin}\n" for pin in pins))
        announce(f"{path.relative_to(root)}: {len(pins)} packages")


def images_to_lock(root: Path = CLONE) -> list[str]:
    """The images with a lock, or, while some locks are empty, the images these concern."""
    locked = [name for name in names(root) if read_definition(name, root).lock]
    empty = {name for name in locked if not is_pinned(read_definition(name, root), root)}
    concerned = [name for name in locked if empty.intersection(_parents_first([name], root))]
    return concerned if empty else locked


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
