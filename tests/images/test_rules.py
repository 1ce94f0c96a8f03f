"""The rules around images, in real Snakemake."""

import base64
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from weft.images import squashfs_sha256

from tests.containers_support import ROOT
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("images")]


@pytest.fixture
def runnable(project: Path) -> Path:
    """The small project with the rules of images."""
    shutil.copytree(ROOT / "workflow", project / "workflow")
    for name in ("envs/weft.yaml", "profiles/default/config.yaml", "configs/catalogue.json"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, project / name)
    (project / "Snakefile").write_text('include: "workflow/rules/containers.smk"\n')
    return project


def snakemake(
    project: Path, rule: str = "containers", *more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "snakemake", rule, *more],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project / "workflow")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_missing_images_are_built_once_and_recorded_when_it_is_asked_for(
    runnable: Path, define: Callable[[str], Path]
) -> None:
    image = define("true")
    first = snakemake(runnable)
    assert first.returncode == 0, first.stdout
    assert "weft: small: built small-" in first.stdout
    assert f"containers/images.lock has no entry for {image.name}" in first.stdout
    assert not (runnable / "containers/images.lock").exists()
    assert snakemake(runnable, "lock_images").returncode == 0
    recorded = tomllib.loads((runnable / "containers/images.lock").read_text())
    assert set(recorded) == {"base", "small"}
    assert recorded["small"]["image"] == image.name
    assert recorded["small"]["squashfs_sha256"] == squashfs_sha256(image)
    for path in [image, runnable / "notes", runnable / "containers/small.def"]:
        path.touch()
    again = snakemake(runnable)
    assert again.returncode == 0
    assert "weft: small:" not in again.stdout
    assert "images.lock has" not in again.stdout


def test_a_copied_image_needs_none_of_those_it_started_from(
    runnable: Path, define: Callable[[str], Path]
) -> None:
    image = define("true")
    image.write_bytes(b"copied")
    for file in (runnable / "containers/images").glob("base-*"):
        file.unlink()
    done = snakemake(runnable)
    assert done.returncode == 0, done.stdout
    assert "weft: base:" not in done.stdout
    assert image.read_bytes() == b"copied"


def test_an_image_that_another_run_has_built_meanwhile_stays(
    runnable: Path, define: Callable[[str], Path]
) -> None:
    image = define("true")
    with (runnable / "Snakefile").open("a") as file:
        file.write(
            "rule waits:\n    output: 'waited'\n    priority: 100\n"
            "    shell: 'touch began; while ! [ -e built ]; do sleep 0.1; done; touch waited'\n"
        )
    asked = [str(image.relative_to(runnable)), "waited", "--cores", "1"]
    with ThreadPoolExecutor() as pool:
        first = pool.submit(snakemake, runnable, *asked)
        wait_until((runnable / "began").exists, "the first run")
        second = snakemake(runnable, asked[0])
        assert second.returncode == 0, second.stdout
        with image.open("rb") as job:
            (runnable / "built").touch()
            done = first.result()
            assert done.returncode == 0, done.stdout
            assert os.fstat(job.fileno()).st_nlink == 1
    assert "building small-" not in done.stdout.replace(f"building {asked[0]}", "")


def test_an_image_whose_run_was_killed_after_it_was_built_is_not_built_again(
    runnable: Path, define: Callable[[str], Path]
) -> None:
    image = define("true")
    asked = str(image.relative_to(runnable))
    assert snakemake(runnable, asked).returncode == 0
    marks = runnable / ".snakemake" / "incomplete"
    marks.mkdir(exist_ok=True)
    (marks / base64.b64encode(asked.encode(), b"_-").decode()).touch()
    before = image.stat().st_ino
    done = snakemake(runnable, asked)
    assert done.returncode == 0, done.stdout
    assert "Job 0" in done.stdout or "rule image" in done.stdout, done.stdout
    assert image.stat().st_ino == before


def test_a_failed_build_is_one_message_on_the_terminal(
    runnable: Path, define: Callable[[str], Path]
) -> None:
    define("echo unhappy compiler; exit 1")
    done = snakemake(runnable)
    assert done.returncode == 1
    assert "small.def: the image cannot be built" in done.stdout
    assert "unhappy compiler" in done.stdout
    assert "Traceback" not in done.stdout
