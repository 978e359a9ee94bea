package tensor

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// The typed panics of expressions.
type (
	// ShapeError reports operands whose shapes an operator does not accept.
	ShapeError = ops.ShapeError
	// DTypeError reports operands whose element types an operator does not accept.
	DTypeError = ops.DTypeError
	// ArgError reports an argument of the wrong kind or value.
	ArgError = ops.ArgError
)

// DeviceError reports operands on different devices, or a computation that
// failed on its device.
type DeviceError struct {
	Op, Detail, Where string
	Err               error // the cause, if any
}

func (e *DeviceError) Error() string {
	text := e.Op + ": " + e.Detail
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return text
}

// Unwrap returns the cause.
func (e *DeviceError) Unwrap() error { return e.Err }

// Try runs f and returns the typed panics of expressions as an error. Any other
// panic goes on.
func Try(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *DeviceError:
			err = p
		default:
			panic(p)
		}
	}()
	return ops.Try(f)
}

// raise panics with a typed error that names the line outside this module's
// packages that led here.
func raise(err error) {
	where := caller()
	var d *DeviceError
	if !errors.As(err, &d) {
		if e := ops.At(err, where); e != nil {
			panic(e)
		}
		d = &DeviceError{Op: "compute", Detail: err.Error(), Err: err}
	}
	d.Where = where
	panic(d)
}

// caller returns "file:line" of the innermost frame outside the tensor layers.
func caller() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !trace.Internal(f) {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

func errorText(err error, otherwise string) string {
	if err != nil {
		return err.Error()
	}
	return otherwise
}
