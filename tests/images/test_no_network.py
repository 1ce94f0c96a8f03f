"""Without the internet no image is built: the way out is named, and the failure comes once."""

from pathlib import Path

import pytest
from weft.images import ImageError, build
from weft.images.apptainer import Build, _reason
from weft.images.failed import VARIABLE, begin_run

LOG = """INFO:    Starting build...
I: Retrieving InRelease
I: Retrieving Release
E: Failed getting release file http://mirror.example/debian/dists/trixie/Release
FATAL:   While performing build: conveyor failed to get: while debootstrapping: exit status 1
"""
APT = "weft: packages cannot be fetched\nErr: Temporary failure resolving 'mirror.example'\n"


def reason(folder: Path, text: str) -> str:
    log = folder / "base.log"
    log.write_text(text)
    arguments = {"mirror": "http://mirror.example/debian"}
    file = Path("base.def")
    return _reason(Build("base", file, folder / "x.sif", folder, folder, log, arguments, False))


@pytest.mark.parametrize("text", [LOG, APT])
def test_a_mirror_that_does_not_answer_names_both_ways_out(tmp_path: Path, text: str) -> None:
    last = reason(tmp_path, text).splitlines()[-1]
    assert last == (
        "this machine gets no answer from http://mirror.example/debian: without the internet build "
        "the images on another machine and copy containers/images/ here (docs/hpc.md); with a "
        "mirror that it reaches, set WEFT_DEBIAN_MIRROR to its URL"
    )


def test_another_failure_does_not_speak_of_the_network(tmp_path: Path) -> None:
    assert "answer" not in reason(tmp_path, "I: Retrieving Release\nsh: 1: syntax error\n")


def test_a_parent_that_failed_is_built_once_in_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    (tmp_path / "containers").mkdir()
    (tmp_path / "containers/base.def").write_text("Bootstrap: docker\nFrom: x\n")
    tried = []

    def fail(*given: object) -> None:
        tried.append(given)
        raise ImageError("no network")

    monkeypatch.setattr(build, "_build", fail)

    def message() -> str:
        with pytest.raises(ImageError) as caught:
            build.ensure_image("base", tmp_path)
        return str(caught.value)

    # Outside of runs every call tries.
    assert [message(), message()] == ["no network"] * 2
    begin_run()
    assert message() == "no network"
    assert message() == "base.def: its build failed earlier in this run, which printed why"
    assert len(tried) == 3
    begin_run()
    assert message() == "no network"
