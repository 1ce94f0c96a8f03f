"""What goes wrong with images."""


class ImageError(OSError):
    """An image cannot be named, built or run: one message for a person, with what to do.

    It is an OSError, because the machine or a file is at fault, and so every place that tells
    failures to people tells it as one message, too.
    """
