"""Experiments outside of the clone, with their results beside them."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from weft.read.errors import ReadError

NAME = ".weft"
#: What a run needs of the project.
LINKED = (
    *("Snakefile", "workflow", "profiles", "slurm", "configs", "envs"),
    *("programs", "hardware", "simulators", "containers"),
)
#: What a run leaves, which belongs to the user's folder.
LEFT = ("results", "reports")
#: Notes of Snakemake, which clones share: without them it takes an outdated page for a current one.
NOTES = ".snakemake"
#: After a failed run Snakemake removes folders of outputs that are empty, and cannot remove a link.
KEPT = ".keep"
#: Where experiments lie in the user's folder, as in `configs`.
EXPERIMENTS = "experiment"


def workspace(project: Path, folder: Path, begins: bool = False) -> Path:
    """The folder in which Snakemake runs for the experiments in `folder`.

    It looks like the project, by links, so that every path that a plan, a job or a page names is
    the same as in the clone; `results` and `reports` lead to the user's folder. Each clone has its
    own, so that none changes the links by which a run of another finds its code.

    A folder in which somebody has run experiments is complete: it may be one to look at only.
    Raises ReadError where `folder` does not exist, where what it lacks cannot be written, and where
    experiments lie in it but not in the folder that weft reads; not where one `begins` in it.
    """
    if not begins:
        _check(folder)
    try:
        return _completed(project, folder)
    except OSError as error:
        raise ReadError(
            f"{error.filename or folder}: {(error.strerror or str(error)).lower()}: weft keeps"
            f" results beside experiments; copy {folder / EXPERIMENTS} into a folder of your own,"
            " and give that one"
        ) from error


def _completed(project: Path, folder: Path) -> Path:
    place = _place(project, folder)
    place.mkdir(exist_ok=True)
    if place.name != NAME:
        (folder / NAME / NOTES).mkdir(exist_ok=True)
        _link(place / NOTES, folder / NAME / NOTES)
    (folder / EXPERIMENTS).mkdir(exist_ok=True)
    for name in LINKED:
        if (project / name).exists():
            _link(place / name, (project / name).resolve())
    for name in LEFT:
        (folder / name).mkdir(exist_ok=True)
        if not (folder / name / KEPT).exists():
            (folder / name / KEPT).touch()
        _link(place / name, folder / name)
    return place


def _place(project: Path, folder: Path) -> Path:
    """`.weft` for the first clone, and for another one as soon as that is gone, else one beside."""
    first = folder / NAME
    first.mkdir(parents=True, exist_ok=True)
    mark, mine = first / LINKED[0], (project / LINKED[0]).resolve()
    if not mark.is_symlink():
        # Of two clones that begin at once, one gets it.
        with suppress(FileExistsError):
            mark.symlink_to(mine)
    if not mark.exists() or mark.resolve() == mine:
        return first
    return folder / f"{NAME}-{sha256(bytes(mine)).hexdigest()[:8]}"


def _check(folder: Path) -> None:
    if not folder.is_dir():
        raise ReadError(
            f"{folder} does not exist: weft --experiments {folder} new NAME begins an experiment "
            "there"
        )
    found = sorted(folder.glob("*.yaml"))
    if not found or next((folder / EXPERIMENTS).glob("*.yaml"), None):
        return
    if folder.name == EXPERIMENTS:
        raise ReadError(f"{folder} is the folder {EXPERIMENTS} itself: give {folder.parent}")
    raise ReadError(
        f"{found[0]} is not read, because experiments lie in {folder / EXPERIMENTS}: move it there"
    )


def _link(link: Path, target: Path) -> None:
    if link.is_symlink() and link.readlink() == target:
        return
    link.unlink(missing_ok=True)
    link.symlink_to(target)
