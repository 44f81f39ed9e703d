# Completion of changelogd for fish: ~/.config/fish/completions/changelogd.fish

function __changelogd_complete
    set -l words (commandline --tokenize --current-process --cut-at-cursor)
    set -l typed (string unescape -- (commandline --current-token --cut-at-cursor); or echo)
    set -l program (string replace --regex '^~(?=/)' -- $HOME $words[1])
    set -l lines ($program complete -- $words[2..-1] "$typed" 2>/dev/null)

    # What is offered for --option=value is the value; fish wants the whole word.
    set -l kept (string match --regex -- '^--[^=]+=' "$typed")
    set -l offered (string match --entire -- \t $lines)
    if set -q offered[1]
        printf '%s\n' "$kept"$offered
    else if contains -- :files $lines
        set -l paths (__fish_complete_path (string replace -- "$kept" '' "$typed"))
        set -q paths[1]; and printf '%s\n' "$kept"$paths
    end
end

# In our order, and no files but those that it offers.
complete --command changelogd --no-files --keep-order --arguments '(__changelogd_complete)'
