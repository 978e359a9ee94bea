package tune

import "github.com/go-acap/acap/base/environment"

// Variable is the environment variable that has programs tune their kernels: 1 does, 0 and no value do not.
const Variable = "ACAP_TUNE"

// Setting tells what [Variable] says. The error is an [*environment.Error].
func Setting() (on bool, err error) {
	n, err := environment.Int(Variable, "a whole number", 0, 1, 0)
	return n == 1, err
}
