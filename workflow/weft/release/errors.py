"""What goes wrong with releases."""


class ReleaseError(Exception):
    """A release cannot be made; the message says why, and what to do."""
