"""Images built for real, from this checkout's own base and toolchain."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.images import ImageError, exec_command
from weft.images.build import ensure_image

from tests.containers_support import ROOT, built_image, use_toolchain
from tests.patience import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("images")]


@pytest.fixture
def build_small(project: Path) -> Callable[[], subprocess.Popen[str]]:
    """Starts a process that builds the image `small`."""
    code = (
        "import sys, pathlib; from weft.images.build import ensure_image; "
        "ensure_image('small', pathlib.Path(sys.argv[1]))"
    )
    work = project / "work"
    work.mkdir()

    def start() -> subprocess.Popen[str]:
        environment = {**os.environ, "TMPDIR": str(work)}
        command = [sys.executable, "-c", code, str(project)]
        return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)

    return start


def test_the_simulator_answers_in_its_image() -> None:
    image = built_image("flow")
    command = [*exec_command(image), "weft-flow", "describe"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["name"] == "flow"


def test_an_image_with_a_simulator_has_a_shell() -> None:
    command = [*exec_command(built_image("flow")), "bash", "-c", 'echo "$PWD"']
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == (str(Path.cwd()), "")


def test_a_variable_arrives_in_the_image_as_it_is() -> None:
    image, value = built_image("flow"), 'a,b=c "d"'
    command = [*exec_command(image, environment={"FABRIC": value}), "sh", "-c", 'echo "$FABRIC"']
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{value}\n"


def test_programs_of_both_mpis_find_their_libraries() -> None:
    image = built_image("hardware")
    for program in ("pingpong.mpich", "pingpong.openmpi", "alltoall.mpich", "alltoall.openmpi"):
        command = [*exec_command(image), "ldd", f"/usr/local/bin/{program}"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "not found" not in done.stdout


def test_the_documented_image_works_as_shown(project: Path) -> None:
    page = (ROOT / "docs/containers.md").read_text()
    shown = re.findall(r"^`(\S+)`:\n\n```\w*\n(.*?)^```", page, re.M | re.S)
    use_toolchain(project)
    for name, text in shown:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    command = [*exec_command(ensure_image("clock", project)), "weft-clock"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(answer)["name"] == "clock"


def test_a_built_image_is_not_built_again(project: Path, define: Callable[[str], Path]) -> None:
    image = define("true")
    assert ensure_image("small", project) == image
    before = image.stat().st_ino
    (project / "notes").touch()
    ensure_image("small", project)
    assert image.stat().st_ino == before


def test_a_build_cannot_touch_the_machines_temporary_files(
    project: Path, define: Callable[[str], Path]
) -> None:
    name = f"weft-{uuid.uuid4().hex}"
    define(f"touch /tmp/{name} /var/tmp/{name}")
    ensure_image("small", project)
    assert not [folder for folder in ("/tmp", "/var/tmp") if (Path(folder) / name).exists()]


def test_a_failed_build_shows_its_last_lines_and_its_log(
    project: Path, define: Callable[[str], Path]
) -> None:
    image = define("echo the compiler is unhappy; exit 3")
    with pytest.raises(ImageError) as raised:
        ensure_image("small", project)
    message = str(raised.value)
    assert message.startswith("small.def: the image cannot be built")
    assert "the compiler is unhappy" in message
    assert f"whole log: {image.with_suffix('.log')}" in message
    assert not list(image.parent.glob("*small*.sif"))


def test_a_mirror_that_moved_on_is_reported_with_package_and_remedy(project: Path) -> None:
    lock = (project / "envs/base.apt.lock").read_text()
    (project / "envs/small.apt.lock").write_text(lock + "busybox-static=1:0.1-1\n")
    (project / "containers/small.def").write_text(
        "Bootstrap: localimage\nFrom: {{ base }}\n%files\n"
        "    envs/small.apt.lock /weft/apt.lock\n"
        "    containers/install_packages /weft/install_packages\n"
        "%post\n    /weft/install_packages busybox-static\n"
    )
    with pytest.raises(ImageError) as raised:
        ensure_image("small", project)
    first = str(raised.value).splitlines()[0]
    assert "the mirror has moved on, it no longer has busybox-static=1:0.1-1 (it has 1:" in first
    assert first.endswith("refresh the locks with: snakemake lock_packages")


def test_an_empty_lock_is_reported_with_the_remedy(project: Path) -> None:
    (project / "envs/small.apt.lock").touch()
    (project / "containers/small.def").write_text(
        "Bootstrap: localimage\nFrom: {{ base }}\n%files\n    envs/small.apt.lock /weft/apt.lock\n"
    )
    with pytest.raises(
        ImageError, match=r"envs/small\.apt\.lock is empty: fill it with: snakemake"
    ):
        ensure_image("small", project)


def test_a_killed_build_leaves_nothing_that_counts(
    define: Callable[[str], Path], build_small: Callable[[], subprocess.Popen[str]]
) -> None:
    image = define("echo started; sleep 120")
    process = build_small()
    log = image.with_suffix(".log")
    wait_until(lambda: log.exists() and "Running post scriptlet" in log.read_text())
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not image.exists()


def test_a_terminated_build_ends_its_children_and_tidies_up(
    project: Path,
    define: Callable[[str], Path],
    build_small: Callable[[], subprocess.Popen[str]],
) -> None:
    image = define("echo started; sleep 600")
    process = build_small()
    log = image.with_suffix(".log")
    wait_until(lambda: log.exists() and "Running post scriptlet" in log.read_text())
    process.terminate()
    process.communicate(timeout=PATIENCE_S)
    assert not list((project / "work").iterdir())
    assert not list(image.parent.glob("*small*.sif"))


def test_too_little_room_is_reported_before_the_build(
    project: Path, define: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    define("true")
    monkeypatch.setattr("weft.images.space.NEEDED_BYTES", 1 << 60)
    with pytest.raises(ImageError, match=r"building needs .* GiB, .* are free; set TMPDIR"):
        ensure_image("small", project)


def test_the_cache_is_not_in_the_home_folder(
    project: Path,
    define: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with tempfile.TemporaryDirectory(dir=project) as home:
        monkeypatch.setenv("HOME", home)
        define("true")
        ensure_image("small", project)
        assert sum(file.stat().st_size for file in Path(home).rglob("*")) < 1 << 16
