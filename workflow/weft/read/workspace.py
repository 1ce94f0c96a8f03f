"""Experiments outside of the clone, with their results beside them."""

from __future__ import annotations

from pathlib import Path

NAME = ".weft"
#: What a run needs of the project.
LINKED = (
    *("Snakefile", "workflow", "profiles", "slurm", "configs", "envs"),
    *("programs", "hardware", "simulators", "containers"),
)
#: What a run leaves, which belongs to the user's folder.
LEFT = ("results", "reports")


def workspace(project: Path, folder: Path) -> Path:
    """The folder in which Snakemake runs for the experiments in `folder`.

    It looks like the project, by links, so that every path that a plan, a job or a page names is
    the same as in the clone; `results` and `reports` lead to the user's folder.
    """
    place = folder / NAME
    place.mkdir(parents=True, exist_ok=True)
    (folder / "experiment").mkdir(exist_ok=True)
    for name in LINKED:
        if (project / name).exists():
            _link(place / name, (project / name).resolve())
    for name in LEFT:
        (folder / name).mkdir(exist_ok=True)
        _link(place / name, folder / name)
    return place


def _link(link: Path, target: Path) -> None:
    if link.is_symlink() and link.readlink() == target:
        return
    link.unlink(missing_ok=True)
    link.symlink_to(target)
