"""Programs of strangers: uploaded, compiled and run in a sandbox by a real worker."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.missing import missing
from tests.service.conftest import (
    OPEN,
    ROOT,
    Answered,
    Browser,
    Site,
    logged_in,
    running,
    wait_for,
    with_tables,
)

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
EXPERIMENT = """\
title: A program
question: How long does it take?
defaults:
  - override /topology: torus
  - override /network: opennsim_table3
  - override /workload: alltoall
engines: [flow]
topology: {sizes: [2, 2]}
workload: {ranks: 4, message_size: null}
"""
PROGRAMS = ROOT / "tests" / "service" / "programs"
OWN = (PROGRAMS / "own.c").read_text()
MAIN = '#include "mgen.h"\nint MGEN_Main(int argc, char **argv) { (void)argc; (void)argv; '
#: Programs that do not compile, with what the page says of each.
WRONG = {
    "include": ('#include "/etc/passwd"\n' + MAIN + "return 0; }\n", "No such file or directory"),
    "incbin": (
        '__asm__(".incbin \\"/etc/passwd\\"");\n' + MAIN + "return 0; }\n",
        "file not found: /etc/passwd",
    ),
    "mistake": ("\n\n" + MAIN + "return nothing; }\n", "configs/experiment/mistake.c:4:"),
    "senseless": ("\0\xff\xfe\n", "senseless.c:1:"),
}
#: What is in every `/etc/passwd`, and in no message of a compiler.
SECRET = "root:x:0:0"
#: A project whose build tries what no build needs; its program prints what was found.
MAKEFILE = """\
own: own.txt
\t-cat /etc/passwd > found 2>&1
\t-bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port} && echo MET' >> found 2>&1
\tsed 's/.*/"the build found: &\\\\n"/' found > found.h
\tcp own.txt own.c
\tweft-cc own.c -o own
"""
FOUND = b"""\
#include <mpi.h>
#include <stdio.h>
static const char found[] =
#include "found.h"
;
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    fputs(found, stdout);
    MPI_Finalize();
    return 0;
}
"""


def submit(browser: Browser, programs: dict[str, str], timeout_s: int = 3000) -> Answered:
    """Submit an experiment with these programs, as a point each."""
    text = EXPERIMENT + f"sweep: {{workload.program: [{', '.join(programs)}]}}\n"
    # Several files of one field: what follows a space in the key tells them apart.
    files = {f"files {name}": (f"{name}.c", code.encode()) for name, code in programs.items()}
    fields = {"name": "own", "yaml": text, "timeout_s": str(timeout_s)}
    return browser.upload("/submit/yaml", files, **fields)


def ended(site: Site, browser: Browser, programs: dict[str, str]) -> tuple[str, str]:
    """The address and the text of the task's page when nothing follows any more."""
    answer = submit(browser, programs)
    assert "/tasks/" in answer.url, answer.text
    wait_for(lambda: site.task() not in OPEN)
    return answer.url, browser.get(answer.url).text.replace("&#x27;", "'")


@pytest.fixture(scope="module")
def confining(tmp_path_factory: pytest.TempPathFactory, tables: Path) -> Iterator[Site]:
    """A server whose worker has said that it confines programs; both stay for several tasks."""
    with running(with_tables(tmp_path_factory.mktemp("confining"), tables)) as site:
        start_confining(site)
        yield site


@pytest.fixture(scope="module")
def served(confining: Site) -> Browser:
    """Somebody who is logged in there."""
    return logged_in(confining)


def start_confining(site: Site) -> None:
    """Start a worker, and see at once what it lacks, instead of waiting for what cannot come."""
    site.start_worker()
    wait_for(lambda: site.confines() != "None")
    if lacks := site.confines():
        missing(lacks)


def test_without_a_worker_that_confines_them_programs_are_refused(
    shared: Site, ann: Browser, tmp_path: Path
) -> None:
    refused = submit(ann, {"own": OWN})
    assert "no worker has reported that it confines them" in refused.text
    # A machine without bubblewrap; the test itself starts the worker by `setpriv`.
    setpriv = shutil.which("setpriv")
    assert setpriv
    (tmp_path / "setpriv").symlink_to(setpriv)
    shared.more["PATH"] = str(tmp_path)
    shared.start_worker()
    wait_for(lambda: shared.confines() != "None")
    refused = submit(ann, {"own": OWN})
    assert "its workers lack bubblewrap" in refused.text
    assert "/tasks/" not in refused.url


def test_programs_run_confined_and_those_that_do_not_compile_say_in_which_line(
    confining: Site, served: Browser
) -> None:
    page, shown = ended(
        confining, served, {"own": OWN, **{key: text for key, (text, _) in WRONG.items()}}
    )
    assert confining.task() == "done", shown
    assert "runs in a sandbox of bubblewrap" in shown
    assert "programs are confined by Landlock" in shown
    assert f"{len(WRONG)} points failed" in shown
    archive = zipfile.ZipFile(io.BytesIO(served.get(page + "archive.zip").content))
    assert "configs/experiment/own.c" in archive.namelist()
    (journal,) = (each for each in archive.namelist() if each.endswith("journal.jsonl"))
    lines = archive.read(journal).decode()
    assert lines.count('"status":"done"') == 1
    for _, said in WRONG.values():
        assert said in lines
    assert not [each for each in archive.namelist() if SECRET.encode() in archive.read(each)]


def test_a_program_that_loops_ends_at_its_limit_and_the_page_says_so(
    shared: Site, ann: Browser
) -> None:
    shared.more["WEFT_SANDBOX_WALL_S"] = "8"
    start_confining(shared)
    _, shown = ended(shared, ann, {"loops": MAIN + "for (;;) { } }\n"})
    assert shared.task() == "failed", shown
    assert "1 point failed" in shown
    assert "the sandbox was ended: it takes more than 8 s" in shown


def test_a_program_reaches_nothing_of_the_worker_and_of_other_tasks(
    confining: Site, served: Browser
) -> None:
    worker = confining.folder / "one"
    victims = [worker / "shared" / "aa" / "aa", worker / "tasks" / "x", confining.state / "secret"]
    for victim in victims[:2]:
        victim.parent.mkdir(parents=True, exist_ok=True)
        victim.write_text("a line\n")
    before = [victim.read_bytes() for victim in victims]
    # Paths that lead out of a task are refused in an experiment, so the program has them.
    paths = ", ".join(f'"{victim}"' for victim in victims)
    attacks = (PROGRAMS / "attacks.c").read_text().replace("/* PATHS */", paths)
    page, shown = ended(confining, served, {"attacks": attacks})
    assert confining.task() == "done", shown
    assert [victim.read_bytes() for victim in victims] == before
    archive = zipfile.ZipFile(io.BytesIO(served.get(page + "archive.zip").content))
    (log,) = (each for each in archive.namelist() if each.endswith("run.log"))
    tried = archive.read(log).decode()
    assert tried.count("attempt ") > 20, tried
    assert "SUCCEEDS" not in tried
    assert "its own folder: writable" in tried
    assert "the confinement denies system call" in shown
    assert not [each for each in archive.namelist() if "forged" in each or "history-" in each]


def test_the_makefile_of_a_stranger_runs_in_a_sandbox_and_reaches_nothing(
    confining: Site, served: Browser
) -> None:
    build = "program: {build: {folder: uploads, command: [make], executable: own}}"
    makefile = MAKEFILE.format(port=confining.port).encode()
    answer = served.upload(
        "/submit/yaml",
        {"files a": ("Makefile", makefile), "files b": ("own.txt", FOUND)},
        name="own",
        yaml=EXPERIMENT.replace("ranks: 4", f"{build}, ranks: 4"),
        timeout_s="3000",
    )
    assert "/tasks/" in answer.url, answer.text
    wait_for(lambda: confining.task() not in OPEN)
    assert confining.task() == "done", confining.task("reason") + confining.task("log_tail")
    archive = zipfile.ZipFile(io.BytesIO(served.get(answer.url + "archive.zip").content))
    (log,) = (each for each in archive.namelist() if each.endswith("run.log"))
    told = [line for line in archive.read(log).decode().splitlines() if "the build found" in line]
    assert [line for line in told if "/etc/passwd" in line], told
    # Whom it calls listens indeed.
    assert [line for line in told if "/dev/tcp" in line], told
    assert not [line for line in told if "MET" in line or SECRET in line], told
    assert not [each for each in archive.namelist() if SECRET.encode() in archive.read(each)]


#: What the file managers of two systems, an editor and a code host add.
ADDED = ("__MACOSX/my s\u00f6lver (2)/src/._own [1].c", "my s\u00f6lver (2)/.DS_Store",
         "my s\u00f6lver (2)/.gitignore", "my s\u00f6lver (2)/.github/ci.yml",
         "my s\u00f6lver (2)/Thumbs.db")  # fmt: skip


def test_a_project_of_somebody_comes_as_a_zip_and_is_built(
    confining: Site, served: Browser
) -> None:
    packed, top = io.BytesIO(), "my s\u00f6lver (2)"
    with zipfile.ZipFile(packed, "w") as project:
        made = "own: src/*.c\n\tweft-cc '-Iinclude dir' src/*.c -o own\n"
        project.writestr(f"{top}/Makefile", made)
        project.writestr(f"{top}/include dir/found.h", '"the header is there\\n"\n')
        project.writestr(f"{top}/src/own [1].c", FOUND)
        for name in ADDED:
            project.writestr(name, b"\0\5\x16\7")
    build = f"build: {{folder: 'uploads/{top}', command: [make], executable: own}}"
    sources = f"sources: ['uploads/{top}/src/*.c'], include: ['uploads/{top}/include dir']"
    # The second task knows the point from the first, and shows what the program has printed, too.
    for program, known in ((build, "0"), (build, "1"), (f"name: own, {sources}", "0")):
        answer = served.upload(
            "/submit/yaml",
            {"files": ("project.zip", packed.getvalue())},
            name="own",
            yaml=EXPERIMENT.replace("ranks: 4", f"program: {{{program}}}, ranks: 4"),
            timeout_s="3000",
        )
        assert "/tasks/" in answer.url, answer.text
        assert f"project.zip: {len(ADDED)} files were left out" in answer.text
        wait_for(lambda: confining.task() not in OPEN)
        assert confining.task() == "done", confining.task("reason") + confining.task("log_tail")
        assert confining.task("points_shared") == known
        archive = zipfile.ZipFile(io.BytesIO(served.get(answer.url + "archive.zip").content))
        (log,) = (each for each in archive.namelist() if each.endswith("run.log"))
        assert b"the header is there" in archive.read(log)
