"""The server as gunicorn finds it."""

import logging
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "weft.service.settings")
application = get_wsgi_application()

from weft.service.forms.offered import offered_forms  # noqa: E402 - needs Django's settings

for _mistake in offered_forms()[1]:
    logging.getLogger(__name__).error("a form cannot be used: %s", _mistake)
