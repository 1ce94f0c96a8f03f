"""Plans are made from the configuration trees of the other folder's tests."""

from tests.config.conftest import tree

__all__ = ["tree"]
