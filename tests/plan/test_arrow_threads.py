"""No thread of Arrow needs Python after a plan is read: one that does may abort the process."""

import os
import subprocess
import sys

import pytest
from weft.plan import Plan, Point, Points, Shard, write_plan

#: Reports every thread but the first that asks for Python's lock.
WATCH = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>
int PyGILState_Ensure(void)
{
    int (*real)(void) = (int (*)(void))dlsym(RTLD_NEXT, "PyGILState_Ensure");
    if (syscall(SYS_gettid) != getpid()) {
        write(1, "asked\n", 6);
    }
    return real();
}
"""
READS = """
import sys
from pathlib import Path
from weft.plan import read_plan
for _ in range(100):
    read_plan(Path(sys.argv[1]))
print("read")
"""


@pytest.mark.slow
def test_reading_a_plan_leaves_no_thread_that_needs_python(tmp_path):
    points = [
        Point(f"{k:012x}", "flow", 0, 1, {"engine": "flow", "topology": {"k": k}, "seed": 1}, {})
        for k in range(2000)
    ]
    shard = Shard("1", "flow", "1", tuple(point.point_id for point in points))
    path = write_plan(Plan("x", "X", "?", Points.of(points), (shard,)), tmp_path / "plan.json")
    (tmp_path / "watch.c").write_text(WATCH)
    library = tmp_path / "watch.so"
    compiling = ["cc", "-shared", "-fPIC", "-o", str(library), str(tmp_path / "watch.c"), "-ldl"]
    subprocess.run(compiling, check=True)
    done = subprocess.run(
        [sys.executable, "-c", READS, str(path)],
        env={**os.environ, "LD_PRELOAD": str(library)}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "read\n"), done.stderr
