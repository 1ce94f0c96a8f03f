"""A ZIP brings a project with its folders, and nothing that leads out of the task's own."""

import gzip
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml
from weft.service.pages.at_home import place_at_home
from weft.service.project import make_project, upload_problem
from weft.service.tasks.composed import composed
from weft.service.tasks.folders import unpacked

MAIN = b"#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); }\n"
PROJECT = {
    "solver/Makefile": b"solver: src/main.c\n\t$(CC) src/main.c -Iinclude -o solver\n",
    "solver/src/main.c": MAIN,
    "solver/include/part.h": b"\n",
}
EXPERIMENT = {
    "title": "A solver",
    "question": "How long does it take?",
    "defaults": [
        {"override /topology": "torus"},
        {"override /network": "gigabit"},
        {"override /workload": "alltoall"},
    ],
    "engines": ["flow"],
    "topology": {"sizes": [2, 2]},
    "workload": {
        "program": {
            "build": {"folder": "uploads/solver", "command": ["make"], "executable": "solver"}
        },
        "ranks": 4,
        "message_size": None,
    },
}


def zipped(files: dict[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return written.getvalue()


def tarred(files: dict[str, bytes], mode: str = "w:gz", kind: bytes = tarfile.REGTYPE) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.type, entry.linkname = len(content), kind, "/etc/passwd"
            archive.addfile(entry, io.BytesIO(content))
    return written.getvalue()


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_file_brings_the_same_as_a_zip(mode: str) -> None:
    files = {f"./{name}": content for name, content in PROJECT.items()}
    assert unpacked(tarred(files, mode), 20, 8_000_000) == unpacked(zipped(PROJECT), 20, 8_000_000)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (tarred({"a.c": bytes(20_000_000)}), "more than 8,000,000 bytes"),
        (gzip.compress(bytes(50_000_000)), "more than 8,000,000 bytes"),
        (tarred({f"f{n}.c": b"x" for n in range(21)}), "more than 20 files"),
        (tarred({"a": b"x", "a/b.c": b"x"}), "uploads/a is a file and a folder"),
        (tarred({"../a.c": b"x"}), "give it as uploads"),
        (tarred({"/etc/a.c": b"x"}), "give it as uploads"),
        (tarred({"a.c": b""}, kind=tarfile.SYMTYPE), "no regular file"),
        (tarred({"a.c": b""}, kind=tarfile.LNKTYPE), "no regular file"),
        (tarred({"a.c": b""}, kind=tarfile.CHRTYPE), "no regular file"),
        (tarred(PROJECT)[:80], "no tar file that can be read"),
        (gzip.compress(b"no tar"), "no tar file that can be read"),
    ],
    ids=["large", "bomb", "many", "file and folder", "upward", "absolute", "link", "hard link",
         "device", "cut off", "text"],
)  # fmt: skip
def test_a_tar_file_beyond_the_limits_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        unpacked(content, 20, 8_000_000)


def test_a_project_with_a_makefile_keeps_its_folders_and_can_be_planned(tmp_path: Path) -> None:
    files = unpacked(zipped(PROJECT), 20, 8_000_000)
    assert files == {f"uploads/{name}": content for name, content in PROJECT.items()}
    text = yaml.safe_dump(EXPERIMENT)
    make_project(tmp_path, "mine", text, files)
    for name, content in PROJECT.items():
        assert (tmp_path / "uploads" / name).read_bytes() == content
    assert place_at_home("uploads/solver/src/main.c") == "uploads/solver/src/main.c"
    known = composed("mine", text, files)
    assert (known.mistakes, known.brings_program) == ((), True)


@pytest.mark.parametrize(
    "name",
    ["../x.c", "a/../../x.c", "/etc/x.c", "a//x.c", "./x.c", ".ssh/x", "a/.b/x.c", "a b/x.c",
     "a\\..\\x.c", "-rf/x.c", "a/" * 120 + "x.c"],
)  # fmt: skip
def test_no_name_leads_out_of_the_uploads(name: str, tmp_path: Path) -> None:
    assert upload_problem(f"uploads/{name}")
    with pytest.raises(ValueError, match="give it as uploads"):
        unpacked(zipped({name: b"x"}), 20, 1000)
    with pytest.raises(ValueError, match="give it as uploads"):
        make_project(tmp_path, "mine", "title: x\n", {f"uploads/{name}": b"x"})


def test_a_compression_that_may_ask_for_gigabytes_is_refused() -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.c", MAIN)
    with pytest.raises(ValueError, match="usual compression"):
        unpacked(written.getvalue(), 20, 1000)


def test_a_link_in_a_zip_is_a_file_with_its_target_as_text() -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        link = zipfile.ZipInfo("a/link.c")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert unpacked(written.getvalue(), 20, 1000) == {"uploads/a/link.c": b"/etc/passwd"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (zipped({"a.c": bytes(20_000_000)}), "more than 8,000,000 bytes"),
        (zipped({f"f{n}.c": b"x" for n in range(21)}), "21 files; at most 20"),
        (zipped({"a": b"x", "a/b.c": b"x"}), "uploads/a is a file and a folder"),
        (b"no ZIP", "no ZIP that can be read"),
        (zipped(PROJECT)[:150], "no ZIP that can be read"),
    ],
    ids=["bomb", "many", "file and folder", "text", "cut off"],
)
def test_a_zip_beyond_the_limits_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        unpacked(content, 20, 8_000_000)
