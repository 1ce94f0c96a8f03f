"""From a finished page to its archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from weft.archive.gather import Packed, archive_files, archive_head, facts_of_runs
from weft.archive.rebuild import make_page
from weft.archive.redact import Redaction, names_folders
from weft.archive.results import with_compared
from weft.archive.wheels import report_wheels
from weft.archive.write import write_archive
from weft.files.layout import JOURNAL, RELATIVE, ExperimentFolder, Layout
from weft.plan.stored import read_plan


def pack_archive(
    out: Path,
    plans: Sequence[Path],
    sources: Sequence[Path],
    *,
    wheels: bool = False,
    anonymous: bool = False,
    project: Layout = RELATIVE,
) -> None:
    """Write the archive `out` of the page that has its name.

    Raises ValueError where a shard is damaged, or where wheels are asked for and cannot be had.
    """
    with report_wheels() if wheels else nullcontext(()) as found:
        asked = Packed(out.stem, plans, sources, project, project, found, anonymous)
        with (
            _redacted(asked) if anonymous or _names_folders(asked) else nullcontext(asked) as packed
        ):
            write_archive(out, archive_files(packed))


def _names_folders(asked: Packed) -> bool:
    """Whether a journal or the page holds the folder of the project or of its user, as commands of
    measurements do."""
    root = asked.project.root.absolute()
    results = with_compared([ExperimentFolder.of_plan(path) for path in asked.plans])
    journals = (path for each in results for path in each.path.glob(f"*/*/{JOURNAL}"))
    texts = [asked.project.reports.page(asked.page), *(each.plan for each in results), *journals]
    return any(names_folders(path, root) for path in texts)


@contextmanager
def _redacted(asked: Packed) -> Iterator[Packed]:
    """The same with results and page in a temporary project, where neither names folders."""
    with TemporaryDirectory(prefix="weft-") as folder:
        redaction = Redaction(asked.project.root.absolute(), asked.anonymous)
        made = Layout(Path(folder))
        folders = with_compared([ExperimentFolder.of_plan(path) for path in asked.plans])
        for source in folders:
            redaction.copy(source, made.results.experiment(source.name))
        plans = [made.results.experiment(path.parent.name).plan for path in asked.plans]
        packed = replace(asked, plans=plans, made=made)
        # Packed a minute later, the archive is still the same.
        ended = facts_of_runs((read_plan(each.plan) for each in folders), folders).ended
        make_page(archive_head(packed), made, asked.project.configs, made_at=ended)
        yield packed
