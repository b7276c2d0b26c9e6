#!/bin/sh
# Finds a Chromium for the browser tests: one on the system, else Debian's package (as root), else Playwright's own.
set -eu
bin=$1
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null && exit 0
fi
"$bin/python" -m playwright install --with-deps chromium
