"""Images that are missing get built, their parents before them, each once and as a whole."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from weft.files import take_lock
from weft.files.layout import CLONE
from weft.images.apptainer import Build, announce, run_build, squashfs_digest, version
from weft.images.definition import MIRROR, Definition, names, read_definition
from weft.images.digest import crates_of, digests, image_file
from weft.images.errors import ImageError
from weft.images.failed import forget_failed, has_failed, note_failed
from weft.images.mirror import debian_mirror
from weft.images.runtime import exec_command, find_runtime
from weft.images.sidecar import Sidecar, sidecar_file, write_sidecar
from weft.images.space import work_folder
from weft.images.stage import parent_link, stage
from weft.images.start import check_started
from weft.images.vendor import vendor

OLDEST_APPTAINER = (1, 2)
MIB = 1024**2


def ensure_image(name: str, root: Path = CLONE) -> Path:
    """The image of the present sources, built when it is missing.

    Raises ImageError with what to do when it cannot be built.
    """
    image = image_file(name, root)
    if image.is_file():
        return image
    image.parent.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(name, image.parent):
        if not image.is_file():
            _try_once(read_definition(name, root), image, root)
    return image


def _try_once(definition: Definition, image: Path, root: Path) -> None:
    if has_failed(image):
        raise ImageError(
            f"{definition.file.name}: its build failed earlier in this run, which printed why"
        )
    try:
        _build(definition, image, root)
    except ImageError:
        note_failed(image)
        raise
    forget_failed(image)


def build_image(
    definition: Definition,
    image: Path,
    parents: Mapping[str, Path],
    root: Path,
    log: Path,
    *,
    pinned: bool = True,
) -> None:
    """Build `definition` into the file `image`, from the given parent images.

    Without `pinned` its packages are whatever the mirror has. Raises ImageError.
    """
    _check_apptainer()
    if pinned and not is_pinned(definition, root):
        raise ImageError(f"{definition.lock} is empty: fill it with: snakemake lock_packages")
    entries = filter(None, map(crates_of, definition.inputs))
    vendored = {crates: vendor(crates, root, lambda: _toolchain(parents)) for crates in entries}
    with work_folder() as work:
        folder = work / "project"
        folder.mkdir()
        stage(definition, root, folder, parents=parents, vendored=vendored, pinned=pinned)
        arguments = {each: parent_link(folder, each).name for each in parents}
        if definition.needs_mirror:
            arguments[MIRROR] = debian_mirror()
        run_build(
            Build(
                name=definition.name,
                definition=root / definition.file,
                image=image,
                folder=folder,
                work=work,
                log=log,
                arguments=arguments,
                quick=definition.name in parents_of_others(root),
            )
        )


def is_pinned(definition: Definition, root: Path = CLONE) -> bool:
    """Whether the definition installs no packages, or its lock says their versions."""
    if not definition.lock:
        return True
    lines = (root / definition.lock).read_text().splitlines()
    return any(line and not line.startswith("#") for line in lines)


def parents_of_others(root: Path = CLONE) -> set[str]:
    """The images that others start from."""
    return {parent for name in names(root) for parent in read_definition(name, root).parents}


def packages(image: Path) -> tuple[str, ...]:
    """The Debian packages of an image, as `name=version`; none when it lists none.

    Raises ImageError when the image does not start.
    """
    command = [*exec_command(image), "cat", "/weft/packages"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return tuple(done.stdout.split())
    check_started(image, done.stderr)
    return ()


def _build(definition: Definition, image: Path, root: Path) -> None:
    parents = {parent: ensure_image(parent, root) for parent in definition.parents}
    log = image.with_suffix(".log")
    started = time.monotonic()
    announce(f"{definition.name}: building {image.name}; log: {_shown(log, root)}")
    for left_by_a_kill in image.parent.glob(f".unfinished-*-{definition.name}-*.sif"):
        left_by_a_kill.unlink()
    unfinished = image.with_name(f".unfinished-{os.getpid()}-{image.name}")
    try:
        build_image(definition, unfinished, parents, root, log)
        found = digests(definition, root)
        sidecar = Sidecar(
            image=image.name,
            definition_sha256=found.definition_sha256,
            inputs_sha256=found.inputs_sha256,
            squashfs_sha256=squashfs_digest(unfinished),
            apptainer=version(find_runtime(), "--version"),
            mksquashfs=version("mksquashfs", "-version"),
            bytes=unfinished.stat().st_size,
            build_s=round(time.monotonic() - started, 1),
            packages=packages(unfinished),
        )
        if image_file(definition.name, root) != image:
            raise ImageError(
                f"{definition.name}: the sources changed during the build: start again"
            )
        # The image last: where it is, it is whole and its sidecar is there.
        write_sidecar(sidecar, sidecar_file(image))
        unfinished.rename(image)
    finally:
        unfinished.unlink(missing_ok=True)
    size, seconds = sidecar.bytes / MIB, sidecar.build_s
    announce(f"{definition.name}: built {image.name}, {size:.1f} MiB, in {seconds:.0f} s")


def _toolchain(parents: Mapping[str, Path]) -> Path:
    """The image that the first stage starts from: it has a cargo, if crates are to be built."""
    try:
        return next(iter(parents.values()))
    except StopIteration:
        raise ImageError(
            "needs cargo to fetch crates: install Rust, or start from an image"
        ) from None


def _check_apptainer() -> None:
    program = find_runtime()
    found = version(program, "--version")
    if tuple(map(int, found.split(".")[:2])) < OLDEST_APPTAINER or program.name != "apptainer":
        oldest = ".".join(map(str, OLDEST_APPTAINER))
        raise ImageError(
            f"building needs apptainer {oldest} or newer, {program} is {program.name} {found}: "
            "run envs/install_apptainer, or build on another machine and copy containers/images/"
        )


def _shown(path: Path, root: Path) -> Path:
    return path.relative_to(root) if path.is_relative_to(root) else path


@contextmanager
def _one_at_a_time(name: str, folder: Path) -> Iterator[None]:
    """Builds of one image wait for each other; a kill frees the lock."""
    with (folder / f".{name}.lock").open("w") as file:
        if not take_lock(file):
            announce(f"{name}: waiting for another build of it")
            take_lock(file, wait=True)
        yield
