#!/bin/sh
# $2 is the version that was configured before: empty at the first installation.
set -e
[ "$1" = configure ] || exit 0

if ! getent passwd changelogd >/dev/null; then
  adduser --quiet --system --group --home /var/lib/changelogd --no-create-home --gecos changelogd changelogd
fi
if [ ! -d /var/lib/changelogd ]; then
  install -d -m 0700 -o changelogd -g changelogd /var/lib/changelogd
fi
# It may get a password. Later it keeps the mode that it has.
if [ -z "$2" ] && [ -f /etc/changelogd/changelogd.env ]; then
  chown root:changelogd /etc/changelogd/changelogd.env
  chmod 0640 /etc/changelogd/changelogd.env
fi

deb-systemd-helper unmask changelogd.service changelogd-worker.service changelogd-desk.service changelogd-verify.timer >/dev/null || true
# What its operator has disabled stays so. The timer does nothing while no backups are made.
for unit in changelogd.service changelogd-verify.timer; do
  if deb-systemd-helper --quiet was-enabled "$unit"; then
    deb-systemd-helper enable "$unit" >/dev/null || true
  else
    deb-systemd-helper update-state "$unit" >/dev/null || true
  fi
done
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  if [ -n "$2" ]; then action=restart; else action=start; fi
  deb-systemd-invoke "$action" changelogd.service changelogd-verify.timer >/dev/null || true
  # Whoever wants it enables it.
  for unit in changelogd-worker.service changelogd-desk.service; do
    if systemctl --quiet is-active "$unit"; then deb-systemd-invoke restart "$unit" >/dev/null || true; fi
  done
fi
