"""What a build takes from the machine: mirror, Apptainer, and the inputs it may see."""

import os
import subprocess
from pathlib import Path

import pytest
from weft.images import ImageError
from weft.images.build import build_image
from weft.images.definition import read_definition
from weft.images.mirror import debian_mirror
from weft.images.stage import stage

INSTALLER = Path(__file__).parents[2] / "envs" / "install_apptainer"


def add(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first folder on the PATH; no mirror is set."""
    folder = tmp_path / "bin"
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.delenv("WEFT_DEBIAN_MIRROR", raising=False)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the definition `tool`, which has a lock, a script and hidden files."""
    texts = {
        "containers/tool.def": "Bootstrap: localimage\nFrom: {{ base }}\n%files\n"
        "    envs/tool.apt.lock /weft/apt.lock\n    sources /src\n",
        "containers/base.def": "Bootstrap: debootstrap\nMirrorURL: {{ mirror }}\n",
        "envs/tool.apt.lock": "gcc=1\n",
        "sources/main.c": "int main(void) {}\n",
        "sources/.secret": "",
        "sources/build/main.o": "",
        "other": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    add(tmp_path / "sources", "configure", "true")
    return tmp_path


def test_the_users_mirror_goes_first(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(programs, "apt-get", "echo http://apt.example/debian trixie")
    monkeypatch.setenv("WEFT_DEBIAN_MIRROR", "http://own.example/debian")
    assert debian_mirror() == "http://own.example/debian"


def test_the_mirror_of_apt_goes_second(programs: Path) -> None:
    add(programs, "apt-get", "echo http://apt.example/debian/ trixie")
    assert debian_mirror() == "http://apt.example/debian"


def test_the_mirror_of_debootstrap_is_the_last_one(programs: Path) -> None:
    add(programs, "apt-get", "exit 1")
    add(programs, "debootstrap", 'DEF_MIRROR="http://default.example/debian"')
    assert debian_mirror() == "http://default.example/debian"


def test_a_machine_without_debootstrap_gets_a_remedy(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(ImageError, match=r"needs debootstrap .* copy containers/images/ here"):
        debian_mirror()


def test_an_old_apptainer_cannot_build(programs: Path, project: Path) -> None:
    add(programs, "apptainer", "echo apptainer version 1.1.3")
    image, log = project / "tool.sif", project / "log"
    with pytest.raises(ImageError, match=r"building needs apptainer 1\.2 or newer, .* 1\.1\.3"):
        build_image(read_definition("tool", project), image, {}, project, log)


@pytest.mark.parametrize(("pinned", "lock"), [(True, "gcc=1\n"), (False, "")])
def test_a_build_sees_its_inputs_only(
    project: Path, tmp_path: Path, pinned: bool, lock: str
) -> None:
    folder = tmp_path / "stage"
    folder.mkdir()
    base = project / "base-1.sif"
    definition = read_definition("tool", project)
    stage(definition, project, folder, parents={"base": base}, vendored={}, pinned=pinned)
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    assert found == {"base.sif", "envs/tool.apt.lock", "sources/configure", "sources/main.c"}
    assert (folder / "base.sif").readlink() == base
    assert (folder / "envs/tool.apt.lock").read_text() == lock
    assert os.access(folder / "sources/configure", os.X_OK)


def test_an_installed_apptainer_stays(tmp_path: Path) -> None:
    program = add(tmp_path / "bin", "apptainer", "echo apptainer version 1.4")
    done = subprocess.run([INSTALLER, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == "apptainer version 1.4\n"
    assert program.exists()


def test_the_installer_leaves_other_folders_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis").touch()
    done = subprocess.run([INSTALLER, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("exists and is no Apptainer: name another folder\n")
    assert (tmp_path / "thesis").exists()
