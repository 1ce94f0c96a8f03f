"""Copies within memory: programs have buffers between which no processor is slow."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.site import read_site
from weft.engines.hardware.source import program_of
from weft.machine import MachineFile

from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

#: Counts copies of 8 KiB by where the target begins behind the source, within a page.
COUNTING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

static int copies, near;

void *memmove(void *to, const void *from, size_t bytes) {
    static void *(*real)(void *, const void *, size_t);
    if (real == NULL) {
        real = (void *(*)(void *, const void *, size_t))dlsym(RTLD_NEXT, "memmove");
    }
    if (bytes == 8192) {
        uintptr_t behind = ((uintptr_t)to - (uintptr_t)from) & 4095;
        copies++;
        near += behind > 0 && behind < 64;
    }
    return real(to, from, bytes);
}

__attribute__((destructor)) static void say(void) {
    fprintf(stderr, "%d copies, %d near\\n", copies, near);
}
"""


@pytest.mark.parametrize("program", ["pingpong", "alltoall"])
def test_copies_of_shipped_programs_begin_at_equal_places_of_a_cache_line(
    program: str, tmp_path: Path
) -> None:
    library = tmp_path / "counting.so"
    (tmp_path / "counting.c").write_text(COUNTING)
    shared = ["cc", "-shared", "-fPIC", "-o", library, tmp_path / "counting.c", "-ldl"]
    subprocess.run(shared, check=True)
    site = read_site(MachineFile())
    source = program_of({"workload": {"program": program}}, SOURCES.parent)
    executable = build_program(source, SOURCES, site.mpicc)[0]
    few = ["--output", tmp_path / "samples.csv", "--repetitions", "3", "--warmup", "1"]
    asked = [*few, "--budget", "100", "--sizes", "8192", "--algorithm", "alltoall=pairwise"]
    command = [site.launcher, "-n", "2", "env", f"LD_PRELOAD={library}", executable, *asked]
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True, text=True, timeout=PATIENCE_S, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [(int(a), int(b)) for a, b in re.findall(r"(\d+) copies, (\d+) near", done.stderr)]
    assert sum(copies for copies, _ in found) > 0
    assert sum(near for _, near in found) == 0
