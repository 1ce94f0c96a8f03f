"""`make release`: another user installs from its folder alone, without a network, and runs weft."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
import weft
from weft.images import engine_images, image_file
from weft.images.sidecar import sidecar_file

from tests.missing import missing
from tests.patience import PATIENCE_S
from tests.people import ALICE, command_as, need_root

pytestmark = [pytest.mark.slow, pytest.mark.long("release")]
ROOT = Path(__file__).parents[2]
NAME = f"weft-{weft.__version__}"
#: The smallest image stands for all of them, which are copied alike.
IMAGE = "model"
PROBE = """title: A probe
question: Which load does a small torus carry, by a flow model and flit by flit?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: saturation
engines: [flow, packet]
topology: {k: 4}
sweep:
  workload.pattern: [uniform, transpose]
figures:
  - table: {x: workload.pattern, y: accepted_rate}
"""


def git(clone: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=True).stdout


def make(clone: Path) -> subprocess.CompletedProcess[str]:
    """What becomes of `make release` in a clone whose simulators are built."""
    return subprocess.run(
        ["make", "--old-file=build", "release"],
        cwd=clone, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip


def use_packages(clone: Path) -> None:
    """An environment with the packages of this one, and with the clone's own weft."""
    venv.create(clone / ".venv", with_pip=False)
    (packages,) = (clone / ".venv").glob("lib/python3.*/site-packages")
    installed = sysconfig.get_path("purelib")
    (packages / "packages.pth").write_text(f"{clone / 'workflow'}\n{installed}\n")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of these sources as a commit, with what was built of them."""
    clone = tmp_path_factory.mktemp("clone")
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    git(clone, "init", "--quiet")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "as it is")
    use_packages(clone)
    (clone / "simulators/target").symlink_to(ROOT / "simulators/target")
    built = image_file(IMAGE, ROOT)
    for path in (built, sidecar_file(built)) if built.is_file() else ():
        (clone / "containers/images").mkdir(exist_ok=True)
        shutil.copy2(path, clone / "containers/images")
    return clone


@pytest.fixture(scope="module")
def release(clone: Path) -> tuple[Path, str]:
    """The release, and what `make release` has printed."""
    done = make(clone)
    if "pip cannot get" in done.stderr:
        missing(f"pip reaches no index of packages: {done.stderr.splitlines()[-2]}")
    assert done.returncode == 0, done.stderr
    return clone / "release" / NAME, done.stderr


def install(release: Path, into: Path) -> list[str]:
    python = os.path.realpath(sys.executable)
    return ["env", f"PYTHON={python}", str(release / "install"), str(into)]


def without_network(command: list[str]) -> list[str]:
    """`command` where no network is, and nothing of this checkout; needs root."""
    # The environment's place stays, empty, for those who look for a way to it.
    hide = 'mount -t tmpfs -o mode=755 tmpfs "$0"; mkdir -p "$1"; shift; exec "$@"'
    return ["unshare", "--net", "--mount", "sh", "-ec", hide, str(ROOT), sys.prefix, *command]


def test_a_site_installs_from_the_folder_alone_and_runs_experiments(
    release: tuple[Path, str], tmp_path: Path
) -> None:
    need_root()
    folder = release[0]
    home = tmp_path / ALICE.name
    site = home / "weft"
    home.mkdir()
    (home / "probe.yaml").write_text(PROBE)
    script = (
        f'"$@"; cd {site}; cp {home}/probe.yaml configs/experiment/; . .venv/bin/activate; '
        "weft --version; snakemake --cores 2 reports/probe.html; weft answers probe; "
        "weft verify probe"
    )
    words = ["sh", "-ec", script, "sh", *install(folder, site)]
    done = subprocess.run(
        without_network(command_as(ALICE, words, tmp_path, folder, cwd=Path("/"))),
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"},
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[0] == f"weft, version {weft.__version__}"
    assert {"flow", "packet"} <= set(re.findall(r"\w+", done.stdout))
    assert "probe: 4 points: 4 done" in done.stderr
    assert (site / "reports/probe.html").is_file()
    for image in (folder / "images").glob("*"):
        assert (site / "containers/images" / image.name).read_bytes() == image.read_bytes()


def test_the_checksums_are_those_of_every_file(release: tuple[Path, str]) -> None:
    folder = release[0]
    named = [line.split("  ", 1)[1] for line in (folder / "SHA256SUMS").read_text().splitlines()]
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert set(named) == files - {"SHA256SUMS"}
    done = subprocess.run(
        ["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=False
    )
    assert done.returncode == 0


def test_a_release_says_which_commit_and_which_images_it_has(
    clone: Path, release: tuple[Path, str]
) -> None:
    folder, printed = release
    page = (folder / "INSTALL.md").read_text()
    assert f"`{git(clone, 'rev-parse', 'HEAD').strip()}`" in page
    wanted = {Path(name).stem.rpartition("-")[0] for name in engine_images(root=clone)}
    there = {path.stem.rpartition("-")[0] for path in folder.glob("images/*.sif")}
    assert there == ({IMAGE} if image_file(IMAGE, ROOT).is_file() else set())
    rest = ", ".join(sorted(wanted - there))
    last = printed.splitlines()[-1]
    assert last.startswith(f"weft: it lacks the images {rest}: run `snakemake containers`")
    assert f"This release lacks {rest}:" in page
    for name in there:
        assert f"`{image_file(name, clone).name}`" in page


def test_a_damaged_copy_is_refused_before_anything_is_written(
    release: tuple[Path, str], tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(release[0], copy, copy_function=os.link)
    wheel = min((copy / "wheels").glob("*.whl"), key=lambda path: path.stat().st_size)
    content = bytearray(wheel.read_bytes())
    content[len(content) // 2] ^= 1
    wheel.unlink()
    wheel.write_bytes(content)
    done = subprocess.run(
        install(copy, tmp_path / "site"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"wheels/{wheel.name}: FAILED" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("weft: this copy of the release is damaged")
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("names", "words"),
    [([], "usage: "), (["site"], "site is not empty: name a new folder")],
)
def test_an_install_that_would_go_wrong_ends_with_a_sentence(
    release: tuple[Path, str], tmp_path: Path, names: list[str], words: str
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine").touch()
    command = [release[0] / "install", *names]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_tree_that_is_no_commit_is_refused(clone: Path, release: tuple[Path, str]) -> None:
    readme = clone / "README.md"
    text = readme.read_text()
    try:
        readme.write_text(f"{text}\n")
        done = make(clone)
    finally:
        readme.write_text(text)
    assert done.returncode != 0
    assert "weft: a release holds the sources of a commit, and tracked files differ" in done.stderr
    # The one that was made stays.
    assert (release[0] / "SHA256SUMS").is_file()
