"""Why something cannot be read."""


class ReadError(Exception):
    """One sentence that says what is missing and what to do."""
