package torchscript

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/translate/importer"
)

// Error is a fault of a model at a place in its code. Err may be one of the typed errors of
// package ops, such as [*ops.UnknownError] or [*ops.ShapeError].
type Error struct {
	Position script.Position
	Origin   string // file:line:col of the original Python, if the file says it
	Err      error
}

func (e *Error) Error() string {
	message := e.Position.String() + ": " + e.Err.Error()
	if e.Origin != "" {
		message += " (from " + e.Origin + ")"
	}
	return message
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// fault is how the evaluator and the reader of objects report an error to the package's entry
// points; it does not leave the package.
type fault struct{ err error }

// catch turns a fault into an error that begins with the model's name. An error in the code also
// says where its line comes from.
func (m *Model) catch(err *error) {
	switch f := recover().(type) {
	case nil:
	case fault:
		var e *Error
		if errors.As(f.err, &e) {
			if origin, ok := m.library.origin(e.Position); ok {
				e.Origin = origin.Short()
			}
		}
		*err = fmt.Errorf("%s: %w", m.Name, f.err)
	default:
		bug := importer.Bug(f)
		if bug == nil {
			panic(f)
		}
		*err = fmt.Errorf("%s: %w", m.Name, bug)
	}
}

func failAt(at script.Position, format string, args ...any) {
	panic(fault{&Error{Position: at, Err: fmt.Errorf(format, args...)}})
}
