#!/usr/bin/env bash
# What action.yml runs. Its inputs are variables of the environment. It works with the bash 3.2 of macOS.
set -eo pipefail

fail() {
  echo "::error::$1"
  exit 1
}

slug='[a-z0-9]+(-[a-z0-9]+)*'
[[ $PRODUCT =~ ^$slug/$slug$ ]] || fail 'product has to be TEAM/PRODUCT, such as acme/app.'
[[ -n $TARGET && $TARGET != -* ]] || fail 'target has to be a host, a container or a pod.'
for flag in "$DRY_RUN" "$LIST"; do
  # Anything else would mean that the command writes, against what was meant.
  [[ $flag == true || $flag == false ]] || fail 'dry-run and list have to be true or false.'
done
case $COMMAND in
  import)
    [[ -f $FILE ]] || fail 'file has to be a file. Is the repository checked out?'
    [[ ! -L $FILE ]] || fail 'file must not be a link.'
    # A pull request can replace its directory too, and so lead to any file of the runner.
    part=${FILE#"$PWD"/}
    while [[ $part != . && $part != /* ]]; do
      [[ ! -L $part ]] || fail 'file must not be reached through a link.'
      part=$(dirname -- "$part")
    done
    words=(import "$PRODUCT" -)
    ;;
  sync)
    FILE=/dev/null
    words=(sync "$PRODUCT")
    ;;
  *) fail 'command has to be import or sync.' ;;
esac

# The lines of $1 that are not empty, as the array `lines`.
split() {
  lines=()
  local line
  while IFS= read -r line; do [[ -z $line ]] || lines+=("$line"); done <<<"$1"
}
split "$ARGUMENTS"
words+=("${lines[@]}")
split "$OPTIONS"
options=("${lines[@]}")
split "$PROGRAM"
program=("${lines[@]}")

umask 077
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

case $THROUGH in
  ssh)
    [[ ${#program[@]} -gt 0 ]] || program=(changelogd)
    options=(-T -o BatchMode=yes -o StrictHostKeyChecking=yes "${options[@]}")
    if [[ -n $SSH_KEY ]]; then
      printf '%s\n' "$SSH_KEY" >"$scratch/key"
      options+=(-i "$scratch/key" -o IdentitiesOnly=yes)
    fi
    if [[ -n $SSH_KNOWN_HOSTS ]]; then
      printf '%s\n' "$SSH_KNOWN_HOSTS" >"$scratch/known_hosts"
      options+=(-o "UserKnownHostsFile=$scratch/known_hosts")
    fi
    ;;
  docker | kubectl) [[ ${#program[@]} -gt 0 ]] || program=(/changelogd) ;;
  *) fail 'through has to be ssh, docker or kubectl.' ;;
esac
unset SSH_KEY

# Runs the program there, with these arguments.
remotely() {
  case $THROUGH in
    docker) docker "${options[@]}" exec -i "$TARGET" "${program[@]}" "$@" ;;
    kubectl) kubectl "${options[@]}" exec -i "$TARGET" -- "${program[@]}" "$@" ;;
    ssh)
      # The shell there reads one text.
      local word text='' quote="'\\''"
      for word in "${program[@]}" "$@"; do text+=" '${word//\'/$quote}'"; done
      ssh "${options[@]}" -- "$TARGET" "${text# }"
      ;;
  esac
}

# Runs the command, with these arguments too, and shows what it prints in the log and in the summary. Neither takes it for
# anything but text: a changelog may have lines that look like commands of the runner, or like markup.
run() {
  local status=0 token="$RANDOM$RANDOM$RANDOM$RANDOM"
  remotely "${words[@]}" "$@" <"$FILE" >"$scratch/output" 2>&1 || status=$?
  echo "::stop-commands::$token"
  cat "$scratch/output"
  printf '\n::%s::\n' "$token"
  {
    head -c 100000 "$scratch/output" | LC_ALL=C tr -d '\000-\010\013-\037\177' | LC_ALL=C sed 's/^/    /'
    echo
  } >>"$GITHUB_STEP_SUMMARY"
  [[ $status -eq 0 ]] || fail "changelogd $COMMAND failed, with status $status. What it printed is in the summary."
}

printf '### Changelog of %s\n\n' "$PRODUCT" >>"$GITHUB_STEP_SUMMARY"
if [[ $DRY_RUN == true || $LIST == true ]]; then run --dry-run; fi
if [[ $DRY_RUN != true ]]; then run; fi
