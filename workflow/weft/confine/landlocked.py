"""`landlocked.py READABLE WRITABLE COMMAND…` becomes COMMAND, which reads and writes these alone.

Both are JSON lists of paths; what is missing of them needs no permission. It runs without the
package, so it imports nothing of it. It ends with `REFUSED` where the kernel has no Landlock.
"""

import ctypes
import json
import os
import stat
import struct
import sys

REFUSED = 125
#: System calls have the same number on all processors since Linux 5.1.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38
#: Rights by the version that has brought them, of all files; connections come with version 4.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_CONNECTIONS, _CONNECTIONS_SINCE = 0b11, 4
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER, _TRUNCATE, _DEVICE = (
    1 << bit for bit in (0, 1, 2, 3, 14, 15)
)
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICE
_READ = _EXECUTE | _READ_FILE | _READ_FOLDER
_NOWHERE = "/dev/null"


def main(readable: str, writable: str, *command: str) -> None:
    """Restrict this process and all that it starts, then become the command."""
    kernel = ctypes.CDLL(None, use_errno=True)
    version = kernel.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1:
        sys.exit(REFUSED)
    handled = (1 << _RIGHTS[min(version, max(_RIGHTS))]) - 1
    connections = _CONNECTIONS if version >= _CONNECTIONS_SINCE else 0
    rules = struct.pack("QQ", handled, connections) if connections else struct.pack("Q", handled)
    ruleset = _checked(kernel.syscall(_CREATE_RULESET, rules, ctypes.c_size_t(len(rules)), 0))
    given = [(path, _READ) for path in json.loads(readable)]
    given += [(path, handled) for path in json.loads(writable)]
    given.append((_NOWHERE, _READ_FILE | _WRITE_FILE | _TRUNCATE))
    for path, rights in given:
        _allow(kernel, ruleset, path, rights & handled)
    _checked(kernel.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(kernel.syscall(_RESTRICT_SELF, ruleset, 0))
    os.execvp(command[0], command)


def _allow(kernel: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not stat.S_ISDIR(os.fstat(file).st_mode):
        rights &= _OF_FILES
    rule = struct.pack("=Qi", rights, file)
    _checked(kernel.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
    os.close(file)


def _checked(answer: int) -> int:
    if answer < 0:
        sys.exit(REFUSED)
    return answer


if __name__ == "__main__":
    main(*sys.argv[1:])
