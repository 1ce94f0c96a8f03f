"""Where a simulator's executable comes from, and which version its results have."""

import json

import pytest
from weft.engines import EngineError
from weft.engines.native import NativeEngine
from weft.machine import MachineFile

ECHO = """#!/bin/sh
if [ "$1" = describe ]; then echo '{"name": "echo", "version": "7"}'; else echo "$@" >&2; fi
"""


def executable(path, text=ECHO):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def apptainer(tmp_path, monkeypatch):
    """Writes down how it was called instead of running anything."""
    notes = tmp_path / "called"
    script = f'#!/bin/sh\nprintf "%s\\n" "$@" > {notes}\n'
    executable(tmp_path / "bin" / "apptainer", script)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return notes


def test_a_command_on_the_path_prints_its_version(tmp_path, monkeypatch):
    executable(tmp_path / "weft-echo")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert NativeEngine("echo", "command", ()).version(MachineFile(), None) == "7"


def test_a_command_of_another_version_than_the_plan_does_not_run(tmp_path, monkeypatch, job):
    executable(tmp_path / "weft-echo")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(EngineError, match="has version 7, the plan was made for 6"):
        NativeEngine("echo", "command", ()).run(job(engine_version="6"))


def test_a_missing_command_says_what_to_do(monkeypatch):
    monkeypatch.delenv("WEFT_ECHO", raising=False)
    message = r"not on the PATH: .*--sdm apptainer.*WEFT_ECHO"
    with pytest.raises(EngineError, match=message):
        NativeEngine("echo", "command", ()).version(MachineFile(), None)


def test_an_engine_of_an_image_only_asks_for_containers(tmp_path, monkeypatch):
    executable(tmp_path / "weft-echo")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(EngineError, match=r"in its image only: .*--sdm apptainer"):
        NativeEngine("echo", "image", ()).version(MachineFile(), None)


def test_an_override_has_the_version_that_it_prints(tmp_path, monkeypatch, job):
    monkeypatch.setenv("WEFT_ECHO", str(executable(tmp_path / "mine")))
    for program in ("crate", "command", "image"):
        assert NativeEngine("echo", program, ()).version(MachineFile(), None) == "7"
    NativeEngine("echo", "crate", ()).run(job(engine_version="6"))


@pytest.mark.parametrize("text", ["echo '{}'", "echo '[1]'", "echo '{\"version\": 3}'"])
def test_a_description_without_a_version_is_reported(tmp_path, monkeypatch, text):
    path = executable(tmp_path / "mine", f"#!/bin/sh\n{text}\n")
    monkeypatch.setenv("WEFT_ECHO", str(path))
    with pytest.raises(EngineError, match=r"describe` (prints no version|prints no JSON object)"):
        NativeEngine("echo", "command", ()).version(MachineFile(), None)


def test_in_an_image_the_version_is_the_images_but_for_crates(monkeypatch):
    image = "echo-0123456789ab.sif"
    assert NativeEngine("echo", "image", ()).version(MachineFile(), image) == "image+0123456789ab"
    assert NativeEngine("echo", "command", ()).version(MachineFile(), image) == "image+0123456789ab"
    flow = NativeEngine("flow", "crate", ())
    monkeypatch.setenv("WEFT_FLOW", "/nowhere")
    in_image = flow.version(MachineFile(), "flow-0123456789ab.sif")
    monkeypatch.delenv("WEFT_FLOW")
    assert in_image == flow.version(MachineFile(), None)


def test_the_image_stands_before_the_program(tmp_path, monkeypatch, apptainer, job):
    monkeypatch.chdir(tmp_path)
    mine = job(image=tmp_path / "echo-1.sif")
    NativeEngine("echo", "image", ()).run(mine)
    words = apptainer.read_text().splitlines()
    at = words.index("weft-echo")
    assert words[at - 1] == str(tmp_path / "echo-1.sif")
    assert words[at + 1 : at + 3] == ["run", "--shard"]
    assert words.count("--bind") == 1, "all of the job lies in the working folder"


def test_an_image_sees_results_and_messages_that_lie_elsewhere(
    tmp_path, monkeypatch, apptainer, job
):
    here, lists = tmp_path / "project", tmp_path / "lists"
    here.mkdir()
    lists.mkdir()
    point = {"workload": {"file": str(lists / "a.csv")}, "options": {}}
    mine = job(image=tmp_path / "echo-1.sif", points=[point])
    (here / "results").symlink_to(tmp_path / "results")
    monkeypatch.chdir(here)
    NativeEngine("echo", "image", ()).run(mine)
    words = apptainer.read_text().splitlines()
    bound = [words[i + 1] for i, word in enumerate(words) if word == "--bind"]
    assert bound == [str(here), str(tmp_path / "results" / "x"), str(lists)]


def test_a_broken_image_carries_the_log(tmp_path, monkeypatch, job):
    executable(tmp_path / "bin" / "apptainer", "#!/bin/sh\necho no such image >&2\nexit 255\n")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    with pytest.raises(EngineError, match="ended with exit code 255\nno such image"):
        NativeEngine("echo", "image", ()).run(job(image=tmp_path / "echo-1.sif"))


def test_the_log_of_a_run_holds_what_the_simulator_says(tmp_path, monkeypatch, job):
    monkeypatch.setenv("WEFT_ECHO", str(executable(tmp_path / "mine")))
    mine = job()
    NativeEngine("echo", "command", ()).run(mine)
    assert "--threads 1" in mine.log.read_text()
    assert json.loads(mine.shard_file.read_text()) == mine.shard


def test_a_program_of_another_version_inside_does_not_run(tmp_path, job):
    image = tmp_path / "flow-1.sif"
    image.write_bytes(b"known already")
    stat = image.stat()
    stamp = [stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]
    notes = {"file": stamp, "versions": {"weft-flow": "0.1.0+old"}}
    (tmp_path / ".flow-1.checked").write_text(json.dumps(notes))
    made = job("0.1.0+new", image=image)
    with pytest.raises(
        EngineError, match=r"has version 0\.1\.0\+old, the plan was made for 0\.1\.0"
    ):
        NativeEngine("flow", "crate", ()).run(made)
