"""Programs that mean harm: each reaches its own files and its own point, and nothing else."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_S
from tests.programs.simulator import BINARIES, NETWORK, OF_ENGINE, OPTIONS

pytestmark = pytest.mark.slow
HEAD = (
    "#include <fcntl.h>\n#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <sys/mman.h>\n#include <sys/stat.h>\n#include <unistd.h>\n"
)
#: What a program does before it computes as all others.
BODY = """
int main(int count, char **words) {
    int rank, sum = 0;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        %s
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
OWN_TEXT = "it is mine"
#: Writes a text of its own into all that is open, many times.
FLOOD = f"""
    static char text[1 << 16];
    memset(text, 'x', sizeof text);
    memcpy(text, "{OWN_TEXT}\\n", {len(OWN_TEXT) + 1});
    for (int file = 3; file < 256; file++)
        for (int i = 0; i < 160 && write(file, text, sizeof text) > 0; i++) {{}}
"""
EMPTIES = "for (int file = 3; file < 256; file++) ftruncate(file, 1 << 20);"


def point(source: Path, limits: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "point_id": source.stem,
        "digest": source.stem,
        "engine": "flow",
        "seed": 1,
        "limits": dict(limits),
        "topology": {"kind": "crossbar", "nodes": 4},
        "network": NETWORK,
        "workload": {
            "kind": "program",
            "program": source.stem,
            "source": str(source),
            "ranks": 2,
            "message_bytes": None,
            "arguments": [],
            "input": None,
        },
        "options": OPTIONS | OF_ENGINE["flow"] | options,
    }


def ran(
    folder: Path,
    programs: Mapping[str, str],
    *,
    limits: Mapping[str, Any] | None = None,
    variables: Mapping[str, str] | None = None,
    passed: tuple[int, ...] = (),
    **options: Any,
) -> tuple[dict[str, dict[str, Any]], str]:
    """The lines of the journal by program, and the log. A program is what rank 0 does in it, or a
    whole source."""
    points = []
    for name, text in programs.items():
        source = folder / f"{name}.c"
        source.write_text(text if "ain(" in text else HEAD + BODY % text)
        points.append(point(source, limits or {}, options))
    shard = {"schema": 1, "engine": "flow", "engine_version": "0", "shard": "s", "points": points}
    (folder / "in.json").write_text(json.dumps(shard))
    out = folder / "out"
    done = subprocess.run(
        [BINARIES / "weft-flow", "run", "--shard", folder / "in.json", "--out", out],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        cwd=folder,
        env={**os.environ, "WEFT_PROGRAM_CACHE": str(folder / "cache"), **(variables or {})},
        pass_fds=passed,
    )
    lines = map(json.loads, (out / "journal.jsonl").read_text().splitlines())
    return {line["point_id"]: line for line in lines}, done.stderr


def left(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}


@pytest.mark.parametrize("does", [FLOOD, EMPTIES], ids=["writes", "empties"])
def test_tables_of_a_point_are_those_of_its_simulator(tmp_path: Path, does: str) -> None:
    tables = ["series", "links", "messages", "history"]
    lines, _ = ran(tmp_path, {"good": ";", "bad": does}, tables=tables)
    files = left(tmp_path)
    assert lines["good"]["status"] == "done"
    for name, content in files.items():
        assert OWN_TEXT.encode() not in content, name
        assert b"\0" not in content, name
        assert len(content) < 1 << 20, name
    known = {name.replace("bad", "good") for name in files if "bad" in name}
    if does is EMPTIES:
        assert lines["bad"]["status"] == "done"
    else:
        assert lines["bad"]["status"] == "failed"
        assert "program writes where only" in lines["bad"]["error"]
    assert known <= {name for name in files if "good" in name}


def test_measured_times_of_computing_are_those_of_the_simulator(tmp_path: Path) -> None:
    lines, _ = ran(tmp_path, {"good": ";", "bad": FLOOD}, compute="measured", compute_runs=1)
    assert lines["good"]["status"] == "done"
    assert lines["bad"]["status"] == "failed"
    assert "program writes where only" in lines["bad"]["error"]
    assert all(len(content) < 1 << 20 for content in left(tmp_path).values())


def test_a_program_does_not_answer_for_its_simulator(tmp_path: Path) -> None:
    forged = (
        r'static const char *text = "{\"metrics\":[{\"metric\":\"program_time_s\",'
        r'\"message_bytes\":null,\"value\":1e-99,\"unit\":\"s\"}]}\n";'
        " for (int file = 3; file < 256; file++) (void)!write(file, text, strlen(text));"
        " _exit(0);"
    )
    lines, _ = ran(tmp_path, {"bad": forged})
    assert lines["bad"]["status"] == "failed"
    assert "program writes where only" in lines["bad"]["error"]


def test_no_file_is_open_that_is_not_the_programs(tmp_path: Path) -> None:
    lists = (
        "struct stat found; for (int file = 0; file < 4096; file++)"
        ' if (fstat(file, &found) == 0 && S_ISREG(found.st_mode)) printf("open %d\\n", file);'
        ' printf("looked\\n");'
    )
    with (tmp_path / "lock").open("w") as file:
        _, log = ran(tmp_path, {"bad": lists}, passed=(file.fileno(),), tables=["series"])
    assert "looked" in log
    assert "open " not in log


def test_a_program_sees_the_variables_on_the_list_alone(tmp_path: Path) -> None:
    shows = 'extern char **environ; for (char **e = environ; *e; e++) printf("has %s\\n", *e);'
    secrets = {"WEFT_WORKER_TOKEN": "secret", "AWS_SECRET_ACCESS_KEY": "secret"}
    _, log = ran(tmp_path, {"bad": shows}, variables=secrets)
    names = {
        line.partition("has ")[2].partition("=")[0] for line in log.splitlines() if "has " in line
    }
    assert "PATH" in names
    assert "secret" not in log
    documented = (Path(__file__).parents[2] / "docs" / "programs.md").read_text()
    assert not {name for name in names if f"`{name}`" not in documented}


def test_files_without_a_name_count_as_output(tmp_path: Path) -> None:
    hides = (
        "static char text[1 << 20]; memset(text, 1, sizeof text);"
        ' int file = open("a", O_RDWR | O_CREAT, 0600); unlink("a");'
        " for (int i = 0; i < 64; i++) (void)!write(file, text, sizeof text);"
        " for (;;) usleep(1000);"
    )
    limits = {"output_bytes": 16 << 20, "timeout_s": PATIENCE_S}
    lines, _ = ran(tmp_path, {"bad": hides}, limits=limits)
    assert lines["bad"]["status"] == "failed"
    assert "prints or writes more than 16777216 B" in lines["bad"]["error"]


def test_files_without_a_name_that_are_only_mapped_count_as_output(tmp_path: Path) -> None:
    hides = (
        ' int file = open("a", O_RDWR | O_CREAT, 0600); (void)!ftruncate(file, 64 << 20);'
        " char *map = mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);"
        ' unlink("a"); close(file); for (int i = 0; i < 64 << 20; i += 4096) map[i] = 1;'
        " for (;;) usleep(1000);"
    )
    limits = {"output_bytes": 16 << 20, "timeout_s": PATIENCE_S}
    lines, _ = ran(tmp_path, {"bad": hides}, limits=limits)
    assert lines["bad"]["status"] == "failed"
    assert "prints or writes more than 16777216 B" in lines["bad"]["error"]


def test_the_compiler_counts_towards_the_memory(tmp_path: Path) -> None:
    large = "char large[] = {[0 ... 1600000000] = 1};\nint main(void) { return large[9]; }\n"
    lines, _ = ran(tmp_path, {"bad": large}, limits={"memory_bytes": 256 << 20})
    assert lines["bad"]["status"] == "failed"
    assert "of memory" in lines["bad"]["error"]


INCLUDES = {
    "include": '#include "{}"\n',
    "macro": '#define NAME "{}"\n#include NAME\n',
    "incbin": '__asm__(".globl text\\ntext: .incbin \\"{}\\"\\n.byte 0\\n");\n',
}
MAIN = "#include <stdio.h>\nextern char text[];\nint main(void) {{ {} return 0; }}\n"


@pytest.mark.parametrize("how", INCLUDES)
def test_the_compiler_reads_the_files_of_the_program_alone(tmp_path: Path, how: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("#error root_hash\nint root;\n")
    source = INCLUDES[how].format(secret) + MAIN.format("puts(text);" if how == "incbin" else "")
    lines, log = ran(tmp_path, {"bad": source})
    assert lines["bad"]["status"] == "failed"
    assert "root_hash" not in lines["bad"]["error"] + log
    assert "secret" in lines["bad"]["error"]


def test_a_compiler_that_needs_other_files_is_not_confined_and_weft_says_so(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    (tools / "bin").mkdir(parents=True)
    (tmp_path / "elsewhere").write_text('exec /usr/bin/cc "$@"\n')
    own = tools / "bin" / "owncc"
    own.write_text(f"#!/bin/sh\n. {tmp_path}/elsewhere\n")
    own.chmod(0o755)
    lines, log = ran(tmp_path, {"good": ";"}, variables={"WEFT_CC": str(own)})
    assert lines["good"]["status"] == "done", lines["good"]["error"]
    assert "the compiler is not confined" in log
    lines, _ = ran(
        tmp_path,
        {"again": ";"},
        variables={"WEFT_CC": str(own), "WEFT_CONFINEMENT": "required"},
    )
    assert "WEFT_CONFINEMENT is required" in lines["again"]["error"]


def test_a_time_that_the_run_has_no_room_for_is_marked(tmp_path: Path) -> None:
    source = (
        "#include <mgen.h>\nint MGEN_Main(int count, char **words) {"
        ' MGEN_Sample("%s_s", %s); (void)count; (void)words; return 0; }\n'
    )
    sources = {"bad": source % ("step", "5.0"), "good": source % ("step", "0.0")}
    lines, _ = ran(tmp_path, sources)
    (note,) = lines["bad"]["environment"]["notes"]
    assert note.startswith("the program reports step_s of 5 s, but its run takes 0 s")
    assert not (lines["good"].get("environment") or {}).get("notes")
