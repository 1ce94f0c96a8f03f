"""The forms that this server offers, and the mistakes in their templates."""

from __future__ import annotations

from django.conf import settings

from weft.config import ConfigError, ConfigErrors
from weft.files.layout import CLONE, Layout
from weft.service.forms.fields import Form, read_form
from weft.service.forms.template import template_names

_CONFIGS = Layout(CLONE).configs


def offered_names() -> list[str]:
    """Names of the templates in the site's folder."""
    return template_names(settings.FORMS)


def offered_form(name: str) -> Form:
    """One form.

    Raises ConfigErrors for a template with a mistake.
    """
    return read_form(_CONFIGS, name, settings.FORMS)


def offered_forms() -> tuple[list[Form], list[ConfigError]]:
    """Forms that can be filled in, and the mistakes of all others."""
    found, wrong = [], []
    for name in offered_names():
        try:
            found.append(offered_form(name))
        except ConfigErrors as errors:
            wrong += errors.errors
    return found, wrong
