"""Apptainer and what it needs from the kernel to build and to run without root."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from pathlib import Path

from weft.doctor.finding import Finding
from weft.doctor.probe import answer, at_least, read, version, which
from weft.doctor.starting import starting
from weft.images import ImageError, find_runtime, has_definition, image_file

OLDEST_APPTAINER = (1, 2)
NO_IMAGES = "no images: simulators and measurements run natively only"
COPY = "build the images on another machine and copy containers/images/ (docs/hpc.md)"


def containers(root: Path) -> Iterator[Finding]:
    """What running images needs first, then what building them needs."""
    yield _apptainer()
    yield _user_namespaces()
    yield starting(root)
    yield _subordinate_ids()
    yield _tool("fakeroot", "images cannot be built here")
    yield _tool("debootstrap", "the base image cannot be built here")
    yield _tool("mksquashfs", "images cannot be built here", "squashfs-tools")
    yield from _images(root)


def _apptainer() -> Finding:
    try:
        path = str(find_runtime())
    except ImageError:
        path = None
    found = version(path, "--version") if path else None
    return Finding(
        "Apptainer",
        found is not None and at_least(found, *OLDEST_APPTAINER),
        f"{path} {found}" if found else "none",
        NO_IMAGES,
        "`module avail apptainer`; on Debian and Ubuntu `envs/install_apptainer` puts it into your "
        "home folder",
    )


def _user_namespaces() -> Finding:
    works = answer(["unshare", "--user", "true"]) is not None
    limit = read(Path("/proc/sys/user/max_user_namespaces"))
    return Finding(
        "user namespaces",
        works,
        f"allowed (at most {limit})" if works else f"refused (at most {limit or 'unknown'})",
        "Apptainer works only where the site installed it with set-uid rights",
        "only an administrator can allow them: sysctl user.max_user_namespaces; meanwhile run "
        "natively",
    )


def _subordinate_ids() -> Finding:
    user = getpass.getuser()
    names = {user, str(os.getuid())}
    listed = [
        path.name
        for path in (Path("/etc/subuid"), Path("/etc/subgid"))
        if names & {line.partition(":")[0] for line in read(path).splitlines()}
    ]
    if os.geteuid() == 0:
        return Finding("subordinate ids", True, "root needs no entry in /etc/subuid")
    present = len(listed) == 2 and which("newuidmap") is not None
    return Finding(
        "subordinate ids",
        present,
        f"{user} is in /etc/subuid and /etc/subgid" if present else f"none for {user}",
        "images cannot be built here with --fakeroot; running them needs none",
        f"ask for `usermod --add-subuids 100000-165535 --add-subgids 100000-165535 {user}`, "
        f"or {COPY}",
    )


def _tool(name: str, cost: str, package: str | None = None) -> Finding:
    path = which(name) or next(
        (str(place) for place in (Path("/usr/sbin") / name,) if place.exists()), None
    )
    return Finding(
        name, path is not None, path or "none", cost, f"package {package or name}, or {COPY}"
    )


def _images(root: Path) -> Iterator[Finding]:
    names = sorted(path.stem for path in (root / "containers").glob("*.def"))
    for name in names:
        if has_definition(name):
            path = image_file(name)
            there = path.exists()
            size = f"{path.stat().st_size / 1e6:.0f} MB" if there else "not built"
            yield Finding(
                f"image {name}",
                there,
                f"{path.name} {size}",
                "it is built when something needs it",
                "`snakemake containers` builds all images",
            )
