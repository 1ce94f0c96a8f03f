"""Further Ctrl-C reach a run whose main thread waits in a call that no signal interrupts."""

import os
import signal
import subprocess
import sys

from tests.patience import PATIENCE_S

#: A mutex is waited for without a return to Python, which answers signals only between its steps.
WAITS = f"""
import ctypes, signal, time
from weft.interrupt import end_on_interrupt, jobs_begin
signal.alarm({PATIENCE_S:.0f})
end_on_interrupt([])
jobs_begin()
lock = ctypes.CDLL(None).pthread_mutex_lock
mutex = ctypes.create_string_buffer(128)
lock(mutex)
try:
    print("jobs run", flush=True)
    while True:
        time.sleep(0.01)
except KeyboardInterrupt:
    print("jobs end", flush=True)
    lock(mutex)
"""


def test_the_second_says_that_jobs_are_ending_and_the_third_leaves_them():
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.readline() == "jobs run\n"
    os.kill(process.pid, signal.SIGINT)
    assert process.stdout.readline() == "jobs end\n"
    os.kill(process.pid, signal.SIGINT)
    assert "its jobs are ending" in process.stderr.readline()
    os.kill(process.pid, signal.SIGINT)
    assert "left its jobs" in process.stderr.readline()
    assert process.wait(PATIENCE_S) == 130
