package ops

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/shape"
)

// ShapeError reports operands whose shapes an operator does not accept.
type ShapeError struct {
	Op     string
	Detail string // names the shapes and the rule
	Where  string // file:line of the caller, if known
	Err    error  // the cause, if any: a [*buf.MemoryError]
	inside string // the operator of Op's expansion that found it, if any
}

// Unwrap returns the cause.
func (e *ShapeError) Unwrap() error { return e.Err }

// DTypeError reports operands whose element types an operator does not accept.
type DTypeError struct {
	Op, Detail, Where string
	inside            string
}

// ArgError reports an argument whose kind or value an operator does not accept.
type ArgError struct {
	Op, Detail, Where string
	inside            string
}

func (e *ShapeError) Error() string { return message(e.Op, e.inside, e.Detail, e.Where) }
func (e *DTypeError) Error() string { return message(e.Op, e.inside, e.Detail, e.Where) }
func (e *ArgError) Error() string   { return message(e.Op, e.inside, e.Detail, e.Where) }

func message(op, inside, detail, where string) string {
	text := op + ": " + detail
	if inside != "" {
		text = op + ": " + inside + ": " + detail
	}
	if where != "" {
		text = where + ": " + text
	}
	return text
}

// At sets the caller's position in the typed error that err comes from and returns it;
// nil if there is none.
func At(err error, where string) error {
	var s *ShapeError
	var d *DTypeError
	var a *ArgError
	switch {
	case errors.As(err, &s):
		s.Where = where
		return s
	case errors.As(err, &d):
		d.Where = where
		return d
	case errors.As(err, &a):
		a.Where = where
		return a
	}
	return nil
}

// ErrDataDependent is the error of Infer if the result types depend on the values of the operands. The call then runs
// at once, on the host.
var ErrDataDependent = errors.New("the result's shape depends on data")

// wrap gives an error of a call its type and the operator's name. Of an error inside an
// expansion, the operator that found it stays in the text.
func (c *Call) wrap(err error) error {
	var s *ShapeError
	var d *DTypeError
	var a *ArgError
	var se *shape.Error
	var de *shape.DimError
	name := c.Op.Name()
	within := func(op, inside *string) {
		if *inside == "" && *op != name && *op != c.Op.Functional().Name() {
			*inside = *op
		}
		*op = name
	}
	switch {
	case errors.As(err, &s):
		e := *s
		within(&e.Op, &e.inside)
		return &e
	case errors.As(err, &d):
		e := *d
		within(&e.Op, &e.inside)
		return &e
	case errors.As(err, &a):
		e := *a
		within(&e.Op, &e.inside)
		return &e
	case errors.As(err, &se), errors.As(err, &de):
		return &ShapeError{Op: name, Detail: err.Error()}
	}
	return err
}

// ShapeErrorf makes a [*ShapeError] of this call.
func (c *Call) ShapeErrorf(format string, args ...any) error {
	return &ShapeError{Op: c.Op.Name(), Detail: fmt.Sprintf(format, args...)}
}

// DTypeErrorf makes a [*DTypeError] of this call.
func (c *Call) DTypeErrorf(format string, args ...any) error {
	return &DTypeError{Op: c.Op.Name(), Detail: fmt.Sprintf(format, args...)}
}

// ArgErrorf makes an [*ArgError] of this call.
func (c *Call) ArgErrorf(format string, args ...any) error {
	return &ArgError{Op: c.Op.Name(), Detail: fmt.Sprintf(format, args...)}
}
