#!/bin/sh
# Installs changelogd @VERSION@ for this machine:
#   sh install.sh [--from PLACE] [--prefix DIRECTORY]
# PLACE is the address, or the directory, that has the files of the release; without it, the directory of this script, or the
# address that the release was built for.
# The prefix is /usr/local, or ~/.local for users other than root. Nothing is installed unless the archive has the
# sum that SHA256SUMS names, and the program in it runs.
set -eu

version='@VERSION@'
address='@ADDRESS@'
from=''
prefix=''

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case "$1" in
  --from | --prefix)
    [ $# -ge 2 ] || fail "$1 needs a value."
    if [ "$1" = --from ]; then from=$2; else prefix=$2; fi
    shift 2
    ;;
  --help | -h)
    echo 'Usage: sh install.sh [--from ADDRESS-OR-DIRECTORY] [--prefix DIRECTORY]'
    echo '  --from    web address or directory with the files of the release (default: the directory of this script)'
    echo '  --prefix  directory to install to (default: /usr/local for root, ~/.local for other users)'
    exit 0
    ;;
  *) fail "Unknown option $1. Usage: sh install.sh [--from ADDRESS-OR-DIRECTORY] [--prefix DIRECTORY]" ;;
  esac
done

if [ -z "$from" ]; then
  from=$(dirname "$0")
  if ! [ -f "$0" ] || ! [ -f "$from/SHA256SUMS" ]; then from=$address; fi
  [ -n "$from" ] ||
    fail 'The release is not beside this script. Say where it is: sh install.sh --from ADDRESS-OR-DIRECTORY'
fi
if [ -z "$prefix" ]; then
  if [ "$(id -u)" -eq 0 ]; then
    prefix=/usr/local
  else
    prefix=${HOME:-}/.local
    [ "$prefix" != /.local ] || fail 'HOME is not set: name a directory with --prefix.'
  fi
fi

platform() {
  case "$(uname -m)" in
  x86_64 | amd64) cpu=x64 ;;
  aarch64 | arm64) cpu=arm64 ;;
  *) fail "There is no release for the processor $(uname -m)." ;;
  esac
  case "$(uname -s)" in
  Linux)
    # Only musl has a loader of this name; a machine with both is one of glibc.
    if [ -n "$(find /lib /usr/lib -maxdepth 1 -name 'ld-musl-*' 2>/dev/null)" ] && ! has_glibc; then
      echo "linux-$cpu-musl"
    else
      echo "linux-$cpu"
    fi
    ;;
  Darwin) echo "darwin-$cpu" ;;
  *) fail "There is no release for $(uname -s) that this script can install." ;;
  esac
}

has_glibc() {
  for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
    if [ -e "$loader" ]; then return 0; fi
  done
  return 1
}

# Takes the file $1 of the release.
take() {
  case "$from" in
  http://* | https://*)
    if command -v curl >/dev/null; then
      curl -fsSL -o "$work/$1" "$from/$1" || fail "Cannot download $from/$1."
    elif command -v wget >/dev/null; then
      wget -q -O "$work/$1" "$from/$1" || fail "Cannot download $from/$1."
    else
      fail 'Install curl or wget first.'
    fi
    ;;
  *) cp "$from/$1" "$work/$1" || fail "Cannot copy $from/$1." ;;
  esac
}

sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null; then
    openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  else
    fail 'Install sha256sum, shasum or openssl first: the archive cannot be checked without.'
  fi
}

# Puts the file $1 at $prefix/$2 with mode $3. The old one is there until the new one is whole.
put() {
  target=$prefix/$2
  partial=$target.partial-$$
  mkdir -p "$(dirname "$target")" && cp "$1" "$partial" && chmod "$3" "$partial" && mv -f "$partial" "$target" ||
    fail "Cannot write $target. Name another directory with --prefix, or run this as root."
  partial=''
}

partial=''
work=$(mktemp -d)
trap 'rm -rf "$work"; if [ -n "$partial" ]; then rm -f "$partial"; fi' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

name=changelogd-$version-$(platform)
archive=$name.tar.gz
take SHA256SUMS
expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$work/SHA256SUMS")
[ -n "$expected" ] || fail "SHA256SUMS does not name $archive."
take "$archive"
found=$(sum_of "$work/$archive")
[ "$found" = "$expected" ] || fail "$archive has the sum $found, not $expected as in SHA256SUMS. Nothing was installed."

tar -xzf "$work/$archive" -C "$work"
files=$work/$name
"$files/changelogd" --version >"$work/version" ||
  fail "The program does not run on this machine. Nothing was installed. (On Alpine Linux it needs: apk add libstdc++. If $work is on a file system mounted with noexec, set TMPDIR to a directory elsewhere.)"

# Every user may run it, whatever the umask is.
umask 022
for page in "$files"/man/man1/*; do put "$page" "share/man/man1/$(basename "$page")" 644; done
put "$files/completions/changelogd.bash" share/bash-completion/completions/changelogd 644
put "$files/completions/_changelogd" share/zsh/site-functions/_changelogd 644
put "$files/completions/changelogd.fish" share/fish/vendor_completions.d/changelogd.fish 644
put "$files/changelogd" bin/changelogd 755

echo "Installed changelogd $version: $prefix/bin/changelogd"
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "$prefix/bin is not in PATH yet." ;;
esac
