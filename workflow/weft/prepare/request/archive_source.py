"""`--config from=archives/x.zip`: a run that begins with the results of an archive."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from weft.archive.bring import Bringing
from weft.archive.contents import FIGURES, WHEELS, ArchiveError
from weft.archive.figures import differences, figure_data
from weft.archive.read import OpenArchive, open_archive
from weft.archive.results import OUTSIDE
from weft.config.compose.composition import experiment_files
from weft.config.model.experiment import POINT_GROUPS
from weft.config.points.places import SHIPPED
from weft.files import replace_bytes
from weft.files.layout import RELATIVE, Results
from weft.plan.plan import Plan
from weft.plan.variant import base_name
from weft.prepare.request.request import FROM, Request

#: Folders of an archive without files that experiments name.
_NOT_NAMED = frozenset(("configs", "containers", "reports", "results", "workflow", FIGURES, WHEELS))


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A page as an archive has it: the data of its figures by identifier."""

    page: Path
    archive: Path
    figures: Mapping[str, str]

    def check(self) -> None:
        """End the process with code 1 where a row of the archived figures is no longer there.

        Rows of points that the user has added are none of the archive's.
        """
        found = list(differences(self.figures, figure_data(self.page.read_text()), more=True))
        if found:
            lines = [f"weft: {self.page} differs from {self.archive}:", *found]
            raise SystemExit("\n".join(lines))
        count = f"{len(self.figures)} figure" + ("" if len(self.figures) == 1 else "s")
        print(f"weft: {self.page}: {count} as in {self.archive}", file=sys.stderr, flush=True)


@dataclass(slots=True)
class ArchiveSource:
    """What a run takes from an archive."""

    archive: OpenArchive
    bringing: list[Bringing] = field(default_factory=list)

    def bring(self, names: Sequence[str], results: Path) -> None:
        """Bring the archived shards of the experiments that are to be planned under these names.

        Raises ArchiveError where the archive holds none of them.
        """
        head = self.archive.head
        held = (*head.experiments, *head.beside)
        for name in names:
            for archived in held:
                if base_name(archived) == base_name(name):
                    folder = Results(results).experiment(name)
                    self.bringing.append(Bringing(self.archive, archived, folder))
        if not self.bringing:
            path = self.archive.path
            raise ArchiveError(f"{path} holds {', '.join(held)}, and not {', '.join(names)}")
        for each in self.bringing:
            each.bring()

    def planned(self, plans: Sequence[Plan]) -> None:
        """Print how many of the archived shards the plans have kept, and how many are damaged."""
        versions = {shard.engine: shard.engine_version for plan in plans for shard in plan.shards}
        kept = {(plan.experiment, shard.shard_id) for plan in plans for shard in plan.shards}
        for each in self.bringing:
            each.date()
            # Planning has named damaged ones, and removed their status.
            damaged = [one for one in each.there if not one.status.exists()]
            there = [one for one in each.there if one not in damaged]
            left = [one for one in there if (each.folder.name, one.path.name) not in kept]
            text = f"{len(there) - len(left)} of {each.count} archived shards count as finished"
            if damaged:
                text += f"; {len(damaged)} damaged here, computed again"
            for engine in sorted({one.path.parent.name for one in left}):
                text += f"; {engine} here is {versions.get(engine, 'not asked')}"
            print(f"weft: {each.folder.name}: {text}", file=sys.stderr, flush=True)

    def page(self, pages: Collection[str]) -> ArchivedPage | None:
        """The page of the archive, to compare the new one with; None where it is not among `pages`,
        which are made."""
        if self.archive.head.page not in pages:
            return None
        names = list(self.archive.below(FIGURES))
        figures = {Path(name).stem: self.archive.content(name).decode() for name in names}
        page = RELATIVE.reports.page(self.archive.head.page)
        return ArchivedPage(page, self.archive.path, figures)


@contextmanager
def archive_source(
    request: Request, path: Path, configs: Path, *, looking: bool
) -> Iterator[tuple[Request, ArchiveSource]]:
    """The request, with what it takes from an archive, whose files are all as they were packed.

    Experiments and groups of the archive that the tree lacks come in by the search path. Raises
    ArchiveError where the archive cannot be used, and for a command that only looks.
    """
    if looking:
        raise ArchiveError(f"--config {FROM}={path} writes results: not in a dry run")
    with open_archive(path) as archive:
        folder = _unpacked(archive, configs, request.search_path)
        more = (folder,) if folder else ()
        yield replace(request, search_path=(*request.search_path, *more)), ArchiveSource(archive)


def _unpacked(archive: OpenArchive, configs: Path, search_path: Sequence[Path]) -> Path | None:
    """A folder with the experiments and groups of the archive that no other has; None if all are
    known."""
    head = archive.head
    known = experiment_files(configs, *search_path)
    names = {base_name(name) for name in (*head.experiments, *head.beside)} - known.keys()
    if not names:
        return None
    folder = RELATIVE.unpacked / archive.digest
    for name, path in (*_composed(archive, configs.name), *_named(archive, configs.parent)):
        if not any((each / path).exists() for each in (configs, *search_path)):
            replace_bytes(folder / path, archive.content(name))
    return folder


def _composed(archive: OpenArchive, configs: str) -> Iterator[tuple[str, Path]]:
    """Experiments and groups, with their paths in the tree."""
    # No machine of others: such a file can start any command.
    for group in ("experiment", *POINT_GROUPS, "report"):
        for name in archive.below(f"{configs}/{group}"):
            yield name, Path(name).relative_to(configs)


def _named(archive: OpenArchive, project: Path) -> Iterator[tuple[str, Path]]:
    """Files that experiments name, with paths from the tree at which these find them."""
    for name in archive.names:
        top, _, below = name.partition("/")
        path = Path(below) if top == OUTSIDE else Path(name)
        if not below or top in _NOT_NAMED or path.suffix.lower() in (".yaml", ".yml"):
            continue
        if top == SHIPPED:
            # A program is looked for beside its experiment.
            path = Path("experiment", *path.parts[1:])
        if top == OUTSIDE or not (project / name).exists():
            yield name, path
