"""An executable is named after its sources, by Rust and by Python alike."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from weft.engines import EngineError
from weft.engines.native import NativeEngine
from weft.engines.source_version import source_version
from weft.machine import MachineFile

SIMULATORS = Path(__file__).parents[2] / "simulators"
BINARY = SIMULATORS / "target" / "release" / "weft-flow"


@pytest.fixture
def workspace(tmp_path):
    skip = shutil.ignore_patterns("target", "build")
    shutil.copytree(SIMULATORS.parent / "programs", tmp_path / "programs", ignore=skip)
    return shutil.copytree(SIMULATORS, tmp_path / "simulators", ignore=skip)


#: One more token for every kind of source.
MORE = {".rs": "const _: u8 = 1;", ".toml": "more = 1", ".h": "extern int more;", ".c": "int more;"}


def append(path, text=None):
    more = MORE[path.suffix] if text is None else text
    path.write_text(f"{path.read_text()}\n{more}\n")


def test_describe_says_what_python_computes():
    if not BINARY.exists():
        pytest.fail("the simulator is not built: run `make build`")
    described = NativeEngine("flow", "crate", ()).describe()["version"]
    assert described == source_version("flow", SIMULATORS)


def test_a_touched_file_keeps_the_version(workspace):
    before = source_version("flow", workspace)
    (workspace / "flow/src/main.rs").touch()
    (workspace / "flow/src/.main.rs.swp").write_text("an editor's own")
    assert source_version("flow", workspace) == before


@pytest.mark.parametrize(
    "changed",
    [
        "flow/src/main.rs",
        "flow/Cargo.toml",
        "flow/build.rs",
        "engine/src/run.rs",
        "fabric/Cargo.toml",
    ],
)
def test_code_is_another_version_and_a_comment_is_none(workspace, changed):
    before = source_version("flow", workspace)
    append(workspace / changed, "# A remark." if changed.endswith(".toml") else "// A remark.")
    assert source_version("flow", workspace) == before
    append(workspace / changed, "[package.metadata.more]" if changed.endswith(".toml") else None)
    assert source_version("flow", workspace) != before


def test_what_programs_are_compiled_with_belongs_to_the_engine_that_compiles_them(workspace):
    before = {crate: source_version(crate, workspace) for crate in ("rdma", "flow", "fabric")}
    append(workspace.parent / "programs/include/mgen.h")
    append(workspace.parent / "programs/lib/simulated.c")
    assert source_version("rdma", workspace) != before["rdma"]
    assert source_version("flow", workspace) != before["flow"]
    assert source_version("fabric", workspace) == before["fabric"]


def test_a_moved_source_is_another_version(workspace):
    before = source_version("flow", workspace)
    (workspace / "flow/src/heap.rs").rename(workspace / "flow/src/pile.rs")
    assert source_version("flow", workspace) != before


def test_tests_and_other_crates_keep_the_version(workspace):
    before = source_version("flow", workspace)
    append(workspace / "flow/tests/integration/rates.rs")
    (workspace / "other/src").mkdir(parents=True)
    (workspace / "other/src/lib.rs").write_text("")
    append(workspace / "Cargo.lock", '\n[[package]]\nname = "other"\nversion = "0.1.0"\n')
    assert source_version("flow", workspace) == before


def test_another_locked_dependency_is_another_version(workspace):
    before = source_version("flow", workspace)
    lock = workspace / "Cargo.lock"
    lock.write_text(lock.read_text().replace('name = "rand_pcg"\nversion = "0.3.1"', "", 1))
    assert source_version("flow", workspace) != before


def test_a_crate_that_is_missing_is_reported(workspace):
    with pytest.raises(EngineError, match="cannot read the sources of flwo"):
        source_version("flwo", workspace)


def test_an_executable_of_other_sources_asks_for_a_build(tmp_path, workspace, monkeypatch, job):
    built = workspace / "target" / "release" / "weft-flow"
    built.parent.mkdir(parents=True)
    built.write_text('#!/bin/sh\necho \'{"name": "flow", "version": "0.1.0+000000000000"}\'\n')
    built.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    engine = NativeEngine("flow", "crate", ())
    planned = engine.version(MachineFile(), None)
    assert planned == source_version("flow", workspace)
    with pytest.raises(EngineError, match=r"built from other sources.*run `make build`"):
        engine.run(job(engine_version=planned))


def built(workspace, crate):
    """The name and version that the executable of `crate` prints, compiled as quickly as can be."""
    build = ["cargo", "build", "--quiet", "--locked", "--package", crate, "--bin", f"weft-{crate}"]
    quick = {**os.environ, "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0"}
    subprocess.run(build, cwd=workspace, env=quick, check=True, capture_output=True)
    command = [workspace / f"target/debug/weft-{crate}", "--version"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.slow
@pytest.mark.long("source_versions")
def test_executables_follow_changed_sources_and_folders_that_they_embed(workspace):
    """Builds twice; the second build must notice a change in a crate that it needs."""
    append(workspace.parent / "programs/include/mgen.h")
    for crate in ("rdma", "flow", "flow"):
        assert built(workspace, crate) == [f"weft-{crate}", source_version(crate, workspace)]
        append(workspace / "fabric/src/crossbar.rs")
