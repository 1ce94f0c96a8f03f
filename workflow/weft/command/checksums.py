"""Whether all that weft wrote is still what it wrote, by its checksums."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from weft.archive.contents import ArchiveError
from weft.archive.read import open_archive
from weft.command.run import run_words
from weft.database import database_damage, note_path
from weft.engines.journal import damaged_lines
from weft.engines.native import BINARIES
from weft.engines.own_build import CACHE
from weft.engines.side_files import altered_side_files
from weft.files import altered, remove_folder, sha256_of, take_lock, unsealed
from weft.files.calibrations import FOLDER, read_calibration
from weft.files.layout import ExperimentFolder, ShardFolder, page_name
from weft.images.check import check_image
from weft.images.errors import ImageError
from weft.plan import read_plan
from weft.plan.outcome import DamagedError, damage
from weft.plan.stored import altered_points
from weft.prepare.state.damaged_pages import damage_of
from weft.read import Project, ReadError

#: Small files that every run seals anew, by the names of their properties.
_SEALED = ("stamp", "collection", "held", "schedule", "calibration", "placement")


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that says which file is damaged and how.

    Once `removed` is gone, which may be a note about the file, it is made again: by a run of the
    `experiment` or of the target `made`, or where it is needed. Where nothing is to be removed, the
    line says what to do.
    """

    text: str
    removed: Path | None = None
    experiment: str | None = None
    made: str | None = None


def all_damage(project: Project, experiment: str | None) -> Iterator[Damage]:
    """All that is damaged of one experiment, or of the project.

    Raises ReadError for an experiment without results.
    """
    results = project.layout.results
    if experiment is not None:
        folder = results.experiment(experiment)
        if not folder.path.is_dir():
            raise ReadError(f"'{experiment}' has no results: {project.run_command(experiment)}")
        yield from _of_experiment(folder)
        yield from _of_page(project, project.layout.reports.page(experiment), experiment)
    else:
        for path in sorted(results.path.glob("*/")):
            yield from _of_experiment(results.experiment(path.name))
        yield from _of_pages(project)
        yield from _of_executables(project)
    if text := database_damage(results.database):
        yield Damage(text, note_path(results.database), experiment)


def _of_experiment(folder: ExperimentFolder) -> Iterator[Damage]:
    name = folder.name
    for path in (getattr(folder, each) for each in _SEALED):
        yield from _unsealed(path, name)
    for damage_of_file in _unsealed(folder.variant, name):
        # By its name alone a run may not know what was asked for.
        again = "the command that made this variant writes it again"
        yield Damage(f"{damage_of_file.text}: {again}")
    for damage_of_file in _unsealed(folder.expectations, name):
        # Nothing tells again when they were stated.
        again = "delete it, and the next run dates the expectations anew"
        yield Damage(f"{damage_of_file.text}: {again}")
    for path in sorted(folder.path.glob(f"{FOLDER}/*.json")):
        try:
            read_calibration(path)
        except ValueError as error:
            # Nothing measures again what a machine was on that day.
            yield Damage(str(error))
    yield from _of_computing(folder)
    for path in sorted(folder.orders()):
        yield from _unsealed(path, name)
    if folder.plan.exists():
        try:
            read_plan(folder.plan)
        except ValueError as error:
            what = error.what if isinstance(error, DamagedError) else str(error)
            yield Damage(what, folder.plan, name)
            for file in altered_points(folder.plan):
                if str(file) not in what:
                    yield Damage(f"{file} was altered after it was written", folder.plan, name)
    for path in sorted(folder.path.glob("*/*/")):
        if folder.order(path.name).parent != path.parent:
            yield from _of_shard(ShardFolder(path), name)


def _of_shard(left: ShardFolder, experiment: str) -> Iterator[Damage]:
    found = False
    for error in damage(left.path):
        found = True
        yield Damage(error.what, left.status, experiment)
    for path in altered_side_files(left.path):
        yield Damage(f"{path} was altered after it was written", left.status, experiment)
    if not found:
        for number, reason in damaged_lines(left.journal):
            text = f"{left.journal}:{number} is damaged ({reason})"
            yield Damage(text, left.status, experiment)


def _unsealed(path: Path, experiment: str) -> Iterator[Damage]:
    try:
        unsealed(path.read_bytes().rstrip(b"\n"), required=True)
    except ValueError as error:
        yield Damage(f"{path} is damaged ({error})", path, experiment)
    except OSError:
        return


def _of_computing(folder: ExperimentFolder) -> Iterator[Damage]:
    """Measured times of computing, each with a sealed file that has its checksum."""
    for facts in sorted(folder.computing.glob("*.json")):
        times = facts.with_suffix(".times")
        try:
            known = unsealed(facts.read_bytes(), required=True)["sha256"]
            if sha256_of(times) != known:
                yield Damage(f"{times} was altered after it was written", facts, folder.name)
        except (ValueError, KeyError) as error:
            yield Damage(f"{facts} is damaged ({error})", facts, folder.name)
        except OSError as error:
            yield Damage(f"{times} is missing ({error.strerror})", facts, folder.name)


def _of_pages(project: Project) -> Iterator[Damage]:
    layout = project.layout
    known = {path.parent.name for path in layout.results.plans()}
    for page in sorted(layout.reports.path.rglob("*.html")):
        yield from _of_page(project, page, page.stem if page.stem in known else None)
    for path in sorted(layout.archives.path.glob("*.zip")):
        try:
            with open_archive(path):
                pass
        except ArchiveError as error:
            yield Damage(str(error), path, made=_target(project, path))


def _of_page(project: Project, page: Path, experiment: str | None) -> Iterator[Damage]:
    if what := damage_of(page):
        made = None if experiment else _target(project, page)
        yield Damage(f"{page} {what}", page, experiment, made)


def _target(project: Project, path: Path) -> str:
    return path.relative_to(project.layout.root).as_posix()


def _of_executables(project: Project) -> Iterator[Damage]:
    root = project.layout.root
    for file, what in altered(root / BINARIES):
        yield Damage(f"{file} {what}: `make build` builds it again")
    for folder in sorted((root / CACHE).glob("*/")):
        for file, what in altered(folder):
            yield Damage(f"{file} {what}", folder)
    for image in sorted((root / "containers" / "images").glob("*.sif")):
        try:
            check_image(image)
        except ImageError as error:
            yield Damage(str(error))


def make_again(project: Project, found: Sequence[Damage]) -> None:
    """Remove what stands in the way of making damaged files again, and run what makes them.

    A database without an experiment's damage is made by the run of any experiment. Raises ReadError
    while a run is at work.
    """
    results = project.layout.results
    named = {each.experiment for each in found if each.experiment}
    shared = any(each.removed == note_path(results.database) for each in found)
    if shared and not named:
        named = {folder.name for folder in results.collected()[:1]}
    for name in sorted(named):
        _check_idle(results.experiment(name))
    for path in {each.removed for each in found if each.removed is not None}:
        if path.is_dir():
            remove_folder(path)
        else:
            path.unlink(missing_ok=True)
    pages = [page_name(name) for name in sorted(named)]
    # Each variant needs a command of its own.
    for target in dict.fromkeys([*pages, *(each.made for each in found if each.made)]):
        subprocess.run(run_words(project, [target], []), cwd=project.root, check=False)


def _check_idle(folder: ExperimentFolder) -> None:
    with suppress(FileNotFoundError), folder.lock.open() as file:
        if not take_lock(file):
            raise ReadError(f"{folder.name} is being run: repair it when that has ended")
