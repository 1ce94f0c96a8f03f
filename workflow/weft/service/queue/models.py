"""Queues, and workers with the digests of their tokens."""

from __future__ import annotations

import secrets
from hashlib import sha256

from django.db import models


class Queue(models.Model):
    """Tasks that wait for the same workers."""

    name = models.SlugField(unique=True)
    template = models.CharField(max_length=100, blank=True)
    longest_s = models.PositiveIntegerField("for time-outs up to, s", null=True, blank=True)
    draining = models.BooleanField("give out no more tasks", default=False)

    def __str__(self) -> str:
        return str(self.name)


class Worker(models.Model):
    """A process that runs tasks."""

    name = models.CharField(max_length=100, unique=True)
    token_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    queues = models.ManyToManyField(Queue, blank=True, help_text="None chosen means all.")
    made_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(null=True, editable=False)
    #: Which of the processes that know the token is this worker: the one that works there.
    folder = models.CharField(max_length=100, blank=True, editable=False)
    weft_version = models.CharField(max_length=100, blank=True, editable=False)
    #: Layers of confinement that it lacks, one a line; None before it has said so.
    missing_layers = models.TextField(null=True, editable=False)
    revoked = models.BooleanField(default=False)
    draining = models.BooleanField("give it no more tasks", default=False)

    def __str__(self) -> str:
        return str(self.name)

    def renew_token(self) -> str:
        """A new token, which only its owner knows from now on; any earlier one is void."""
        # Hexadecimal: a command line takes a token that begins with "-" for an option.
        token = secrets.token_hex(32)
        self.token_sha256, self.folder = token_digest(token), ""
        return token


def token_digest(token: str) -> str:
    """What the database holds of a token; 256 random bits need no slow digest."""
    return sha256(token.encode()).hexdigest()
