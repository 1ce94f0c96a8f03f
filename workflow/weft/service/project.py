"""The folder of one task: a project with the clone's workflow and an experiment of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from weft.config.points.program_build import HEADERS
from weft.files.languages import ENDINGS
from weft.files.layout import CLONE, Layout

#: Folder of a project that holds uploads; an experiment names them by it.
UPLOADS = "uploads"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
#: Letters and digits of any script; neither hidden, nor an option, nor words of a shell.
_FILE = re.compile(r"\w(?:[\w.+,=@~()\[\]{} -]{0,98}[\w.+,=@~()\[\]{}-])?")
#: Endings of sources, and of all files of programs. They lie beside the experiment, where weft
#: looks for them.
SOURCES = tuple(ending for endings in ENDINGS.values() for ending in endings)
PROGRAM = (*SOURCES, *HEADERS)
#: As long as the database keeps it.
_LONGEST_PATH = 200
_SHARED = ("Snakefile", "workflow", "profiles", "envs", "programs", "hardware", "containers")
_CONFIGS = ("config.yaml", "catalogue.json", "engine", "machine", "network", "paper", "report",
            "schema", "topology", "workload")  # fmt: skip


def upload_problem(path: str) -> str | None:
    """What is wrong with the path of an upload; nothing is for `uploads/<file>`, with folders
    between the two or without."""
    # Not as a path, which leaves out what stands for nothing.
    first, *names = path.split("/")
    named = bool(names) and all(map(_FILE.fullmatch, names))
    if first == UPLOADS and named and len(path) <= _LONGEST_PATH:
        return None
    return f"give it as {UPLOADS}/<name>, with letters, digits, blanks, brackets, '_', '-' and '.'"


def is_beside(path: str) -> bool:
    """Whether an upload lies beside the experiment: a program outside of folders of its own."""
    return path.endswith(PROGRAM) and path.count("/") == 1


def make_project(folder: Path, name: str, experiment: str, files: Mapping[str, bytes]) -> Layout:
    """Write the project of a task; one that is there already is completed.

    Raises ValueError for a name that is none.
    """
    if not NAME.fullmatch(name):
        raise ValueError("an experiment's name has letters, digits, '-' and '_', at most 64")
    layout = Layout(folder)
    layout.configs.mkdir(parents=True, exist_ok=True)
    for shared in _SHARED:
        _link(folder / shared, CLONE / shared)
    for shared in _CONFIGS:
        _link(layout.configs / shared, CLONE / "configs" / shared)
    experiments = layout.configs / "experiment"
    experiments.mkdir(exist_ok=True)
    (experiments / f"{name}.yaml").write_text(experiment)
    for path, content in files.items():
        if problem := upload_problem(path):
            raise ValueError(f"{path}: {problem}")
        place = folder / path
        if is_beside(path):
            place = experiments / place.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return layout


def _link(path: Path, target: Path) -> None:
    if target.exists() and not path.is_symlink():
        path.symlink_to(target)
