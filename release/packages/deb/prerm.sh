#!/bin/sh
set -e
# An upgrade restarts the service once, after the new files are in place.
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  deb-systemd-invoke stop changelogd-verify.timer changelogd-desk.service changelogd-worker.service changelogd.service >/dev/null || true
fi
