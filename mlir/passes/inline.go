package passes

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// inlineLimit is the number of operations that inlining may add to a module.
const inlineLimit = 1 << 22

// Inline replaces calls of functions with one block by their bodies, callees first.
// Recursive functions stay calls.
func Inline(module *mlir.Operation) error {
	in := &inliner{funcs: map[string]*mlir.Operation{}, state: map[*mlir.Operation]visit{}}
	for _, f := range module.Funcs() {
		if name, ok := f.Attrs.Get("sym_name").(mlir.StringAttr); ok {
			in.funcs[string(name)] = f
		}
	}
	for _, f := range module.Funcs() {
		if err := in.postorder(f); err != nil {
			return err
		}
	}
	return nil
}

type visit uint8

const (
	unseen visit = iota
	open         // on the path: a call of it is recursive
	done
)

type inliner struct {
	funcs map[string]*mlir.Operation
	state map[*mlir.Operation]visit
	added int
}

// postorder inlines into the functions that f calls and then into f. It keeps its
// own stack, for call chains can be long.
func (in *inliner) postorder(f *mlir.Operation) error {
	type frame struct {
		f       *mlir.Operation
		callees []*mlir.Operation
	}
	if in.state[f] != unseen {
		return nil
	}
	in.state[f] = open
	stack := []frame{{f, in.callees(f)}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.callees) == 0 {
			if err := in.into(top.f); err != nil {
				return err
			}
			in.state[top.f] = done
			stack = stack[:len(stack)-1]
			continue
		}
		next := top.callees[0]
		top.callees = top.callees[1:]
		if in.state[next] == unseen {
			in.state[next] = open
			stack = append(stack, frame{next, in.callees(next)})
		}
	}
	return nil
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

// into replaces the calls in f whose callees are done.
func (in *inliner) into(f *mlir.Operation) error {
	values := map[*mlir.Value]*mlir.Value{}
	var err error
	f.Walk(func(op *mlir.Operation) {
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				if err == nil {
					err = in.block(b, values)
				}
			}
		}
	})
	if len(values) > 0 {
		f.Walk(func(op *mlir.Operation) { op.ReplaceUses(values) })
	}
	return err
}

func (in *inliner) block(b *mlir.Block, values map[*mlir.Value]*mlir.Value) error {
	ops := b.Ops
	b.Ops = make([]*mlir.Operation, 0, len(ops))
	for _, op := range ops {
		callee := in.callee(op)
		if callee == nil || in.state[callee] != done || len(callee.Regions[0].Blocks) != 1 {
			b.Append(op)
			continue
		}
		if in.added += size(callee); in.added > inlineLimit {
			return mlir.Diagnostics{{Loc: op.Loc, Message: fmt.Sprintf(
				"inlining adds more than %d operations", inlineLimit)}}
		}
		in.expand(b, op, callee.Body(), values)
	}
	return nil
}

// expand appends a copy of a body in place of a call.
func (in *inliner) expand(b *mlir.Block, call *mlir.Operation, body *mlir.Block,
	values map[*mlir.Value]*mlir.Value) {
	inside := map[*mlir.Value]*mlir.Value{}
	for i, a := range body.Args {
		inside[a] = call.Operands[i]
	}
	for _, op := range body.Ops {
		if op.Name != "func.return" {
			b.Append(op.Clone(inside)).Loc = calledFrom(op.Loc, call.Loc)
			continue
		}
		for i, v := range op.Operands {
			if to, ok := inside[v]; ok {
				v = to
			}
			values[call.Results[i]] = v
		}
	}
}

// calledFrom adds a caller to a location.
func calledFrom(l, caller mlir.Location) mlir.Location {
	if l.IsUnknown() || caller.IsUnknown() {
		return l
	}
	l.Callers = append(l.Callers[:len(l.Callers):len(l.Callers)], caller)
	return l
}

func size(op *mlir.Operation) int {
	n := 0
	op.Walk(func(*mlir.Operation) { n++ })
	return n
}
