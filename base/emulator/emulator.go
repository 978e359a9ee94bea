package emulator

import (
	"os"
	"os/exec"
	"strings"
)

// Variable is the environment variable that holds the command of the emulator, as words separated by spaces.
const Variable = "ACAP_EMULATOR"

// On reports whether an emulator runs this program.
func On() bool { return os.Getenv(Variable) != "" }

// Again returns the command that runs this program with other arguments, in the emulator of this process if there is
// one.
func Again(args ...string) *exec.Cmd {
	words := append(strings.Fields(os.Getenv(Variable)), os.Args[0])
	return exec.Command(words[0], append(words[1:], args...)...)
}
