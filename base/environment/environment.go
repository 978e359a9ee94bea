// Package environment reads settings from environment variables. A value that cannot be
// used is an error of type [*Error], never ignored.
//
//	ACAP_KERNELS    what kernels are compiled to: avx512, avx2 or portable (package cpu)
//	ACAP_PROCESSOR  a processor to compile and run as: avx2,l2=256K,cores=4 (cpu.Features.As)
//	ACAP_TUNE       1 times the forms of kernels that are close by estimate (package tune)
//	ACAP_INT4_LAYOUT
//	                how PyTorch packed weights of 4 bits: avx512, avx2 or none (package torchscript)
//	ACAP_CODE       how machine code lies in memory: shared, or fresh under emulators (exec.Variable)
//	ACAP_THREADS    threads of a program (workers.Threads)
//	ACAP_COMPILE_PARALLELISM, or COMPILE_PARALLELISM
//	                goroutines that compile at once (parallel.Goroutines)
//	ACAP_MEMORY     what a tensor or a run may need: 8G (buf.Limit)
package environment

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

// Error says that an environment variable has a value that cannot be used.
type Error struct {
	Variable, Value string
	Want            string // what is accepted
}

func (e *Error) Error() string { return fmt.Sprintf("%s=%q: want %s", e.Variable, e.Value, e.Want) }

// IsError reports whether an error comes from an [Error].
func IsError(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// Int returns the whole number from low to high that a variable has, or def if it is not
// set or empty. what names the number in errors.
func Int(variable, what string, low, high, def int) (int, error) {
	value := os.Getenv(variable)
	if value == "" {
		return def, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < low || n > high {
		return 0, &Error{variable, value, fmt.Sprintf("%s from %d to %d", what, low, high)}
	}
	return n, nil
}
