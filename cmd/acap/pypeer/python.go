package pypeer

import (
	"os"
	"os/exec"
	"strings"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/kernel/cpu"
)

// Python returns an interpreter that runs a program without arguments, such as one that ends after its imports; "" if
// there is none. Besides the python3 of the path it tries the system's python3, which has the packages of a
// distribution; ACAP_PYTHON names another one. The error is of type [*environment.Error].
func Python(program string) (string, error) {
	interpreters := []string{"python3", "/usr/bin/python3"}
	if p := os.Getenv("ACAP_PYTHON"); p != "" {
		if _, err := exec.LookPath(p); err != nil {
			return "", &environment.Error{Variable: "ACAP_PYTHON", Value: p, Want: "a Python interpreter"}
		}
		interpreters = []string{p}
	}
	for _, python := range interpreters {
		probe := exec.Command(python, "-")
		probe.Stdin = strings.NewReader(program)
		probe.Env = Environment(1, cpu.Detect())
		if probe.Run() == nil {
			return python, nil
		}
	}
	return "", nil
}
