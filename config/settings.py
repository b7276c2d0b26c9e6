"""One settings file for every place Podium runs; what differs comes from the environment (see README)."""

import secrets
from pathlib import Path

from config.env import (
    broker_url,
    env_bool,
    env_database,
    env_directory,
    env_int,
    env_list,
    env_redis,
    env_str,
    names_of,
)

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env_directory("PODIUM_HOME", BASE_DIR / "var")


def _secret_key() -> str:
    """SECRET_KEY, or one made on the first start and kept beside the data."""
    if given := env_str("SECRET_KEY"):
        return given
    file = DATA_DIR / "secret-key"
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(50))
    return file.read_text().strip()


SECRET_KEY = _secret_key()
DEBUG = env_bool("DEBUG")
HOST = env_str("HOST", "127.0.0.1")
PORT = env_int("PORT", 8000, 1, 65535)
ALLOWED_HOSTS = list(dict.fromkeys(["localhost", "127.0.0.1", "[::1]", *names_of(HOST), *env_list("ALLOWED_HOSTS")]))
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")

# Who may read without logging in: "loopback" (requests addressed to this machine alone), "everyone" or "nobody".
PODIUM_ANONYMOUS_READ = env_str("PODIUM_ANONYMOUS_READ", "loopback")
PODIUM_METRICS_TOKEN = env_str("PODIUM_METRICS_TOKEN")  # lets Prometheus read /metrics from elsewhere
PODIUM_LOGIN_ATTEMPTS = env_int("PODIUM_LOGIN_ATTEMPTS", 10, 0, 1_000_000)  # that may fail in 5 minutes; 0: no limit
PODIUM_MAX_UPLOAD_MIB = env_int("PODIUM_MAX_UPLOAD_MIB", 1024)

INSTALLED_APPS = [
    "config.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "scheduler.apps.SchedulerConfig",
    "dashboard.apps.DashboardConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "dashboard.staticfiles.StaticFilesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "dashboard.access.AccessMiddleware",
    "dashboard.views.refusals.RefusedMethods",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {"default": env_database("DATABASE_URL", DATA_DIR / "podium.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The embedded Redis-compatible server listens on this socket; REDIS_URL replaces it.
REDIS_SOCKET = DATA_DIR / "valkey.sock"
REDIS_URL = env_redis("REDIS_URL") or f"unix://{REDIS_SOCKET}"
REDIS_EMBEDDED = not env_redis("REDIS_URL")

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "dashboard.layer.HintLayer",
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None}], "prefix": "podium"},
    }
}

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "logins": {  # failed ones; each web process counts for itself
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "logins",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
}

CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "podium"
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,  # longer than any job: a task that takes longer would be given out a second time
    "socket_timeout": 30,
    "socket_connect_timeout": 2,
}
PODIUM_MAP_RANGES = env_int("PODIUM_MAP_RANGES", 4, 1, 64)
PODIUM_RANGE_SIZE = env_int("PODIUM_RANGE_SIZE", 0, 0, 100_000)  # nodes a map task; 0 = PODIUM_MAP_RANGES ranges
PODIUM_STEP_DEADLINE_MS = env_int("PODIUM_STEP_DEADLINE_MS", 2_000, 10)

LANGUAGE_CODE = "en"
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = "UTC"
USE_TZ = True
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)  # whitenoise warns of a missing one, also before the first collectstatic
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "dashboard.staticfiles.PlotlyFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "dashboard.staticfiles.ManifestStaticFiles"},
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False

FILE_UPLOAD_TEMP_DIR = None
FILE_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 << 20

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "dashboard.views.refusals.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env_bool("HTTPS_ONLY")
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "dashboard.passwords.Long", "OPTIONS": {"min_length": 10}},
    {"NAME": "dashboard.passwords.Unlike"},
    {"NAME": "dashboard.passwords.Uncommon"},
]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {"no_conflicts": {"()": "config.logs.NoConflicts"}, "refusals": {"()": "config.logs.ShortRefusals"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"django.request": {"filters": ["no_conflicts", "refusals"]}},
    "root": {"handlers": ["console"], "level": env_str("LOG_LEVEL", "WARNING").upper()},
}
