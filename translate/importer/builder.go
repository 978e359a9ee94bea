package importer

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Builder receives a model's computation.
type Builder interface {
	ops.Builder
	// Constant adds a tensor whose elements are known: a parameter, under its name, or a
	// constant of the program, whose name is empty. The buffer must not be changed.
	Constant(name string, data *buf.Buffer) ops.Value
	// SetLocation says where in the model the calls that follow come from. The location's
	// name is the path of the module or the name of the node.
	SetLocation(mlir.Location)
}

// Counted is a Builder that calls Count before every call of an operator.
type Counted struct {
	Builder
	Count func()
}

// Emit implements [ops.Builder].
func (c Counted) Emit(call *ops.Call) []ops.Value {
	c.Count()
	return c.Builder.Emit(call)
}

// Reader returns the Builder as a [Reader], if it is one.
func (c Counted) Reader() (Reader, bool) {
	r, ok := c.Builder.(Reader)
	return r, ok
}

// Reader is a Builder that can tell the elements of a value that it was given. An importer asks for
// those that a model's structure depends on: an input that holds a shape, the condition of a loop.
// Later calls then hold for these elements only.
type Reader interface {
	Builder
	// Read returns the elements of a value. The buffer must not be changed. Messages say what they are read for:
	// "the condition".
	Read(v ops.Value, what string) (*buf.Buffer, error)
}

// Warner is a Builder that is told what an importer leaves out, which is no error.
type Warner interface {
	Builder
	// Warn is called with a sentence for whoever runs the model.
	Warn(text string)
}

// Warn tells the Builder, if it is a [Warner].
func (c Counted) Warn(text string) {
	if w, ok := c.Builder.(Warner); ok {
		w.Warn(text)
	}
}
