"""How points end that SimGrid does not answer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from weft.config.model.engine import declared_engines
from weft.engines.base import EngineError
from weft.engines.external.version import module_digest
from weft.engines.simgrid.engine import SimGridEngine
from weft.engines.simgrid.installation import SOURCE
from weft.machine import MachineFile

from tests.engines.simgrid.points import (
    CUBE,
    NETWORK,
    ROOT,
    TOPOLOGIES,
    TORUS,
    UNIFORM,
    needs_simgrid,
    options,
    point,
    run,
)

ENGINE = SimGridEngine(())


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without SimGrid; it has a compiler."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "g++").write_text("#!/bin/sh\n")
    (folder / "g++").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.usefixtures("bare")
def test_without_simgrid_points_are_skipped_with_the_reason(tmp_path: Path) -> None:
    (line,) = run(ENGINE, tmp_path / "out", [point()])
    assert line["status"] == "skipped"
    assert "no SimGrid: install it (Debian, Ubuntu: libsimgrid-dev)" in line["error"]


@pytest.mark.usefixtures("bare")
def test_a_folder_without_simgrid_is_named(tmp_path: Path) -> None:
    machine = {"simgrid_path": str(tmp_path / "gone")}
    assert ENGINE.version(MachineFile.read(machine), None) == "absent"
    (line,) = run(ENGINE, tmp_path / "out", [point()], machine)
    assert f"machine.simgrid_path names {tmp_path / 'gone'}" in line["error"]


def test_without_a_compiler_the_reason_is_that(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (line,) = run(ENGINE, tmp_path / "out", [point()])
    assert line["error"] == "no compiler for C++: put g++ on the PATH, or use an image"


@pytest.mark.parametrize("topology", TOPOLOGIES, ids=lambda topology: topology["kind"])
def test_the_declaration_refuses_no_static_routing(topology: dict[str, object]) -> None:
    capabilities = declared_engines(ROOT / "configs")["simgrid"].capabilities
    sections = {"topology": topology, "workload": UNIFORM, "network": NETWORK}
    assert capabilities.problems({**sections, "options": options()}) == []


def test_the_declaration_refuses_routings_that_are_chosen_on_the_way() -> None:
    capabilities = declared_engines(ROOT / "configs")["simgrid"].capabilities
    adaptive = {**CUBE, "routing": "minimal_adaptive"}
    sections = {"topology": adaptive, "workload": UNIFORM, "network": NETWORK}
    (problem,) = capabilities.problems({**sections, "options": options()})
    assert "simgrid does not answer 'minimal_adaptive'" in problem.message


@pytest.mark.parametrize("option", ["tcp_gamma_bytes", "weight_bytes"])
def test_corrections_of_the_round_trip_need_it(option: str) -> None:
    capabilities = declared_engines(ROOT / "configs")["simgrid"].capabilities
    sections = {"topology": TORUS, "workload": UNIFORM, "network": NETWORK}
    assert capabilities.problems({**sections, "options": options(**{option: 1000})})
    both = options(rtt_fairness=True, **{option: 1000})
    assert capabilities.problems({**sections, "options": both}) == []


@pytest.mark.slow
class TestHere:
    """With a real SimGrid."""

    @pytest.fixture(autouse=True)
    def _simgrid(self) -> None:
        needs_simgrid()

    def test_the_version_names_library_and_module(self) -> None:
        version = ENGINE.version(MachineFile(), None)
        assert [len(part) for part in version.split("+")] == [12, 12]

    def test_of_an_image_the_lock_names_the_library(self) -> None:
        of_machine, of_image = (ENGINE.version(MachineFile(), each) for each in (None, "x-1.sif"))
        assert of_machine.split("+")[1] == of_image.split("+")[1]
        assert of_machine != of_image

    def test_another_version_than_planned_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(EngineError, match="the plan was made for 1\\+1"):
            run(ENGINE, tmp_path, [point()], version="1+1")

    def test_what_the_routes_refuse_fails_with_the_reason(self, tmp_path: Path) -> None:
        (line,) = run(ENGINE, tmp_path, [point(workload={**UNIFORM, "pattern": "transpose"})])
        assert line["status"] == "failed"
        assert "pattern transpose needs" in line["error"]

    def test_a_run_beyond_its_time_fails(self, tmp_path: Path) -> None:
        long = point({**TORUS, "sizes": [16, 16], "nodes": 256}, {**UNIFORM, "per_node": 100})
        (line,) = run(ENGINE, tmp_path, [long], {"simulation_timeout_s": 0.2})
        assert line["status"] == "failed"
        wanted = "simgrid was stopped after 0.2 s; to allow more, raise machine.simulation_timeout"
        assert line["error"].startswith(wanted)

    def test_a_run_beyond_its_memory_fails(self, tmp_path: Path) -> None:
        long = point({**TORUS, "sizes": [16, 16], "nodes": 256}, {**UNIFORM, "per_node": 100})
        (line,) = run(ENGINE, tmp_path, [long], {"memory_limit_bytes": 1000})
        assert line["status"] == "failed"
        assert "to allow more, raise machine.memory_limit" in line["error"]

    def test_a_run_that_breaks_keeps_the_last_lines(self, tmp_path: Path) -> None:
        (line,) = run(ENGINE, tmp_path, [point(update="none")])
        assert line["status"] == "failed"
        assert "'None' is invalid" in line["log"]

    def test_description_and_output_stay_beside_the_journal(self, tmp_path: Path) -> None:
        run(ENGINE, tmp_path, [point()])
        stem = tmp_path / f"simgrid-{'a' * 12}"
        assert "setting network/model CM02" in stem.with_suffix(".txt").read_text()
        assert stem.with_suffix(".log").read_text() == ""
        assert not stem.with_suffix(".times").exists()

    def test_the_same_point_gives_the_same_bits(self, tmp_path: Path) -> None:
        found = [run(ENGINE, tmp_path / name, [point()])[0]["metrics"] for name in "ab"]
        assert found[0] == found[1]


def test_the_sources_that_are_compiled_count_in_the_version(tmp_path: Path) -> None:
    whole = tmp_path / "source"
    shutil.copytree(SOURCE, whole)
    before = module_digest(tmp_path)
    for path in whole.iterdir():
        text = path.read_text()
        path.write_text(text + "\n// A remark.\n")
        assert module_digest(tmp_path) == before, path
        path.write_text(text + "\nint more;\n")
        assert module_digest(tmp_path) != before, path
        path.write_text(text)
