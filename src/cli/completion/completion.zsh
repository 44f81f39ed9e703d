#compdef changelogd
# Completion of changelogd for zsh: a file _changelogd in a directory of $fpath,
# or, after compinit: source <(changelogd completion zsh)

_changelogd() {
  local -a typed lines described
  local line value about

  # As the program gets them, without quotes.
  typed=("${(@Q)words[2,CURRENT - 1]}" "${(Q)PREFIX}")
  lines=("${(@f)$(_call_program changelogd $words[1] complete -- ${(@qq)typed} 2>/dev/null)}")

  # What is offered for --option=value is the value.
  [[ $PREFIX == --*=* ]] && compset -P 1 '*='

  for line in $lines; do
    [[ $line == *$'\t'* ]] || continue
    value=${line%%$'\t'*}
    about=${line#*$'\t'}
    described+=("${value//:/\\:}${about:+:$about}")
  done

  if (( $#described )); then
    # In our order.
    _describe -V changelogd described
  elif (( ${lines[(I):files]} )); then
    _files
  fi
}

if [[ $funcstack[1] == _changelogd ]]; then
  _changelogd "$@"
else
  compdef _changelogd changelogd
fi
