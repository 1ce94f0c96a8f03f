"""What goes wrong with images."""


class ImageError(OSError):
    """An image cannot be named, built or run: one message for a person, with what to do.

    It is an OSError, because the machine or a file is at fault. So every place that reports
    failures prints it as one message.
    """
