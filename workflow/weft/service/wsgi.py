"""The server as gunicorn finds it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "weft.service.settings")
application = get_wsgi_application()
