"""Ports for servers of tests."""

import socket


def free_port() -> int:
    """A port of the loopback on which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
