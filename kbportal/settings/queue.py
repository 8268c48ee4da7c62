"""Background work: broker, queues, limits and the clock. See the Redis transport's notes in docs/deploy.md."""

from __future__ import annotations

from celery.schedules import crontab

from kbportal import env
from kbportal.embedded.paths import instance

CELERY_BROKER_URL = env.text("CELERY_BROKER_URL", f"redis+socket://{instance().valkey_socket}?virtual_host=0")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 10,
    "socket_timeout": 10,
}
CELERY_TASK_DEFAULT_QUEUE = "interactive"  # what people wait for; imports, checks and sweeping go to "bulk"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 780
CELERY_TASK_TIME_LIMIT = 840  # below the visibility time-out, or a long task would be handed out twice
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# Over half of it a worker's process is replaced after its task; at all of it the task fails with a MemoryError.
KB_WORKER_MEMORY_MB = env.integer("KB_WORKER_MEMORY_MB", 2048, least=256)
CELERY_WORKER_MAX_MEMORY_PER_CHILD = KB_WORKER_MEMORY_MB * 1024 // 2

CELERY_BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    "stale jobs": {"task": "documents.tasks.offer_stale_jobs", "schedule": 60.0},
    "alarms": {"task": "documents.tasks.watch", "schedule": 60.0},
    "check of the index": {
        "task": "documents.tasks.ask_for",
        "args": ("check_index",),
        "schedule": crontab(hour="3", minute="10"),
    },
    "check of the chains": {
        "task": "documents.tasks.ask_for",
        "args": ("verify_chains",),
        "schedule": crontab(hour="2", minute="10"),
    },
    "sweeping": {
        "task": "documents.tasks.ask_for",
        "args": ("maintenance",),
        "schedule": crontab(hour="4", minute="20"),
    },
}

KB_JOBS = "queue"  # "inline" runs a job in the process that asked for it
KB_PROPAGATION_SECONDS = {
    "high": env.integer("KB_PROPAGATION_HIGH_SECONDS", 5, least=1),
    "normal": env.integer("KB_PROPAGATION_NORMAL_SECONDS", 60, least=1),
    "low": env.integer("KB_PROPAGATION_LOW_SECONDS", 900, least=1),
}
KB_CACHE_CHECKS = ["chat.kept.differences"]  # what looks into caches: each says what differs from the tables
