"""Mails about tasks; one that cannot be sent harms no task."""

from __future__ import annotations

import logging
import smtplib

from django.conf import settings
from django.core.mail import mail_admins, send_mail
from django.urls import reverse

from weft.service.tasks.models import Task

_log = logging.getLogger(__name__)


def mail(subject: str, body: str, address: str) -> bool:
    """Send a mail; returns whether a server took it."""
    try:
        send_mail(" ".join(subject.split())[:200], body, None, [address])
    except (OSError, smtplib.SMTPException) as error:
        _log.error("a mail could not be sent: %s", error)
        return False
    return True


def say_silent(worker: str, title: str) -> None:
    """Say to the administrators that a worker fell silent with this task."""
    try:
        mail_admins(f"worker {' '.join(worker.split())} fell silent", f"It had the task: {title}\n")
    except (OSError, smtplib.SMTPException) as error:
        _log.error("a mail could not be sent: %s", error)


def say_ended(task: Task) -> None:
    """Say to the owner how a task ended, and where its page is."""
    page = settings.ORIGIN + reverse("task", args=[task.name])
    stays = "page stays" if task.result_bytes is None else "page and its result stay"
    kept = f"Its {stays} until {task.expires_at:%Y-%m-%d %H:%M} UTC." if task.expires_at else ""
    lines = [f"Your task '{task.title}' {task.get_state_display()}.", task.account, page, kept]
    subject = f"weft: '{task.title}' {task.get_state_display()}"
    mail(subject, "\n\n".join(filter(None, lines)) + "\n", task.owner.email)
