package lazy

import (
	"context"
	"errors"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// located rewrites an error of a program, which may have been compiled for another trace
// of the same structure: it names the recorded call of this one, by operator and line.
func located(err error, g *trace.Graph) error {
	var failed *device.RunError
	if errors.As(err, &failed) {
		if op, loc := callAt(g, failed.Loc); op != "" {
			return &device.RunError{Op: op, Loc: loc, Err: failed.Err}
		}
	}
	var memory *device.MemoryError
	if errors.As(err, &memory) {
		e := &device.MemoryError{MemoryError: memory.MemoryError}
		for _, v := range memory.Largest {
			if op, loc := callAt(g, v.Loc); op != "" {
				v.Op, v.Loc = op, loc
			}
			e.Largest = append(e.Largest, v)
		}
		return e
	}
	return err
}

// indexed is located for a program that ran: the error of a call whose index is out of range gets the index. The
// operands are computed for this purpose. If an operand cannot be computed, the error remains as it is.
func (r *Runtime) indexed(ctx context.Context, err error, g *trace.Graph) error {
	var failed *device.RunError
	if !errors.As(err, &failed) || !strings.HasSuffix(failed.Err.Error(), device.OutOfRange) {
		return located(err, g)
	}
	n := nodeAt(g, failed.Loc)
	err = located(err, g)
	if n == nil || !errors.As(err, &failed) {
		return err
	}
	for _, x := range n.Call().Indices() {
		if r.compute(ctx, []ops.Value{x.Value}, nil) != nil {
			continue
		}
		if b := Data(x.Value); b != nil {
			if which, outside := x.Outside(b); outside {
				if x.Checked != "" {
					return &device.RunError{Op: x.Checked, Loc: failed.Loc, Err: errors.New(which)}
				}
				return &device.RunError{Op: failed.Op, Loc: failed.Loc, Err: errors.New(device.OutOfRange + ": " + which)}
			}
		}
	}
	return err
}

// callAt returns the operator of the recorded call that an operation was made from, and
// where it was recorded.
func callAt(g *trace.Graph, l mlir.Location) (op string, loc mlir.Location) {
	n := nodeAt(g, l)
	if n == nil {
		return "", l
	}
	return n.Pattern().Op.Name(), n.Location()
}

// nodeAt returns the recorded call that an operation was made from, or nil.
func nodeAt(g *trace.Graph, l mlir.Location) *trace.Node {
	for l.Serial == 0 && len(l.Fused) > 0 {
		l = l.Fused[0]
	}
	if l.Serial < 1 || l.Serial > len(g.Nodes) {
		return nil
	}
	return g.Nodes[l.Serial-1]
}
