"""What strangers try in a sandbox, each beside the same without one where that is harmless."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from weft.confine import SandboxEnd

INCLUDE = 'printf "#include \\"/etc/passwd\\"\\n" > a.c; gcc -fsyntax-only a.c 2>&1'
INCBIN = 'printf "__asm__(\\".incbin \\\\\\"/etc/passwd\\\\\\"\\");" > a.c; gcc -c a.c -o a.o'
LOOPS = "i=0; while :; do i=$((i+1)); done"


def outside(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False
    )


def said(ended: SandboxEnd) -> str:
    return ended.output.decode(errors="replace")


def test_a_command_works_in_its_folder(attempt, tmp_path: Path) -> None:
    ended = attempt("printf 'int main(){return 0;}' > a.c && gcc a.c -o a && ./a && echo made > b")
    assert (ended.code, ended.limit) == (0, "")
    assert (tmp_path / "work" / "b").read_text() == "made\n"


@pytest.mark.parametrize("line", ["cat /etc/passwd", INCBIN])
def test_no_file_of_the_user_is_read(attempt, tmp_path: Path, line: str) -> None:
    assert outside(line, tmp_path).returncode == 0
    assert attempt(line).code != 0


def test_no_file_of_the_user_is_included(attempt, tmp_path: Path) -> None:
    assert "root" in outside(INCLUDE, tmp_path).stdout
    ended = attempt(INCLUDE)
    assert "root" not in said(ended)
    assert "No such file" in said(ended)


def test_nothing_outside_is_written(attempt, tmp_path: Path) -> None:
    victim = tmp_path / "journal.jsonl"
    victim.write_text("a line\n")
    attempt(f"echo forged >> {victim}")
    assert attempt("touch /usr/forged").code != 0
    assert victim.read_text() == "a line\n"


def test_variables_of_the_user_are_not_there(attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_WORKER_TOKEN", "secret")
    assert "secret" not in said(attempt("env; cat /proc/*/environ"))


def test_no_other_process_is_seen_or_ended(attempt) -> None:
    own = os.getpid()
    assert outside(f"kill -0 {own}", Path("/")).returncode == 0
    assert attempt(f"kill -0 {own}").code != 0
    assert len(said(attempt("ls -d /proc/[0-9]*")).split()) < 10


def test_there_is_no_network(attempt) -> None:
    names = said(attempt("tail -n +3 /proc/net/dev"))
    assert [line.split(":")[0].strip() for line in names.splitlines()] in ([], ["lo"])


def test_a_sandbox_has_no_rights_and_makes_no_sandbox(attempt) -> None:
    status = said(attempt("grep CapEff /proc/self/status"))
    assert status.split()[1].strip("0") == ""
    assert attempt("unshare --user true").code != 0


def test_the_temporary_folder_has_a_size(attempt) -> None:
    ended = attempt("head -c 8M /dev/zero > /tmp/0", temporary_bytes=4 << 20)
    assert "No space left" in said(ended)
    assert attempt("head -c 8M /dev/zero > /tmp/0", temporary_bytes=64 << 20).code == 0


def test_a_file_has_a_size(attempt, tmp_path: Path) -> None:
    attempt("head -c 8M /dev/zero > a", file_bytes=1 << 20)
    assert (tmp_path / "work" / "a").stat().st_size == 1 << 20


def test_a_compile_without_end_is_ended(attempt) -> None:
    ended = attempt("echo '#include </dev/random>' > a.c; gcc -c a.c", wall_s=1)
    assert ended.limit == "it takes more than 1 s"


def test_processor_time_is_limited(attempt) -> None:
    ended = attempt(LOOPS, processor_s=1)
    assert ended.limit == ""
    assert ended.code != 0


def test_a_bomb_of_processes_is_ended(attempt) -> None:
    # Few processes, which end by themselves where the limit does not work.
    ended = attempt("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 20 & done; wait", tasks=8)
    assert ended.limit == "it has more than 8 processes and threads"


def test_memory_is_watched(attempt) -> None:
    program = "x = bytearray(200 << 20); import time; time.sleep(20)"
    ended = attempt(f"/usr/bin/python3 -c '{program}'", memory_bytes=100 << 20)
    assert ended.limit == "it uses more than 104857600 B of memory"


def test_output_without_end_is_cut(attempt) -> None:
    ended = attempt("yes", output_bytes=100_000)
    assert ended.limit == "it prints more than 100000 B"
    assert len(ended.output) == 100_000


def test_nothing_outlives_a_sandbox(attempt) -> None:
    attempt("setsid sleep 987654 & sleep 0.2")
    assert "987654" not in outside("cat /proc/[0-9]*/cmdline | tr '\\0' ' '", Path("/")).stdout
