#!/bin/sh
# Removing keeps the data and the settings; purging deletes them. The user stays: files elsewhere, such as backups, may be its own.
set -e
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
fi
case "$1" in
remove)
  if command -v deb-systemd-helper >/dev/null; then deb-systemd-helper mask changelogd.service changelogd-worker.service changelogd-desk.service changelogd-verify.timer >/dev/null || true; fi
  ;;
purge)
  if command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper purge changelogd.service changelogd-worker.service changelogd-desk.service changelogd-verify.timer >/dev/null || true
    deb-systemd-helper unmask changelogd.service changelogd-worker.service changelogd-desk.service changelogd-verify.timer >/dev/null || true
  fi
  rm -rf /var/lib/changelogd
  rmdir --ignore-fail-on-non-empty /etc/changelogd 2>/dev/null || true
  ;;
esac
