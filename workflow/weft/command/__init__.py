"""The command `weft`: thin over what the package knows."""
