# The portal's commands. Each may be repeated and interrupted.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help up down elasticsearch logs test test-faults test-models lint style types contracts settings requirements messages

PYTHON := $(shell for p in python3.11 python3 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
VENV := .venv/bin/python
BOOTSTRAP = @test -n "$(PYTHON)" || { echo "kbportal needs Python 3.11 or newer: apt install python3.11 python3.11-venv" >&2; exit 2; }; \
	"$(PYTHON)" kbportal/embedded/bootstrap.py

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

up: ## install, start in the background, migrate, load the demo corpus, wait until the portal answers
	$(BOOTSTRAP) base
	@$(VENV) -m kbportal.embedded up

down: ## stop what `make up` started
	$(BOOTSTRAP) base
	@$(VENV) -m kbportal.embedded down

elasticsearch: ## start an Elasticsearch node from Maven's jars (JDK 17 and Maven needed), print its address
	$(BOOTSTRAP) base
	@$(VENV) -m kbportal.embedded.elasticsearch up

logs: ## follow the logs
	$(BOOTSTRAP) base
	@$(VENV) -m kbportal.embedded logs

lint: ## style, types, import contracts, migrations, translations, production settings
	$(BOOTSTRAP) base dev
	@$(MAKE) --no-print-directory --jobs=2 --output-sync types style contracts settings

style:
	@echo "ruff" && $(VENV) -m ruff check --quiet . && $(VENV) -m ruff format --quiet --check .

types:
	@echo "mypy" && $(VENV) -m mypy

contracts:
	@echo "import contracts" && said=$$($(VENV) -c 'from importlinter.cli import lint_imports_command as run; run()' \
		--no-cache 2>&1) || { echo "$$said"; exit 1; }

settings:
	@echo "migrations" && DJANGO_SETTINGS_MODULE=kbportal.settings.test $(VENV) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	@echo "translations" && DJANGO_SETTINGS_MODULE=kbportal.settings.test $(VENV) manage.py messages --check
	@echo "production settings" && KB_SECRET_KEY=$$($(VENV) -c 'import secrets; print(secrets.token_urlsafe(50))') \
		KB_ALLOWED_HOSTS=portal.example DJANGO_SETTINGS_MODULE=kbportal.settings.prod \
		$(VENV) manage.py check --deploy --fail-level WARNING

test: lint ## everything that must hold: lint, then the suite
	@OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive $(VENV) -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not faults" $(PYTEST)

test-faults: ## kill -9, full disks and wrong clocks in the middle of work, on real processes
	$(BOOTSTRAP) base dev
	@OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive $(VENV) -m pytest tests/faults $(PYTEST)

test-models: ## the parts that need PyTorch (several GB), on real and on tiny models
	$(BOOTSTRAP) base dev models test-models
	@KB_TEST_MODELS=1 $(VENV) -m pytest -m models $(PYTEST)

messages: ## bring the translation catalogs in line with the code
	$(BOOTSTRAP) base dev
	@DJANGO_SETTINGS_MODULE=kbportal.settings.test $(VENV) manage.py messages

requirements: ## pin requirements/*.in again, with hashes
	$(BOOTSTRAP) base dev
	@for group in base dev models test-models; do \
		echo "requirements/$$group.txt"; \
		$(VENV) -m uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
			--no-header --no-annotate requirements/$$group.in -o requirements/$$group.txt || exit 1; done
