"""Runs a command that puts packages into an environment, while no other one does.

    python envs/fill.py FOLDER COMMAND…

A second one waits, and prints what it waits for. Packages that a killed one left half are removed
from FOLDER first: pip takes them for whole, because their names are there, and writes RECORD last.
"""

import os
import shutil
import sys
from pathlib import Path

# No environment knows weft yet.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))
from weft.files.lock import open_lock, take_lock
from weft.files.shell_path import need_plain_path

folder, command = Path(sys.argv[1]).resolve(), sys.argv[2:]
try:
    need_plain_path(folder / "bin" / "python")
except ValueError as error:
    sys.exit(f"weft: {error}")
lock = open_lock(folder.with_name(f"{folder.name}.lock"))
if not take_lock(lock):
    print(f"weft: waits for another make, which puts packages into {folder}", file=sys.stderr)
    take_lock(lock, wait=True)
for package in folder.glob("**/site-packages/*.dist-info"):
    if not (package / "RECORD").exists():
        shutil.rmtree(package)
# Every process of the command keeps the lock: where only its first one is killed, its pip goes on.
os.set_inheritable(lock.fileno(), True)
os.execvp(command[0], command)
