"""`python -m weft.launch …` is `snakemake …`, with one line for Ctrl-C from the first moment on.

Python takes a second to import Snakemake, which reads the default profile only then.
"""

from __future__ import annotations

import runpy
import sys

from weft.interrupt import end_on_interrupt

if __name__ == "__main__":
    end_on_interrupt(sys.argv)
    runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
