"""Images that Apptainer cannot start: an error with the reason, and no lock that says nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
from weft.images import ImageError
from weft.images import packages as module
from weft.images.build import packages
from weft.images.check import described_version

from tests.containers_support import built_image, without_fuse
from tests.people import need_root

PINNED = "# as it was\ngcc=1\n"
#: Apptainer's words for a root without CAP_SYS_RESOURCE that unpacks an image.
UNPACKING = r"""
echo 'FATAL:   while extracting x.sif: extract command failed: WARNING: Skipping mount' >&2
printf '\033[91mERROR  : Requesting capability set 0x1ff while permitted is 0x1fe\n\033[0m' >&2
echo ': exit status 1' >&2
exit 255
"""
REASON = "Requesting capability set 0x1ff while permitted is 0x1fe"


@pytest.fixture
def apptainer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An Apptainer that starts no image."""
    program = tmp_path / "bin" / "apptainer"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{UNPACKING}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return program


@pytest.mark.usefixtures("apptainer")
def test_the_packages_of_an_image_that_does_not_start_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"x\.sif does not start here: Requesting capability set"):
        packages(tmp_path / "x.sif")


@pytest.mark.usefixtures("apptainer")
def test_a_simulator_in_it_gives_the_reason_and_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(ImageError) as raised:
        described_version(tmp_path / "x.sif", "weft-flow")
    assert f"x.sif does not start here: {REASON}: " in str(raised.value)
    assert str(raised.value).endswith("`snakemake doctor` prints what works")


@pytest.mark.parametrize(
    "answer",
    [
        "echo 'cat: /weft/packages: No such file or directory' >&2; exit 1",
        """echo 'FATAL:   "cat": executable file not found in $PATH' >&2; exit 255""",
    ],
)
def test_an_image_that_lists_none_has_none(apptainer: Path, tmp_path: Path, answer: str) -> None:
    apptainer.write_text(f"#!/bin/sh\n{answer}\n")
    assert packages(tmp_path / "x.sif") == ()


@pytest.mark.usefixtures("apptainer")
def test_a_lock_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "containers/tool.def": "Bootstrap: debootstrap\n%files\n    envs/tool.apt.lock /weft/x\n",
        "envs/tool.apt.lock": PINNED,
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(module, "build_image", lambda *_, **__: None)
    # Nothing is built here, so it needs no room.
    monkeypatch.setattr("weft.images.space.NEEDED_BYTES", 0)
    with pytest.raises(ImageError, match="does not start here"):
        module.lock_packages(tmp_path)
    assert (tmp_path / "envs/tool.apt.lock").read_text() == PINNED


@pytest.mark.slow
def test_apptainer_without_fuse_is_such_a_case(tmp_path: Path) -> None:
    need_root()
    code = "import sys; from pathlib import Path; from weft.images.build import packages; "
    command = [sys.executable, "-c", f"{code}print(packages(Path({str(built_image('flow'))!r})))"]
    done = subprocess.run(
        without_fuse(command, tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "fuse: mount failed" in done.stderr.splitlines()[-1]
