package importer

import (
	"errors"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// Host is a [Reader] that runs calls, whose result types depend on elements, itself, and keeps what gradients need.
type Host interface {
	Reader
	RunHost(c *ops.Call) ([]ops.Value, error)
}

// Compute gives a call to a builder whose result types depend on elements. The operator's Determine writes the call
// with what the elements decide. Without one its results are computed on the host: by the builder, or to be constants.
// A builder that knows no elements, and an operator without a way to compute them, give [ops.ErrDataDependent]; other
// errors are those of the call.
func Compute(b Counted, c *ops.Call) ([]ops.Value, error) {
	r, ok := b.Reader()
	if !ok {
		return nil, ops.ErrDataDependent
	}
	if err := c.Init(); err == nil {
		return b.Emit(c), nil
	} else if !errors.Is(err, ops.ErrDataDependent) {
		return nil, err
	}
	if c.Op.Determine != nil {
		return c.Op.Determine(ops.Emit{Builder: b}, c, r)
	}
	if h, ok := r.(Host); ok {
		return h.RunHost(c)
	}
	if c.Op.Host == nil {
		return nil, ops.ErrDataDependent
	}
	results, err := computed(r, c)
	values := make([]ops.Value, len(results))
	for i, b := range results {
		values[i] = r.Constant("", b)
	}
	return values, err
}

// computed returns the results of a call on the elements of its operands.
func computed(r Reader, c *ops.Call) ([]*buf.Buffer, error) {
	var err error
	args := c.Map(func(v ops.Value) ops.Value {
		b, failed := r.Read(v, "the operand of "+c.Op.Name())
		if failed != nil {
			err = failed
			return v
		}
		return ops.BufferValue{Buffer: b}
	})
	if err != nil {
		return nil, err
	}
	return c.Op.Host(&ops.HostCall{Call: &ops.Call{Op: c.Op, Args: args}})
}
