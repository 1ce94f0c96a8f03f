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
    ["../x.c", "a/../../x.c", "/etc/x.c", "a//x.c", "./x.c", "../.ssh/x", "a\\..\\x.c", "-rf/x.c",
     "a/" * 120 + "x.c", "a/$(id).c", "a/x;y.c", "a/\u202ec.x", "a/x\ny.c", " a/x.c", "a/x.c "],
)  # fmt: skip
def test_no_name_leads_out_of_the_uploads(name: str, tmp_path: Path) -> None:
    assert upload_problem(f"uploads/{name}")
    with pytest.raises(ValueError, match="give it as uploads"):
        unpacked(zipped({name: b"x"}), 20, 1000)
    with pytest.raises(ValueError, match="give it as uploads"):
        make_project(tmp_path, "mine", "title: x\n", {f"uploads/{name}": b"x"})


def test_hidden_files_and_those_of_systems_are_counted_and_left_out() -> None:
    mine = {
        "heat (copy)/main [1].c": MAIN,
        "heat (copy)/lo\u0308ser.c": b"int q;",
        "heat (copy)/a b.h": b"",
    }
    names = ["__MACOSX/heat (copy)/._main [1].c", "heat (copy)/.DS_Store", ".gitignore",
             "heat (copy)/.github/ci.yml", ".ssh/x", "a/.b/x.c", "a/Thumbs.db"]  # fmt: skip
    added = dict.fromkeys(names, b"x")
    for packed in (zipped({**added, **mine}), tarred({**added, **mine})):
        # None of them counts towards the limit.
        found = unpacked(packed, len(mine), 8_000_000)
        # An umlaut that a Mac wrote is the one that a source names.
        assert found == {
            "uploads/heat (copy)/main [1].c": MAIN,
            "uploads/heat (copy)/l\u00f6ser.c": b"int q;",
            "uploads/heat (copy)/a b.h": b"",
        }
        assert found.left_out == len(added)
        assert f"{len(added)} files were left out" in found.said("heat.zip")
    assert unpacked(zipped(mine), 20, 8_000_000).said("heat.zip") == ""


def test_what_is_left_out_is_not_looked_at() -> None:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        # A virtual environment has links, which are refused among files that count.
        link = tarfile.TarInfo("heat/.venv/bin/python")
        link.type, link.linkname = tarfile.SYMTYPE, "/usr/bin/python3"
        archive.addfile(link)
        main = tarfile.TarInfo("heat/main.c")
        main.size = len(MAIN)
        archive.addfile(main, io.BytesIO(MAIN))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as other:
        other.writestr("heat/.cache/x", b"x", zipfile.ZIP_LZMA)
        other.writestr("heat/main.c", MAIN)
    for each in (written, packed):
        found = unpacked(each.getvalue(), 1, 1000)
        assert found == {"uploads/heat/main.c": MAIN}
        assert found.left_out == 1


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
