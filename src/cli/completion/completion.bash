# Completion of changelogd for bash: source <(changelogd completion bash)
# It needs no other package.

_changelogd() {
  local words=() word='' glue='' line value

  # Bash splits words at : and =, which are part of ours, and leaves the backslashes in them.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    word=${word//\\/}
    if [[ ${#words[@]} -gt 0 && ( -n $glue || $word == [:=]* ) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    [[ $word == *[:=] ]] && glue=yes || glue=''
  done

  # What bash replaces is only the last part of the word; the part before it stays.
  [[ $glue ]] && word=''
  local typed=${words[${#words[@]} - 1]}
  local kept=${typed%"$word"}

  COMPREPLY=()
  local files=''
  while IFS= read -r line; do
    [[ $line == :files ]] && files=yes
    [[ $line == *$'\t'* ]] || continue
    value=${line%%$'\t'*}
    printf -v value %q "${value#"$kept"}"
    COMPREPLY+=("$value")
  done < <("${1/#\~/$HOME}" complete -- "${words[@]}" 2>/dev/null)

  # The bash of macOS cannot leave files out.
  [[ $files ]] || compopt +o default 2>/dev/null
}

# Files, where changelogd has nothing else to offer. The order is ours where bash can keep it.
complete -o default -o nosort -F _changelogd changelogd 2>/dev/null ||
  complete -o default -F _changelogd changelogd
