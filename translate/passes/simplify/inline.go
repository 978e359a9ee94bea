package simplify

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

const (
	// inlineLimit is the number of operations that inlining may add to a module.
	inlineLimit = 1 << 20
	// maxCallers bounds the callers that an inlined operation remembers.
	maxCallers = 16
)

// Inline replaces calls of functions with one block by their bodies, callees first.
// Recursive functions stay calls. How much that adds is counted before anything is
// changed; too much is an error.
func Inline(module *mlir.Operation) error {
	in := &inliner{funcs: map[string]*mlir.Operation{}, order: map[*mlir.Operation]int{}}
	funcs := module.Funcs()
	for _, f := range funcs {
		in.funcs[f.Symbol()] = f
	}
	sorted := in.postorder(funcs)
	if err := in.forecast(sorted); err != nil {
		return err
	}
	for _, f := range sorted {
		if err := mlir.Rewrite(f, func(r *mlir.Rewriter, op *mlir.Operation) error {
			if callee := in.inlined(f, op); callee != nil {
				in.expand(r, op, callee.Body())
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

type inliner struct {
	funcs map[string]*mlir.Operation
	order map[*mlir.Operation]int // callees have lower numbers, unless they are recursive
}

// postorder lists functions behind what they call. It keeps its own stack, for call
// chains can be long.
func (in *inliner) postorder(funcs []*mlir.Operation) []*mlir.Operation {
	type frame struct {
		f       *mlir.Operation
		callees []*mlir.Operation
	}
	var sorted []*mlir.Operation
	seen := map[*mlir.Operation]bool{}
	for _, f := range funcs {
		if seen[f] {
			continue
		}
		seen[f] = true
		stack := []frame{{f, in.callees(f)}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.callees) == 0 {
				in.order[top.f] = len(sorted)
				sorted = append(sorted, top.f)
				stack = stack[:len(stack)-1]
				continue
			}
			next := top.callees[0]
			top.callees = top.callees[1:]
			if !seen[next] {
				seen[next] = true
				stack = append(stack, frame{next, in.callees(next)})
			}
		}
	}
	return sorted
}

// callee returns the function that op calls, or nil.
func (in *inliner) callee(op *mlir.Operation) *mlir.Operation {
	name, ok := op.Attrs.Get("callee").(mlir.SymbolRefAttr)
	if op.Name != "func.call" || !ok || len(name) != 1 {
		return nil
	}
	return in.funcs[name[0]]
}

func (in *inliner) callees(f *mlir.Operation) []*mlir.Operation {
	var list []*mlir.Operation
	f.Walk(func(op *mlir.Operation) {
		if callee := in.callee(op); callee != nil {
			list = append(list, callee)
		}
	})
	return list
}

// inlined returns the function whose body replaces an operation of f, or nil.
func (in *inliner) inlined(f, op *mlir.Operation) *mlir.Operation {
	callee := in.callee(op)
	if callee == nil || in.order[callee] >= in.order[f] || len(callee.Regions[0].Blocks) != 1 {
		return nil
	}
	return callee
}

// forecast counts what inlining adds, function by function.
func (in *inliner) forecast(sorted []*mlir.Operation) error {
	size := map[*mlir.Operation]int{} // with what is inlined
	added := 0
	for _, f := range sorted {
		var last *mlir.Operation
		f.Walk(func(op *mlir.Operation) {
			size[f]++
			if callee := in.inlined(f, op); callee != nil && added <= inlineLimit {
				size[f] += size[callee]
				added += size[callee]
				last = op
			}
		})
		if added > inlineLimit {
			return mlir.Diagnostics{{Loc: last.Loc, Message: fmt.Sprintf(
				"inlining adds more than %d operations", inlineLimit)}}
		}
	}
	return nil
}

// expand puts a copy of a body in the place of a call.
func (in *inliner) expand(r *mlir.Rewriter, call *mlir.Operation, body *mlir.Block) {
	inside := map[*mlir.Value]*mlir.Value{}
	for i, a := range body.Args {
		inside[a] = call.Operands[i]
	}
	for _, op := range body.Ops {
		if op.Name == "func.return" {
			results := make([]*mlir.Value, len(op.Operands))
			for i, v := range op.Operands {
				results[i] = v
				if to, ok := inside[v]; ok {
					results[i] = to
				}
			}
			r.Replace(results...)
			return
		}
		c := op.Clone(inside)
		c.Loc = calledFrom(op.Loc, call.Loc)
		r.Block.Append(c)
	}
}

// calledFrom adds a caller to a location.
func calledFrom(l, caller mlir.Location) mlir.Location {
	if l.IsUnknown() || caller.IsUnknown() || len(l.Callers) >= maxCallers {
		return l
	}
	l.Callers = append(l.Callers[:len(l.Callers):len(l.Callers)], caller)
	return l
}
