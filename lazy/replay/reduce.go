package replay

import (
	"context"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
)

// Reduced is a small program that a device computes otherwise than the reference.
type Reduced struct {
	Program *mlir.Operation
	Inputs  []*buf.Buffer
	Finding *Finding
}

// Reduce finds what [Bisect] finds and makes the program smaller while it still differs:
// calls become inputs, with the values that the reference computes for them. It returns nil if nothing
// differs. Errors are those of [Bisect].
func Reduce(ctx context.Context, dev device.Device, module *mlir.Operation, inputs []*buf.Buffer, tol Tolerance) (
	*Reduced, error) {
	s, err := newSearch(ctx, dev, module, inputs, tol)
	if err != nil {
		return nil, err
	}
	f, err := s.find()
	if f == nil || err != nil {
		return nil, err
	}
	last := f.op
	list := s.slice(last)
	// Large pieces first, from the front; then each call alone, until nothing goes any more.
	for size := len(list) - 1; size > 0; size /= 2 {
		for at := 0; at+size < len(list); {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			fewer := slices.Delete(slices.Clone(list), at, at+size)
			if s.differs(live(fewer, last), last) != "" {
				list = live(fewer, last)
			} else {
				at += size
			}
		}
	}
	p := newPart(list, last.Results)
	r := &Reduced{Program: p.module, Finding: f}
	for _, v := range p.inputs {
		r.Inputs = append(r.Inputs, s.values[v])
	}
	return r, nil
}

// live keeps the operations that the last one needs.
func live(list []*mlir.Operation, last *mlir.Operation) []*mlir.Operation {
	needed := map[*mlir.Operation]bool{last: true}
	var out []*mlir.Operation
	for _, op := range slices.Backward(list) {
		if !needed[op] {
			continue
		}
		out = append(out, op)
		for _, v := range op.Operands {
			if v.Def != nil {
				needed[v.Def] = true
			}
		}
	}
	slices.Reverse(out)
	return out
}
