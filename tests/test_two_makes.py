"""Two `make` at once in a clone without an environment, and one that is killed while pip works."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parent import with_parent
from tests.patience import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[1]
PYPROJECT = """
[project]
name = "own"
version = "1"
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""
#: Builds a package, as far as the file `go` allows: `begun` has a line for each time.
BACKEND = """
import time, zipfile
from pathlib import Path

def build_editable(folder, *_):
    with Path("begun").open("a") as begun:
        begun.write("once\\n")
    while not Path("go").exists():
        time.sleep(0.05)
    with zipfile.ZipFile(Path(folder) / "own-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("own.py", "")
        about = "Metadata-Version: 2.1\\nName: own\\nVersion: 1\\n"
        wheel.writestr("own-1.dist-info/METADATA", about)
        wheel.writestr("own-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        wheel.writestr("own-1.dist-info/RECORD", "")
    return "own-1-py3-none-any.whl"
"""


class Clone:
    """A clone without an environment, whose package is tiny and needs no other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "envs").mkdir()
        (folder / "workflow").symlink_to(ROOT / "workflow")
        for name in ("check_tools", "fill.py", "weft_first.pth", "which"):
            shutil.copy(ROOT / "envs" / name, folder / "envs" / name)
        shutil.copy(ROOT / "Makefile", folder)
        (folder / "envs" / "requirements.txt").touch()
        (folder / "pyproject.toml").write_text(PYPROJECT)
        (folder / "backend.py").write_text(BACKEND)

    def make(self, errors: str, path: str | None = None) -> subprocess.Popen[bytes]:
        """`make env`, perhaps with another PATH; what it complains about is in a file."""
        with (self.folder / errors).open("wb") as file:
            return subprocess.Popen(
                with_parent(["make", "env"]),
                cwd=self.folder,
                env={**os.environ, "PATH": path or os.environ["PATH"]},
                stdout=subprocess.DEVNULL,
                stderr=file,
                start_new_session=True,
            )

    def read(self, name: str) -> str:
        """A file of the clone, or nothing."""
        path = self.folder / name
        return path.read_text() if path.exists() else ""

    def packages(self) -> list[str]:
        """The installed packages that pip takes for whole."""
        return sorted(
            path.name.split("-")[0] for path in self.folder.glob(".venv/lib/*/*/*.dist-info")
        )


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


@pytest.mark.slow
def test_the_second_make_waits_for_the_first_and_finds_its_environment(clone: Clone) -> None:
    first = clone.make("first")
    wait_until(lambda: bool(clone.read("begun")), "pip")
    second = clone.make("second")
    wait_until(lambda: "waits" in clone.read("second"), "a message")
    assert clone.read("second").splitlines() == [
        f"weft: waits for another make, which puts packages into {clone.folder / '.venv'}"
    ]
    (clone.folder / "go").touch()
    assert first.wait(PATIENCE_S) == 0
    assert second.wait(PATIENCE_S) == 0
    assert clone.read("begun") == "once\n"


@pytest.mark.slow
def test_what_a_killed_make_leaves_is_no_environment(clone: Clone) -> None:
    first = clone.make("first")
    wait_until(lambda: bool(clone.read("begun")), "pip")
    os.killpg(first.pid, signal.SIGKILL)
    first.wait(PATIENCE_S)
    # As pip leaves a package that it was about to write: whole for pip, which writes RECORD last.
    (packages,) = clone.folder.glob(".venv/lib/*/site-packages")
    for name in ("half-1.dist-info", *(p.name for p in packages.glob("pip-*.dist-info"))):
        (packages / name).mkdir(exist_ok=True)
        (packages / name / "METADATA").write_text("Metadata-Version: 2.1\nName: half\nVersion: 1\n")
        (packages / name / "RECORD").unlink(missing_ok=True)
    assert not (clone.folder / ".venv/weft.stamp").exists()

    (clone.folder / "go").touch()
    assert clone.make("second").wait(PATIENCE_S) == 0
    assert "half" not in clone.packages()
    assert {"own", "pip"} <= set(clone.packages())
    assert clone.read("second") == ""


@pytest.mark.slow
def test_snakemake_starts_on_a_system_without_which(clone: Clone) -> None:
    """Its plugin for Slurm calls `which` when it is imported."""
    tools = clone.folder / "tools"
    tools.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        for tool in Path(folder).glob("*"):
            if tool.name != "which" and not os.path.lexists(tools / tool.name):
                (tools / tool.name).symlink_to(tool)
    (clone.folder / "go").touch()
    assert clone.make("errors", path=str(tools)).wait(PATIENCE_S) == 0
    done = subprocess.run(
        [Path(sys.executable).with_name("snakemake"), "--version"],
        env={**os.environ, "PATH": f"{clone.folder / '.venv/bin'}:{tools}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_system_with_which_keeps_its_own(clone: Clone) -> None:
    assert shutil.which("which")
    (clone.folder / "go").touch()
    assert clone.make("errors").wait(PATIENCE_S) == 0
    assert not (clone.folder / ".venv/bin/which").exists()
