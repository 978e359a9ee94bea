package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func init() {
	register(command{"completion", "print a script with which a shell completes commands, flags and files", completion})
}

// completions are the scripts by shell. They ask acap for its commands and flags, so that they stay right.
var completions = map[string]string{
	"bash": `# acap completion bash > ~/.local/share/bash-completion/completions/acap
_acap() {
	local word="${COMP_WORDS[COMP_CWORD]}"
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$(acap help 2>/dev/null | sed -n 's/^  \([a-z0-9-]*\)  *.*/\1/p') help" -- "$word"))
	elif [ "${COMP_WORDS[1]}" = help ]; then
		COMPREPLY=($(compgen -W "$(acap help 2>/dev/null | sed -n 's/^  \([a-z0-9-]*\)  *.*/\1/p')" -- "$word"))
	elif [[ "$word" == -* ]]; then
		COMPREPLY=($(compgen -W "$(acap "${COMP_WORDS[1]}" -h 2>/dev/null | sed -n 's/^  \(-[a-z0-9-]*\).*/\1/p')" -- "$word"))
	else
		COMPREPLY=($(compgen -f -- "$word"))
	fi
}
complete -o filenames -F _acap acap
`,
	"zsh": `#compdef acap
# acap completion zsh > "${fpath[1]}/_acap"
_acap() {
	local -a list
	if (( CURRENT == 2 )) || [[ ${words[2]} == help ]]; then
		list=(${(f)"$(acap help 2>/dev/null | sed -n 's/^  \([a-z0-9-]*\)  *\(.*\)/\1:\2/p')"} 'help:show the commands, or the flags of one')
		_describe command list
	elif [[ ${words[CURRENT]} == -* ]]; then
		list=(${(f)"$(acap ${words[2]} -h 2>/dev/null | sed -n 's/^  \(-[a-z0-9-]*\).*/\1/p')"})
		compadd -- $list
	else
		_files
	fi
}
compdef _acap acap 2>/dev/null || _acap "$@"
`,
	"fish": `# acap completion fish > ~/.config/fish/completions/acap.fish
complete -c acap -f -n __fish_use_subcommand -a "(acap help 2>/dev/null | string match -rg '^  ([a-z0-9-]+ +.*)' | string replace -r ' +' \t)"
complete -c acap -f -n __fish_use_subcommand -a help -d "show the commands, or the flags of one"
complete -c acap -f -n "__fish_seen_subcommand_from help" -a "(acap help 2>/dev/null | string match -rg '^  ([a-z0-9-]+) ')"
complete -c acap -F -n "not __fish_use_subcommand" -a "(set -l words (commandline -opc); string match -q -- '-*' (commandline -ct); and acap \$words[2] -h 2>/dev/null | string match -rg '^  (-[a-z0-9-]+)')"
`,
}

func completion(args []string) error {
	shells := strings.Join(slices.Sorted(maps.Keys(completions)), "|")
	f := newFlags("completion", shells)
	shell, err := parseOne(f, args)
	if err != nil {
		return err
	}
	script, ok := completions[shell]
	if !ok {
		fmt.Fprintf(f.Output(), "acap completion: no shell %q: there are %s\n", shell, shells)
		return errUsage
	}
	_, err = fmt.Fprint(stdout, script)
	return err
}
