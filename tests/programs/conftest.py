"""The jobs of tests/hardware, for programs here."""

from tests.hardware.conftest import make_job

__all__ = ["make_job"]
