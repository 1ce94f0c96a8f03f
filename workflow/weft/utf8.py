"""UTF-8 whatever the locale: a title is the same text on every machine."""

from __future__ import annotations

import locale
import os
import sys


def insist_on_utf8() -> None:
    """Start this process once more, in Python's UTF-8 mode, where the locale has another encoding.

    The processes that it starts inherit the mode.
    """
    if locale.getpreferredencoding(False).lower().replace("-", "") != "utf8":
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, sys.orig_argv)
