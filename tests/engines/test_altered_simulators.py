"""An executable that is not what was built does not start, whatever its times say."""

import os
import random
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from weft.engines import EngineError
from weft.engines.native import NativeEngine
from weft.files import write_sums

from tests.programs.simulator import simulated

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "simulators" / "target" / "release" / "weft-flow"
PROGRAM = ROOT / "programs" / "barrier_ring.c"
FLIPS, SEED = int(os.environ.get("WEFT_FLIPS", "4")), int(os.environ.get("WEFT_SEED", "40"))


@pytest.fixture
def simulator(tmp_path, monkeypatch):
    """A project with a simulator of its own, as `make build` leaves it."""
    release = tmp_path / "simulators" / "target" / "release"
    (release / "deps").mkdir(parents=True)
    (tmp_path / "simulators" / "Cargo.toml").touch()
    shutil.copy(BUILT, release / "deps" / "weft_flow-1")
    (release / "weft-flow").hardlink_to(release / "deps" / "weft_flow-1")
    write_sums(release, ["weft-flow"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WEFT_FLOW", raising=False)
    return release / "weft-flow"


def started():
    return NativeEngine("flow", "crate", ()).describe()["name"]


def flipped(content, bit):
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << (bit % 8)
    return bytes(changed)


def harm(path, content):
    times = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize("how", ["a bit", "emptied"])
def test_an_altered_simulator_does_not_start(simulator, how):
    assert started() == "flow"
    whole = simulator.read_bytes()
    middle = len(whole) // 2
    bit = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    harm(simulator, bit if how == "a bit" else b"")
    with pytest.raises(EngineError, match=r"weft-flow was altered after it was built: run `make"):
        started()


def test_what_was_altered_goes_with_its_second_name_so_that_cargo_makes_it_again(simulator):
    script = ROOT / "envs" / "drop_altered_simulators"
    assert subprocess.run([script], capture_output=True, check=True).stderr == b""
    assert simulator.exists()
    harm(simulator, simulator.read_bytes() + b"\0")
    said = subprocess.run([script], capture_output=True, check=True, text=True).stderr
    assert said == "weft: weft-flow was altered after it was built: building it again\n"
    assert not simulator.exists()
    assert not list((simulator.parent / "deps").iterdir())


def test_a_simulator_of_which_nothing_was_noted_starts(simulator):
    (simulator.parent / "SHA256SUMS").unlink()
    assert started() == "flow"


def test_no_bit_of_a_simulator_may_differ(simulator):
    """`WEFT_FLIPS` and `WEFT_SEED` give other numbers of bits, and other bits."""
    whole, dice = simulator.read_bytes(), random.Random(SEED)
    for _ in range(FLIPS):
        bit = dice.randrange(len(whole) * 8)
        harm(simulator, flipped(whole, bit))
        with pytest.raises(EngineError, match="weft-flow was altered after it was built"):
            started()
    harm(simulator, whole)
    assert started() == "flow"


@pytest.mark.slow
def test_no_bit_of_a_compiled_program_may_differ(tmp_path, monkeypatch):
    """It is compiled again before it starts, and so is what it is linked with."""
    monkeypatch.setattr("tests.programs.simulator._programs", lambda: SimpleNamespace(name=cache))
    cache, dice = str(tmp_path / "cache"), random.Random(SEED)
    before = simulated(tmp_path, PROGRAM, 2, engine="flow")
    files = [path for path in Path(cache).rglob("*") if path.is_file() and path.stat().st_size]
    compiled = {path: path.read_bytes() for path in sorted(files)}
    (program,) = (path.parent for path in compiled if path.suffix == ".so")
    for _ in range(FLIPS):
        path = dice.choice([*compiled])
        if not path.is_relative_to(program):
            # Only who compiles a program reads the others.
            shutil.rmtree(program)
        harm(path, flipped(compiled[path], dice.randrange(len(compiled[path]) * 8)))
        assert simulated(tmp_path, PROGRAM, 2, engine="flow") == before
        assert {path: path.read_bytes() for path in compiled} == compiled
