package device

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// OutOfRange is what the error of an operation says whose indices are not in their tensor.
const OutOfRange = "index out of range"

// RunError is an operation that failed while its program ran.
type RunError struct {
	Op  string // the operation as it was compiled, such as "linalg.generic"
	Loc mlir.Location
	Err error
}

func (e *RunError) Error() string {
	text := e.Err.Error()
	if !strings.HasPrefix(text, strings.TrimPrefix(e.Op, "aten.")+": ") { // a host operator names itself
		text = e.Op + ": " + text
	}
	return e.Loc.Prefix(text)
}

// Unwrap returns the cause.
func (e *RunError) Unwrap() error { return e.Err }
