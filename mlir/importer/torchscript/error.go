package torchscript

import (
	"fmt"

	"github.com/go-acap/acap/mlir/importer/torchscript/script"
)

// Error is a fault of a model at a place in its code. Err may be one of the typed errors of
// package ops, such as [*ops.UnknownError] or [*ops.ShapeError].
type Error struct {
	Position script.Position
	Err      error
}

func (e *Error) Error() string { return e.Position.String() + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// fault is how the evaluator and the reader of objects report an error to the package's entry
// points; it does not leave the package.
type fault struct{ err error }

// catch turns a fault into an error, prefixed with the model's name.
func catch(name string, err *error) {
	switch f := recover().(type) {
	case nil:
	case fault:
		*err = fmt.Errorf("%s: %w", name, f.err)
	default:
		panic(f)
	}
}

func failAt(at script.Position, format string, args ...any) {
	panic(fault{&Error{at, fmt.Errorf(format, args...)}})
}
