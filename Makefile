# Podium's two commands are `make run` and `make test`; both set up everything that they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A process for each core, up to four. They take the tests in order and few at a time, so that all have work to the end.
PYTEST := $(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4 --maxschedchunk=4

.PHONY: help run setup test check lint types imports fmt plugin clean

help: ## what one can make
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

run: $(VENV)/.runtime ## start the dashboard with a demo cluster
	@exec $(BIN)/python manage.py up

setup: $(VENV)/.runtime ## only the set-up

test: $(VENV)/.dev $(VENV)/.browser check ## set-up, all checks, all tests
	$(PYTEST)
	@if [ -n "$$TEST_POSTGRES_URL" ]; then \
	    echo "Once more on PostgreSQL: what needs a database"; \
	    DATABASE_URL="$$TEST_POSTGRES_URL" $(PYTEST) -m "database and not browser"; \
	fi

check: $(VENV)/.dev lint types imports ## the checks without the tests

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

fmt: $(VENV)/.dev ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

plugin: $(VENV)/.dev ## write a new algorithm and its test: make plugin name=MyAlgorithm
	@$(BIN)/python manage.py newplugin $(name)

clean: ## remove what the set-up made (the data in var/ stays)
	rm -rf $(VENV)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("Podium needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "error: this Python has no venv module; on Debian: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.runtime: requirements.txt $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.runtime

$(VENV)/.browser: $(VENV)/.dev scripts/browser.sh
	sh scripts/browser.sh $(BIN)
	@touch $@
