"""Compilers and the simulators made with them."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from pathlib import Path

from weft.doctor.finding import Finding
from weft.doctor.probe import at_least, version, which
from weft.engines import EngineError, engine, engine_names
from weft.engines.external.engine import ABSENT, ExternalEngine
from weft.machine import MachineFile

OLDEST_CARGO = (1, 85)
ONLY_IN_IMAGE = "it does not run natively; in its image it does (--profile slurm, --sdm apptainer)"
IMAGES_INSTEAD = "or build the images elsewhere and copy them (docs/hpc.md)"


def build_tools() -> Iterator[Finding]:
    """Python, the C compiler, cargo and the simulators."""
    yield Finding("Python", True, platform.python_version())
    yield _c_compiler()
    yield _cargo()
    yield from _simulators()


def _c_compiler() -> Finding:
    own = os.environ.get("WEFT_CC")
    names = [own] if own else ["cc", "gcc"]
    path = which(*names)
    return Finding(
        "C compiler",
        path is not None,
        f"{path} {version(path, '--version') or ''}".strip()
        if path
        else f"no {' or '.join(names)}",
        "no measurement in mode native, and rdma runs in its image only",
        "load your site's compiler module, install gcc in a conda environment, "
        "or measure in mode hybrid with an image",
    )


def _cargo() -> Finding:
    found = version("cargo", "--version")
    new = found is not None and at_least(found, *OLDEST_CARGO)
    return Finding(
        "cargo",
        new,
        found or "none",
        "the simulators cannot be built natively",
        f"rustup installs Rust into your home folder; {IMAGES_INSTEAD}",
    )


def _simulators() -> Iterator[Finding]:
    for name in engine_names("simulator"):
        subject, found = f"simulator {name}", engine(name)
        try:
            version = str(found.describe()["version"])
        except EngineError as error:
            yield Finding(subject, False, str(error), ONLY_IN_IMAGE, "`make build`")
        else:
            if isinstance(found, ExternalEngine) and version == ABSENT:
                what, _, remedy = found.why_absent(MachineFile()).partition(": ")
                yield Finding(subject, False, what, "its points are skipped", remedy)
            else:
                yield Finding(subject, True, version)


def free_space(folder: Path) -> Finding:
    """Room for results and images."""
    facts = os.statvfs(folder)
    free_gb = facts.f_bavail * facts.f_frsize / 1e9
    files = f", {facts.f_favail:,} more files" if facts.f_favail else ""
    return Finding(
        "disk",
        free_gb > 5,
        f"{free_gb:.0f} GB free{files}",
        "building all images takes about 5 GB temporarily",
        "clone weft into your site's project or scratch file system",
    )
