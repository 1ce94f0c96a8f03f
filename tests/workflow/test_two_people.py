"""Two people in one clone: a common group, setgid folders and umask 002, as docs/hpc.md asks."""

import os
import subprocess
from pathlib import Path

import pytest
from weft.files import open_lock, take_lock

from tests.patience import PATIENCE_S, wait_until
from tests.people import ALICE, BOB, GROUP, Person, command_as, need_root
from tests.workflow.conftest import SNAKEMAKE, Outcome, Project, collections_wait


class Shared:
    """A project in a folder of the group, and Snakemake run by one of its people."""

    def __init__(self, project: Project, work: Path) -> None:
        self.project, self.work = project, work
        for path in [project.folder, *project.folder.rglob("*")]:
            os.chown(path, ALICE.number, GROUP, follow_symlinks=False)
            if not path.is_symlink():
                path.chmod(0o2775 if path.is_dir() else path.stat().st_mode | 0o664)

    def start(self, person: Person, *arguments: str, umask: str = "002") -> subprocess.Popen[str]:
        folder, snakemake = self.project.folder, [*SNAKEMAKE, *arguments]
        command = command_as(
            person, snakemake, self.work, folder, self.work, cwd=folder, umask=umask
        )
        return subprocess.Popen(
            command,
            env=self.project.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, person: Person, *arguments: str, umask: str = "002") -> Outcome:
        process = self.start(person, *arguments, umask=umask)
        output, _ = process.communicate(timeout=PATIENCE_S)
        return Outcome(process.returncode, output)


@pytest.fixture
def shared(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Shared:
    need_root()
    project = Project(tmp_path)
    project.small("one", "[2, 3]")
    project.small("two", "[2]")
    work = tmp_path_factory.mktemp("people")
    work.chmod(0o755)
    return Shared(project, work)


@pytest.mark.slow
@pytest.mark.long("runs")
def test_each_runs_what_the_other_ran(shared: Shared) -> None:
    one = shared.project.folder / "reports/one.html"
    first = shared.run(ALICE, "reports/one.html")
    assert first.code == 0, first.output
    other = shared.run(BOB, "reports/two.html")
    assert other.code == 0, other.output
    assert one.stat().st_uid == ALICE.number
    again = shared.run(BOB, "reports/one.html")
    assert again.code == 0, again.output
    assert "Nothing to be done" in again.output
    shared.project.small("one", "[2, 3, 4]", title="Changed by Bob")
    changed = shared.run(BOB, "reports/one.html")
    assert changed.code == 0, changed.output
    assert len(shared.project.computed("one")) == 3
    assert one.stat().st_uid == BOB.number
    everything = shared.run(ALICE, "reports/one.html", "reports/two.html", "--forceall")
    assert everything.code == 0, everything.output


@pytest.mark.slow
@pytest.mark.long("runs")
def test_two_run_at_once_and_who_comes_second_to_one_experiment_learns_who_has_it(
    shared: Shared,
) -> None:
    shared.project.small("one", "[2, 3, 4, 5, 6, 7, 8]")
    results = shared.project.folder / "results"
    results.mkdir()
    os.chown(results, ALICE.number, GROUP)
    results.chmod(0o2775)
    with collections_wait(results):
        first = shared.start(ALICE, "reports/one.html")
        lock = results / "one" / ".lock"
        wait_until(lambda: lock.is_file() and "alice" in lock.read_text())
        second = shared.run(BOB, "reports/one.html")
        beside = shared.start(BOB, "reports/two.html")
        wait_until((results / "two" / ".lock").is_file)
    printed, _ = beside.communicate(timeout=PATIENCE_S)
    other = Outcome(beside.returncode, printed)
    output, _ = first.communicate(timeout=PATIENCE_S)
    assert first.returncode == 0, output
    assert other.code == 0, other.output
    assert second.code == 1
    assert "another weft is running one (process" in second.output
    assert " of alice on " in second.output


@pytest.mark.slow
@pytest.mark.long("runs")
def test_one_goes_on_with_what_was_killed_for_the_other(shared: Shared) -> None:
    results = shared.project.folder / "results"
    results.mkdir()
    os.chown(results, ALICE.number, GROUP)
    results.chmod(0o2775)
    with collections_wait(results):
        first = shared.start(ALICE, "reports/one.html")
        wait_until(lambda: len(shared.project.computed("one")) == 2)
        first.kill()
        first.communicate(timeout=PATIENCE_S)
    again = shared.run(BOB, "reports/one.html")
    assert again.code == 0, again.output
    assert "weft: one: the last run (process " in again.output
    assert " of alice on " in again.output
    assert len(shared.project.computed("one")) == 2


@pytest.mark.slow
@pytest.mark.long("runs")
def test_files_that_are_not_shared_are_named_before_anything_runs(shared: Shared) -> None:
    mine = shared.run(ALICE, "reports/one.html", umask="022")
    assert mine.code == 0, mine.output
    advice = "people who share a folder need a common group and umask 002 (docs/hpc.md)"
    for folder in ("results", "reports", ".snakemake/log"):
        refused = shared.run(BOB, "reports/two.html")
        assert refused.code == 1
        line = f"weft: cannot write to {shared.project.folder / folder}: Permission denied"
        assert f"{line}; nothing was run; {advice}" in refused.output
        (shared.project.folder / folder).chmod(0o2775)
    for folder in (shared.project.folder / ".snakemake").glob("**/"):
        folder.chmod(0o2775)
    refused = shared.run(BOB, "reports/one.html")
    assert refused.code == 1
    assert f"weft: cannot write to results/one: Permission denied; {advice}" in refused.output


@pytest.mark.slow
@pytest.mark.long("runs")
def test_files_that_nobody_else_may_see_are_named_before_anything_runs(shared: Shared) -> None:
    mine = shared.run(ALICE, "reports/one.html", umask="077")
    assert mine.code == 0, mine.output
    advice = "nothing was run; people who share a folder need a common group and umask 002"
    for folder in ("results", "reports", ".snakemake/log"):
        # A look needs the same folders.
        refused = shared.run(BOB, "reports/two.html", *(("-n",) if folder == "results" else ()))
        assert refused.code == 1
        line = f"weft: cannot write to {shared.project.folder / folder}: Permission denied"
        assert f"{line}; {advice}" in refused.output
        assert "Traceback" not in refused.output
        (shared.project.folder / folder).chmod(0o2775)
    (shared.project.folder / ".snakemake").chmod(0o2775)
    refused = shared.run(BOB, "reports/two.html")
    assert f"weft: cannot write to {shared.project.folder / '.snakemake'}/" in refused.output
    assert "Traceback" not in refused.output


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_clone_and_a_home_folder_that_cannot_be_written_are_one_line(shared: Shared) -> None:
    folder = shared.project.folder
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o022)
    command = ["env", "HOME=/proc/1/absent", *SNAKEMAKE, "reports/one.html"]
    refused = subprocess.run(
        command_as(BOB, command, shared.work, folder, shared.work, cwd=folder),
        env=shared.project.environment | {"XDG_CACHE_HOME": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    place = folder / "results"
    line = f"weft: cannot write to {place}: Permission denied; nothing was run; "
    assert refused.stderr.splitlines()[-1].startswith(line)


def test_a_lock_is_shared_by_whoever_made_it_first(tmp_path: Path) -> None:
    tmp_path.chmod(0o2775)
    before = os.umask(0o077)
    try:
        with open_lock(tmp_path / "lock") as file:
            assert take_lock(file)
    finally:
        os.umask(before)
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o660
