"""`make report` in an unpacked archive: database and page again, compared with what was packed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from datetime import datetime
from hashlib import file_digest
from pathlib import Path

from weft.archive.contents import FIGURES, HEAD, SUMS, ArchiveHead, read_head, read_sums
from weft.archive.figures import differences, figure_data
from weft.database import collect
from weft.files.layout import PAPER, Layout
from weft.plan.outcome import DamagedError
from weft.report.pages.build import build_paper, build_report

#: Where the new database and the new page lie.
REBUILT = "rebuilt"
#: How many files and figures are named.
_MOST = 20


def rebuild(root: Path) -> int:
    """Make the page of the archive in the folder `root` again; the exit code of `make report`.

    Prints which files are not as they were packed, or else which figures differ, and how.
    """
    head = read_head((root / HEAD).read_bytes(), str(root))
    if changed := list(_changed(root)):
        _print_all(changed)
        what = "1 file differs" if len(changed) == 1 else f"{len(changed)} files differ"
        print(f"weft: {what} from what was packed", file=sys.stderr)
        return 1
    project = Layout(root / REBUILT)
    shutil.rmtree(project.root, ignore_errors=True)
    # The packed files stay as they are: a collection writes beside what it reads.
    shutil.copytree(Layout(root).results.path, project.results.path)
    page = make_page(head, project, Layout(root).configs)
    packed = {path.stem: path.read_text() for path in (root / FIGURES).glob("*.csv")}
    found = list(differences(packed, figure_data(page.read_text()), more=False))
    _print_all(found)
    count = f"{len(packed)} figure" + ("" if len(packed) == 1 else "s")
    if found:
        print(f"weft: {len(found)} of {count} differ from the packed ones", file=sys.stderr)
        return 1
    rows = sum(max(0, text.count("\n") - 1) for text in packed.values())
    print(f"weft: {page}: {count} with {rows:,} rows, equal to the packed ones")
    return 0


def make_page(
    head: ArchiveHead, project: Layout, configs: Path, made_at: datetime | None = None
) -> Path:
    """Make the page of an archive in `project`, which holds its results.

    Its foot shows the moment `made_at`; now by default.
    """
    results, database = project.results, project.results.database
    for name in (*head.experiments, *head.beside):
        collect(name, results.path, configs / "paper", database)
    page = project.reports.page(head.page)
    if head.page.startswith(PAPER):
        plans = [results.experiment(name).plan for name in head.experiments]
        build_paper(head.page.removeprefix(PAPER), plans, database, configs, page, made_at)
    else:
        build_report(results.experiment(head.page).plan, database, configs, page, made_at)
    return page


def _changed(root: Path) -> Iterator[str]:
    for name, digest in read_sums((root / SUMS).read_bytes(), str(root)).items():
        try:
            with (root / name).open("rb") as file:
                if file_digest(file, "sha256").hexdigest() != digest:
                    yield f"{name} was altered"
        except OSError as error:
            yield f"{name} is missing ({error.strerror})"


def _print_all(lines: list[str]) -> None:
    for line in lines[:_MOST]:
        print(f"weft: {line}", file=sys.stderr)
    if len(lines) > _MOST:
        print(f"weft: and {len(lines) - _MOST} more", file=sys.stderr)


def main() -> int:
    """The command; one message for what cannot be read."""
    try:
        return rebuild(Path())
    except DamagedError as error:
        # The checksum of the archive fits what was altered, and nothing here computes it again.
        print(f"weft: {error.what}; get the archive anew from where it came", file=sys.stderr)
        return 1
    except (ValueError, OSError) as error:
        print(f"weft: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
