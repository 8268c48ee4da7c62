"""What every deployment shares. Values come from `kbportal.env`, so a bad one stops the start with a clear sentence."""

from __future__ import annotations

from csp.constants import NONE, SELF

from kbportal import env
from kbportal.embedded.paths import ROOT, instance
from kbportal.logs import logging_config
from kbportal.settings.parts import backends
from kbportal.settings.queue import *  # noqa: F403

BASE_DIR = ROOT
INSTANCE = instance()

DEBUG = False
ROOT_URLCONF = "kbportal.urls"
ASGI_APPLICATION = "kbportal.asgi.application"
WSGI_APPLICATION = "kbportal.wsgi.application"

INSTALLED_APPS = [
    "kbportal.apps.PortalAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "rest_framework",
    "rest_framework.authtoken",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "guardian",
    "pgtrigger",
    "pghistory",
    "axes",
    "csp",
    "django_prometheus",
    "documents",
    "governance",
    "chat",
    "evaluation",
    "kbportal.apps.KbportalConfig",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "kbportal.language.ChosenLanguageMiddleware",
    "kbportal.errors.ApiProblemMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "axes.middleware.AxesMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

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
                "kbportal.navigation.navigation",
            ]
        },
    }
]

# Storage
# The web process asks for a pool (kbportal/asgi.py): its threads come and go. A command has one connection.
DATABASES = {
    "default": env.database(env.text("DATABASE_URL", INSTANCE.database_url), pool=env.integer("KB_DB_POOL", 0))
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": env.text("CACHE_URL", f"unix://{INSTANCE.valkey_socket}?db=1"),
        "OPTIONS": {"socket_timeout": 3, "socket_connect_timeout": 3},
        "KEY_PREFIX": "kb",
    }
}
MEDIA_ROOT = INSTANCE.var / "files"  # originals, served only through a check of the reader
KB_INDEX_PATH = INSTANCE.var / "index"
STATIC_URL = "static/"

# People
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "/entrar/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/entrar/"
ANONYMOUS_USER_NAME = None  # guardian would make a user that can be granted things
GUARDIAN_MONKEY_PATCH_USER = False
SILENCED_SYSTEM_CHECKS = ["guardian.W001"]  # grants are asked of our own queries, never of its backend
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

# Language and time
LANGUAGE_CODE = "pt-br"
LANGUAGES = [("pt-br", "Português"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "kbportal.formats"
TIME_ZONE = env.text("KB_TIME_ZONE", "America/Sao_Paulo")
CELERY_TIMEZONE = TIME_ZONE
USE_I18N = True
USE_TZ = True

# What a browser may do with our pages
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = False  # the chat page's own script sends it back
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "kbportal.authentication.TokenAuthentication",
        "kbportal.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PAGINATION_CLASS": "kbportal.paging.Pages",
    "PAGE_SIZE": 50,
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "kbportal.errors.exception_handler",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "kbportal",
    "DESCRIPTION": "Governed documents, their revisions, and the evidence of answers.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/",
    "ENUM_NAME_OVERRIDES": {
        "DocumentKind": "documents.models.document.Document.Kind",
        "RelationKind": "documents.models.document.Relation.Kind",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "kbportal.openapi.with_chat",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

KB_QUESTIONS_A_MINUTE = env.integer("KB_QUESTIONS_A_MINUTE", 600, least=1)  # by person
KB_BACKENDS = backends()

LOGGING_CONFIG = "kbportal.logs.configure"
LOGGING = logging_config(env.choice("KB_LOG_FORMAT", "text", ("text", "json")), env.text("KB_LOG_LEVEL", "INFO"))
