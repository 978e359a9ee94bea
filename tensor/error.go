package tensor

import (
	"errors"
	"runtime"
	"strings"

	"github.com/go-acap/acap/device"
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
	trace.Need("try", "the function", f)
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
func raise(err error) { raiseIn("compute", err) }

// raiseIn is raise for an error that may not say itself which operator failed.
func raiseIn(op string, err error) {
	where := trace.Where()
	var d *DeviceError
	if !errors.As(err, &d) {
		if e := ops.At(err, where); e != nil {
			panic(e)
		}
		d = failed(op, where, err)
	}
	d.Where = where
	if where != "" { // which the cause may name, too
		d.Detail = strings.TrimPrefix(d.Detail, where+": ")
	}
	panic(d)
}

// failed is the error of a device with the operator that failed, and with the line that recorded the operator if this
// is another line.
func failed(op, where string, err error) *DeviceError {
	d := &DeviceError{Op: op, Detail: err.Error(), Err: err}
	var run *device.RunError
	if errors.As(err, &run) {
		d.Op, d.Detail = strings.TrimPrefix(run.Op, "aten."), run.Err.Error()
		if at := run.Loc.Short(); at != where && !run.Loc.IsUnknown() {
			d.Detail += " (recorded at " + at + ")"
		}
	}
	return d
}

// escape is what a panic within package fmt carries, which prints panics of String instead
// of letting them go on, unless they panic again when they are printed.
type escape struct{ err any }

func (e escape) Error() string { panic(e.err) }

// escapeFmt lets panics of a String method through if package fmt calls it.
func escapeFmt() {
	p := recover()
	if p == nil {
		return
	}
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	inside := false // of String
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if inside && strings.HasPrefix(f.Function, "fmt.") {
			panic(escape{p})
		}
		inside = strings.HasSuffix(f.Function, "tensor.(*Tensor).String")
	}
	panic(p)
}

func errorText(err error, otherwise string) string {
	if err != nil {
		return err.Error()
	}
	return otherwise
}
