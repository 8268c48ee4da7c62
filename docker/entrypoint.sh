#!/bin/sh
# One image, several processes: migrate, web, worker, bulk, beat; anything else is a command of manage.py.
set -eu

if [ -n "${ELASTICSEARCH_API_KEY_FILE:-}" ]; then
    ELASTICSEARCH_API_KEY=$(cat "$ELASTICSEARCH_API_KEY_FILE")
    export ELASTICSEARCH_API_KEY
fi

case "${1:-web}" in
migrate)
    exec python manage.py migrate --noinput
    ;;
web)
    # Each process writes its counts here; whichever answers /metrics adds them up. A new start counts anew.
    PROMETHEUS_MULTIPROC_DIR=$(mktemp -d)
    export PROMETHEUS_MULTIPROC_DIR
    exec uvicorn kbportal.asgi:application --host 0.0.0.0 --port 8000 --workers "${KB_WEB_PROCESSES:-2}" \
        --lifespan off --no-access-log --no-server-header --timeout-graceful-shutdown 10
    ;;
worker)
    exec celery -A kbportal worker --queues interactive --concurrency "${KB_WORKER_PROCESSES:-2}" \
        --hostname "interactive@%h" --loglevel INFO
    ;;
bulk)
    exec celery -A kbportal worker --queues bulk --concurrency "${KB_BULK_PROCESSES:-1}" \
        --hostname "bulk@%h" --loglevel INFO
    ;;
beat)
    exec celery -A kbportal beat --schedule "$KB_VAR/beat" --pidfile "" --loglevel INFO
    ;;
*)
    exec python manage.py "$@"
    ;;
esac
