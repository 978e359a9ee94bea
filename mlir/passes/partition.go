package passes

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// Partition moves maximal groups of operations that the device can run out of
// every function into functions of their own ("main_group_0"), so that what
// remains in the function are calls of groups and host operations. A function
// that the device can run as a whole is left as it is.
//
// The schedule is the groups' order: an operation joins the latest group that
// its operands allow, so no path leaves a group and comes back. Constants are
// cloned into every group that uses them.
func Partition(module *mlir.Operation) error {
	for _, f := range module.Funcs() {
		if f.Body() != nil && !wholly(f) {
			p := &partitioner{module: module, f: f, level: map[*mlir.Value]int{}}
			p.run()
		}
	}
	return nil
}

func wholly(f *mlir.Operation) bool {
	if HasComplex(f) {
		return false
	}
	for _, op := range f.Body().Ops {
		if op.Name != "func.return" && !deviceOp(op) {
			return false
		}
	}
	return true
}

// HasComplex reports whether a function takes or returns complex tensors, which no group
// can hold.
func HasComplex(f *mlir.Operation) bool {
	sig, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, _ := sig.Type.(mlir.FunctionType)
	for _, types := range [][]mlir.Type{t.Inputs, t.Results} {
		for _, t := range types {
			if t, ok := t.(mlir.TensorType); ok && mlir.DTypeOf(t.Elem).IsComplex() {
				return true
			}
		}
	}
	return false
}

type partitioner struct {
	module *mlir.Operation
	f      *mlir.Operation
	level  map[*mlir.Value]int // host operations on the longest path to a value
	users  map[*mlir.Value][]*mlir.Operation
	group  map[*mlir.Operation]int // the group of a device operation
}

// run gives every operation the number of host operations that must come before
// it. Device operations of one number form a group; host operations of number n
// run after group n.
func (p *partitioner) run() {
	p.users, p.group = map[*mlir.Value][]*mlir.Operation{}, map[*mlir.Operation]int{}
	block := p.f.Body()
	groups, hosts := map[int][]*mlir.Operation{}, map[int][]*mlir.Operation{}
	last := 0
	var constants []*mlir.Operation
	for _, op := range block.Ops {
		for _, v := range op.Operands {
			p.users[v] = append(p.users[v], op)
		}
		if op.Name == "func.return" {
			continue
		}
		if op.Name == "arith.constant" {
			constants = append(constants, op)
			continue
		}
		last = max(last, p.place(op, groups, hosts))
	}
	ret := block.Terminator()
	block.Ops = nil
	for _, c := range constants {
		if p.usedOutside(c.Result(), func(*mlir.Operation) bool { return false }) {
			block.Append(c)
		}
	}
	values := map[*mlir.Value]*mlir.Value{}
	for n := 0; n <= last; n++ {
		if len(groups[n]) > 0 {
			p.outline(n, groups[n], values)
		}
		for _, op := range hosts[n] {
			remap(op, values)
			block.Append(op)
		}
	}
	remap(ret, values)
	block.Append(ret)
}

// place assigns an operation to a group or to the host and returns the level of
// its results.
func (p *partitioner) place(op *mlir.Operation, groups, hosts map[int][]*mlir.Operation) int {
	n := 0
	for _, v := range op.Operands {
		n = max(n, p.level[v])
	}
	at := n
	if deviceOp(op) {
		groups[n] = append(groups[n], op)
		p.group[op] = n
	} else {
		hosts[n] = append(hosts[n], op)
		at = n + 1
	}
	for _, r := range op.Results {
		p.level[r] = at
	}
	return at
}

// usedOutside reports whether a value has a user that is neither in a group nor
// skipped.
func (p *partitioner) usedOutside(v *mlir.Value, skip func(*mlir.Operation) bool) bool {
	for _, u := range p.users[v] {
		if _, grouped := p.group[u]; !grouped || v.Def.Name != "arith.constant" && !skip(u) {
			return true
		}
	}
	return false
}

func remap(op *mlir.Operation, values map[*mlir.Value]*mlir.Value) {
	for i, v := range op.Operands {
		if w := values[v]; w != nil {
			op.Operands[i] = w
		}
	}
}

// outline moves a group into a function and appends its call.
func (p *partitioner) outline(n int, group []*mlir.Operation, values map[*mlir.Value]*mlir.Value) {
	inputs, constants := groupInputs(group)
	outputs := p.groupOutputs(n, group)
	name := fmt.Sprintf("%s_group_%d", symbol(p.f), n)
	types := mlir.FunctionType{Inputs: typesOf(inputs), Results: typesOf(outputs)}
	g := mlir.NewOp("func.func", nil, nil, mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr(name)},
		{Name: "function_type", Value: mlir.TypeAttr{Type: types}},
		{Name: "sym_visibility", Value: mlir.StringAttr("private")},
	})
	body := g.AddRegion().AddBlock(types.Inputs...)
	local := map[*mlir.Value]*mlir.Value{}
	for i, v := range inputs {
		local[v] = body.Args[i]
	}
	for _, c := range constants {
		clone := mlir.NewOp(c.Name, nil, []mlir.Type{c.Result().Type}, c.Attrs)
		clone.Loc = c.Loc
		local[c.Result()] = body.Append(clone).Result()
	}
	for _, op := range group {
		remap(op, local)
		body.Append(op)
	}
	body.Append(mlir.NewOp("func.return", outputs, nil, nil))
	p.module.Body().Append(g)

	call := mlir.NewOp("func.call", inputs, types.Results, mlir.Attrs{
		{Name: "callee", Value: mlir.SymbolRefAttr{name}}})
	remap(call, values)
	p.f.Body().Append(call)
	for i, v := range outputs {
		values[v] = call.Results[i]
	}
}

// groupInputs lists the values that a group takes from outside, in order of
// first use, and the constants among them apart.
func groupInputs(group []*mlir.Operation) (inputs []*mlir.Value, constants []*mlir.Operation) {
	seen := map[*mlir.Value]bool{}
	for _, op := range group {
		for _, r := range op.Results {
			seen[r] = true
		}
	}
	for _, op := range group {
		for _, v := range op.Operands {
			if seen[v] {
				continue
			}
			seen[v] = true
			if v.Def != nil && v.Def.Name == "arith.constant" {
				constants = append(constants, v.Def)
			} else {
				inputs = append(inputs, v)
			}
		}
	}
	return inputs, constants
}

// groupOutputs lists the values of group n that are used outside it.
func (p *partitioner) groupOutputs(n int, group []*mlir.Operation) []*mlir.Value {
	inGroup := func(u *mlir.Operation) bool { return p.group[u] == n }
	var outputs []*mlir.Value
	for _, op := range group {
		for _, r := range op.Results {
			if p.usedOutside(r, inGroup) {
				outputs = append(outputs, r)
			}
		}
	}
	return outputs
}

func symbol(f *mlir.Operation) string {
	s, _ := f.Attrs.Get("sym_name").(mlir.StringAttr)
	return string(s)
}

func typesOf(values []*mlir.Value) []mlir.Type {
	out := make([]mlir.Type, len(values))
	for i, v := range values {
		out[i] = v.Type
	}
	return out
}
