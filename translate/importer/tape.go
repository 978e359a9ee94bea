package importer

import (
	"errors"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// Tape is an [ops.Tape] of a model that asks for derivatives.
type Tape struct {
	Counted
	tape *ops.Tape
}

// NewTape returns a tape that records the values which are computed from inputs. No two inputs may be the same value.
func NewTape(b Counted, inputs []ops.Value) *Tape { return &Tape{b, ops.NewTape(b, inputs)} }

// Emit implements [ops.Builder].
func (t *Tape) Emit(c *ops.Call) []ops.Value { return t.tape.Emit(c) }

// Read implements [Reader] for tapes of builders that do.
func (t *Tape) Read(v ops.Value, what string) (*buf.Buffer, error) {
	if r, ok := t.Reader(); ok {
		return r.Read(v, what)
	}
	return nil, errors.New("it depends on the model's inputs")
}

// Gradients is [ops.Tape]'s Gradients for one value.
func (t *Tape) Gradients(y, cotangent ops.Value, inputs []ops.Value) []ops.Value {
	return t.tape.Gradients([]ops.Value{y}, []ops.Value{cotangent}, inputs)
}
