"""`limited.py PROCESSOR_S FILE_BYTES OPEN_FILES COMMAND…` becomes COMMAND under these limits.

It runs inside a sandbox, where the package is not, so it imports nothing of it.
"""

import os
import resource
import sys


def main(processor_s: str, file_bytes: str, open_files: str, *command: str) -> None:
    """Set the limits of this process and of all that it starts, then become the command."""
    for kind, most in (
        (resource.RLIMIT_CPU, int(processor_s)),
        (resource.RLIMIT_FSIZE, int(file_bytes)),
        (resource.RLIMIT_NOFILE, int(open_files)),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
