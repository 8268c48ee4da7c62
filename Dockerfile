# The portal: web process, workers and clock are the same image with different commands. See docs/deploy.md.
FROM python:3.11.15-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1 \
    DJANGO_SETTINGS_MODULE=kbportal.settings.prod KB_VAR=/var/lib/kbportal

WORKDIR /srv/kbportal
COPY requirements/base.txt requirements/base.txt
RUN pip install --require-hashes -r requirements/base.txt

COPY . .
RUN useradd --system --uid 10001 --home-dir /var/lib/kbportal --create-home kbportal \
    && python manage.py messages --compile \
    && KB_SECRET_KEY=only-for-collecting-static-files-in-the-image-build-0123456789 KB_ALLOWED_HOSTS=localhost \
       KB_VAR=/srv/kbportal/build python manage.py collectstatic --noinput \
    && chmod 0755 docker/entrypoint.sh docker/elasticsearch-key.sh
ENV KB_STATIC_ROOT=/srv/kbportal/build/static

USER kbportal
VOLUME /var/lib/kbportal
EXPOSE 8000
ENTRYPOINT ["docker/entrypoint.sh"]
CMD ["web"]
