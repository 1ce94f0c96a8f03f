"""The command `weft`, as its script in the environment begins."""

from __future__ import annotations

import sys

from weft.interrupt import end_on_interrupt


def main() -> None:
    """Run the command; Ctrl-C is one line from here on."""
    end_on_interrupt(sys.argv)
    # It takes a second to import what the commands need.
    from weft.command.commands import main

    main()


if __name__ == "__main__":
    main()
