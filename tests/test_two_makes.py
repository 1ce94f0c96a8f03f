"""Two `make` at once in a clone without an environment, and one that is killed while pip works."""

import os
import shutil
import signal
import subprocess
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
        for name in ("Makefile", "envs/check_tools", "envs/fill.py", "envs/weft_first.pth"):
            shutil.copy(ROOT / name, folder / name)
        (folder / "envs" / "requirements.txt").touch()
        (folder / "pyproject.toml").write_text(PYPROJECT)
        (folder / "backend.py").write_text(BACKEND)

    def make(self, errors: str) -> subprocess.Popen[bytes]:
        """`make env`; what it complains about is in a file."""
        with (self.folder / errors).open("wb") as file:
            return subprocess.Popen(
                with_parent(["make", "env"]),
                cwd=self.folder,
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
