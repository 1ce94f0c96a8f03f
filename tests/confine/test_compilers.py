"""Compilers of the machine's MPI read the files of the program, and no others of the user."""

import shutil
from pathlib import Path

import pytest
from weft.confine.compilers import Compilation, UnconfinedError
from weft.engines.external.answer import UnanswerableError
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.source import ProgramSource
from weft.engines.simgrid.installation import Installation

from tests.missing import missing

pytestmark = pytest.mark.slow
GOOD = "int main(void) { return 0; }\n"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "secret"
    path.parent.mkdir()
    path.write_text("#error root_hash\n")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def own_compiler(folder: Path, elsewhere: Path) -> str:
    """A compiler that needs a file of the user."""
    elsewhere.write_text('exec cc "$@"\n')
    compiler = folder / "tools" / "bin" / "owncc"
    compiler.parent.mkdir(parents=True)
    compiler.write_text(f"#!/bin/sh\n. {elsewhere}\n")
    compiler.chmod(0o755)
    return str(compiler)


def compilation(compiler: str, folder: Path) -> Compilation:
    source = folder / "program.c"
    source.write_text(GOOD)
    return Compilation([compiler, str(source)], folder / "program", [source])


def test_the_compiler_of_a_measurement_reads_no_other_file(secret: Path, folder: Path) -> None:
    mpicc = shutil.which("mpicc")
    assert mpicc
    sources = folder / "hardware"
    for part in ("hardware", "programs"):
        own = shutil.ignore_patterns("build")
        shutil.copytree(SOURCES.parent / part, folder / part, ignore=own)
    text = f'#include <mpi.h>\n#include "{secret}"\n{GOOD}'.encode()
    program = ProgramSource("bad", folder / "bad.c", text)
    with pytest.raises(MeasurementError) as raised:
        build_program(program, sources, Path(mpicc))
    assert "root_hash" not in f"{raised.value}{raised.value.log}"
    assert "secret" in str(raised.value)
    good = ProgramSource("good", folder / "good.c", f"#include <mpi.h>\n{GOOD}".encode())
    assert all(path.exists() for path in build_program(good, sources, Path(mpicc)))


def test_smpicc_reads_no_other_file(secret: Path, folder: Path) -> None:
    smpicc = shutil.which("smpicc")
    if not smpicc:
        missing("smpicc of SimGrid is not installed")
    simgrid = Installation((), Path("/usr"), Path("/usr/lib/libsimgrid.so"), "own", ())
    for name, text in {"bad": f'#include "{secret}"\n', "good": ""}.items():
        source = folder / f"{name}.c"
        source.write_text(f"#include <mpi.h>\n{text}{GOOD}")
        if name == "good":
            simgrid.compile(folder / name, [smpicc, str(source), "-lsimgrid"], [source])
            assert (folder / name).exists()
            continue
        with pytest.raises(UnanswerableError) as raised:
            simgrid.compile(folder / name, [smpicc, str(source), "-lsimgrid"], [source])
        assert "root_hash" not in str(raised.value)


def test_a_compiler_that_needs_other_files_is_not_confined_and_weft_says_so(
    tmp_path: Path, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = own_compiler(tmp_path, tmp_path / "elsewhere")
    asked = compilation(compiler, folder)
    said = f"the compiler is not confined: {compiler} does not work without other files"
    for times in (1, 0):
        assert asked.run().returncode == 0
        assert asked.target.exists()
        assert capfd.readouterr().err.count(said) == times
    monkeypatch.setenv("WEFT_CONFINEMENT", "required")
    with pytest.raises(UnconfinedError, match="WEFT_CONFINEMENT is required"):
        asked.run()


def test_in_an_image_the_compiler_is_not_confined_and_weft_says_so(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = folder / "program.c"
    source.write_text(GOOD)
    words = ["env", "cc", str(source)]
    assert Compilation(words, folder / "program", [source], in_image=True).run().returncode == 0
    assert "not confined: compilers of an image" in capfd.readouterr().err


def test_a_mistake_of_the_program_is_no_matter_of_the_walls(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = compilation("/usr/bin/cc", folder)
    (folder / "program.c").write_text("this is no C\n")
    done = asked.run()
    assert done.returncode != 0
    assert "program.c" in done.stdout
    assert "not confined" not in capfd.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["program.c"]
