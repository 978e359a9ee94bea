package lazy

import (
	"errors"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
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

// callAt returns the operator of the recorded call that an operation was made from, and
// where it was recorded.
func callAt(g *trace.Graph, l mlir.Location) (op string, loc mlir.Location) {
	for l.Serial == 0 && len(l.Fused) > 0 {
		l = l.Fused[0]
	}
	if l.Serial < 1 || l.Serial > len(g.Nodes) {
		return "", l
	}
	n := g.Nodes[l.Serial-1]
	return n.Pattern().Op.Name(), n.Location()
}
