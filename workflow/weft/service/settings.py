"""Django's settings; what a site decides comes from `weft.service.surroundings`."""

from csp.constants import NONE, SELF
from django.urls import reverse_lazy

from weft.service.surroundings import (
    address,
    database,
    forms_folder,
    listening_host,
    number,
    secret,
    state_folder,
    text,
)

SECRET_KEY = secret()
DEBUG = False
_AT = address()
#: The address under which people reach the server, and the part of it before all paths: links in
#: mails are that and a path, which has the one of the address in it.
ADDRESS, ORIGIN = str(_AT), _AT.origin
FORCE_SCRIPT_NAME = _AT.path or None
_SECURE = ADDRESS.startswith("https://")
# The worker of `make serve` asks where the server listens.
ALLOWED_HOSTS = [_AT.host, listening_host(), "127.0.0.1", "localhost", "[::1]"]
CSRF_TRUSTED_ORIGINS = [ORIGIN]
STATE = state_folder()
#: Templates of forms.
FORMS = forms_folder()
ROOT_URLCONF = "weft.service.urls"
WSGI_APPLICATION = "weft.service.wsgi.application"
INSTALLED_APPS = [
    # First, because its templates take the place of those of the admin pages.
    "weft.service.pages",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "weft.service.accounts",
    "weft.service.queue",
    "weft.service.tasks",
    "weft.service.forms",
    "weft.service.estimates",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "weft.service.pages.bodies.without_body",
    "weft.service.pages.stored.not_stored",
    "weft.service.pages.refusals.refusing",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DATABASES = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.Person"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
#: A link to another password is valid so long.
PASSWORD_RESET_TIMEOUT = 24 * 3600
LOGIN_URL = reverse_lazy("log-in")
LOGIN_REDIRECT_URL = reverse_lazy("tasks")
LOGOUT_REDIRECT_URL = reverse_lazy("log-in")
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False
STATIC_URL = f"{_AT.path}/static/"
# Files of installed packages are served from where they lie: nothing has to be collected.
WHITENOISE_USE_FINDERS = True

CSRF_FAILURE_VIEW = "weft.service.pages.refusals.too_old"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _SECURE
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{_AT.path}/"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _SECURE else None
SECURE_HSTS_SECONDS = 31_536_000 if _SECURE else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

DEFAULT_FROM_EMAIL = SERVER_EMAIL = text("MAIL_FROM", "weft@localhost")
EMAIL_HOST, EMAIL_PORT = text("MAIL_HOST"), number("MAIL_PORT", 25)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = text("MAIL_USER"), text("MAIL_PASSWORD")
EMAIL_USE_TLS = text("MAIL_TLS") == "yes"
EMAIL_TIMEOUT = 20
ADMINS = [(each, each) for each in filter(None, text("ADMINS").split(","))]

#: Limits of what one person may bring and ask for.
UPLOAD_BYTES, UPLOAD_FILES = number("UPLOAD_BYTES", 8_000_000), number("UPLOAD_FILES", 1000)
RESULT_BYTES = number("RESULT_BYTES", 500_000_000)
TIMEOUT_S = number("TIMEOUT_S", 3600)
LEASE_S = number("LEASE_S", 60)
KEEP_DAYS = number("KEEP_DAYS", 3)
#: How often a task is tried again after its worker died.
RETRIES = 2
DATA_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_BYTES
DATA_UPLOAD_MAX_NUMBER_FILES = UPLOAD_FILES
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"django": {"handlers": [], "level": "WARNING", "propagate": True}},
}
