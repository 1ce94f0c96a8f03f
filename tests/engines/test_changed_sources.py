"""Which sources of a simulator changed, by the commit that its results name."""

import subprocess
from pathlib import Path

import pytest
from weft.engines.changed_sources import changed_sources
from weft.engines.source_version import source_version

WORKSPACE = '[workspace.package]\nversion = "1.0.0"\n[workspace.dependencies]\n'
MANIFEST = '[package]\nname = "{}"\nversion.workspace = true\n'


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(["git", "-C", folder, *who, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    workspace = tmp_path / "simulators"
    for name in ("base", "top", "other"):
        (workspace / name / "src").mkdir(parents=True)
        (workspace / name / "Cargo.toml").write_text(MANIFEST.format(name))
        (workspace / name / "src" / "lib.rs").write_text("const A: u8 = 1;\n")
    with (workspace / "top" / "Cargo.toml").open("a") as file:
        file.write("[dependencies]\nbase.workspace = true\n")
    (workspace / "Cargo.toml").write_text(WORKSPACE + 'base = { path = "base" }\n')
    (workspace / "Cargo.lock").write_text("")
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "x.c").write_text("int x;\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "all")
    return tmp_path


def test_only_files_whose_code_changed_are_named(clone: Path) -> None:
    commit, version = git(clone, "rev-parse", "HEAD"), source_version("top", clone / "simulators")
    (clone / "simulators/base/src/lib.rs").write_text("const A: u8 = 2;\n")
    (clone / "simulators/top/src/lib.rs").write_text("// Words\nconst A: u8 = 1;\n")
    (clone / "simulators/other/src/lib.rs").write_text("const A: u8 = 3;\n")
    (clone / "simulators/top/src/new.rs").write_text("const B: u8 = 3;\n")
    for named in (commit, f"{commit}-dirty"):
        assert changed_sources("top", clone, version, [named]) == (
            "simulators/base/src/lib.rs",
            "simulators/top/src/new.rs",
        )


def test_sources_that_did_not_make_the_version_explain_nothing(clone: Path) -> None:
    commit = git(clone, "rev-parse", "HEAD")
    (clone / "simulators/base/src/lib.rs").write_text("const A: u8 = 2;\n")
    dirty = source_version("top", clone / "simulators")
    (clone / "simulators/base/src/lib.rs").write_text("const A: u8 = 3;\n")
    assert changed_sources("top", clone, dirty, [f"{commit}-dirty"]) == ()


@pytest.mark.parametrize("commit", ["0" * 40, "--output=x", ""])
def test_a_commit_that_git_lacks_explains_nothing(clone: Path, commit: str) -> None:
    version = source_version("top", clone / "simulators")
    assert changed_sources("top", clone, version, [commit]) == ()
    assert not (clone / "x").exists()
