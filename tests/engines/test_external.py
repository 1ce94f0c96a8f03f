"""Engines whose program is of others: a module of weft drives it."""

from types import SimpleNamespace

import pytest
from weft.engines import EngineError, registry
from weft.engines.registry import engine
from weft.machine import MachineFile
from weft.prepare.jobs.shard_images import engine_image

DECLARATION = "description: Of others.\nprogram: external\nanswers: [messages]\n"


class Adapter:
    kind = "simulator"
    image = None

    def __init__(self, side_tables):
        self.side_tables = side_tables


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "configs" / "engine"
    folder.mkdir(parents=True)
    (folder / "theirs.yaml").write_text(DECLARATION + "side_tables: [links]\n")
    monkeypatch.chdir(tmp_path)
    return SimpleNamespace(known=lambda table: monkeypatch.setattr(registry, "ADAPTERS", table))


def test_its_module_is_made_of_the_declared_side_tables(project):
    project.known({"theirs": f"{__name__}:Adapter"})
    assert isinstance(engine("theirs"), Adapter)
    assert engine("theirs").side_tables == ("links",)


def test_it_runs_in_no_image(project):
    project.known({"theirs": f"{__name__}:Adapter"})
    assert engine_image("theirs", MachineFile(), containers=True) is None


def test_its_module_may_name_an_image(project, monkeypatch):
    project.known({"theirs": f"{__name__}:Adapter"})
    monkeypatch.setattr(Adapter, "image", "simgrid")
    image = engine_image("theirs", MachineFile(), containers=True)
    assert image.name.startswith("simgrid-")
    assert engine_image("theirs", MachineFile(), containers=False) is None


def test_without_a_module_the_declaration_is_reported(project):
    project.known({"booksim": "somewhere:Else"})
    message = r"configs/engine/theirs\.yaml: program: .* of booksim; write crate, command or image"
    with pytest.raises(EngineError, match=message):
        engine("theirs")
