"""What the doctor says of this machine, and of one where next to nothing is installed."""

import re
import sys
from pathlib import Path

import pytest
from weft.doctor import Finding, examine, show

ROOT = Path(__file__).parents[2]


def by_subject(findings: dict[str, list[Finding]]) -> dict[str, Finding]:
    return {each.subject: each for group in findings.values() for each in group}


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it; programs put there are found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("WEFT_CC", "LMOD_CMD", "MODULESHOME", "SLURM_JOB_ID"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def program(folder: Path, name: str, *lines: str) -> None:
    path = folder / name
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
    path.chmod(0o755)


def test_everything_missing_says_what_it_costs_and_how_to_get_it(bare: Path) -> None:
    missing = [each for each in by_subject(examine(ROOT)).values() if not each.present]
    assert {"C compiler", "cargo", "Apptainer", "Slurm", "MPICH", "Open MPI"} <= {
        each.subject for each in missing
    }
    assert all(each.cost and each.remedy for each in missing)


def test_nobody_is_asked_to_become_root(bare: Path) -> None:
    assert "sudo" not in show(examine(ROOT))


def test_what_is_not_there_is_never_marked_as_there(bare: Path) -> None:
    program(bare, "sinfo", '[ "$1" = --version ] && exit 1; echo "main* 4"')
    found = by_subject(examine(ROOT))
    marked = [each.found for each in found.values() if each.present]
    assert not [text for text in marked if re.match(r"absent|none|None|unknown", text)]
    assert not found["simulator booksim"].present
    assert found["simulator booksim"].found == "no booksim executable"
    assert "docs/booksim.md" in found["simulator booksim"].remedy


@pytest.mark.slow
def test_the_compiler_is_the_one_that_programs_of_rdma_are_compiled_with(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(bare, "gcc", "echo gcc 12.2.0")
    assert by_subject(examine(ROOT))["C compiler"].found == f"{bare / 'gcc'} 12.2.0"
    monkeypatch.setenv("WEFT_CC", "cc-of-mine")
    finding = by_subject(examine(ROOT))["C compiler"]
    assert not finding.present
    assert finding.found == "no cc-of-mine"


def test_an_apptainer_that_is_too_old_counts_as_missing(bare: Path) -> None:
    program(bare, "apptainer", "echo apptainer version 1.1.9")
    finding = by_subject(examine(ROOT))["Apptainer"]
    assert not finding.present
    assert "1.1.9" in finding.found


def test_singularity_serves_as_apptainer(bare: Path) -> None:
    program(bare, "singularity", "echo singularity-ce version 4.2.0")
    assert by_subject(examine(ROOT))["Apptainer"].present


def test_an_apptainer_that_weft_installed_counts_though_it_is_not_on_the_path(bare: Path) -> None:
    own = bare / "cache/weft/apptainer/bin"
    own.mkdir(parents=True)
    program(own, "apptainer", "echo apptainer version 1.4.5")
    finding = by_subject(examine(ROOT))["Apptainer"]
    assert finding.present
    assert finding.found == f"{own / 'apptainer'} 1.4.5"


def test_the_two_mpi_flavours_are_distinguished(bare: Path) -> None:
    program(bare, "mpicc", '[ "$1" = -show ] && echo gcc -lmpi && exit; echo 4.3.2; exit 1')
    program(bare, "mpicc.openmpi", '[ "$1" = --showme:version ] && echo Open MPI 5.0.7')
    found = by_subject(examine(ROOT))
    assert str(bare / "mpicc") in found["MPICH"].found
    assert "Open MPI 5.0.7" in found["Open MPI"].found


def test_a_slurm_whose_controller_is_silent_is_not_usable(bare: Path) -> None:
    program(bare, "sinfo", "echo 'Unable to contact slurm controller'; exit 1")
    finding = by_subject(examine(ROOT))["Slurm"]
    assert not finding.present
    assert "no answer" in finding.found


def test_a_usable_slurm_shows_its_partitions_and_mpi_plugins(bare: Path) -> None:
    program(bare, "sinfo", '[ "$1" = --version ] && echo slurm 24.05.1 || echo "main* 4"')
    program(bare, "srun", "echo 'MPI plugin types are...'; echo none; echo pmi2; echo pmix_v4")
    program(bare, "scontrol", "echo 'MinJobAge               = 300 sec'")
    found = by_subject(examine(ROOT))
    assert "24.05.1" in found["Slurm"].found
    assert "main* 4" in found["Slurm"].found
    assert found["srun and MPI"].found == "pmi2, pmix_v4"
    assert found["job status"].present
    assert "300 s" in found["job status"].found


def test_a_command_that_hangs_is_given_up(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.doctor.probe.LONGEST_ANSWER_S", 0.2)
    program(bare, "sinfo", "exec /bin/sleep 30")
    assert not by_subject(examine(ROOT))["Slurm"].present


def test_long_lines_are_wrapped_for_a_terminal() -> None:
    text = show({"Head": [Finding("thing", False, "none", "word " * 40, "deed " * 40)]})
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.slow
def test_this_machine_runs_weft() -> None:
    found = by_subject(examine(ROOT))
    assert found["Python"].found == sys.version.split()[0]
    assert re.match(r"\d+ GB free", found["disk"].found)
